package workflows

import (
	"fmt"
	"time"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// transition is a step of a rollout before it is written.
type transition struct {
	next RolloutState
	// event is for the timeline, "" for none.
	event  models.RolloutEventKind
	actor  models.Actor
	revert bool
	// dropFlags reverts the release's linked flags.
	dropFlags bool
	// health is the observation on which the step was decided, nil for a command.
	health *models.Observation
	// expiresAt is until when it may be written, nil without a limit.
	expiresAt *time.Time
}

var systemActor = models.SystemActor("rollout")

// begin applies the first stage's share.
func (s RolloutState) begin(now time.Time) transition {
	return s.beginAs(now, systemActor, rollout.StageName(s.Execution.Stages, 0)+" begins")
}

func (s RolloutState) beginAs(now time.Time, actor models.Actor, reason string) transition {
	s.Execution.Progress.Scheduled = false
	t := s.enter(0, now, actor, reason)
	t.event = models.EventStarted
	return t
}

// enter begins a stage. A paused rollout stays paused.
func (s RolloutState) enter(stage int, now time.Time, actor models.Actor, reason string) transition {
	e := &s.Execution
	e.StageIndex = stage
	e.Percentage = e.Stages[stage].Percentage
	e.StageStartedAt = now
	e.Progress.Clock = models.StageClock{}
	e.Progress.Breached, e.Progress.Frozen = false, false
	e.Reason = reason
	e.WaitingFor = models.WaitResume
	if e.Status == models.ExecutionRunning {
		e.WaitingFor = s.waitAtStart(now)
	}
	return transition{next: s, event: models.EventStageAdvanced, actor: actor}
}

// dropFlags reverts the linked flags and begins the stage again, with new counts.
func (s RolloutState) dropFlags(now time.Time, reason string) transition {
	s.LinkedFlags = 0
	s.Execution.Progress.Before = models.Comparison{}
	t := s.enter(s.Execution.StageIndex, now, systemActor, reason)
	t.next.Execution.CountsSince = &now
	t.event = models.EventFlagsReverted
	t.dropFlags = true
	return t
}

// advance begins the next stage, or the first one when that still waits for its start time; after
// the last stage the rollout is complete.
func (s RolloutState) advance(now time.Time, actor models.Actor, reason string) transition {
	if s.Execution.Progress.Scheduled {
		return s.beginAs(now, actor, reason)
	}
	if s.lastStage() {
		return s.end(models.ExecutionCompleted, models.EventCompleted, actor, reason)
	}
	return s.enter(s.Execution.StageIndex+1, now, actor, reason)
}

func (s RolloutState) pause(now time.Time, actor models.Actor, reason string) transition {
	e := &s.Execution
	e.Status = models.ExecutionPaused
	e.PausedAt = &now
	e.Progress.PauseReason = reason
	e.Reason = reason
	e.WaitingFor = models.WaitResume
	e.Progress.Clock = e.Progress.Clock.Stopped(now)
	return transition{next: s, event: models.EventPaused, actor: actor}
}

func (s RolloutState) resume(now time.Time, actor models.Actor, reason string) transition {
	e := &s.Execution
	e.Status = models.ExecutionRunning
	e.PausedAt = nil
	e.Progress.PauseReason = ""
	e.Reason = reason
	e.WaitingFor = s.waitAtStart(now)
	return transition{next: s, event: models.EventResumed, actor: actor}
}

func (s RolloutState) cancel(actor models.Actor, reason string, revert bool) transition {
	t := s.end(models.ExecutionCancelled, models.EventCancelled, actor, reason)
	t.revert = revert
	return t
}

// supersede ends a rollout when a newer release is for every device. There is nothing to revert,
// since no device is served the release any more.
func (s RolloutState) supersede(by int64) transition {
	return s.cancel(systemActor, fmt.Sprintf("superseded by release %d", by), false)
}

func (s RolloutState) end(status models.ExecutionStatus, event models.RolloutEventKind, actor models.Actor, reason string) transition {
	e := &s.Execution
	e.Status = status
	e.WaitingFor = ""
	e.PausedAt = nil
	e.Reason = reason
	return transition{next: s, event: event, actor: actor}
}

// follow is the transition for a decision; ok is false when there is nothing to write.
func (s RolloutState) follow(d rollout.Decision, now time.Time) (t transition, ok bool) {
	switch d.Action {
	case rollout.ActionRollBack:
		t = s.end(models.ExecutionRolledBack, models.EventRolledBack, systemActor, d.Reason)
		t.revert = true
		return t, true
	case rollout.ActionDropFlags:
		return s.dropFlags(now, d.Reason), true
	case rollout.ActionComplete, rollout.ActionAdvance:
		return s.advance(now, systemActor, d.Reason), true
	case rollout.ActionHold:
		return s.hold(d), d.Changes(s.Execution)
	default:
		return transition{}, false
	}
}

// hold writes why the rollout holds. The timeline has each change of that, except that a stage
// waits for its minimum time.
func (s RolloutState) hold(d rollout.Decision) transition {
	t := transition{actor: systemActor}
	e := &s.Execution
	told := s.told()
	e.WaitingFor, e.Progress.Breached, e.Progress.Frozen, e.Reason = d.WaitingFor, d.Breached(), d.Frozen, d.ReasonFor(*e)
	if told || s.told() {
		t.event = models.EventHeld
	}
	t.next = s
	return t
}

// told reports whether the reason of the hold belongs on the timeline.
func (s RolloutState) told() bool {
	switch p := s.Execution.Progress; s.Execution.WaitingFor {
	case models.WaitThreshold, models.WaitNetworks, models.WaitData, models.WaitDevices:
		return true
	default:
		return p.Breached || p.Frozen
	}
}

// change is the transition as the store applies it; it follows the state from.
func (t transition) change(from RolloutState, now time.Time, runID string) models.ExecutionChange {
	e := t.next.Execution
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
		Health:         t.health,
		RunID:          runID,
		Revert:         t.revert,
		DropFlags:      t.dropFlags,
		CountsSince:    from.Execution.CountsSince,
		ExpiresAt:      t.expiresAt,
		Actor:          t.actor,
	}
	if !e.Status.Open() {
		c.EndedAt = &now
	}
	if t.event != "" {
		c.Event = &models.RolloutEvent{
			ExecutionID: e.ID,
			ProjectID:   e.ProjectID,
			At:          now,
			Event:       t.event,
			Actor:       t.actor.Shown(),
			FromStage:   from.Execution.StageIndex,
			ToStage:     e.StageIndex,
			Percentage:  e.Percentage,
			Reason:      e.Reason,
		}
	}
	return c
}
