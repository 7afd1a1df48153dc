package accountstore

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// maxSessions is the maximum number of sessions per user. A sign-in ends the oldest session above the maximum.
const maxSessions = 100

// startSession begins a session of the user and ends the session that it replaces. It deletes sessions that have
// expired and marks the network of the sign-in as known for the user.
func startSession(c *unit.Change, u models.User, login models.NewSession) {
	c.Exec("DELETE FROM sessions WHERE user_id = ? AND (expires_at <= ? OR last_seen_at <= ?)",
		u.ID, c.Now(), c.Now().Add(-models.SessionIdle))
	var ended []models.Session
	c.Do(func() error {
		return c.Tx.Where("user_id = ?", u.ID).Order("id DESC").Offset(maxSessions - 1).Find(&ended).Error
	})
	for _, session := range ended {
		endSession(c, u, session)
	}
	if login.Replaces != nil {
		c.Do(func() error { return replaceSession(c, login.Replaces) })
	}
	session := login.Session(u.ID, c.Now())
	c.Create(&session)
	learnNetwork(c, u, login.Network)
	auditUser(c, u, "session.created", "session", session.ID, map[string]any{
		"method": session.Method, "address": session.Address, "userAgent": session.UserAgent,
	})
}

// replaceSession ends the browser's previous session, even if it belongs to another user.
func replaceSession(c *unit.Change, hash []byte) error {
	session, err := pg.One[models.Session](c.Tx.Clauses(pg.ForUpdate).Where("token_hash = ?", hash), "session")
	if models.CodeOf(err) == models.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	u, err := oneUser(c.Tx.Where("id = ?", session.UserID))
	if err == nil {
		endSession(c, u, session)
	}
	return err
}

func endSession(c *unit.Change, u models.User, session models.Session) {
	c.Exec("DELETE FROM sessions WHERE id = ?", session.ID)
	auditUser(c, u, "session.revoked", "session", session.ID, map[string]any{"method": session.Method})
}

// SessionByToken returns the session of a token, in any state (see models.Session.Usable), with its user, or not_found.
func (s *Accounts) SessionByToken(ctx context.Context, hash []byte) (session models.Session, u models.User, err error) {
	err = s.db.ReadOne(ctx, func(db *gorm.DB) error {
		if session, err = pg.One[models.Session](db.Where("token_hash = ?", hash), "session"); err != nil {
			return err
		}
		u, err = oneUser(db.Where("id = ?", session.UserID))
		return err
	})
	return session, u, err
}

// TouchSession records that the session was used at the given time. It writes at most once per minute.
func (s *Accounts) TouchSession(ctx context.Context, id int64, at time.Time) error {
	at = at.UTC().Truncate(time.Millisecond)
	return s.db.Exec(ctx, "UPDATE sessions SET last_seen_at = ? WHERE id = ? AND last_seen_at <= ?", at, id, at.Add(-touchInterval))
}

// Sessions returns the user's usable sessions, newest first.
func (s *Accounts) Sessions(ctx context.Context, userID int64) ([]models.Session, error) {
	now := s.db.Clock()
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) ([]models.Session, error) {
		return pg.All[models.Session](db.Where("user_id = ? AND expires_at > ? AND last_seen_at > ?", userID, now,
			now.Add(-models.SessionIdle)).Order("id DESC").Limit(maxSessions))
	})
}

// EndSession ends a session of the user, or returns not_found.
func (s *Accounts) EndSession(ctx context.Context, actor models.Actor, u models.User, id int64) error {
	return s.account(ctx, actor, func(c *unit.Change) error {
		session, err := pg.OneOr[models.Session](c.Tx.Clauses(pg.ForUpdate).Where("user_id = ? AND id = ?", u.ID, id),
			models.Errorf(models.CodeNotFound, "your account does not have a session %d", id))
		if err != nil {
			return err
		}
		endSession(c, u, session)
		return nil
	})
}
