package releasestore

import (
	"context"
	"errors"
	"strings"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// CreateBranch creates an empty branch.
func (s *Releases) CreateBranch(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewBranch,
) (models.Branch, error) {
	return unit.Apply(ctx, s.units.ChangeServed, projectID, actor, n, func(c *unit.Change) (models.Branch, error) {
		c.ExemptFromApproval(unit.NoChannel) // a new branch is empty
		return createBranch(c, n.Name), nil
	})
}

func createBranch(c *unit.Change, name string) models.Branch {
	b := models.Branch{ProjectID: c.Project.ID, Name: name, CreatedAt: c.Now()}
	c.MakeRoom(models.QuotaBranches)
	c.Create(&b)
	c.Audit("branch.created", "branch", b.ID, map[string]any{"name": name})
	return b
}

var branchList = pg.List{
	Table: "branches", Owner: "project_id",
	Sorts:   map[string]pg.SortBy{"createdAt": pg.ByTime("branches.created_at"), "name": pg.ByText("branches.name")},
	Matches: "search_words(branches.project_id, '{}', branches.name) @@ search_query(?, ?)",
	Texts:   []string{"branches.name"},
}

// ListBranches returns a page of branches with their latest releases and their channels, newest first.
func (s *Releases) ListBranches(ctx context.Context, projectID int64, page models.Page) ([]models.Branch, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Branch, error) {
		return pg.RowsWith(tx, tx.Where("deleted_at IS NULL"), branchList, projectID, page, func(tx *gorm.DB, branches []models.Branch) error {
			return errors.Join(loadLatestUpdates(tx, branches), loadChannels(tx, branches))
		})
	})
}

// newestOfStreams selects the newest live release of each branch, platform and runtime version. It steps through the
// index, so that its cost does not depend on the number of releases.
const newestOfStreams = `
	WITH RECURSIVE streams AS (
		SELECT branches.id AS branch_id, newest.id, newest.platform, newest.runtime_version
		FROM branches CROSS JOIN LATERAL (
			SELECT id, platform, runtime_version FROM releases WHERE branch_id = branches.id AND deleted_at IS NULL
			ORDER BY platform DESC, runtime_version DESC, created_at DESC LIMIT 1) AS newest
		WHERE branches.id IN ?
		UNION ALL
		SELECT streams.branch_id, newest.id, newest.platform, newest.runtime_version
		FROM streams CROSS JOIN LATERAL (
			SELECT id, platform, runtime_version FROM releases WHERE branch_id = streams.branch_id AND deleted_at IS NULL
				AND (platform, runtime_version) < (streams.platform, streams.runtime_version)
			ORDER BY platform DESC, runtime_version DESC, created_at DESC LIMIT 1) AS newest)
	SELECT id FROM streams`

// loadLatestUpdates fills in the latest releases of branches, which newestOfStreams finds.
func loadLatestUpdates(tx *gorm.DB, branches []models.Branch) error {
	at, ids := pg.Indexed(branches, func(b *models.Branch) int64 { return b.ID })
	var newest []int64
	if err := tx.Raw(newestOfStreams, ids).Scan(&newest).Error; err != nil {
		return err
	}
	releases, err := pg.All[models.Release](SelectReleases(tx).Where("releases.id IN ?", newest).Order("releases.id DESC"))
	if err != nil {
		return err
	}
	for _, r := range releases {
		b := at[r.BranchID]
		b.LatestUpdates = append(b.LatestUpdates, r)
	}
	return nil
}

// loadChannels fills in the names of the channels that follow branches.
func loadChannels(tx *gorm.DB, branches []models.Branch) error {
	if len(branches) == 0 {
		return nil
	}
	at, ids := pg.Indexed(branches, func(b *models.Branch) int64 { return b.ID })
	channels, err := pg.All[models.Channel](tx.Select("branch_id", "rollout_branch_id", "name").
		Where("project_id = ? AND (branch_id IN ? OR rollout_branch_id IN ?)", branches[0].ProjectID, ids, ids).Order("name"))
	for _, c := range channels {
		if b, ok := at[c.BranchID]; ok {
			b.Channels = append(b.Channels, c.Name)
		}
		if c.RolloutBranchID == nil || *c.RolloutBranchID == c.BranchID {
			continue
		}
		if b, ok := at[*c.RolloutBranchID]; ok {
			b.Channels = append(b.Channels, c.Name)
		}
	}
	return err
}

// DeleteBranch deletes a branch with its releases. It refuses if a channel or user override points to the branch, or if
// one of its releases is rolling out.
func (s *Releases) DeleteBranch(ctx context.Context, projectID int64, actor models.Actor, name string) error {
	return s.units.ChangeServed(ctx, projectID, actor, func(c *unit.Change) error {
		b, err := branchNamed(c.Tx, projectID, name)
		if err != nil {
			return err
		}
		if err := checkBranchUnused(c.Tx, b); err != nil {
			return err
		}
		b.DeletedAt = new(c.Now())
		deleted := c.Tx.Model(&models.Release{}).Where("branch_id = ? AND deleted_at IS NULL", b.ID).Update("deleted_at", b.DeletedAt)
		if deleted.Error != nil {
			return deleted.Error
		}
		c.Update(&b, "DeletedAt")
		c.ExemptFromApproval(unit.NoChannel) // devices are not sent to the branch
		c.Audit("branch.deleted", "branch", b.ID, map[string]any{"name": b.Name, "releases": deleted.RowsAffected})
		return nil
	})
}

// checkBranchUnused returns an error that names everything that keeps the branch from being deleted.
func checkBranchUnused(tx *gorm.DB, b models.Branch) error {
	var used []string
	for _, by := range []struct{ what, table, name, where string }{
		{"channels ", "channels", "name", "branch_id = @id OR rollout_branch_id = @id"},
		{"overrides of the users ", "user_overrides", "user_id", "branch_id = @id"},
	} {
		var names []string
		err := tx.Table(by.table).Where(by.where, map[string]any{"id": b.ID}).
			Order(by.name).Limit(pg.MaxReferrers+1).Pluck(by.name, &names).Error
		if err != nil {
			return err
		}
		if len(names) > 0 {
			used = append(used, by.what+pg.SomeOf(names))
		}
	}
	if len(used) > 0 {
		return models.Errorf(models.CodeInUse, "branch %q is used by the %s", b.Name, strings.Join(used, " and the "))
	}
	var executions []int64
	err := tx.Table("rollout_executions").Joins("JOIN releases ON releases.id = rollout_executions.update_id").
		Where("releases.branch_id = ? AND rollout_executions.status IN ?", b.ID, OpenStatuses).
		Order("rollout_executions.id").Pluck("rollout_executions.id", &executions).Error
	if err == nil && len(executions) > 0 {
		err = models.Errorf(models.CodeRolloutInProgress, "releases on branch %q are rolling out: %s",
			b.Name, pg.NamedIDs("rollout", executions))
	}
	return err
}

func branchNamed(tx *gorm.DB, projectID int64, name string) (models.Branch, error) {
	return pg.One[models.Branch](tx.Where("project_id = ? AND name = ? AND deleted_at IS NULL", projectID, name), "branch %q", name)
}
