package accountstore

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

var (
	errPasskey     = models.Errorf(models.CodeUnauthenticated, models.PasskeyRefused)
	errAnswered    = models.Errorf(models.CodeUnauthenticated, "this passkey response was already used; start again")
	errAdded       = models.Errorf(models.CodeAlreadyExists, "this passkey response was already used; start again")
	errLastPasskey = models.Errorf(models.CodeInUse,
		"the passkey is your only way to sign in: set a password or add another passkey first")
	errNotLinked = models.Errorf(models.CodeInUse,
		"your account is not linked with an identity provider of this installation; link it before you delete the passkey")
	errCloned = models.Errorf(models.CodeUnauthenticated,
		"the passkey's use counter is lower than Waft recorded, so a copy of it may exist; sign in another way and replace the passkey")
)

// Passkeys returns the user's passkeys, newest first. There are at most models.MaxPasskeys.
func (s *Accounts) Passkeys(ctx context.Context, userID int64) ([]models.Passkey, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) ([]models.Passkey, error) {
		return pg.All[models.Passkey](db.Where("user_id = ?", userID).Order("id DESC"))
	})
}

// PasskeyByCredential returns the passkey with an authenticator's credential ID, and its user, or not_found.
func (s *Accounts) PasskeyByCredential(ctx context.Context, id []byte) (p models.Passkey, u models.User, err error) {
	err = s.db.ReadOne(ctx, func(db *gorm.DB) error {
		if p, err = pg.One[models.Passkey](db.Where("credential_id = ?", id), "passkey"); err != nil {
			return err
		}
		u, err = oneUser(db.Where("id = ?", p.UserID))
		return err
	})
	return p, u, err
}

// AddPasskey adds a passkey that has responded to the challenge to the account p.UserID. It returns quota_exceeded
// above models.MaxPasskeys, and already_exists if an account already has the passkey.
func (s *Accounts) AddPasskey(
	ctx context.Context, actor models.Actor, p models.Passkey, answered models.Challenge,
) (models.Passkey, error) {
	if err := models.ValidatePasskeyName(p.Name); err != nil {
		return p, err
	}
	err := s.account(ctx, actor, func(c *unit.Change) error {
		u, err := oneUser(c.Tx.Clauses(pg.ForChange).Where("id = ?", p.UserID))
		if err != nil {
			return err
		}
		if err := answerChallenge(c, answered, errAdded); err != nil {
			return err
		}
		var has int64
		if err := c.Tx.Table("passkeys").Where("user_id = ?", u.ID).Count(&has).Error; err != nil {
			return err
		}
		if has >= models.MaxPasskeys {
			return models.Errorf(models.CodeQuotaExceeded, "an account can have at most %d passkeys; delete one first", models.MaxPasskeys)
		}
		p.ID, p.CreatedAt = 0, c.Now()
		c.Create(&p)
		auditUser(c, u, "user.passkey_added", "passkey", p.ID, map[string]any{"name": p.Name})
		return nil
	})
	return p, err
}

// answerChallenge uses up a challenge, or returns refused if it was already used. It deletes expired challenges, unless
// a concurrent sign-in has locked them to delete them.
func answerChallenge(c *unit.Change, answered models.Challenge, refused error) error {
	if !c.Now().Before(answered.Expires) {
		return refused
	}
	c.Exec(`DELETE FROM answered_challenges WHERE challenge_hash IN
		(SELECT challenge_hash FROM answered_challenges WHERE expires_at <= ? FOR UPDATE SKIP LOCKED)`, c.Now())
	used := c.Tx.Exec(`INSERT INTO answered_challenges (challenge_hash, expires_at) SELECT ?::bytea, ?
		ON CONFLICT (challenge_hash) DO NOTHING`, answered.Hash, answered.Expires)
	return errors.Join(used.Error, unit.Refusal(used.Error == nil && used.RowsAffected == 0, refused))
}

