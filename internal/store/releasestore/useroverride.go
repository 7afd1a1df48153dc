package releasestore

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// CreateUserOverride creates an override that serves a user from an existing branch.
func (s *Releases) CreateUserOverride(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewUserOverride,
) (models.UserOverride, error) {
	return unit.Apply(ctx, s.units.ChangeServed, projectID, actor, n, func(c *unit.Change) (o models.UserOverride, err error) {
		b, err := branchNamed(c.Tx, projectID, n.BranchName)
		if err != nil {
			return o, err
		}
		o = models.UserOverride{
			ProjectID: projectID, UserID: n.UserID, BranchID: b.ID, BranchName: b.Name, Note: n.Note, CreatedAt: c.Now(),
		}
		c.MakeRoom(models.QuotaOverrides)
		c.Create(&o)
		c.RequireApproval(unit.Effect{
			On: unit.EveryChannel, Basis: o.BranchID,
			Summary: fmt.Sprintf("serve user %q from branch %q on every channel, including later releases on the branch",
				unit.Shown(o.UserID), o.BranchName),
		})
		c.Audit("user_override.created", "user_override", o.ID, overrideDetails(o))
		return o, nil
	})
}

const branchOfOverride = "(SELECT name FROM branches WHERE branches.id = user_overrides.branch_id)"

var overrideList = pg.List{
	Table: "user_overrides", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"branchName": pg.ByText(branchOfOverride), "createdAt": pg.ByTime("user_overrides.created_at"),
		"note": pg.ByText("left(user_overrides.note, 100)"), "userId": pg.ByText("left(user_overrides.user_id, 100)"),
	},
	Matches: "search_words(user_overrides.project_id, '{}', user_overrides.user_id, " + branchOfOverride + ", user_overrides.note) @@ search_query(?, ?)",
	Texts:   []string{"user_overrides.user_id"},
}

// ListUserOverrides returns a page of the project's overrides, newest first.
func (s *Releases) ListUserOverrides(ctx context.Context, projectID int64, page models.Page) ([]models.UserOverride, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.UserOverride, error) {
		return pg.Rows[models.UserOverride](selectOverrides(tx), overrideList, projectID, page)
	})
}

// UserOverride returns one override.
func (s *Releases) UserOverride(ctx context.Context, projectID, id int64) (models.UserOverride, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.UserOverride, error) { return overrideByID(tx, projectID, id) })
}

func overrideByID(tx *gorm.DB, projectID, id int64) (models.UserOverride, error) {
	return pg.One[models.UserOverride](selectOverrides(tx).
		Where("user_overrides.project_id = ? AND user_overrides.id = ?", projectID, id), "user override %d", id)
}

// DeleteUserOverride deletes an override. The user then gets what the channel delivers.
func (s *Releases) DeleteUserOverride(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.units.ChangeServed(ctx, projectID, actor, func(c *unit.Change) error {
		o, err := overrideByID(c.Tx, projectID, id)
		if err != nil {
			return err
		}
		c.Exec("DELETE FROM user_overrides WHERE id = ?", o.ID)
		c.RequireApproval(unit.Effect{
			On: unit.EveryChannel, Basis: o.ID,
			Summary: fmt.Sprintf("remove the override that serves user %q from branch %q instead of the channel's branch",
				unit.Shown(o.UserID), o.BranchName),
		})
		c.Audit("user_override.deleted", "user_override", o.ID, overrideDetails(o))
		return nil
	})
}

func overrideDetails(o models.UserOverride) map[string]any {
	return map[string]any{"userId": o.UserID, "branchName": o.BranchName, "note": o.Note}
}

// selectOverrides returns a query for overrides with the names of the branches they point to.
func selectOverrides(tx *gorm.DB) *gorm.DB {
	return tx.Model(&models.UserOverride{}).
		Select("user_overrides.*, (SELECT name FROM branches WHERE branches.id = user_overrides.branch_id) AS branch_name")
}
