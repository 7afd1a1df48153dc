package store

import (
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// enqueue writes a message that the relay delivers after the transaction commits.
func enqueue(tx *gorm.DB, projectID int64, kind models.OutboxKind, payload any) error {
	raw, err := json.Marshal(payload)
	if err != nil {
		return fmt.Errorf("outbox payload of %s: %w", kind, err)
	}
	return tx.Exec(`WITH promised AS (INSERT INTO outbox (project_id, kind, payload) VALUES (?, ?, ?::jsonb) RETURNING id)
		SELECT pg_notify(?, '') FROM promised`, projectID, kind, string(raw), models.NotifyOutbox).Error
}

// supersede tells every open execution of an older release of the same branch,
// platform and runtime version that r now reaches every device. Releases that r reverts
// are rolled back, not superseded.
func supersede(tx *gorm.DB, r models.Release) error {
	var workflowIDs []string
	err := tx.Table("rollout_executions").
		Joins("JOIN releases ON releases.id = rollout_executions.update_id").
		Where("rollout_executions.project_id = ? AND rollout_executions.status IN ?", r.ProjectID, openStatuses).
		Where("releases.branch_id = ? AND releases.platform = ? AND releases.runtime_version = ?", r.BranchID, r.Platform, r.RuntimeVersion).
		Where(placeOfRelease+" < (?, ?)", r.Place(), r.CreatedAt).
		Where("releases.id NOT IN ?", append([]int64{0}, r.RolledBackUpdateIDs...)). // those end otherwise
		Order("rollout_executions.id").
		Pluck("rollout_executions.workflow_id", &workflowIDs).Error
	if err != nil {
		return err
	}
	for _, id := range workflowIDs {
		message := models.RolloutSuperseded{WorkflowID: id, ByReleaseID: r.ID}
		if err := enqueue(tx, r.ProjectID, models.OutboxRolloutSuperseded, message); err != nil {
			return err
		}
	}
	return retireSuccessors(tx, r)
}
