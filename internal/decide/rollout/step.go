package rollout

import (
	"time"

	"github.com/waft-ota/waft/models"
)

// This file contains every list of the fields that a step of a rollout changes. Change creates the step from the
// workflow's state, BegunAs corrects the first step by the row, and Applied copies the step into the row. The store
// writes the AppliedFields of the row.

// Change returns the transition from the given state in the form that the store applies.
func (t Transition) Change(from State, now time.Time, runID string) models.ExecutionChange {
	e := t.Next.Execution
	c := models.ExecutionChange{
		ProjectID:      e.ProjectID,
		ExecutionID:    e.ID,
		Seq:            from.Execution.Version + 1,
		Status:         e.Status,
		StageIndex:     e.StageIndex,
		WaitingFor:     e.WaitingFor,
		Reason:         e.Reason,
		Percentage:     e.Percentage,
		StageStartedAt: e.StageStartedAt,
		Progress:       e.Progress,
		PausedAt:       e.PausedAt,
		Health:         t.Health,
		RunID:          runID,
		Revert:         t.revert,
		DropFlags:      t.dropFlags,
		CountsSince:    from.Execution.CountsSince,
		ExpiresAt:      t.ExpiresAt,
		Actor:          t.actor,
	}
	if !e.Status.Open() {
		c.EndedAt = &now
	}
	if t.Event != "" {
		c.Event = &models.RolloutEvent{
			ExecutionID: e.ID,
			ProjectID:   e.ProjectID,
			At:          now,
			Event:       t.Event,
			Actor:       t.actor.Shown(),
			FromStage:   from.Execution.StageIndex,
			ToStage:     e.StageIndex,
			Percentage:  e.Percentage,
			Reason:      e.Reason,
		}
		if t.Event == models.EventHeld {
			c.Event.HeldUntil, c.Event.RunsUntil = e.Progress.FrozenUntil, t.runsUntil
		}
	}
	return c
}

// BegunAs returns the first step of a workflow, corrected by the row e. The workflow may have read the row before an
// emergency stop paused it, or before the end of the stop resumed it. The first stage therefore begins with the row's
// current status. The row's version cannot detect this, because neither change increments it before the first stage.
func BegunAs(e models.RolloutExecution, step models.ExecutionChange) models.ExecutionChange {
	if step.Event == nil || step.Event.Event != models.EventStarted || step.Status == e.Status {
		return step
	}
	step.Status, step.PausedAt, step.Progress.PauseReason = e.Status, e.PausedAt, e.Progress.PauseReason
	step.RunID = "" // makes the workflow adopt the row
	step.WaitingFor = models.WaitResume
	if e.Status == models.ExecutionRunning {
		step.WaitingFor = models.WaitDuration
	}
	return step
}

// AppliedFields lists the fields of a row that Applied sets.
var AppliedFields = []string{
	"Version", "Status", "StageIndex", "WaitingFor", "Reason", "Percentage",
	"StageStartedAt", "CountsSince", "Progress", "PausedAt", "EndedAt", "Health", "RunID",
}

// Applied returns the row after the step at now.
func Applied(e models.RolloutExecution, step models.ExecutionChange, now time.Time) models.RolloutExecution {
	if step.Health != nil {
		e.Health = step.Health
	}
	if step.StageIndex != e.StageIndex {
		step.Progress.Before = CarriedOver(e)
	}
	if step.Status == models.ExecutionRunning && !step.Progress.Scheduled {
		step.Progress.Clock = step.Progress.Clock.Started(now) // devices get the release from now on
	}
	if step.EndedAt == nil && !step.Status.Open() {
		step.EndedAt = &now
	}
	if step.DropFlags { // the stage restarts
		// Postgres stores microseconds. If it rounded up, it would refuse the workflow's next step.
		e.CountsSince = new(step.StageStartedAt.Truncate(time.Microsecond))
	}
	e.Version = step.Seq
	e.Status = step.Status
	e.StageIndex = step.StageIndex
	e.WaitingFor = step.WaitingFor
	e.Reason = step.Reason
	e.Percentage = step.Percentage
	e.StageStartedAt = step.StageStartedAt
	e.Progress = step.Progress
	e.PausedAt = step.PausedAt
	e.EndedAt = step.EndedAt
	e.RunID = step.RunID
	return e
}
