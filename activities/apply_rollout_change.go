package activities

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// ApplyRolloutChange writes one step of a rollout. Doing it again is harmless: the
// store knows the step by its Seq.
func (a *Activities) ApplyRolloutChange(ctx context.Context, c models.ExecutionChange) (models.AppliedChange, error) {
	execution, err := a.Rollouts.ApplyExecutionChange(ctx, c)
	if err != nil {
		return models.AppliedChange{}, classify(err)
	}
	applied := models.AppliedChange{Version: execution.Version, Status: execution.Status, Progress: execution.Progress}
	if applied.Version < c.Seq {
		applied.CountsSince, applied.LinkedFlags = execution.CountsSince, len(execution.LinkedFlags)
	}
	return applied, nil
}
