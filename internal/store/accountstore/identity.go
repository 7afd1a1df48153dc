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
		"the identity provider knows you, but nobody has given you access here; ask an admin for an invitation")
	errUnverified = models.Errorf(models.CodeForbidden, "the identity provider has not verified your e-mail address")
	errLinkFirst  = models.Errorf(models.CodeForbidden,
		"an account with your e-mail address exists: sign in to it and link it with the identity provider")
	errLinked = models.Errorf(models.CodeAlreadyExists, "this identity belongs to another account")
)

// LogInWith begins a session of the account of an identity. Without one, the identity becomes that of the account with
// the id linkTo, or, if that is 0, of a new account when its groups give access or its verified address is invited. An
// account is never found by its address alone. The roles that groups give are brought up to date.
func (s *Accounts) LogInWith(
	ctx context.Context, requestID string, p models.IdentityLogin, linkTo int64, login models.NewSession,
) (u models.User, err error) {
	err = s.account(ctx, models.Actor{RequestID: requestID}, func(c *unit.Change) error {
		// Groups may make an owner, and two first logins of one identity are one account.
		c.Exec("SELECT pg_advisory_xact_lock(?)", ownersLock)
		if u, err = accountOf(c, p, linkTo); err != nil {
			return err
		}
		c.Actor = models.UserActor(u, requestID)
		if p.Grants.Managed {
			if u, err = followGroups(c, u, p.Grants); err != nil {
				return err
			}
		}
		startSession(c, u, login)
		return nil
	})
	return u, err
}

// Identities returns those at providers that the user is linked with, oldest first.
func (s *Accounts) Identities(ctx context.Context, userID int64) ([]models.UserIdentity, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) ([]models.UserIdentity, error) {
		return pg.All[models.UserIdentity](db.Where("user_id = ?", userID).Order("id"))
	})
}

// accountOf returns the account of an identity; see LogInWith.
func accountOf(c *unit.Change, p models.IdentityLogin, linkTo int64) (u models.User, err error) {
	var known models.UserIdentity
	err = c.Tx.Where("issuer = ? AND subject = ?", p.Issuer, p.Subject).Take(&known).Error
	switch {
	case err == nil && linkTo != 0 && known.UserID != linkTo:
		return u, errLinked
	case err == nil:
		return oneUser(c.Tx.Clauses(pg.ForChange).Where("id = ?", known.UserID))
	case !errors.Is(err, gorm.ErrRecordNotFound):
		return u, err
	}
	if linkTo != 0 {
		if u, err = oneUser(c.Tx.Clauses(pg.ForChange).Where("id = ?", linkTo)); err != nil {
			return u, err
		}
		c.Actor = models.UserActor(u, c.Actor.RequestID)
		return u, linkIdentity(c, u, p)
	}
	return newcomer(c, p)
}

// newcomer makes the account of an identity that has access.
func newcomer(c *unit.Change, p models.IdentityLogin) (u models.User, err error) {
	if !p.EmailVerified {
		return u, errUnverified
	}
	invitations, err := pg.All[models.Invitation](c.Tx.Clauses(pg.ForUpdate).
		Where("email_key = ? AND expires_at > ?", models.EmailKey(p.Email), c.Now()).Order("id"))
	if err != nil {
		return u, err
	}
	if len(invitations) == 0 && !p.Grants.Any() {
		return u, errNoAccess
	}
	if _, err := userByEmail(c.Tx, p.Email); models.CodeOf(err) != models.CodeNotFound {
		return u, errors.Join(err, unit.Refusal(err == nil, errLinkFirst))
	}
	n := p.NewUser()
	if err := n.Validate(); err != nil {
		return u, errUnverified
	}
	u = createUser(c, c.Actor.RequestID, n)
	for _, i := range invitations {
		acceptInvitation(c, i, u)
	}
	return u, linkIdentity(c, u, p)
}

func linkIdentity(c *unit.Change, u models.User, p models.IdentityLogin) error {
	identity := models.UserIdentity{UserID: u.ID, Issuer: p.Issuer, Subject: p.Subject, CreatedAt: c.Now()}
	c.Create(&identity)
	auditUser(c, u, "user.identity_linked", "user", u.ID, map[string]any{"issuer": p.Issuer, "subject": p.Subject})
	return c.Err
}

// followGroups gives the user what the groups give, and takes what earlier groups gave.
func followGroups(c *unit.Change, u models.User, grants models.GroupGrants) (models.User, error) {
	switch {
	case grants.Owner && !u.IsOwner:
		u.IsOwner = true
		setOwner(c, u)
		makeOwner(c, u)
	case grants.OwnerManaged && !grants.Owner && u.IsOwner:
		var others int64
		if err := c.Tx.Table("users").Where("is_owner AND id <> ?", u.ID).Count(&others).Error; err != nil {
			return u, err
		}
		if others > 0 { // the last owner stays one
			u.IsOwner = false
			setOwner(c, u)
		}
	}
	members, err := pg.All[models.Member](c.Tx.Clauses(pg.ForUpdate).Where("user_id = ?", u.ID).Order("id"))
	if err != nil {
		return u, err
	}
	byProject := map[int64]models.Member{}
	for _, m := range members {
		byProject[m.ProjectID] = m
	}
	within := c.Project
	defer func() { c.Project = within }()
	granted := map[int64]bool{}
	for _, slug := range sortedSlugs(grants.Projects) {
		project, err := unit.OneProject(c.Tx.Where("slug = ?", slug))
		if models.CodeOf(err) == models.CodeNotFound {
			continue // it is not made yet, or was deleted
		}
		if err != nil {
			return u, err
		}
		c.Project, granted[project.ID] = project, true
		followGroupsIn(c, u, byProject[project.ID], grants.Projects[slug])
	}
	for _, m := range members {
		c.Project = models.Project{ID: m.ProjectID}
		if m.Source == models.MemberGroups && !granted[m.ProjectID] || m.Source == models.MemberOwner && !u.IsOwner && !granted[m.ProjectID] {
			removeMember(c, m, u)
		}
	}
	return u, c.Err
}

// followGroupsIn gives the user the role in the change's project, where m is the membership, if there is one.
func followGroupsIn(c *unit.Change, u models.User, m models.Member, role models.Role) {
	if m.ID == 0 {
		addMember(c, u, role, models.MemberGroups)
		return
	}
	stays := m.Source == models.MemberInvited || m.Source == models.MemberOwner && u.IsOwner
	if stays || m.Role == role && m.Source == models.MemberGroups {
		return
	}
	before := m.Role
	m.Role, m.Source = role, models.MemberGroups
	c.Update(&m, "Role", "Source")
	c.Audit("member.updated", "member", m.ID, map[string]any{
		"userId": u.ID, "email": u.Email, "role": map[string]any{"before": before, "after": role},
	})
}

func setOwner(c *unit.Change, u models.User) {
	c.Exec("UPDATE users SET is_owner = ? WHERE id = ?", u.IsOwner, u.ID)
	auditUser(c, u, "user.updated", "user", u.ID, unit.Diff{"isOwner": map[string]any{"before": !u.IsOwner, "after": u.IsOwner}})
}

func sortedSlugs(roles map[string]models.Role) []string { return slices.Sorted(maps.Keys(roles)) }
