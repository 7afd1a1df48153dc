package releasestore

import (
	"context"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// releasesByName selects the update UUIDs of releases and their aliases.
const releasesByName = `(SELECT id, project_id, update_uuid FROM releases
	UNION ALL SELECT release_id, project_id, update_uuid FROM release_aliases) AS names`

// UpdateID returns the ID of the release, live or deleted, with the given update UUID or alias.
func (s *Releases) UpdateID(ctx context.Context, projectID int64, updateUUID uuid.UUID) (int64, error) {
	return s.db.IDBy(ctx, projectID, releasesByName, "update_uuid", updateUUID, "release")
}

// ExecutionID returns the ID of the project's rollout with the workflow ID.
func (s *Releases) ExecutionID(ctx context.Context, projectID int64, workflowID string) (int64, error) {
	return s.db.IDBy(ctx, projectID, "rollout_executions", "workflow_id", workflowID, "rollout")
}

// ReleasesOf returns releases by update ID, including deleted ones. Strings that are not UUIDs are ignored.
func (s *Releases) ReleasesOf(ctx context.Context, projectID int64, updates []string) (map[string]models.Release, error) {
	ids := []uuid.UUID{uuid.Nil}
	for _, text := range updates {
		if id, err := uuid.Parse(text); err == nil {
			ids = append(ids, id)
		}
	}
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (map[string]models.Release, error) {
		releases := map[string]models.Release{}
		found, err := pg.All[models.Release](SelectReleases(tx).
			Where("releases.project_id = ? AND releases.update_uuid IN ?", projectID, ids))
		for _, r := range found {
			releases[r.UpdateUUID.String()] = r
		}
		return releases, err
	})
}
