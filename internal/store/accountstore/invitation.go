package accountstore

import (
	"context"
	"errors"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// CreateInvitation invites the person with the address. Each address has at most one invitation to a project; an
// expired one is replaced. With n.ByMail, token stays unused, because MailJob creates another token for the mailed
// link. CreateInvitation returns rate_limited if the address was sent too many mails.
func (s *Accounts) CreateInvitation(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewInvitation, token models.SecretToken,
) (models.Invitation, error) {
	return unit.Apply(ctx, s.units.Edit, projectID, actor, n, func(c *unit.Change) (i models.Invitation, err error) {
		email := strings.TrimSpace(n.Email)
		key := models.EmailKey(email)
		var member bool
		err = c.Tx.Raw(`SELECT EXISTS (SELECT FROM members m JOIN users u ON u.id = m.user_id WHERE m.project_id = ? AND u.email_key = ?)`,
			projectID, key).Row().Scan(&member)
		if err != nil {
			return i, err
		}
		if member {
			return i, models.Errorf(models.CodeAlreadyExists, "this person is already a member; change the member's role instead")
		}
		c.Exec("DELETE FROM invitations WHERE project_id = ? AND email_key = ? AND expires_at <= ?", projectID, key, c.Now())
		i = models.Invitation{
			ProjectID: projectID, Email: email, EmailKey: key, Role: n.Role, TokenHash: token.Hash(),
			InvitedBy: actor.Shown(), ExpiresAt: c.Now().Add(models.InvitationLife), CreatedAt: c.Now(), ByMail: n.ByMail,
		}
		if i.MadeBy, err = makerOf(c.Tx, projectID, actor); err != nil {
			return i, err
		}
		c.Create(&i)
		if i.ByMail {
			if err := mailInvitation(c, i); err != nil {
				return i, err
			}
		}
		c.Audit("invitation.created", "invitation", i.ID, map[string]any{"email": i.Email, "role": i.Role})
		return i, nil
	})
}

var invitationList = pg.List{
	Table: "invitations", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"createdAt": pg.ByTime("invitations.created_at"), "email": pg.ByText("invitations.email"),
		"expiresAt": pg.ByTime("invitations.expires_at"), "invitedBy": pg.ByText("invitations.invited_by"), "role": pg.ByText("invitations.role"),
	},
	Matches: "search_words(project_id, '{}', email) @@ search_query(?, ?)",
	Texts:   []string{"invitations.email"},
}

// ListInvitations returns a page of open and expired invitations, newest first.
func (s *Accounts) ListInvitations(ctx context.Context, projectID int64, page models.Page) ([]models.Invitation, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Invitation, error) {
		return pg.Rows[models.Invitation](tx, invitationList, projectID, page)
	})
}

// RevokeInvitation ends an invitation.
func (s *Accounts) RevokeInvitation(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.units.Edit(ctx, projectID, actor, func(c *unit.Change) error {
		i, err := pg.One[models.Invitation](c.Tx.Clauses(pg.ForUpdate).Where("project_id = ? AND id = ?", projectID, id), "invitation %d", id)
		if err != nil {
			return err
		}
		revokeInvitation(c, i)
		return nil
	})
}

func revokeInvitation(c *unit.Change, i models.Invitation) {
	c.Exec("DELETE FROM invitations WHERE id = ?", i.ID)
	c.Audit("invitation.revoked", "invitation", i.ID, map[string]any{"email": i.Email, "role": i.Role})
}

// endInvitations ends the project's invitations to the user's address and the invitations that the user created.
func endInvitations(c *unit.Change, u models.User) error {
	invitations, err := pg.All[models.Invitation](c.Tx.Clauses(pg.ForUpdate).
		Where("project_id = ? AND (email_key = ? OR made_by = ?)", c.Project.ID, u.EmailKey, u.ID).Order("id"))
	if err != nil {
		return err
	}
	for _, i := range invitations {
		revokeInvitation(c, i)
	}
	return c.Err
}

// errInvitation is the same for all causes.
var errInvitation = models.Errorf(models.CodeNotFound,
	"the invitation was accepted or revoked, or is older than 72 hours; ask for a new one")

// Invitation returns the open invitation that belongs to a token, or not_found.
func (s *Accounts) Invitation(ctx context.Context, token models.SecretToken) (models.Invitation, error) {
	now := s.db.Clock()
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (models.Invitation, error) {
		return openInvitation(db, token, now)
	})
}

