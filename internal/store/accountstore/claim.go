package accountstore

import (
	"context"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// Methods of verifying an address, as shown in the audit log.
const (
	provedByMail     = "mail"
	provedByIdentity = "identity"
	provedByOperator = "operator"
)

// ResetPassword sets another password for the account with the address, ends all its sessions and removes its passkeys,
// identities and known networks, because an attacker who had the account may have added some. It is for operators, who
// vouch for the address.
func (s *Accounts) ResetPassword(ctx context.Context, email, hash string) (u models.User, err error) {
	err = s.account(ctx, models.SystemActor("reset-password"), func(c *unit.Change) error {
		if u, err = userByEmail(c.Tx.Clauses(pg.ForChange), email); err != nil {
			return err
		}
		if u, err = claim(c, u, hash, provedByOperator); err != nil {
			return err
		}
		auditUser(c, u, "user.password_reset", "user", u.ID, map[string]any{"email": u.Email})
		return nil
	})
	return u, err
}

// VerifyEmail marks the address of an account as verified without changing anything else. It is for operators.
func (s *Accounts) VerifyEmail(ctx context.Context, email string) (u models.User, err error) {
	err = s.account(ctx, models.SystemActor("verify-email"), func(c *unit.Change) error {
		if u, err = userByEmail(c.Tx.Clauses(pg.ForChange), email); err == nil {
			u = verified(c, u, provedByOperator)
		}
		return err
	})
	return u, err
}

// claim gives the account to a person who has proved that the address is theirs. It sets the password, ends all
// sessions and removes passkeys, identities and known networks, because someone else may have added them. The caller
// has locked the user.
func claim(c *unit.Change, u models.User, hash, by string) (models.User, error) {
	setPassword(c, u, hash, 0)
	u.PasswordHash = hash
	passkeys, err := pg.All[models.Passkey](c.Tx.Where("user_id = ?", u.ID).Order("id"))
	if err != nil {
		return u, err
	}
	for _, p := range passkeys {
		removePasskey(c, u, p)
	}
	identities, err := pg.All[models.UserIdentity](c.Tx.Where("user_id = ?", u.ID).Order("id"))
	if err != nil {
		return u, err
	}
	for _, i := range identities {
		removeIdentity(c, u, i)
	}
	forgetNetworks(c, u)
	return verified(c, u, by), c.Err
}

// claimWith gives an unverified account to the person whose identity proves the account's address. From then on, the
// person signs in with that identity alone.
func claimWith(c *unit.Change, u models.User, p models.IdentityLogin) (models.User, error) {
	u, err := claim(c, u, "", provedByIdentity)
	if err != nil {
		return u, err
	}
	return u, linkIdentity(c, u, p)
}

// verified marks the address of the account as verified, unless it already is.
func verified(c *unit.Change, u models.User, by string) models.User {
	if u.EmailVerified {
		return u
	}
	u.EmailVerified = true
	c.Exec("UPDATE users SET email_verified = true WHERE id = ?", u.ID)
	auditUser(c, u, "user.email_verified", "user", u.ID, map[string]any{"email": u.Email, "by": by})
	return u
}
