package store

import (
	"context"
	"errors"
	"strings"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// CreateInvitation invites the person with the address. One address has one invitation to
// a project; one that has expired is replaced.
func (s *Accounts) CreateInvitation(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewInvitation, token models.SecretToken,
) (models.Invitation, error) {
	return apply(ctx, s.units.inProject, projectID, actor, n, func(c *change) (i models.Invitation, err error) {
		email := strings.TrimSpace(n.Email)
		key := models.EmailKey(email)
		var member bool
		err = c.tx.Raw(`SELECT EXISTS (SELECT FROM members m JOIN users u ON u.id = m.user_id WHERE m.project_id = ? AND u.email_key = ?)`,
			projectID, key).Row().Scan(&member)
		if err != nil {
			return i, err
		}
		if member {
			return i, models.Errorf(models.CodeAlreadyExists, "this person is a member already; change the member's role")
		}
		c.exec("DELETE FROM invitations WHERE project_id = ? AND email_key = ? AND expires_at <= ?", projectID, key, c.now())
		i = models.Invitation{
			ProjectID: projectID, Email: email, EmailKey: key, Role: n.Role, TokenHash: token.Hash(),
			InvitedBy: actor.Shown(), ExpiresAt: c.now().Add(models.InvitationLife), CreatedAt: c.now(),
		}
		c.create(&i)
		c.audit("invitation.created", "invitation", i.ID, map[string]any{"email": i.Email, "role": i.Role})
		return i, nil
	})
}

// ListInvitations returns a page of the invitations that are open or have expired, newest first.
func (s *Accounts) ListInvitations(ctx context.Context, projectID int64, page models.Page) ([]models.Invitation, error) {
	return reading(ctx, s.db.read, func(tx *gorm.DB) ([]models.Invitation, error) {
		return all[models.Invitation](pageOf(tx, "invitations", projectID, page))
	})
}

// RevokeInvitation ends an invitation.
func (s *Accounts) RevokeInvitation(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.units.edit(ctx, projectID, actor, func(c *change) error {
		i, err := one[models.Invitation](c.tx.Clauses(forUpdate).Where("project_id = ? AND id = ?", projectID, id), "invitation %d", id)
		if err != nil {
			return err
		}
		c.exec("DELETE FROM invitations WHERE id = ?", id)
		c.audit("invitation.revoked", "invitation", id, map[string]any{"email": i.Email, "role": i.Role})
		return nil
	})
}

// errInvitation is the same for every reason.
var errInvitation = models.Errorf(models.CodeNotFound,
	"the invitation was accepted or revoked, or is older than 72 hours; ask for a new one")

// Invitation returns the open invitation of a token, or not_found.
func (s *Accounts) Invitation(ctx context.Context, token models.SecretToken) (models.Invitation, error) {
	now := s.db.clock()
	return reading(ctx, s.db.readOne, func(db *gorm.DB) (models.Invitation, error) {
		return openInvitation(db.Where("token_hash = ? AND expires_at > ?", token.Hash(), now))
	})
}

func openInvitation(q *gorm.DB) (i models.Invitation, err error) {
	err = q.Take(&i).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = errInvitation
	}
	return i, err
}

// JoinAs makes the account with the id a member, by the invitation of the token, and uses
// the invitation up. login, if it is not nil, begins a session of the account.
func (s *Accounts) JoinAs(
	ctx context.Context, requestID string, token models.SecretToken, u models.User, login *models.NewSession,
) error {
	return s.join(ctx, requestID, token, func(c *change, _ models.Invitation) (models.User, error) {
		current, err := oneUser(c.tx.Clauses(forChange).Where("id = ?", u.ID))
		if err == nil && current.PasswordHash != u.PasswordHash {
			err = errMoved
		}
		c.actor = models.UserActor(u, requestID)
		return current, err
	}, login)
}

// JoinAsNew makes an account for the invitation of the token, with the invitation's
// address, a member, and begins its session.
func (s *Accounts) JoinAsNew(
	ctx context.Context, requestID string, token models.SecretToken, n models.NewUser, login models.NewSession,
) (u models.User, err error) {
	err = s.join(ctx, requestID, token, func(c *change, i models.Invitation) (models.User, error) {
		n.Email, n.IsOwner = i.Email, false
		if err := n.Validate(); err != nil {
			return u, err
		}
		u = createUser(c, requestID, n)
		return u, c.err
	}, &login)
	return u, err
}

func (s *Accounts) join(
	ctx context.Context, requestID string, token models.SecretToken,
	account func(c *change, i models.Invitation) (models.User, error), login *models.NewSession,
) error {
	return s.account(ctx, models.Actor{RequestID: requestID}, func(c *change) error {
		i, err := openInvitation(c.tx.Clauses(forUpdate).Where("token_hash = ? AND expires_at > ?", token.Hash(), c.now()))
		if err != nil {
			return err
		}
		u, err := account(c, i)
		if err != nil {
			return err
		}
		acceptInvitation(c, i, u)
		if login != nil {
			startSession(c, u, *login)
		}
		return nil
	})
}

// acceptInvitation uses an invitation up.
func acceptInvitation(c *change, i models.Invitation, u models.User) {
	within := c.project
	c.project = models.Project{ID: i.ProjectID}
	c.exec("DELETE FROM invitations WHERE id = ?", i.ID)
	c.audit("invitation.accepted", "invitation", i.ID, map[string]any{"email": i.Email, "role": i.Role, "userId": u.ID})
	addMember(c, u, i.Role, models.MemberInvited)
	c.project = within
}
