package releasestore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// EmergencyStop returns a project's emergency stop; active is false if the project is not stopped.
func (s *Releases) EmergencyStop(ctx context.Context, projectID int64) (stop models.EmergencyStop, active bool, err error) {
	err = s.db.ReadOne(ctx, func(db *gorm.DB) error {
		stop, active, err = emergencyStopOf(db, projectID)
		return err
	})
	return stop, active, err
}

func emergencyStopOf(db *gorm.DB, projectID int64) (stop models.EmergencyStop, active bool, err error) {
	err = db.Where("project_id = ?", projectID).Take(&stop).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return stop, false, nil
	}
	return stop, err == nil, err
}

// StopProject pauses every channel and every running rollout of a project in one transaction. It depends on Postgres
// alone: the rollouts' workflows are informed afterwards and cannot change the rollouts before that (docs/adr/0031). A
// project that is already stopped keeps its first reason; whatever is running by now is paused too.
func (s *Releases) StopProject(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewEmergencyStop,
) (models.EmergencyStop, error) {
	return unit.Apply(ctx, s.units.ChangeServed, projectID, actor, n, func(c *unit.Change) (models.EmergencyStop, error) {
		stop, active, err := emergencyStopOf(c.Tx, projectID)
		if err != nil {
			return stop, err
		}
		if !active {
			stop = models.EmergencyStop{
				ProjectID: projectID, Reason: n.Reason, StoppedBy: actor.Shown(), StoppedAt: c.Now(), Channels: []int64{}, Executions: []int64{},
			}
		}
		c.ExemptFromApproval(unit.EveryChannel) // an emergency stop only pauses
		channels, err := pauseChannels(c, true, stop.Reason, nil)
		if err != nil {
			return stop, err
		}
		running, err := pg.All[models.RolloutExecution](c.Tx.Clauses(pg.ForUpdate).
			Where("project_id = ? AND status = ?", projectID, models.ExecutionRunning).Order("id"))
		if err != nil {
			return stop, err
		}
		if active && len(channels)+len(running) == 0 {
			return stop, nil
		}
		for _, e := range running {
			stopRollout(c, e, stop.Reason)
			stop.Executions = append(stop.Executions, e.ID)
		}
		stop.Channels = append(stop.Channels, channels...)
		c.Do(func() error { return c.Tx.Save(&stop).Error })
		c.Audit("project.stopped", "project", projectID, map[string]any{
			"reason": stop.Reason, "channels": len(channels), "rollouts": len(running),
		})
		return stop, nil
	})
}

// ResumeProject ends the emergency stop of a project. It resumes the channels and rollouts that the stop paused, unless
// someone has changed them since.
func (s *Releases) ResumeProject(ctx context.Context, projectID int64, actor models.Actor) error {
	return s.units.ChangeServed(ctx, projectID, actor, func(c *unit.Change) error {
		stop, active, err := emergencyStopOf(c.Tx, projectID)
		if err != nil {
			return err
		}
		if !active {
			return models.Errorf(models.CodeNotFound, "the project has no emergency stop")
		}
		channels, err := pauseChannels(c, false, stop.Reason, stop.Channels)
		if err != nil {
			return err
		}
		paused, err := pg.All[models.RolloutExecution](c.Tx.Clauses(pg.ForUpdate).
			Where("project_id = ? AND status = ? AND id IN ?", projectID, models.ExecutionPaused, stop.Executions).Order("id"))
		if err != nil {
			return err
		}
		paused = slices.DeleteFunc(paused, func(e models.RolloutExecution) bool { return e.Progress.PauseReason != stopReason(stop.Reason) })
		askForResumption(c, stop, channels, paused)
		for _, e := range paused {
			resumeRollout(c, e)
		}
		c.Exec("DELETE FROM emergency_stops WHERE project_id = ?", projectID)
		c.Audit("project.resumed", "project", projectID, map[string]any{"channels": len(channels), "rollouts": len(paused)})
		return nil
	})
}

