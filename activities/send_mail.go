package activities

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// MailStore keeps the mails that are to be sent.
type MailStore interface {
	// MailJob makes the token of the mail. It is not_found when the mail is not to be sent any more.
	MailJob(ctx context.Context, id int64) (models.MailJob, error)
	MailSent(ctx context.Context, id int64) error
}

// Mailer gives mails to a mail server.
type Mailer interface {
	// Send returns invalid when the server refuses the mail for good.
	Send(ctx context.Context, j models.MailJob) error
}

var errNoMailer = models.Errorf(models.CodeUnavailable, "this worker has no WAFT_SMTP_URL: set it as for the API")

// SendMail sends a mail with a new token. When the process ends before Postgres has it that the mail was sent, the person gets two
// mails, and the link of the second one works.
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

// unsent tells the operator that a mail could not be sent.
func (a *Activities) unsent(ctx context.Context, s models.MailStart, err error) error {
	if models.CodeOf(err) == models.CodeInvalid {
		a.Log.WarnContext(ctx, "a mail is not sent", "mail", s.MailID, "error", err)
	} else {
		a.Log.WarnContext(ctx, "a mail could not be sent; trying again", "mail", s.MailID, "error", err)
	}
	return classify(err)
}
