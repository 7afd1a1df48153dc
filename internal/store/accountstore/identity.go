package accountstore

import (
	"context"
	"errors"
	"maps"
	"slices"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

var (
	errNoAccess = models.Errorf(models.CodeForbidden,
		"the identity provider knows you, but you do not have access here; ask an admin for an invitation")
	errUnverified = models.Errorf(models.CodeForbidden, "the identity provider has not verified your email address")
	errLinkFirst  = models.Errorf(models.CodeForbidden,
		"an account with your email address exists; sign in to it, then link it with the identity provider")
	errLinked  = models.Errorf(models.CodeAlreadyExists, "this identity belongs to another account")
	errUnlinks = models.Errorf(models.CodeUnauthenticated,
		"the session that started linking the identity has ended; sign in and start again")
)

// LogInWith begins a session for the account of an identity. With link, it first links the identity with the account of
// the session in link; that session must still be usable and the new session must replace it. Without link, an unknown
// identity becomes a new account if its groups give access or its verified address is invited.
//
// An account is never found by its address alone. The exception is an account whose address is not verified: it goes to
// the person whose address the provider has verified. LogInWith also updates the roles that groups give, except for an
// unverified account, which belongs to one project.
func (s *Accounts) LogInWith(
	ctx context.Context, requestID string, p models.IdentityLogin, link *models.Linking, login models.NewSession,
) (u models.User, err error) {
	err = s.account(ctx, models.Actor{RequestID: requestID}, func(c *unit.Change) error {
		if link != nil {
			u, err = linkedBy(c, p, *link, login.Replaces)
		} else {
			u, err = accountOf(c, p)
		}
		if err != nil {
			return err
		}
		c.Actor = models.UserActor(u, requestID)
		if !u.EmailVerified && p.Proves(u) {
			if u, err = claimWith(c, u, p); err != nil {
				return err
			}
		}
		if p.Grants.Managed && u.EmailVerified {
			if u, err = followGroups(c, u, p.Grants); err != nil {
				return err
			}
		}
		startSession(c, u, login)
		return nil
	})
	return u, err
}

// Identities returns the identities at providers that the user is linked with, oldest first.
func (s *Accounts) Identities(ctx context.Context, userID int64) ([]models.UserIdentity, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) ([]models.UserIdentity, error) {
		return pg.All[models.UserIdentity](db.Where("user_id = ?", userID).Order("id"))
	})
}

// accountOf returns the account of an identity: see LogInWith.
func accountOf(c *unit.Change, p models.IdentityLogin) (models.User, error) {
	u, err := knownAs(c, p)
	if models.CodeOf(err) != models.CodeNotFound {
		return u, err
	}
	// Two simultaneous first sign-ins with one identity must result in one account.
	lockIdentity(c, p)
	if u, err = knownAs(c, p); models.CodeOf(err) != models.CodeNotFound {
		return u, err
	}
	return newcomer(c, p)
}

func lockIdentity(c *unit.Change, p models.IdentityLogin) {
	c.Exec("SELECT pg_advisory_xact_lock(hashtext(?), hashtext(?))", p.Issuer, p.Subject)
}

// linkedBy links an identity with the account of the session that started the linking, and returns the account. It
// returns already_exists if the identity belongs to another account. A password reset locks the account too. So either
// the reset comes first and the session no longer exists, or the reset removes the identity linked here.
func linkedBy(c *unit.Change, p models.IdentityLogin, link models.Linking, presented []byte) (u models.User, err error) {
	if u, err = oneUser(c.Tx.Clauses(pg.ForChange).Where("id = ?", link.UserID)); err != nil {
		return u, err
	}
	session, err := pg.OneOr[models.Session](
		c.Tx.Clauses(pg.ForUpdate).Where("id = ? AND user_id = ? AND token_hash = ?", link.SessionID, u.ID, presented), errUnlinks)
	if err != nil {
		return u, err
	}
	if !session.Usable(c.Now()) {
		return u, errUnlinks
	}
	c.Actor = models.UserActor(u, c.Actor.RequestID)
	lockIdentity(c, p)
	var linkedWith int64
	c.Do(func() error {
		return c.Tx.Raw("SELECT coalesce((SELECT user_id FROM identities WHERE issuer = ? AND subject = ?), 0)", p.Issuer, p.Subject).
			Row().Scan(&linkedWith)
	})
	switch {
	case c.Err != nil || linkedWith == u.ID:
		return u, c.Err
	case linkedWith != 0:
		return u, errLinked
	default:
		return u, linkIdentity(c, u, p)
	}
}

// knownAs locks and returns the account linked with an identity, or not_found.
func knownAs(c *unit.Change, p models.IdentityLogin) (models.User, error) {
	return oneUser(c.Tx.Clauses(pg.ForChange).
		Where("id = (SELECT user_id FROM identities WHERE issuer = ? AND subject = ?)", p.Issuer, p.Subject))
}

