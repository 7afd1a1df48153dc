package rollout

import "github.com/waft-ota/waft/models"

// Ended returns nil for a rollout that completed or still runs, otherwise an EndedError.
func Ended(e models.RolloutExecution) error {
	if e.Status == models.ExecutionCancelled || e.Status == models.ExecutionRolledBack {
		return &EndedError{e}
	}
	return nil
}
