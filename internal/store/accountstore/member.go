package accountstore

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// Role returns the user's role in the project, or not_found. An owner is an admin of every project.
func (s *Accounts) Role(ctx context.Context, projectID int64, u models.User) (models.Role, error) {
	if u.IsOwner {
		return models.RoleAdmin, nil
	}
	m, err := pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (models.Member, error) {
		return pg.One[models.Member](db.Where("project_id = ? AND user_id = ?", projectID, u.ID), "member %d", u.ID)
	})
	return m.Role, err
}

// Memberships returns the user's memberships, ordered by the slugs of the projects.
func (s *Accounts) Memberships(ctx context.Context, u models.User) ([]models.Membership, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) ([]models.Membership, error) {
		return pg.All[models.Membership](db.Table("members").Joins("JOIN projects ON projects.id = members.project_id").
			Select("projects.slug, projects.name, projects.repository_url, members.role").Where("members.user_id = ?", u.ID).Order("projects.slug"))
	})
}

// ProjectList describes lists of projects.
var ProjectList = pg.List{
	Table: "projects",
	Sorts: map[string]pg.SortBy{
		"createdAt": pg.ByTime("projects.created_at"), "name": pg.ByText("projects.name"), "slug": pg.ByText("projects.slug"),
	},
	Matches: "search_words(0::bigint, '{}', name, slug) @@ search_query(?, ?)",
	Texts:   []string{"projects.name", "projects.slug"},
}

// ListUserProjects returns a page of the projects that the user is a member of, newest first.
func (s *Accounts) ListUserProjects(ctx context.Context, userID int64, page models.Page) ([]models.Project, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Project, error) {
		if page.Order() != "" || page.Counts() {
			of := tx.Where("projects.id IN (SELECT project_id FROM members WHERE user_id = ?)", userID)
			return pg.Rows[models.Project](of, ProjectList, 0, page)
		}
		// As in pg.Rows, this form of condition makes Postgres read a page of the index of the user's memberships, and
		// no more.
		q := tx.Table("members").Where("user_id = ANY (ARRAY[?]::bigint[])", userID)
		if page.Before > 0 {
			q = q.Where("project_id < ?", page.Before)
		}
		var ids []int64
		err := q.Order("user_id DESC, project_id DESC").Limit(pg.LimitOf(page.Limit)).Pluck("project_id", &ids).Error
		if err != nil || len(ids) == 0 {
			return []models.Project{}, err
		}
		return pg.All[models.Project](tx.Where("id IN ?", ids).Order("id DESC"))
	})
}

const (
	nameOfMember  = "(SELECT users.name FROM users WHERE users.id = members.user_id)"
	emailOfMember = "(SELECT users.email FROM users WHERE users.id = members.user_id)"
)

var memberList = pg.List{
	Table: "members", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"createdAt": pg.ByTime("members.created_at"), "email": pg.ByText(emailOfMember), "name": pg.ByText(nameOfMember),
		"role": pg.ByText("members.role"),
	},
	Matches: "search_words(project_id, '{}', " + nameOfMember + ", " + emailOfMember + ") @@ search_query(?, ?)",
	Texts:   []string{nameOfMember, emailOfMember},
}

// ListMembers returns a page of the project's members, newest first.
func (s *Accounts) ListMembers(ctx context.Context, projectID int64, page models.Page) ([]models.Member, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Member, error) {
		return pg.RowsWith(tx, tx, memberList, projectID, page, loadMembers)
	})
}

// loadMembers fills in the names and addresses of the members with one query.
func loadMembers(tx *gorm.DB, members []models.Member) error {
	byUser := map[int64]models.User{}
	users, err := pg.All[models.User](tx.Where("id IN ?", pg.Each(members, func(m models.Member) int64 { return m.UserID })))
	for _, u := range users {
		byUser[u.ID] = u
	}
	for i, m := range members {
		u := byUser[m.UserID]
		members[i].Name, members[i].Email, members[i].EmailVerified = u.Name, u.Email, u.EmailVerified
	}
	return err
}

// memberChange is a change of a membership.
type memberChange struct {
	models.Member
	Action string
	// Was is the previous role.
	Was models.Role
}

