package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// deletedInSnapshot is how many deleted releases a snapshot holds: devices may
// still have them stored and must be told to leave them.
const deletedInSnapshot = 50

// Snapshot reads everything of a project that decides what devices are served, as
// it was at one moment. The number of queries does not depend on how much that is.
func (s *Store) Snapshot(ctx context.Context, projectID int64) (snapshot models.ProjectSnapshot, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		snapshot = models.ProjectSnapshot{}
		if snapshot.Project, err = oneProject(tx.Where("id = ?", projectID)); err != nil {
			return err
		}
		snapshot.Branches, err = all[models.Branch](tx.Where("project_id = ? AND deleted_at IS NULL", projectID).Order("id"))
		if err != nil {
			return err
		}
		snapshot.Channels, err = all[models.Channel](selectChannels(tx).Where("channels.project_id = ?", projectID).Order("channels.id"))
		if err != nil {
			return err
		}
		snapshot.UserOverrides, err = all[models.UserOverride](selectOverrides(tx).Where("user_overrides.project_id = ?", projectID))
		if err != nil {
			return err
		}
		if snapshot.Releases, err = snapshotReleases(tx, projectID); err != nil {
			return err
		}
		if snapshot.Builds, err = snapshotBuilds(tx, projectID); err != nil {
			return err
		}
		if snapshot.RolloutWorkflows, err = openWorkflows(tx, projectID); err != nil {
			return err
		}
		if snapshot.Flags, err = snapshotFlags(tx, projectID); err != nil {
			return err
		}
		snapshot.Segments, err = all[models.Segment](tx.Where("project_id = ?", projectID).Order("id"))
		return err
	})
	return snapshot, err
}

// SnapshotVersions maps the id of every project to the version of its newest
// snapshot.
func (s *Store) SnapshotVersions(ctx context.Context) (versions map[int64]int64, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		projects, err := all[models.Project](tx.Select("id", "snapshot_version"))
		versions = make(map[int64]int64, len(projects))
		for _, p := range projects {
			versions[p.ID] = p.SnapshotVersion
		}
		return err
	})
	return versions, err
}

// snapshotReleases are all live releases and the newest deleted ones, newest
// first.
func snapshotReleases(tx *gorm.DB, projectID int64) ([]models.Release, error) {
	deleted := tx.Table("releases").Select("id").Where("project_id = ? AND deleted_at IS NOT NULL", projectID).
		Order("id DESC").Limit(deletedInSnapshot)
	return all[models.Release](selectReleases(tx).
		Where("releases.project_id = ? AND (releases.deleted_at IS NULL OR releases.id IN (?))", projectID, deleted).
		Order("releases.created_at DESC"))
}

// snapshotBuilds are the builds of live releases with their files.
func snapshotBuilds(tx *gorm.DB, projectID int64) (map[int64]*models.Build, error) {
	live := tx.Table("releases").Select("build_id").Where("project_id = ? AND deleted_at IS NULL", projectID)
	builds, err := all[models.Build](tx.Where("project_id = ? AND id IN (?)", projectID, live))
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]*models.Build, len(builds))
	for i := range builds {
		byID[builds[i].ID] = &builds[i]
	}
	// By build alone: naming the project as well makes Postgres look at all files of
	// the project for each build when its statistics are behind.
	assets, err := all[models.BuildAsset](tx.Where("build_id IN (?)", live).Order("build_id, path COLLATE \"C\""))
	if err != nil {
		return nil, err
	}
	for _, a := range assets {
		b := byID[a.BuildID]
		b.Assets = append(b.Assets, a)
	}
	return byID, nil
}

// openWorkflows maps releases with an open execution to its workflow.
func openWorkflows(tx *gorm.DB, projectID int64) (map[int64]string, error) {
	var open []struct {
		UpdateID   int64
		WorkflowID string
	}
	err := tx.Table("rollout_executions").Select("update_id, workflow_id").
		Where("project_id = ? AND status IN ?", projectID, openStatuses).Find(&open).Error
	workflows := make(map[int64]string, len(open))
	for _, e := range open {
		workflows[e.UpdateID] = e.WorkflowID
	}
	return workflows, err
}
