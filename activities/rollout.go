package activities

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// RolloutStore keeps rollouts.
type RolloutStore interface {
	// RolloutSubject reads an execution with its release; not_found when there is none.
	RolloutSubject(ctx context.Context, projectID, executionID int64) (models.RolloutSubject, error)
	// ApplyExecutionChange applies c in one transaction, unless it is applied already, and returns
	// the execution; invalid_transition when the row does not precede c. A change that was decided
	// on outdated counts or linked flags is not applied, and the row's version stays below c.Seq.
	ApplyExecutionChange(ctx context.Context, c models.ExecutionChange) (models.RolloutExecution, error)
}

// HealthSource reads the health of releases.
type HealthSource interface {
	ReleaseHealth(ctx context.Context, q models.HealthQuery) (models.ReleaseHealth, error)
}

// LoadRollout reads the execution of a workflow.
func (a *Activities) LoadRollout(ctx context.Context, start models.RolloutStart) (models.RolloutSubject, error) {
	subject, err := a.Rollouts.RolloutSubject(ctx, start.ProjectID, start.ExecutionID)
	return subject, classify(err)
}

// ObserveRelease reads the health of a release. It fails when it cannot count all reports.
func (a *Activities) ObserveRelease(ctx context.Context, q models.HealthQuery) (models.ReleaseHealth, error) {
	health, err := a.Health.ReleaseHealth(ctx, q)
	return health, classify(err)
}

// ApplyRolloutChange writes one step of a rollout. It may be repeated: Seq identifies the step.
func (a *Activities) ApplyRolloutChange(ctx context.Context, c models.ExecutionChange) (models.AppliedChange, error) {
	defer beat(ctx)()
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