// newcomer creates the account of an identity that has access.
func newcomer(c *unit.Change, p models.IdentityLogin) (u models.User, err error) {
	if !p.EmailVerified {
		return u, errUnverified
	}
	invitations, err := pg.All[models.Invitation](c.Tx.Clauses(pg.ForUpdate).
		Where("email_key = ? AND expires_at > ?", models.EmailKey(p.Email), c.Now()).Order("id"))
	if err != nil {
		return u, err
	}
	known, err := userByEmail(c.Tx.Clauses(pg.ForChange), p.Email)
	if err == nil && !known.EmailVerified {
		c.Actor = models.UserActor(known, c.Actor.RequestID)
		acceptInvitations(c, known, invitations...)
		return known, c.Err // LogInWith gives the account to the person
	}
	if len(invitations) == 0 && !p.Grants.Any() {
		return u, errNoAccess
	}
	if models.CodeOf(err) != models.CodeNotFound {
		return u, errors.Join(err, unit.Refusal(err == nil, errLinkFirst))
	}
	n := p.NewUser()
	if err := n.Validate(); err != nil {
		return u, errUnverified
	}
	u = createUser(c, c.Actor.RequestID, n)
	acceptInvitations(c, u, invitations...)
	return u, linkIdentity(c, u, p)
}

func linkIdentity(c *unit.Change, u models.User, p models.IdentityLogin) error {
	identity := models.UserIdentity{UserID: u.ID, Issuer: p.Issuer, Subject: p.Subject, CreatedAt: c.Now()}
	c.Create(&identity)
	auditUser(c, u, "user.identity_linked", "user", u.ID, map[string]any{"issuer": p.Issuer, "subject": p.Subject})
	return c.Err
}

// followGroups sets the roles that the user's groups give, and removes roles that earlier groups gave.
func followGroups(c *unit.Change, u models.User, grants models.GroupGrants) (models.User, error) {
	switch {
	case grants.Owner && !u.IsOwner:
		c.Exec("SELECT pg_advisory_xact_lock_shared(?)", ownersLock)
		u.IsOwner = true
		setOwner(c, u)
		makeOwner(c, u)
	case grants.OwnerManaged && !grants.Owner && u.IsOwner:
		c.Exec("SELECT pg_advisory_xact_lock(?)", ownersLock)
		var others int64
		if err := c.Tx.Table("users").Where("is_owner AND id <> ?", u.ID).Count(&others).Error; err != nil {
			return u, err
		}
		if others > 0 { // the last owner remains an owner
			u.IsOwner = false
			setOwner(c, u)
		}
	}
	slugs := slices.Sorted(maps.Keys(grants.Projects))
	roles := pg.Each(slugs, func(slug string) string { return string(grants.Projects[slug]) })
	changeMembers(c, followGroupsSQL, map[string]any{
		"user": u.ID, "email": u.Email, "owner": u.IsOwner, "slugs": pg.ArrayOf(slugs), "roles": pg.ArrayOf(roles), "now": c.Now(),
	})
	return u, c.Err
}

// followGroupsSQL updates a user's memberships to match the groups. It keeps memberships given by an admin and an
// owner's memberships. It skips projects that do not exist, waits for projects that are being deleted, and prevents the
// deletion of the others.
const followGroupsSQL = `
	WITH given AS MATERIALIZED (
		SELECT p.id, g.role FROM unnest((@slugs)::text[], (@roles)::text[]) AS g (slug, role) JOIN projects AS p ON p.slug = g.slug
	), concerned AS MATERIALIZED (
		SELECT id AS project_id, (SELECT role FROM given WHERE given.id = projects.id) AS due FROM projects
		WHERE id IN (SELECT project_id FROM members WHERE user_id = @user UNION SELECT id FROM given) ORDER BY id FOR KEY SHARE
	), had AS MATERIALIZED (
		SELECT m.*, c.due FROM concerned AS c JOIN members AS m ON m.project_id = c.project_id AND m.user_id = @user
		ORDER BY m.id FOR UPDATE OF m
	), added AS (
		INSERT INTO members (project_id, user_id, role, source, created_at)
		SELECT project_id, (@user)::bigint, due, 'groups', (@now)::timestamptz FROM concerned WHERE due IS NOT NULL
		ON CONFLICT ON CONSTRAINT members_user_key DO NOTHING RETURNING *
	), updated AS (
		UPDATE members AS m SET role = had.due, source = 'groups' FROM had
		WHERE m.id = had.id AND had.due IS NOT NULL
			AND (had.source = 'groups' AND had.role <> had.due OR had.source = 'owner' AND NOT @owner)
		RETURNING m.*, had.role AS was
	), removed AS (
		DELETE FROM members AS m USING had
		WHERE m.id = had.id AND had.due IS NULL AND (had.source = 'groups' OR had.source = 'owner' AND NOT @owner)
		RETURNING had.*
	)
	SELECT changed.*, (@email)::text AS email FROM (
		SELECT 'member.added' AS action, id, project_id, user_id, role, source, '' AS was FROM added
		UNION ALL SELECT 'member.updated', id, project_id, user_id, role, source, was FROM updated
		UNION ALL SELECT 'member.removed', id, project_id, user_id, role, source, role FROM removed
	) AS changed ORDER BY project_id`

func setOwner(c *unit.Change, u models.User) {
	c.Exec("UPDATE users SET is_owner = ? WHERE id = ?", u.IsOwner, u.ID)
	auditUser(c, u, "user.updated", "user", u.ID, unit.Diff{"isOwner": map[string]any{"before": !u.IsOwner, "after": u.IsOwner}})
}
