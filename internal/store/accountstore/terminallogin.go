package accountstore

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// expiredAtOnce is the maximum number of expired sign-ins of terminals that a new one deletes. It is larger than 1, so
// that the table shrinks after a flood.
const expiredAtOnce = 20

var (
	errTerminalRefused = models.Errorf(models.CodeForbidden, "the sign-in was refused in the browser")
	// errByTerminal keeps a stolen session of a terminal from getting new sessions for ever, each with a recent sign-in.
	errByTerminal = models.Errorf(models.CodeForbidden,
		"a session of a terminal cannot confirm another terminal; confirm in the browser, where you sign in yourself")
	errSessionOver = models.Errorf(models.CodeUnauthenticated, "your session has ended; sign in again")
)

// Terminals stores the sign-ins that terminals begin and people confirm in the browser. It is safe for concurrent use.
type Terminals struct {
	db    *pg.DB
	units *unit.Units
}

// NewTerminals returns Terminals that read from db and change records in units of work.
func NewTerminals(db *pg.DB, units *unit.Units) *Terminals { return &Terminals{db, units} }

// BeginTerminalLogin stores a sign-in that a terminal begins. It returns rate_limited if too many sign-ins of the
// network wait for a person. It returns already_exists if another sign-in has the code.
func (s *Terminals) BeginTerminalLogin(ctx context.Context, n models.NewTerminalLogin) (l models.TerminalLogin, err error) {
	if err := n.Validate(); err != nil {
		return l, err
	}
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		now := tx.NowFunc()
		err := tx.Exec(`DELETE FROM terminal_logins WHERE id IN (SELECT id FROM terminal_logins WHERE expires_at <= ?
			ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED)`, now, expiredAtOnce).Error
		if err != nil {
			return err
		}
		if n.Network != 0 {
			if err := checkTerminals(tx, n, now); err != nil {
				return err
			}
		}
		l = n.Login(now)
		return tx.Create(&l).Error
	})
	return l, err
}

// checkTerminals returns rate_limited if the maximum number of sign-ins of the network wait for a person. Its lock makes
// simultaneous sign-ins of the network wait for each other.
func checkTerminals(tx *gorm.DB, n models.NewTerminalLogin, now time.Time) error {
	if err := tx.Exec("SELECT pg_advisory_xact_lock(hashtext('terminal logins'), hashint8(?))", storedNetwork(n.Network)).Error; err != nil {
		return err
	}
	var ends []time.Time
	err := tx.Table("terminal_logins").
		Where("network IN ? AND status = ? AND expires_at > ?", pg.Each(n.Networks, storedNetwork), models.TerminalPending, now).
		Order("expires_at").Limit(models.MaxTerminalLogins).Pluck("expires_at", &ends).Error
	if err != nil || len(ends) < models.MaxTerminalLogins {
		return err
	}
	return &models.Error{
		Code: models.CodeRateLimited, RetryAfter: ends[0].Sub(now).Round(time.Second) + time.Second,
		Message: fmt.Sprintf("%d sign-ins of terminals in this network (IPv4 /24 or IPv6 /48) wait for a person; confirm or refuse them, "+
			"wait until the oldest ends, or use `waft login --email`", models.MaxTerminalLogins),
	}
}

// PollTerminalLogin returns the sign-in of a terminal's secret. It returns rate_limited for a poll that comes too early, and
// unauthenticated for a secret that was used or has expired. With a confirmed sign-in it returns the account of the
// session, and returns it again to retries within TerminalRetryLife. It returns forbidden for a
// refused sign-in, which it deletes, and for an ended session.
func (s *Terminals) PollTerminalLogin(ctx context.Context, token models.SecretToken) (l models.TerminalLogin, u models.User, err error) {
	var early error
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		now := tx.NowFunc()
		early = nil
		l, err = pg.OneOr[models.TerminalLogin](
			tx.Clauses(pg.ForUpdate).Where("token_hash = ? AND expires_at > ?", token.Hash(), now), models.ErrTerminalOver)
		if err != nil {
			return err
		}
		if early = l.Poll(now); early != nil || l.Status == models.TerminalPending {
			return tx.Model(&l).Select("poll_seconds", "polled_at").Updates(&l).Error
		}
		if l.Status == models.TerminalRefused {
			return tx.Exec("DELETE FROM terminal_logins WHERE id = ?", l.ID).Error
		}
		l.GiveSession(now)
		if err := tx.Model(&l).Select("expires_at").Updates(&l).Error; err != nil {
			return err
		}
		u, err = oneUser(tx.Where("id = (SELECT user_id FROM sessions WHERE token_hash = ?)", l.TokenHash))
		if models.CodeOf(err) == models.CodeNotFound {
			l.Status, err = models.TerminalRefused, nil // the person has ended the session already
		}
		return err
	})
	switch {
	case err != nil:
		return l, u, err
	case l.Status == models.TerminalRefused:
		return l, u, errTerminalRefused
	default:
		return l, u, early
	}
}

// TerminalLogin returns the sign-in that waits for a person with the code, or not_found.
func (s *Terminals) TerminalLogin(ctx context.Context, code models.TerminalCode) (models.TerminalLogin, error) {
	now := s.db.Clock()
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (models.TerminalLogin, error) { return waitingTerminal(db, code, now) })
}

func waitingTerminal(db *gorm.DB, code models.TerminalCode, now time.Time) (models.TerminalLogin, error) {
	return pg.OneOr[models.TerminalLogin](
		db.Where("code = ? AND status = ? AND expires_at > ?", code, models.TerminalPending, now), models.ErrNoTerminal)
}

// ConfirmTerminalLogin gives the terminal with the code a session of the user. confirming is the ID of the user's session
// that confirms. It must still exist, because a password reset may have ended all sessions in the meantime. It must not be a session of
// a terminal itself.
func (s *Terminals) ConfirmTerminalLogin(
	ctx context.Context, actor models.Actor, u models.User, confirming int64, code models.TerminalCode,
) error {
	return s.units.Edit(ctx, 0, actor, func(c *unit.Change) error {
		if _, err := lockUnmoved(c, u); err != nil {
			return err
		}
		by, err := pg.OneOr[models.Session](c.Tx.Where("user_id = ? AND id = ?", u.ID, confirming), errSessionOver)
		if err != nil {
			return err
		}
		if !by.Usable(c.Now()) {
			return errSessionOver
		}
		if by.Method == models.LoginTerminal {
			return errByTerminal
		}
		l, err := waitingTerminal(c.Tx.Clauses(pg.ForUpdate), code, c.Now())
		if err != nil {
			return err
		}
		l.Confirm(c.Now())
		c.Exec("UPDATE terminal_logins SET status = ?, expires_at = ? WHERE id = ?", l.Status, l.ExpiresAt, l.ID)
		startSession(c, u, l.Session())
		return nil
	})
}

// RefuseTerminalLogin refuses the sign-in with the code, or returns not_found.
func (s *Terminals) RefuseTerminalLogin(ctx context.Context, code models.TerminalCode) error {
	return s.db.InTx(ctx, func(tx *gorm.DB) error {
		l, err := waitingTerminal(tx.Clauses(pg.ForUpdate), code, tx.NowFunc())
		if err != nil {
			return err
		}
		return tx.Exec("UPDATE terminal_logins SET status = ? WHERE id = ?", models.TerminalRefused, l.ID).Error
	})
}
