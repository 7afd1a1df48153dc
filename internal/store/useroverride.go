package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// CreateUserOverride sends a user to an existing branch.
func (s *Releases) CreateUserOverride(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewUserOverride,
) (models.UserOverride, error) {
	return apply(ctx, s.units.change, projectID, actor, n, func(c *change) (o models.UserOverride, err error) {
		b, err := branchNamed(c.tx, projectID, n.BranchName)
		if err != nil {
			return o, err
		}
		o = models.UserOverride{
			ProjectID: projectID, UserID: n.UserID, BranchID: b.ID, BranchName: b.Name, Note: n.Note, CreatedAt: c.now(),
		}
		c.makeRoom(models.QuotaOverrides)
		c.create(&o)
		c.ask(effect{
			action: "user_override.create", on: everyChannel,
			summary: fmt.Sprintf("send the user %q to branch %q on every channel", shown(o.UserID), o.BranchName),
		})
		c.audit("user_override.created", "user_override", o.ID, overrideDetails(o))
		return o, nil
	})
}

// ListUserOverrides returns a page of the project's overrides, newest first.
func (s *Releases) ListUserOverrides(ctx context.Context, projectID int64, page models.Page) ([]models.UserOverride, error) {
	return reading(ctx, s.db.read, func(tx *gorm.DB) ([]models.UserOverride, error) {
		return all[models.UserOverride](pageOf(selectOverrides(tx), "user_overrides", projectID, page))
	})
}

// DeleteUserOverride deletes an override: the user gets what the channel delivers.
func (s *Releases) DeleteUserOverride(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.units.change(ctx, projectID, actor, func(c *change) error {
		o, err := one[models.UserOverride](selectOverrides(c.tx).
			Where("user_overrides.project_id = ? AND user_overrides.id = ?", projectID, id), "user override %d", id)
		if err != nil {
			return err
		}
		c.exec("DELETE FROM user_overrides WHERE id = ?", o.ID)
		c.ask(effect{
			action: "user_override.delete", on: everyChannel,
			summary: fmt.Sprintf("send the user %q no longer to branch %q, but where the channel points to", shown(o.UserID), o.BranchName),
		})
		c.audit("user_override.deleted", "user_override", o.ID, overrideDetails(o))
		return nil
	})
}

func overrideDetails(o models.UserOverride) map[string]any {
	return map[string]any{"userId": o.UserID, "branchName": o.BranchName, "note": o.Note}
}

// selectOverrides reads overrides with the names of the branches they point to.
func selectOverrides(tx *gorm.DB) *gorm.DB {
	return tx.Model(&models.UserOverride{}).
		Select("user_overrides.*, (SELECT name FROM branches WHERE branches.id = user_overrides.branch_id) AS branch_name")
}