func (m memberChange) details() map[string]any {
	if m.Action == "member.updated" {
		return map[string]any{"userId": m.UserID, "email": m.Email, "role": map[string]any{"before": m.Was, "after": m.Role}}
	}
	return map[string]any{"userId": m.UserID, "email": m.Email, "role": m.Role, "source": m.Source}
}

// changeMembers runs a statement that changes members and returns the changes. It audits each change in the log of its
// project.
func changeMembers(c *unit.Change, sql string, args ...any) {
	var changes []memberChange
	c.Do(func() error { return c.Tx.Raw(sql, args...).Scan(&changes).Error })
	c.RecordAudit(pg.Each(changes, func(m memberChange) models.AuditEntry {
		return entryIn(c, m.ProjectID, m.Action, "member", m.ID, m.details())
	})...)
}

// addMembers adds the members whose project, user, role, source and time a query returns. It skips users who already
// are members.
func addMembers(c *unit.Change, query string, args ...any) {
	changeMembers(c, `WITH added AS (INSERT INTO members (project_id, user_id, role, source, created_at) `+query+`
			ON CONFLICT ON CONSTRAINT members_user_key DO NOTHING RETURNING *)
		SELECT 'member.added' AS action, added.*, users.email FROM added JOIN users ON users.id = added.user_id ORDER BY added.id`, args...)
}

// UpdateMember changes a member's role. The last admin must remain one, and so must owners.
func (s *Accounts) UpdateMember(
	ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.MemberPatch,
) (models.Member, error) {
	return unit.Apply(ctx, s.units.Edit, projectID, actor, patch, func(c *unit.Change) (models.Member, error) {
		m, u, err := lockMember(c, id)
		if err != nil {
			return m, err
		}
		c.Match(id, m)
		before := m
		models.Assign(&m.Role, patch.Role)
		if m.Role == before.Role {
			return m, nil
		}
		if err := checkSpare(c, before, u); err != nil {
			return before, err
		}
		m.Source = models.MemberInvited
		c.Update(&m, "Role", "Source")
		auditMember(c, memberChange{m, "member.updated", before.Role})
		return m, nil
	})
}

// RemoveMember ends a membership and the person's invitations. The last admin and owners cannot be removed.
func (s *Accounts) RemoveMember(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.units.Edit(ctx, projectID, actor, func(c *unit.Change) error {
		m, u, err := lockMember(c, id)
		if err != nil {
			return err
		}
		c.Match(id, m)
		if err := checkSpare(c, m, u); err != nil {
			return err
		}
		c.Exec("DELETE FROM members WHERE id = ?", m.ID)
		auditMember(c, memberChange{m, "member.removed", m.Role})
		return endInvitations(c, u)
	})
}

func auditMember(c *unit.Change, m memberChange) { c.Audit(m.Action, "member", m.ID, m.details()) }

// lockMember returns a member that is to be changed. Until the transaction ends, no other member of the project can be
// changed.
func lockMember(c *unit.Change, id int64) (m models.Member, u models.User, err error) {
	c.Alone(unit.Members)
	m, err = pg.OneWith(c.Tx, c.Tx.Clauses(pg.ForUpdate).Where("project_id = ? AND id = ?", c.Project.ID, id), loadMembers, "member %d", id)
	if err == nil {
		u, err = oneUser(c.Tx.Where("id = ?", m.UserID))
	}
	return m, u, err
}

// checkSpare returns an error if the member is the project's last admin or an owner, who cannot lose the role admin.
// The caller has called lockMember.
func checkSpare(c *unit.Change, m models.Member, u models.User) error {
	if u.IsOwner {
		return models.Errorf(models.CodeInUse, "this member is an owner of the installation, and owners are admins of every project")
	}
	if m.Role != models.RoleAdmin {
		return nil
	}
	var others int64
	err := c.Tx.Table("members").Where("project_id = ? AND role = ? AND id <> ?", c.Project.ID, models.RoleAdmin, m.ID).Count(&others).Error
	if err == nil && others == 0 {
		err = models.Errorf(models.CodeInUse, "this member is the project's last admin; make someone else an admin first")
	}
	return err
}
