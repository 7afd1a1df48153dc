package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// Role returns the user's role in the project, or not_found. An owner is an admin of every project.
func (s *Accounts) Role(ctx context.Context, projectID int64, u models.User) (models.Role, error) {
	if u.IsOwner {
		return models.RoleAdmin, nil
	}
	m, err := reading(ctx, s.db.readOne, func(db *gorm.DB) (models.Member, error) {
		return one[models.Member](db.Where("project_id = ? AND user_id = ?", projectID, u.ID), "member %d", u.ID)
	})
	return m.Role, err
}

// Memberships returns the projects that the user may act in, by slug.
func (s *Accounts) Memberships(ctx context.Context, u models.User) ([]models.Membership, error) {
	return reading(ctx, s.db.readOne, func(db *gorm.DB) ([]models.Membership, error) {
		return all[models.Membership](db.Table("members").Joins("JOIN projects ON projects.id = members.project_id").
			Select("projects.slug, projects.name, members.role").Where("members.user_id = ?", u.ID).Order("projects.slug"))
	})
}

// ListUserProjects returns a page of the projects that the user is a member of, newest first.
func (s *Accounts) ListUserProjects(ctx context.Context, userID int64, page models.Page) ([]models.Project, error) {
	return reading(ctx, s.db.read, func(tx *gorm.DB) ([]models.Project, error) {
		// As in pageOf, so that the index of the user's memberships is read, and only a page of it.
		q := tx.Table("members").Where("user_id = ANY (ARRAY[?]::bigint[])", userID)
		if page.Before > 0 {
			q = q.Where("project_id < ?", page.Before)
		}
		var ids []int64
		err := q.Order("user_id DESC, project_id DESC").Limit(limitOf(page.Limit)).Pluck("project_id", &ids).Error
		if err != nil || len(ids) == 0 {
			return []models.Project{}, err
		}
		return all[models.Project](tx.Where("id IN ?", ids).Order("id DESC"))
	})
}

// ListMembers returns a page of the project's members, newest first.
func (s *Accounts) ListMembers(ctx context.Context, projectID int64, page models.Page) ([]models.Member, error) {
	return reading(ctx, s.db.read, func(tx *gorm.DB) ([]models.Member, error) {
		return allWith(tx, pageOf(tx, "members", projectID, page), loadMembers)
	})
}

// loadMembers fills in who the members are, with one query.
func loadMembers(tx *gorm.DB, members []models.Member) error {
	byUser := map[int64]models.User{}
	users, err := all[models.User](tx.Where("id IN ?", each(members, func(m models.Member) int64 { return m.UserID })))
	for _, u := range users {
		byUser[u.ID] = u
	}
	for i, m := range members {
		members[i].Name, members[i].Email = byUser[m.UserID].Name, byUser[m.UserID].Email
	}
	return err
}

// addMember makes the user a member of the change's project, unless it is one.
func addMember(c *change, u models.User, role models.Role, source models.MemberSource) {
	m := models.Member{ProjectID: c.project.ID, UserID: u.ID, Role: role, Source: source, CreatedAt: c.now()}
	var added int64
	c.do(func() error {
		result := c.tx.Exec(`INSERT INTO members (project_id, user_id, role, source, created_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT ON CONSTRAINT members_user_key DO NOTHING`, m.ProjectID, m.UserID, m.Role, m.Source, m.CreatedAt)
		added = result.RowsAffected
		return result.Error
	})
	if added == 0 && source == models.MemberOwner {
		c.exec("UPDATE members SET role = ?, source = ? WHERE project_id = ? AND user_id = ?", m.Role, m.Source, m.ProjectID, m.UserID)
	}
	if added == 0 || c.err != nil {
		return
	}
	c.do(func() error { return c.tx.Where("project_id = ? AND user_id = ?", m.ProjectID, u.ID).Take(&m).Error })
	c.audit("member.added", "member", m.ID, memberDetails(m, u))
}

func memberDetails(m models.Member, u models.User) map[string]any {
	return map[string]any{"userId": u.ID, "email": u.Email, "role": m.Role, "source": m.Source}
}

// Member returns one member.
func (s *Accounts) Member(ctx context.Context, projectID, id int64) (models.Member, error) {
	return reading(ctx, s.db.read, func(tx *gorm.DB) (models.Member, error) {
		return oneWith(tx, tx.Where("project_id = ? AND id = ?", projectID, id), loadMembers, "member %d", id)
	})
}

// UpdateMember changes a member's role. The last admin stays one, and so do owners.
func (s *Accounts) UpdateMember(
	ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.MemberPatch,
) (models.Member, error) {
	return apply(ctx, s.units.inProject, projectID, actor, patch, func(c *change) (models.Member, error) {
		m, u, err := lockMember(c, id)
		if err != nil {
			return m, err
		}
		before := m
		models.Assign(&m.Role, patch.Role)
		if m.Role == before.Role {
			return m, nil
		}
		if err := checkSpare(c, before, u); err != nil {
			return before, err
		}
		m.Source = models.MemberInvited
		c.update(&m, "Role", "Source")
		c.audit("member.updated", "member", m.ID, map[string]any{
			"userId": u.ID, "email": u.Email, "role": map[string]any{"before": before.Role, "after": m.Role},
		})
		return m, nil
	})
}

// RemoveMember ends a membership. The last admin and owners stay.
func (s *Accounts) RemoveMember(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.units.inProject(ctx, projectID, actor, func(c *change) error {
		m, u, err := lockMember(c, id)
		if err != nil {
			return err
		}
		if err := checkSpare(c, m, u); err != nil {
			return err
		}
		removeMember(c, m, u)
		return nil
	})
}

func removeMember(c *change, m models.Member, u models.User) {
	c.exec("DELETE FROM members WHERE id = ?", m.ID)
	c.audit("member.removed", "member", m.ID, memberDetails(m, u))
}

func lockMember(c *change, id int64) (m models.Member, u models.User, err error) {
	m, err = oneWith(c.tx, c.tx.Clauses(forUpdate).Where("project_id = ? AND id = ?", c.project.ID, id), loadMembers, "member %d", id)
	if err == nil {
		u, err = oneUser(c.tx.Where("id = ?", m.UserID))
	}
	return m, u, err
}

// checkSpare refuses to take the role admin from the project's last admin or from an
// owner. The caller has locked the project.
func checkSpare(c *change, m models.Member, u models.User) error {
	if u.IsOwner {
		return models.Errorf(models.CodeInUse, "this member is an owner of the installation, and owners are admins of every project")
	}
	if m.Role != models.RoleAdmin {
		return nil
	}
	var others int64
	err := c.tx.Table("members").Where("project_id = ? AND role = ? AND id <> ?", c.project.ID, models.RoleAdmin, m.ID).Count(&others).Error
	if err == nil && others == 0 {
		err = models.Errorf(models.CodeInUse, "this member is the project's last admin; make somebody else an admin first")
	}
	return err
}
