package accountstore

import (
	"context"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

var errLastIdentity = models.Errorf(models.CodeInUse,
	"this is your only way to sign in: set a password, add a passkey or link another identity before you remove it")

// RemoveIdentity removes a linked identity of the user, or returns not_found. It returns in_use if the identity is the
// user's only way to sign in to the installation.
func (s *Accounts) RemoveIdentity(ctx context.Context, actor models.Actor, u models.User, id int64, ways models.LoginWays) error {
	return s.account(ctx, actor, func(c *unit.Change) error {
		current, err := oneUser(c.Tx.Clauses(pg.ForChange).Where("id = ?", u.ID))
		if err != nil {
			return err
		}
		identity, err := pg.OneOr[models.UserIdentity](c.Tx.Clauses(pg.ForUpdate).Where("user_id = ? AND id = ?", u.ID, id),
			models.Errorf(models.CodeNotFound, "your account does not have a linked identity %d", id))
		if err != nil {
			return err
		}
		other, err := canSignIn(c, current, without{identity: id}, ways)
		if err != nil {
			return err
		}
		if !other {
			return errLastIdentity
		}
		removeIdentity(c, current, identity)
		return nil
	})
}

func removeIdentity(c *unit.Change, u models.User, i models.UserIdentity) {
	c.Exec("DELETE FROM identities WHERE id = ?", i.ID)
	auditUser(c, u, "user.identity_removed", "user", u.ID, map[string]any{"issuer": i.Issuer, "subject": i.Subject})
}

// without names the sign-in method that is about to be removed. An ID of 0 means none.
type without struct{ passkey, identity int64 }

// canSignIn reports whether the user can still sign in after the removal. Identities at providers that are not
// configured do not count, and neither do passkeys of other domains. The caller has locked the user.
func canSignIn(c *unit.Change, u models.User, removed without, ways models.LoginWays) (other bool, err error) {
	if !ways.SSOOnly && u.PasswordHash != "" {
		return true, nil
	}
	err = c.Tx.Raw(`SELECT EXISTS (SELECT FROM identities WHERE user_id = @user AND id <> @identity AND issuer = ANY ((@issuers)::text[]))
			OR NOT @sso AND EXISTS (SELECT FROM passkeys WHERE user_id = @user AND id <> @passkey AND rp_id = @domain)`,
		map[string]any{
			"user": u.ID, "identity": removed.identity, "passkey": removed.passkey, "domain": ways.Domain,
			"issuers": pg.ArrayOf(ways.Issuers), "sso": ways.SSOOnly,
		},
	).Row().Scan(&other)
	return other, err
}