// LogInWithPasskey begins a session of the user after a verified response of an authenticator. It returns
// unauthenticated if the response was used before, or if the passkey was removed or used in the meantime. It also
// returns unauthenticated if the passkey may be a copy, and records that.
func (s *Accounts) LogInWithPasskey(
	ctx context.Context, requestID string, u models.User, verified models.PasskeyLogin, login models.NewSession,
) error {
	cloned := false
	err := s.account(ctx, models.UserActor(u, requestID), func(c *unit.Change) error {
		cloned = false // the transaction may run again
		if _, err := pg.OneOr[models.User](c.Tx.Clauses(pg.ForChange).Where("id = ?", u.ID), errPasskey); err != nil {
			return err
		}
		p, err := pg.OneOr[models.Passkey](
			c.Tx.Clauses(pg.ForUpdate).Where("user_id = ? AND id = ?", u.ID, verified.Passkey.ID), errPasskey)
		if err != nil {
			return err
		}
		if p.SignCount != verified.Passkey.SignCount {
			return errMoved
		}
		if err := answerChallenge(c, verified.Challenge, errAnswered); err != nil {
			return err
		}
		if cloned = verified.Cloned; cloned {
			warnOfClone(c, u, p)
			return nil
		}
		c.Exec("UPDATE passkeys SET flags = ?, sign_count = ?, last_used_at = ? WHERE id = ?",
			verified.Flags, verified.SignCount, c.Now(), p.ID)
		startSession(c, u, login)
		return nil
	})
	if err == nil && cloned {
		return errCloned
	}
	return err
}

// warnOfClone records that a copy of the passkey may exist. It does so only once.
func warnOfClone(c *unit.Change, u models.User, p models.Passkey) {
	if p.CloneWarning {
		return
	}
	c.Exec("UPDATE passkeys SET clone_warning = true WHERE id = ?", p.ID)
	auditUser(c, u, "user.passkey_cloned", "passkey", p.ID, map[string]any{"name": p.Name})
}

func lockPasskey(c *unit.Change, userID, id int64) (models.Passkey, error) {
	return pg.OneOr[models.Passkey](c.Tx.Clauses(pg.ForUpdate).Where("user_id = ? AND id = ?", userID, id),
		models.Errorf(models.CodeNotFound, "your account does not have a passkey %d", id))
}

// RenamePasskey renames a passkey of the user, unless name is nil, or returns not_found.
func (s *Accounts) RenamePasskey(
	ctx context.Context, actor models.Actor, u models.User, id int64, name *string,
) (p models.Passkey, err error) {
	err = s.account(ctx, actor, func(c *unit.Change) error {
		if p, err = lockPasskey(c, u.ID, id); err != nil || name == nil || p.Name == *name {
			return err
		}
		before := p.Name
		p.Name = *name
		c.Exec("UPDATE passkeys SET name = ? WHERE id = ?", p.Name, id)
		auditUser(c, u, "user.passkey_updated", "passkey", id, unit.Diff{"name": map[string]any{"before": before, "after": p.Name}})
		return nil
	})
	return p, err
}

// RemovePasskey removes a passkey of the user, or returns not_found. It returns in_use if the passkey is for the domain
// of the installation and is the user's only way to sign in there.
func (s *Accounts) RemovePasskey(ctx context.Context, actor models.Actor, u models.User, id int64, ways models.LoginWays) error {
	return s.account(ctx, actor, func(c *unit.Change) error {
		current, err := oneUser(c.Tx.Clauses(pg.ForChange).Where("id = ?", u.ID))
		if err != nil {
			return err
		}
		p, err := lockPasskey(c, u.ID, id)
		if err != nil {
			return err
		}
		if p.RPID == ways.Domain {
			if err := checkOtherWay(c, current, p, ways); err != nil {
				return err
			}
		}
		removePasskey(c, current, p)
		return nil
	})
}

// checkOtherWay returns in_use unless the user can sign in without the passkey. The caller has locked the user.
func checkOtherWay(c *unit.Change, u models.User, p models.Passkey, ways models.LoginWays) error {
	other, err := canSignIn(c, u, without{passkey: p.ID}, ways)
	switch {
	case err != nil || other:
		return err
	case ways.SSOOnly:
		return errNotLinked
	default:
		return errLastPasskey
	}
}

func removePasskey(c *unit.Change, u models.User, p models.Passkey) {
	c.Exec("DELETE FROM passkeys WHERE id = ?", p.ID)
	auditUser(c, u, "user.passkey_removed", "passkey", p.ID, map[string]any{"name": p.Name})
}
