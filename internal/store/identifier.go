package store

import (
	"context"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// releasesByName are the update UUIDs that devices know releases by: their own, and
// those that they got when a rollback would have kept them from devices.
const releasesByName = `(SELECT id, project_id, update_uuid FROM releases
	UNION ALL SELECT release_id, project_id, update_uuid FROM release_aliases) AS names`

// UpdateID returns the id of the project's release, live or deleted, with the given
// update UUID, or with it as an alias.
func (s *Store) UpdateID(ctx context.Context, projectID int64, updateUUID uuid.UUID) (int64, error) {
	return s.idBy(ctx, projectID, releasesByName, "update_uuid", updateUUID, "update")
}

// BuildID returns the id of the project's build with the given UUID.
func (s *Store) BuildID(ctx context.Context, projectID int64, id uuid.UUID) (int64, error) {
	return s.idBy(ctx, projectID, "builds", "uuid", id, "build")
}

// ExecutionID returns the id of the project's rollout execution with the given
// workflow id.
func (s *Store) ExecutionID(ctx context.Context, projectID int64, workflowID string) (int64, error) {
	return s.idBy(ctx, projectID, "rollout_executions", "workflow_id", workflowID, "rollout execution")
}

// idBy finds the row of a table by a column that identifies it; what names the kind
// of record in the not_found error.
func (s *Store) idBy(ctx context.Context, projectID int64, table, column string, value any, what string) (id int64, err error) {
	err = s.readOne(ctx, func(db *gorm.DB) error {
		var ids []int64
		if err := db.Table(table).Where("project_id = ? AND "+column+" = ?", projectID, value).Pluck("id", &ids).Error; err != nil {
			return err
		}
		if len(ids) == 0 {
			return models.Errorf(models.CodeNotFound, "there is no %s %v in this project", what, value)
		}
		id = ids[0]
		return nil
	})
	return id, err
}
