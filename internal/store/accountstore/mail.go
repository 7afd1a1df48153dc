package accountstore

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// mailsKept is how long sent mails stay in Postgres.
const mailsKept = 30 * 24 * time.Hour

// errMailOver says that a mail must not be sent any more.
var errMailOver = models.Errorf(models.CodeNotFound, "the mail was already sent or is no longer needed")

// MailJob returns a mail to send. It creates the mail's token and stores the token's hash. Each attempt creates another
// token, and the previous token stops working. MailJob returns not_found if the mail was sent, or if the invitation or
// password reset has ended.
func (s *Accounts) MailJob(ctx context.Context, id int64) (j models.MailJob, err error) {
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		m, err := pg.OneOr[models.Mail](tx.Clauses(pg.ForUpdate).Where("id = ? AND sent_at IS NULL", id), errMailOver)
		if err != nil {
			return err
		}
		now := tx.NowFunc()
		j = models.MailJob{Kind: m.Kind, Token: models.NewSecretToken()}
		var to []struct{ Email, Slug string }
		if m.Kind == models.MailInvitation {
			err = tx.Raw(`UPDATE invitations AS i SET token_hash = ? FROM projects AS p WHERE i.id = ? AND i.by_mail AND i.expires_at > ?
				AND p.id = i.project_id RETURNING i.email, p.slug`, j.Token.Hash(), m.SubjectID, now).Scan(&to).Error
		} else {
			err = tx.Raw(`UPDATE password_resets AS r SET token_hash = ?, expires_at = ? FROM users AS u
				WHERE r.id = ? AND r.expires_at > ? AND u.id = r.user_id RETURNING u.email, '' AS slug`,
				j.Token.Hash(), now.Add(models.PasswordResetLife), m.SubjectID, now).Scan(&to).Error
		}
		if err != nil {
			return err
		}
		if len(to) == 0 {
			return errMailOver
		}
		j.To, j.Project = to[0].Email, to[0].Slug
		return nil
	})
	return j, err
}

// MailSent records that the mail server accepted the mail.
func (s *Accounts) MailSent(ctx context.Context, id int64) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		now := tx.NowFunc()
		if err := tx.Exec("UPDATE mails SET sent_at = ? WHERE id = ?", now, id).Error; err != nil {
			return err
		}
		return tx.Exec("UPDATE invitations SET sent_at = ? WHERE id = (SELECT subject_id FROM mails WHERE id = ? AND kind = ?)",
			now, id, models.MailInvitation).Error
	})
}

// mailInvitation schedules a mail with the invitation's link, unless the address or the project was sent too many
// mails.
func mailInvitation(c *unit.Change, i models.Invitation) error {
	ofProject, err := recentMails(c, "project_id = ?", i.ProjectID)
	if err == nil && ofProject >= models.MaxProjectMails {
		err = tooManyMails("the project has sent %d invitations within an hour; invite more people later", models.MaxProjectMails)
	}
	if err != nil {
		return err
	}
	toAddress, err := recentMails(c, "email_key = ? AND kind = ?", i.EmailKey, models.MailInvitation)
	if err == nil && toAddress >= models.MaxInvitationMails {
		err = tooManyMails("the address was sent %d invitations within an hour; invite the person later", models.MaxInvitationMails)
	}
	if err != nil {
		return err
	}
	enqueueMail(c, models.Mail{Kind: models.MailInvitation, EmailKey: i.EmailKey, ProjectID: i.ProjectID, SubjectID: i.ID})
	return c.Err
}

func tooManyMails(format string, most int) error {
	return &models.Error{Code: models.CodeRateLimited, Message: fmt.Sprintf(format, most), RetryAfter: models.MailWindow}
}

// recentMails counts the mails of the last hour.
func recentMails(c *unit.Change, where string, args ...any) (n int64, err error) {
	err = c.Tx.Table("mails").Where(where, args...).Where("created_at > ?", c.Now().Add(-models.MailWindow)).Count(&n).Error
	return n, err
}

// enqueueMail stores a mail to be sent after the transaction commits. It deletes old mails.
func enqueueMail(c *unit.Change, m models.Mail) {
	m.CreatedAt = c.Now()
	c.Exec("DELETE FROM mails WHERE created_at < ?", c.Now().Add(-mailsKept))
	c.Create(&m)
	c.Enqueue(models.OutboxMailSend, models.MailStart{MailID: m.ID, WorkflowID: "mail/" + uuid.NewString()})
}
