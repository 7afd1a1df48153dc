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
	found, err := pg.All[successor](tx.Raw(`SELECT DISTINCT ON (e.id) e.id AS execution_id, r.id, r.update_uuid, r.group_id, r.platform,
			r.runtime_version, r.release_message, r.kind
		FROM rollout_executions AS e
		JOIN releases AS r ON r.rolled_back_update_ids @> jsonb_build_array(e.update_id) AND r.project_id = e.project_id
			AND r.created_at >= date_trunc('milliseconds', e.started_at) AND r.deleted_at IS NULL
		WHERE e.id IN ? ORDER BY e.id, r.created_at`, ids))
	for _, s := range found {
		at[s.ExecutionID].Successor = &s.Release
	}
	return err
}