// askForResumption requires approval for the end of a stop, because devices of the resumed channels and rollouts get
// releases again.
func askForResumption(c *unit.Change, stop models.EmergencyStop, channels []int64, rollouts []models.RolloutExecution) {
	ids := pg.Each(rollouts, func(e models.RolloutExecution) int64 { return e.ID })
	c.RequireApproval(unit.Effect{
		Basis: []any{stop.StoppedAt.UTC(), channels, ids},
		Summary: fmt.Sprintf("end the emergency stop %q, which will resume %s and %s",
			stop.Reason, count.Of(len(channels), "channel"), count.Of(len(rollouts), "rollout")),
		On: func(c *unit.Change) []models.Channel {
			on := unit.ChannelsWithIDs(channels)(c)
			for _, e := range rollouts {
				on = append(on, executionReach(e)(c)...)
			}
			slices.SortFunc(on, func(a, b models.Channel) int { return strings.Compare(a.Name, b.Name) })
			return slices.CompactFunc(on, func(a, b models.Channel) bool { return a.ID == b.ID })
		},
	})
}

// pauseChannels pauses all channels of the project, or resumes the channels with the given IDs. It returns the IDs of
// the channels that it changed.
func pauseChannels(c *unit.Change, pause bool, reason string, only []int64) (changed []int64, err error) {
	q := c.Tx.Clauses(pg.ForChange).Select("id", "name").Where("project_id = ? AND is_paused = ?", c.Project.ID, !pause)
	if !pause {
		q = q.Where("id IN ?", only)
	}
	channels, err := pg.All[models.Channel](q.Order("id"))
	if err != nil || len(channels) == 0 {
		return nil, err
	}
	entries := make([]models.AuditEntry, len(channels))
	for i, ch := range channels {
		changed = append(changed, ch.ID)
		entries[i] = c.Entry(c.Actor, "channel.updated", "channel", ch.ID, map[string]any{
			"name": ch.Name, "isPaused": map[string]any{"before": !pause, "after": pause}, "reason": stopReason(reason),
		})
	}
	c.Exec("UPDATE channels SET is_paused = ?, updated_at = ? WHERE id IN ?", pause, c.Now(), changed)
	c.RecordAudit(entries...)
	return changed, c.Err
}

func stopReason(reason string) string { return "emergency stop: " + reason }

// stopRollout pauses a rollout without its workflow.
func stopRollout(c *unit.Change, e models.RolloutExecution, reason string) {
	now := c.Now()
	step := manualStep(e, models.ExecutionPaused, manualEvent(c, e, models.EventPaused, stopReason(reason)))
	step.WaitingFor, step.PausedAt = models.WaitResume, &now
	step.Progress.PauseReason = step.Reason
	step.Progress.Clock = step.Progress.Clock.Stopped(now)
	moveRollout(c, e, step)
}

// resumeRollout resumes a rollout without its workflow.
func resumeRollout(c *unit.Change, e models.RolloutExecution) {
	step := manualStep(e, models.ExecutionRunning, manualEvent(c, e, models.EventResumed, "the emergency stop was ended by "+c.Actor.Shown()))
	step.Progress.PauseReason = ""
	if e.Progress.Scheduled || e.Stages[e.StageIndex].MinDuration() > e.Progress.Clock.Elapsed(c.Now()) {
		step.WaitingFor = models.WaitDuration
	}
	moveRollout(c, e, step)
}

// manualStep returns a step that pauses or resumes a rollout without its workflow. Like manualEnd, it uses the number
// of the workflow's next step, and its run ID is empty, so the workflow knows that it may take over the row. If the
// workflow has not written a step yet, the number stays 0: the workflow must still begin the first stage.
func manualStep(e models.RolloutExecution, status models.ExecutionStatus, event models.RolloutEvent) models.ExecutionChange {
	step := models.ExecutionChange{
		Seq: e.Version + 1, Status: status, StageIndex: e.StageIndex, Reason: event.Reason, Percentage: e.Percentage,
		StageStartedAt: e.StageStartedAt, Progress: e.Progress, Event: &event,
	}
	if e.Version == 0 {
		step.Seq = 0
	}
	return step
}

// moveRollout writes a manual step and tells the workflow to take over the row.
func moveRollout(c *unit.Change, e models.RolloutExecution, step models.ExecutionChange) {
	writeStep(c, e, step)
	promptWatcher(c, e.ID)
	c.Enqueue(models.OutboxRolloutReverted, models.RolloutReverted{WorkflowID: e.WorkflowID})
}
