package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// everybody is the share that holds every device.
const everybody = 100

// ListReleases returns a page of the project's live releases, newest first.
func (s *Store) ListReleases(ctx context.Context, projectID int64, f models.ReleaseFilter, page models.Page) (releases []models.Release, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		q := selectReleases(tx).Where("releases.deleted_at IS NULL")
		if f.Branch != "" {
			b, err := branchNamed(tx, projectID, f.Branch)
			if models.CodeOf(err) == models.CodeNotFound {
				releases = []models.Release{} // as for other filters without a match
				return nil
			}
			if err != nil {
				return err
			}
			q = q.Where("releases.branch_id = ?", b.ID)
		}
		releases, err = all[models.Release](pageOf(filterReleases(q, f), "releases", projectID, page))
		return err
	})
	return releases, err
}

// filterReleases narrows q by all of f but the branch.
func filterReleases(q *gorm.DB, f models.ReleaseFilter) *gorm.DB {
	if f.Channel != "" {
		q = q.Where("releases.channel = ?", f.Channel)
	}
	if f.Platform != "" {
		q = q.Where("releases.platform = ?", f.Platform)
	}
	if f.RuntimeVersion != "" {
		q = q.Where("releases.runtime_version = ?", f.RuntimeVersion)
	}
	if f.GroupID != nil {
		q = q.Where("releases.group_id = ?", *f.GroupID)
	}
	if f.IsEnabled != nil {
		q = q.Where("releases.is_enabled = ?", *f.IsEnabled)
	}
	return q
}

// Release returns one live release.
func (s *Store) Release(ctx context.Context, projectID, id int64) (models.Release, error) {
	return reading(ctx, s, func(tx *gorm.DB) (models.Release, error) {
		return liveRelease(tx, projectID, id)
	})
}

// UpdateRelease changes the set fields of a live release. Its share belongs to
// the rollout while one is open.
func (s *Store) UpdateRelease(ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.ReleasePatch) (r models.Release, err error) {
	if err := patch.Validate(); err != nil {
		return models.Release{}, err
	}
	err = s.change(ctx, projectID, func(tx *gorm.DB, _ *models.Project) error {
		before, err := liveRelease(tx, projectID, id)
		if err != nil {
			return err
		}
		if patch.RolloutPercentage != nil {
			if err := checkNotRollingOut(before); err != nil {
				return err
			}
		}
		r = patchRelease(before, patch)
		changes := releaseDiff(before, r)
		if err := patchLinks(tx, &r, patch.LinkedFlags, changes); err != nil {
			return err
		}
		if len(changes) == 0 {
			return errUnchanged
		}
		if err := saveRelease(tx, before, &r); err != nil {
			return err
		}
		if err := relinkedByPatch(tx, actor, before, r); err != nil {
			return err
		}
		if before.IsEnabled && !r.IsEnabled {
			if err := pauseDisabled(tx, actor, r); err != nil {
				return err
			}
		}
		return audit(tx, projectID, actor, actionUpdatePatched, entityUpdate, id, changes)
	})
	return r, err
}

func patchRelease(r models.Release, patch models.ReleasePatch) models.Release {
	models.Assign(&r.IsEnabled, patch.IsEnabled)
	models.Assign(&r.IsCritical, patch.IsCritical)
	models.Assign(&r.RolloutPercentage, patch.RolloutPercentage)
	models.Assign(&r.ReleaseMessage, patch.ReleaseMessage)
	return r
}

func releaseDiff(before, after models.Release) diff {
	d := diff{}
	note(d, "isEnabled", before.IsEnabled, after.IsEnabled)
	note(d, "isCritical", before.IsCritical, after.IsCritical)
	note(d, "rolloutPercentage", before.RolloutPercentage, after.RolloutPercentage)
	note(d, "releaseMessage", before.ReleaseMessage, after.ReleaseMessage)
	return d
}

// saveRelease writes the fields of a release that may change, keeps the greatest
// share that it reached, and ends older rollouts when it now reaches everybody.
func saveRelease(tx *gorm.DB, before models.Release, r *models.Release) error {
	if r.IsEnabled {
		r.ReachedPercentage = max(r.ReachedPercentage, r.RolloutPercentage)
	}
	r.UpdatedAt = tx.NowFunc()
	err := tx.Model(r).
		Select("IsEnabled", "IsCritical", "RolloutPercentage", "ReachedPercentage", "ReleaseMessage", "UpdatedAt").
		Updates(r).Error
	if err != nil {
		return err
	}
	if reachesEverybody(*r) && !reachesEverybody(before) {
		return supersede(tx, *r)
	}
	return nil
}

// reachesEverybody reports whether devices are served nothing older than r.
func reachesEverybody(r models.Release) bool {
	return r.DeletedAt == nil && r.IsEnabled && r.RolloutPercentage == everybody
}

// DeleteRelease deletes a release: no device is served it again. Its row stays for the
// history.
func (s *Store) DeleteRelease(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.change(ctx, projectID, func(tx *gorm.DB, _ *models.Project) error {
		r, err := liveRelease(tx, projectID, id)
		if err != nil {
			return err
		}
		if err := checkNotRollingOut(r); err != nil {
			return err
		}
		if err := tx.Model(&r).Update("deleted_at", tx.NowFunc()).Error; err != nil {
			return err
		}
		return audit(tx, projectID, actor, actionUpdateDeleted, entityUpdate, id, releaseDetails(r))
	})
}

func checkNotRollingOut(r models.Release) error {
	if r.RolloutExecutionID == nil {
		return nil
	}
	return models.Errorf(models.CodeRolloutInProgress, "update %d is being rolled out by execution %d; cancel that first", r.ID, *r.RolloutExecutionID)
}

func liveRelease(tx *gorm.DB, projectID, id int64) (models.Release, error) {
	return one[models.Release](selectReleases(tx).
		Where("releases.project_id = ? AND releases.id = ? AND releases.deleted_at IS NULL", projectID, id), "update %d", id)
}

// selectReleases reads releases with the name of their branch and their open
// execution.
func selectReleases(tx *gorm.DB) *gorm.DB {
	return tx.Model(&models.Release{}).
		Select("releases.*, branches.name AS branch_name, rollout_executions.id AS rollout_execution_id, "+linkedFlagsColumn).
		Joins("JOIN branches ON branches.id = releases.branch_id").
		Joins("LEFT JOIN rollout_executions ON rollout_executions.update_id = releases.id AND rollout_executions.status IN ?", openStatuses)
}

// releaseDetails returns what the audit log records of a release that was created or
// deleted.
func releaseDetails(r models.Release) map[string]any {
	return map[string]any{
		"updateUuid":        r.UpdateUUID,
		"groupId":           r.GroupID,
		"buildId":           r.BuildID,
		"branchName":        r.BranchName,
		"channel":           r.Channel,
		"platform":          r.Platform,
		"runtimeVersion":    r.RuntimeVersion,
		"kind":              r.Kind,
		"isEnabled":         r.IsEnabled,
		"isCritical":        r.IsCritical,
		"rolloutPercentage": r.RolloutPercentage,
		"releaseMessage":    r.ReleaseMessage,
		"linkedFlags":       linkDetails(r.LinkedFlags),
	}
}
