package releasestore

import (
	"fmt"
	"time"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// RestartRollouts starts the workflows of all open rollouts of the change's project in an empty Temporal, after a restore
// of a backup of the given time. It pauses the rollouts that were running, with the reason, and returns them as they were.
// A paused rollout continues at its stage when a person resumes it.
func RestartRollouts(c *unit.Change, backedUpAt time.Time, reason string) (paused []models.RolloutExecution, err error) {
	open, err := pg.All[models.RolloutExecution](c.Tx.Clauses(pg.ForUpdate).
		Select("rollout_executions.*, "+MessageOfExecution+" AS release_message").
		Where("project_id = ? AND status IN ?", c.Project.ID, OpenStatuses).Order("id"))
	if err != nil {
		return nil, err
	}
	for _, e := range open {
		if e.Status == models.ExecutionRunning {
			pauseRestored(c, e, backedUpAt, reason)
			paused = append(paused, e)
		}
		enqueueStart(c, e)
	}
	return paused, c.Err
}

// pauseRestored pauses a rollout without its workflow. Its stage has run until the backup; the time after that does not
// count. A workflow begins the first stage even of a paused rollout. A rollout that has not begun therefore waits for its start time,
// even if that has passed, and begins once it is resumed.
func pauseRestored(c *unit.Change, e models.RolloutExecution, backedUpAt time.Time, reason string) {
	step := manualStep(e, models.ExecutionPaused, manualEvent(c, e, models.EventPaused, reason))
	if e.Version == 0 {
		step.Seq, step.Progress.Scheduled = 1, true
		if e.Schedule.StartAt == nil {
			e.Schedule.StartAt = &e.StartedAt
			c.Update(&e, "Schedule")
		}
	}
	step.WaitingFor, step.PausedAt = models.WaitResume, new(c.Now())
	step.Progress.PauseReason, step.Progress.Restored = reason, true
	step.Progress.Clock = step.Progress.Clock.Stopped(backedUpAt)
	writeStep(c, e, step)
}

// enqueueStart enqueues the start of the workflow of a rollout.
func enqueueStart(c *unit.Change, e models.RolloutExecution) {
	c.Enqueue(models.OutboxRolloutStart, models.RolloutStart{
		ExecutionID: e.ID, ProjectID: e.ProjectID, WorkflowID: e.WorkflowID, Project: c.Project.Slug,
		Summary: fmt.Sprintf("%s: %s, %s %s", c.Project.Slug, models.ReleasePhrase(e.UpdateID, e.ReleaseMessage), e.Platform, e.RuntimeVersion),
	})
}
