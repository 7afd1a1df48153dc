package store

import (
	"context"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// releasesByName are the update UUIDs of releases and their aliases.
const releasesByName = `(SELECT id, project_id, update_uuid FROM releases
	UNION ALL SELECT release_id, project_id, update_uuid FROM release_aliases) AS names`

// UpdateID returns the id of the release, live or deleted, with the given update UUID or alias.
func (s *Store) UpdateID(ctx context.Context, projectID int64, updateUUID uuid.UUID) (int64, error) {
	return s.idBy(ctx, projectID, releasesByName, "update_uuid", updateUUID, "update")
}

// BuildID returns the id of the project's build with the given UUID.
func (s *Store) BuildID(ctx context.Context, projectID int64, id uuid.UUID) (int64, error) {
	return s.idBy(ctx, projectID, "builds", "uuid", id, "build")
}

// ExecutionID returns the id of the project's rollout execution with the workflow id.
func (s *Store) ExecutionID(ctx context.Context, projectID int64, workflowID string) (int64, error) {
	return s.idBy(ctx, projectID, "rollout_executions", "workflow_id", workflowID, "rollout execution")
}

// idBy finds a row by a column that identifies it; what names it in the not_found error.
func (s *Store) idBy(ctx context.Context, projectID int64, table, column string, value any, what string) (int64, error) {
	row, err := reading(ctx, s.readOne, func(db *gorm.DB) (struct{ ID int64 }, error) {
		return one[struct{ ID int64 }](db.Table(table).Select("id").
			Where("project_id = ? AND "+column+" = ?", projectID, value), "%s %v", what, value)
	})
	return row.ID, err
}

// ReleasesOf maps update ids to releases, deleted ones included. Text that is no UUID finds nothing.
func (s *Store) ReleasesOf(ctx context.Context, projectID int64, updates []string) (map[string]models.Release, error) {
	ids := []uuid.UUID{uuid.Nil}
	for _, text := range updates {
		if id, err := uuid.Parse(text); err == nil {
			ids = append(ids, id)
		}
	}
	return reading(ctx, s.read, func(tx *gorm.DB) (map[string]models.Release, error) {
		releases := map[string]models.Release{}
		found, err := all[models.Release](selectReleases(tx).
			Where("releases.project_id = ? AND releases.update_uuid IN ?", projectID, ids))
		for _, r := range found {
			releases[r.UpdateUUID.String()] = r
		}
		return releases, err
	})
}
