package accountstore

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// ownersLock is the key of the advisory lock for changes of owners and for new projects. It ensures that every owner is
// a member of every project and that the last owner remains. Sign-ins that make someone an owner because of groups
// share the lock with each other.
const ownersLock = 0x77616674

// auditUser audits a change of an account in the log of the installation, which belongs to project 0, and in the log of
// every project that the user is a member of.
func auditUser(c *unit.Change, u models.User, action, entity string, id int64, details map[string]any) {
	projects := []int64{0}
	c.Do(func() error {
		return c.Tx.Raw("SELECT 0 UNION ALL (SELECT project_id FROM members WHERE user_id = ? ORDER BY project_id)", u.ID).Scan(&projects).Error
	})
	c.RecordAudit(pg.Each(projects, func(project int64) models.AuditEntry { return entryIn(c, project, action, entity, id, details) })...)
}

// entryIn returns an entry for the log of the given project, which need not be the project of the change.
func entryIn(c *unit.Change, project int64, action, entity string, id int64, details map[string]any) models.AuditEntry {
	e := c.Entry(c.Actor, action, entity, id, details)
	e.ProjectID = project
	return e
}

// account runs fn in a transaction that does not change a project.
func (s *Accounts) account(ctx context.Context, actor models.Actor, fn func(c *unit.Change) error) error {
	return s.units.Edit(ctx, 0, actor, fn)
}

// errSetUp refuses to set up an installation a second time.
var errSetUp = models.Errorf(models.CodeAlreadyExists, "Waft is already set up; sign in, or ask an admin to invite you")

// errLink is the same for all causes, because naming the cause would help to guess tokens.
var errLink = models.Errorf(models.CodeUnauthenticated, "the link is invalid or has expired; run `waftd setup-link` to get a new link")

// SetupRequired reports whether no account exists.
func (s *Accounts) SetupRequired(ctx context.Context) (bool, error) {
	return pg.Reading(ctx, s.db.ReadOne, noUsers)
}

func noUsers(db *gorm.DB) (none bool, err error) {
	err = db.Raw("SELECT NOT EXISTS (SELECT FROM users)").Row().Scan(&none)
	return none, err
}

// checkNoOwner returns errSetUp if there is an owner. Accounts that are not owners do not count: people invited by an
// API key may have joined first, and the operator can still use the setup link.
func checkNoOwner(db *gorm.DB) error {
	var owned bool
	err := db.Raw("SELECT EXISTS (SELECT FROM users WHERE is_owner)").Row().Scan(&owned)
	if err == nil && owned {
		err = errSetUp
	}
	return err
}