func openInvitation(tx *gorm.DB, token models.SecretToken, now time.Time) (models.Invitation, error) {
	return pg.OneOr[models.Invitation](tx.Where("token_hash = ? AND expires_at > ?", token.Hash(), now), errInvitation)
}

// JoinAs makes the given account a member by the invitation of the token, and uses the invitation up. If login is not
// nil, it also begins a session of the account.
func (s *Accounts) JoinAs(
	ctx context.Context, requestID string, token models.SecretToken, u models.User, login *models.NewSession,
) error {
	return s.join(ctx, requestID, token, func(c *unit.Change, i models.Invitation) (models.User, error) {
		current, err := lockUnmoved(c, u)
		c.Actor = models.UserActor(u, requestID)
		return current, errors.Join(err, checkAdmission(current, i, models.AdmitAccount))
	}, login)
}

// JoinAsNew creates an account with the invitation's address, makes it a member, and begins its session.
func (s *Accounts) JoinAsNew(
	ctx context.Context, requestID string, token models.SecretToken, n models.NewUser, login models.NewSession,
) (u models.User, err error) {
	err = s.join(ctx, requestID, token, func(c *unit.Change, i models.Invitation) (models.User, error) {
		n.Email, n.IsOwner, n.EmailVerified, n.HomeProjectID = i.Email, false, i.ByMail, &i.ProjectID
		if err := n.Validate(); err != nil {
			return u, err
		}
		u = createUser(c, requestID, n)
		return u, c.Err
	}, &login)
	return u, err
}

// JoinAsClaimant gives the unverified account of the invited address to the holder of the mailed token. The account
// gets the name and the password of n, loses everything set before, and becomes a member.
func (s *Accounts) JoinAsClaimant(
	ctx context.Context, requestID string, token models.SecretToken, n models.NewUser, login models.NewSession,
) (u models.User, err error) {
	err = s.join(ctx, requestID, token, func(c *unit.Change, i models.Invitation) (models.User, error) {
		if u, err = userByEmail(c.Tx.Clauses(pg.ForChange), i.Email); err != nil {
			return u, err
		}
		if err := checkAdmission(u, i, models.AdmitClaim); err != nil {
			return u, err
		}
		c.Actor = models.UserActor(u, requestID)
		u.Name = n.Name
		c.Exec("UPDATE users SET name = ? WHERE id = ?", u.Name, u.ID)
		u, err = claim(c, u, n.PasswordHash, provedByMail)
		return u, err
	}, &login)
	return u, err
}

// checkAdmission returns errMoved if the account was verified after the caller decided how to accept the invitation.
func checkAdmission(u models.User, i models.Invitation, decided models.Admission) error {
	admission, err := u.Admit(i)
	if err == nil && admission != decided {
		err = errMoved
	}
	return err
}

func (s *Accounts) join(
	ctx context.Context, requestID string, token models.SecretToken,
	account func(c *unit.Change, i models.Invitation) (models.User, error), login *models.NewSession,
) error {
	return s.account(ctx, models.Actor{RequestID: requestID}, func(c *unit.Change) error {
		i, err := openInvitation(c.Tx.Clauses(pg.ForUpdate), token, c.Now())
		if err != nil {
			return err
		}
		u, err := account(c, i)
		if err != nil {
			return err
		}
		acceptInvitations(c, u, i)
		if login != nil {
			startSession(c, u, *login)
		}
		return nil
	})
}

// acceptInvitations uses up invitations and makes the user a member of their projects.
func acceptInvitations(c *unit.Change, u models.User, invitations ...models.Invitation) {
	c.RecordAudit(pg.Each(invitations, func(i models.Invitation) models.AuditEntry {
		details := map[string]any{"email": i.Email, "role": i.Role, "userId": u.ID}
		return entryIn(c, i.ProjectID, "invitation.accepted", "invitation", i.ID, details)
	})...)
	ids := pg.Each(invitations, func(i models.Invitation) int64 { return i.ID })
	addMembers(c,
		"SELECT project_id, ?::bigint, role, 'invitation', ?::timestamptz FROM invitations WHERE id IN ? ORDER BY id", u.ID, c.Now(), ids)
	c.Exec("DELETE FROM invitations WHERE id IN ?", ids)
}
