package accountstore

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// errResetLink is the same for all causes, because naming the cause would help to guess tokens.
var errResetLink = models.Errorf(models.CodeUnauthenticated,
	"the link was used, is older than an hour, or the password was changed since; request a new link")

// ForgetPassword requests a password reset mail for the address. It does the same for every address, so that the
// duration of a request does not reveal whether the account exists. BeginPasswordReset looks for the account later and
// in another process.
func (s *Accounts) ForgetPassword(ctx context.Context, requestID, email string) error {
	return s.account(ctx, models.Actor{RequestID: requestID}, func(c *unit.Change) error {
		c.Enqueue(models.OutboxPasswordForgotten, models.ForgottenPassword{Email: email})
		return nil
	})
}

// BeginPasswordReset mails a link to the account with the address, if there is one and it was not sent too many such
// mails. Earlier links keep working, so that you cannot invalidate another person's link by requesting more.
// BeginPasswordReset may be repeated: then it sends another link.
func (s *Accounts) BeginPasswordReset(ctx context.Context, f models.ForgottenPassword) error {
	return s.account(ctx, models.SystemActor("forgotten-password"), func(c *unit.Change) error {
		u, err := userByEmail(c.Tx.Clauses(pg.ForChange), f.Email) // lock the user, so that the count stays right
		if models.CodeOf(err) == models.CodeNotFound {
			return nil
		}
		if err != nil {
			return err
		}
		sent, err := recentMails(c, "email_key = ? AND kind = ?", u.EmailKey, models.MailPasswordReset)
		if err != nil || sent >= models.MaxResetMails {
			return err
		}
		c.Exec("DELETE FROM password_resets WHERE user_id = ? AND expires_at <= ?", u.ID, c.Now())
		reset := models.PasswordReset{UserID: u.ID, CreatedAt: c.Now(), ExpiresAt: c.Now().Add(models.MailLife)}
		c.Create(&reset)
		enqueueMail(c, models.Mail{Kind: models.MailPasswordReset, EmailKey: u.EmailKey, SubjectID: reset.ID})
		return nil
	})
}

// CheckResetLink returns unauthenticated unless the token belongs to a valid link.
func (s *Accounts) CheckResetLink(ctx context.Context, token models.SecretToken) error {
	now := s.db.Clock()
	return s.db.ReadOne(ctx, func(db *gorm.DB) error {
		_, err := openReset(db, token, now)
		return err
	})
}

func openReset(db *gorm.DB, token models.SecretToken, now time.Time) (models.PasswordReset, error) {
	return pg.OneOr[models.PasswordReset](db.Where("token_hash = ? AND expires_at > ?", token.Hash(), now), errResetLink)
}

// ResetPasswordByLink does what ResetPassword does for the holder of the token, who has proved that the address is
// theirs. It uses the link up and ends all other links of the account.
func (s *Accounts) ResetPasswordByLink(ctx context.Context, requestID string, token models.SecretToken, hash string) error {
	return s.account(ctx, models.Actor{RequestID: requestID}, func(c *unit.Change) error {
		found, err := openReset(c.Tx, token, c.Now())
		if err != nil {
			return err
		}
		u, err := oneUser(c.Tx.Clauses(pg.ForChange).Where("id = ?", found.UserID))
		if err != nil {
			return err
		}
		// Check again under the lock of the account: this link or another one may have been used in the meantime.
		if _, err := openReset(c.Tx, token, c.Now()); err != nil {
			return err
		}
		c.Actor = models.UserActor(u, requestID)
		if u, err = claim(c, u, hash, provedByMail); err != nil {
			return err
		}
		auditUser(c, u, "user.password_reset", "user", u.ID, map[string]any{"email": u.Email})
		return nil
	})
}