// PutSetupLink stores token as the setup link, valid for models.SetupLinkLife. It returns already_exists if there is an
// owner.
func (s *Accounts) PutSetupLink(ctx context.Context, token models.SecretToken) error {
	return s.account(ctx, models.SystemActor("setup-link"), func(c *unit.Change) error {
		if err := checkNoOwner(c.Tx); err != nil {
			return err
		}
		c.Exec(`INSERT INTO setup_link (token_hash, expires_at) SELECT ?::bytea, ?
			ON CONFLICT (only_row) DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
			token.Hash(), c.Now().Add(models.SetupLinkLife))
		return nil
	})
}

// CheckSetupLink returns already_exists if there is an owner, and unauthenticated unless the token belongs to the setup
// link.
func (s *Accounts) CheckSetupLink(ctx context.Context, token models.SecretToken) error {
	now := s.db.Clock()
	return s.db.ReadOne(ctx, func(db *gorm.DB) error {
		if err := checkNoOwner(db); err != nil {
			return err
		}
		var valid bool
		err := db.Raw("SELECT EXISTS (SELECT FROM setup_link WHERE token_hash = ? AND expires_at > ?)", token.Hash(), now).Row().Scan(&valid)
		return errors.Join(err, unit.Refusal(err == nil && !valid, errLink))
	})
}

// SetUp creates the first owner and its session, and uses the link up.
func (s *Accounts) SetUp(
	ctx context.Context, requestID string, token models.SecretToken, n models.NewUser, login models.NewSession,
) (u models.User, err error) {
	n.IsOwner, n.EmailVerified = true, true
	if err := n.Validate(); err != nil {
		return u, err
	}
	err = s.account(ctx, models.Actor{}, func(c *unit.Change) error {
		c.Exec("SELECT pg_advisory_xact_lock(?)", ownersLock)
		if err := checkNoOwner(c.Tx); err != nil {
			return err
		}
		used := c.Tx.Exec("DELETE FROM setup_link WHERE token_hash = ? AND expires_at > ?", token.Hash(), c.Now())
		if used.Error != nil || used.RowsAffected != 1 {
			return errors.Join(used.Error, unit.Refusal(used.Error == nil, errLink))
		}
		u = createUser(c, requestID, n)
		makeOwner(c, u)
		startSession(c, u, login)
		return nil
	})
	return u, err
}

// createUser creates an account. From then on, the account is the actor of the change.
func createUser(c *unit.Change, requestID string, n models.NewUser) models.User {
	u := n.User(c.Now())
	c.Create(&u)
	c.Actor = models.UserActor(u, requestID)
	auditUser(c, u, "user.created", "user", u.ID, map[string]any{"email": u.Email, "name": u.Name, "isOwner": u.IsOwner})
	return u
}

// makeOwner makes the user, who is an owner, an admin of every project. The caller holds ownersLock. makeOwner waits
// for projects that are being deleted; projects that it finds cannot be deleted until the transaction ends.
func makeOwner(c *unit.Change, u models.User) {
	addMembers(c, `SELECT id, ?::bigint, 'admin', 'owner', ?::timestamptz FROM projects ORDER BY id FOR KEY SHARE`, u.ID, c.Now())
	c.Exec("UPDATE members SET role = 'admin', source = 'owner' WHERE user_id = ? AND source <> 'owner'", u.ID)
}

// AddOwners makes every owner an admin of the new project.
func AddOwners(c *unit.Change) {
	c.Exec("SELECT pg_advisory_xact_lock(?)", ownersLock)
	addMembers(c, "SELECT ?::bigint, id, 'admin', 'owner', ?::timestamptz FROM users WHERE is_owner ORDER BY id", c.Project.ID, c.Now())
}

// UserByEmail returns the account with the address, or not_found. It ignores case and Unicode form.
func (s *Accounts) UserByEmail(ctx context.Context, email string) (models.User, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (models.User, error) { return userByEmail(db, email) })
}

// User returns the account with the ID, or not_found.
func (s *Accounts) User(ctx context.Context, id int64) (models.User, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (models.User, error) { return oneUser(db.Where("id = ?", id)) })
}

func userByEmail(db *gorm.DB, email string) (models.User, error) {
	return oneUser(db.Where("email_key = ?", models.EmailKey(email)))
}

func oneUser(q *gorm.DB) (models.User, error) {
	return pg.OneOr[models.User](q, models.Errorf(models.CodeNotFound, "this account does not exist"))
}

// errMoved refuses a sign-in if the account has changed since the caller read it.
var errMoved = models.Errorf(models.CodeUnauthenticated, "the account changed at the same time; sign in again")

// lockUnmoved locks the account of u, and returns errMoved if its password was changed since u was read.
func lockUnmoved(c *unit.Change, u models.User) (models.User, error) {
	current, err := oneUser(c.Tx.Clauses(pg.ForChange).Where("id = ?", u.ID))
	if err == nil && current.PasswordHash != u.PasswordHash {
		err = errMoved
	}
	return current, err
}

// LogIn begins a session of the user, unless the password was changed since u was read. rehashed is the password's hash
// with newer parameters, or "".
func (s *Accounts) LogIn(ctx context.Context, requestID string, u models.User, login models.NewSession, rehashed string) error {
	return s.account(ctx, models.UserActor(u, requestID), func(c *unit.Change) error {
		if _, err := lockUnmoved(c, u); err != nil {
			return err
		}
		if rehashed != "" {
			c.Exec("UPDATE users SET password_hash = ? WHERE id = ?", rehashed, u.ID)
		}
		startSession(c, u, login)
		return nil
	})
}

// ChangePassword sets another password for the user and ends all sessions except the kept one, unless the password was
// changed since u was read.
func (s *Accounts) ChangePassword(ctx context.Context, actor models.Actor, u models.User, hash string, kept int64) error {
	return s.account(ctx, actor, func(c *unit.Change) error {
		if _, err := lockUnmoved(c, u); err != nil {
			return err
		}
		setPassword(c, u, hash, kept)
		auditUser(c, u, "user.password_changed", "user", u.ID, map[string]any{})
		return nil
	})
}

// setPassword sets another password for the user. It ends all sessions except the kept one, and all password reset
// links.
func setPassword(c *unit.Change, u models.User, hash string, kept int64) {
	c.Exec("UPDATE users SET password_hash = ? WHERE id = ?", hash, u.ID)
	c.Exec("DELETE FROM password_resets WHERE user_id = ?", u.ID)
	var ended []models.Session
	c.Do(func() error { return c.Tx.Where("user_id = ? AND id <> ?", u.ID, kept).Order("id").Find(&ended).Error })
	for _, session := range ended {
		endSession(c, u, session)
	}
}

// UpdateUser renames the user.
func (s *Accounts) UpdateUser(ctx context.Context, actor models.Actor, id int64, name string) (u models.User, err error) {
	err = s.account(ctx, actor, func(c *unit.Change) error {
		if u, err = oneUser(c.Tx.Clauses(pg.ForChange).Where("id = ?", id)); err != nil {
			return err
		}
		before := u.Name
		if u.Name = name; before == name {
			return nil
		}
		c.Exec("UPDATE users SET name = ? WHERE id = ?", name, id)
		auditUser(c, u, "user.updated", "user", u.ID, unit.Diff{"name": map[string]any{"before": before, "after": name}})
		return nil
	})
	return u, err
}
