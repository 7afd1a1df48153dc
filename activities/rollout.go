package activities

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// RolloutStore stores rollouts.
type RolloutStore interface {
	// RolloutSubject returns a rollout with its release, or not_found.
	RolloutSubject(ctx context.Context, projectID, executionID int64) (models.RolloutSubject, error)
	// ApplyExecutionChange applies c in one transaction, unless it is already applied, and returns the rollout. It
	// returns invalid_transition if c does not follow the row's version. A change that was based on outdated counts or
	// linked flags is not applied, and the row's version stays below c.Seq.
	ApplyExecutionChange(ctx context.Context, c models.ExecutionChange) (models.RolloutExecution, error)
}

// HealthSource reads the health of releases.
type HealthSource interface {
	ReleaseHealth(ctx context.Context, q models.HealthQuery) (models.ReleaseHealth, error)
}

// LoadRollout returns the rollout of a workflow.
func (a *Activities) LoadRollout(ctx context.Context, start models.RolloutStart) (models.RolloutSubject, error) {
	subject, err := a.Rollouts.RolloutSubject(ctx, start.ProjectID, start.ExecutionID)
	return subject, classify(err)
}

// ObserveRelease returns the health of a release. It fails if it cannot count all reports.
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
