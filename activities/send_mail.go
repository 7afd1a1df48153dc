package activities

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// MailStore stores the mails that are to be sent.
type MailStore interface {
	// MailJob creates the mail's token. It returns not_found if the mail must not be sent any more.
	MailJob(ctx context.Context, id int64) (models.MailJob, error)
	MailSent(ctx context.Context, id int64) error
}

// Mailer passes mails to a mail server.
type Mailer interface {
	// Send returns invalid if the server refuses the mail permanently.
	Send(ctx context.Context, j models.MailJob) error
}

var errNoMailer = models.Errorf(models.CodeUnavailable, "WAFT_SMTP_URL is not set for this worker; set it to the same value as for the API")

// SendMail sends a mail with a new token. If the process ends before Postgres has recorded that the mail was sent, the
// person gets two mails, and only the link of the second one works.
func (a *Activities) SendMail(ctx context.Context, s models.MailStart) error {
	if a.Mailer == nil {
		return a.unsent(ctx, s, errNoMailer)
	}
	job, err := a.Mails.MailJob(ctx, s.MailID)
	if models.CodeOf(err) == models.CodeNotFound {
		return nil
	}
	if err != nil {
		return classify(err)
	}
	if err := a.Mailer.Send(ctx, job); err != nil {
		return a.unsent(ctx, s, err)
	}
	return classify(a.Mails.MailSent(ctx, s.MailID))
}

// unsent logs that a mail could not be sent, and returns the error for Temporal.
func (a *Activities) unsent(ctx context.Context, s models.MailStart, err error) error {
	if models.CodeOf(err) == models.CodeInvalid {
		a.Log.WarnContext(ctx, "a mail is not sent", "mail", s.MailID, "error", err)
	} else {
		a.Log.WarnContext(ctx, "a mail could not be sent; trying again", "mail", s.MailID, "error", err)
	}
	return classify(err)
}
