package store

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// CreateBranch makes an empty branch.
func (s *Store) CreateBranch(ctx context.Context, projectID int64, actor models.Actor, n models.NewBranch) (b models.Branch, err error) {
	if err := n.Validate(); err != nil {
		return models.Branch{}, err
	}
	err = s.write(ctx, func(tx *gorm.DB) error {
		if _, err := lockProject(tx, projectID); err != nil {
			return err
		}
		if b, err = createBranch(tx, projectID, actor, n.Name); err != nil {
			return err
		}
		return bumpSnapshot(tx, projectID)
	})
	return b, err
}

func createBranch(tx *gorm.DB, projectID int64, actor models.Actor, name string) (models.Branch, error) {
	b := models.Branch{ProjectID: projectID, Name: name, CreatedAt: tx.NowFunc()}
	if err := tx.Create(&b).Error; err != nil {
		return b, err
	}
	return b, audit(tx, projectID, actor, actionBranchCreated, entityBranch, b.ID, map[string]any{"name": name})
}

// ListBranches returns a page of the project's branches with their latest
// updates, newest first.
func (s *Store) ListBranches(ctx context.Context, projectID int64, page models.Page) (branches []models.Branch, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		branches, err = all[models.Branch](paged(tx.Where("project_id = ? AND deleted_at IS NULL", projectID), "branches", page))
		if err != nil {
			return err
		}
		return loadLatestUpdates(tx, branches)
	})
	return branches, err
}

// loadLatestUpdates fills in the newest live release of each branch, platform and
// runtime version.
func loadLatestUpdates(tx *gorm.DB, branches []models.Branch) error {
	at := make(map[int64]int, len(branches))
	ids := make([]int64, 0, len(branches))
	for i, b := range branches {
		at[b.ID] = i
		ids = append(ids, b.ID)
	}
	newest := tx.Table("releases").
		Select("DISTINCT ON (branch_id, platform, runtime_version) id").
		Where("branch_id IN ? AND deleted_at IS NULL", ids).
		Order("branch_id, platform, runtime_version, created_at DESC")
	releases, err := all[models.Release](selectReleases(tx).Where("releases.id IN (?)", newest).Order("releases.id DESC"))
	if err != nil {
		return err
	}
	for _, r := range releases {
		b := &branches[at[r.BranchID]]
		b.LatestUpdates = append(b.LatestUpdates, r)
	}
	return nil
}

// DeleteBranch deletes a branch with the releases on it; no channel may point to
// it and none of its releases may be rolling out.
func (s *Store) DeleteBranch(ctx context.Context, projectID int64, actor models.Actor, name string) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		if _, err := lockProject(tx, projectID); err != nil {
			return err
		}
		b, err := branchNamed(tx, projectID, name)
		if err != nil {
			return err
		}
		if err := checkBranchUnused(tx, b); err != nil {
			return err
		}
		now := tx.NowFunc()
		deleted := tx.Model(&models.Release{}).Where("branch_id = ? AND deleted_at IS NULL", b.ID).Update("deleted_at", now)
		if deleted.Error != nil {
			return deleted.Error
		}
		if err := tx.Model(&b).Update("deleted_at", now).Error; err != nil {
			return err
		}
		details := map[string]any{"name": b.Name, "releases": deleted.RowsAffected}
		if err := audit(tx, projectID, actor, actionBranchDeleted, entityBranch, b.ID, details); err != nil {
			return err
		}
		return bumpSnapshot(tx, projectID)
	})
}

// checkBranchUnused reports what keeps the branch from being deleted.
func checkBranchUnused(tx *gorm.DB, b models.Branch) error {
	var channels []string
	err := tx.Table("channels").Where("branch_id = ? OR rollout_branch_id = ?", b.ID, b.ID).
		Order("name").Pluck("name", &channels).Error
	if err != nil {
		return err
	}
	if len(channels) > 0 {
		return models.Errorf(models.CodeInUse, "branch %q is used by the channels %s", b.Name, strings.Join(channels, ", "))
	}
	var executions []int64
	err = tx.Table("rollout_executions").Joins("JOIN releases ON releases.id = rollout_executions.update_id").
		Where("releases.branch_id = ? AND rollout_executions.status IN ?", b.ID, openStatuses).
		Order("rollout_executions.id").Pluck("rollout_executions.id", &executions).Error
	if err != nil {
		return err
	}
	if len(executions) > 0 {
		return models.Errorf(models.CodeRolloutInProgress, "releases on branch %q are rolling out: %s", b.Name, executionList(executions))
	}
	return nil
}

func branchNamed(tx *gorm.DB, projectID int64, name string) (models.Branch, error) {
	return one[models.Branch](tx.Where("project_id = ? AND name = ? AND deleted_at IS NULL", projectID, name), "branch %q", name)
}

// executionList names executions for a person.
func executionList(ids []int64) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = fmt.Sprintf("execution %d", id)
	}
	return strings.Join(words, ", ")
}
