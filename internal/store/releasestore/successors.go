package releasestore

import (
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// loadSuccessors fills in the successors of rollouts whose release was rolled back. The first release that rolls the
// rollout's release back after the start of the rollout is the successor. Commit times are whole milliseconds.
func loadSuccessors(tx *gorm.DB, executions []models.RolloutExecution) error {
	ids := []int64{}
	for _, e := range executions {
		if e.Status == models.ExecutionRolledBack || e.Status == models.ExecutionCancelled {
			ids = append(ids, e.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	at, _ := pg.Indexed(executions, func(e *models.RolloutExecution) int64 { return e.ID })
	type successor struct {
		ExecutionID int64
		Release     models.Release `gorm:"embedded"`
	}
	// Only the index of rolled-back releases finds few rows. The other conditions come later, because Postgres would read their
	// index for the whole project.
	found, err := pg.All[successor](tx.Raw(`WITH replacing AS MATERIALIZED (
			SELECT e.id AS execution_id, e.project_id AS own_project_id, e.started_at, r.*
			FROM rollout_executions AS e JOIN releases AS r ON r.rolled_back_update_ids @> jsonb_build_array(e.update_id)
			WHERE e.id IN ?)
		SELECT DISTINCT ON (execution_id) execution_id, id, update_uuid, group_id, platform, runtime_version, release_message, kind
		FROM replacing
		WHERE project_id = own_project_id AND created_at >= date_trunc('milliseconds', started_at) AND deleted_at IS NULL
		ORDER BY execution_id, created_at`, ids))
	for _, s := range found {
		at[s.ExecutionID].Successor = &s.Release
	}
	return err
}
