package activities

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// RolloutStore is the store as rollouts see it.
type RolloutStore interface {
	// RolloutSubject reads an execution with its release; not_found when there is
	// none.
	RolloutSubject(ctx context.Context, projectID, executionID int64) (models.RolloutSubject, error)
	// ApplyExecutionChange applies c in one transaction, or finds it applied, and
	// returns the execution as it stands; invalid_transition when the row has moved
	// on otherwise. A change that rests on health or linked flags that are not the
	// release's any more is left out, and the row's version stays below c.Seq.
	ApplyExecutionChange(ctx context.Context, c models.ExecutionChange) (models.RolloutExecution, error)
}

// LoadRollout reads the execution that a workflow is to drive.
func (a *Activities) LoadRollout(ctx context.Context, start models.RolloutStart) (models.RolloutSubject, error) {
	subject, err := a.Rollouts.RolloutSubject(ctx, start.ProjectID, start.ExecutionID)
	return subject, classify(err)
}
