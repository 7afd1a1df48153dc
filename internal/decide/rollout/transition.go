package rollout

import (
	"cmp"
	"fmt"
	"time"

	"github.com/waft-ota/waft/models"
)

// Transition is a step of a rollout before it is written.
type Transition struct {
	Next State
	// Event is the kind of the timeline's event, or "" if the step adds none.
	Event  models.RolloutEventKind
	actor  models.Actor
	revert bool
	// dropFlags reverts the release's linked flags.
	dropFlags bool
	// runsUntil is the end of the stage's minimum time, if the stage waits for it.
	runsUntil *time.Time
	// Health is the observation that led to the step, or nil for a command.
	Health *models.Observation
	// ExpiresAt is the time after which the step must not be written, or nil for no such time.
	ExpiresAt *time.Time
}

// SystemActor is the actor of steps that a rollout takes without a command.
var SystemActor = models.SystemActor("rollout")

// Begin returns the transition that begins the first stage.
func (s State) Begin(now time.Time) Transition {
	return s.beginAs(now, SystemActor, StageName(s.Execution.Stages, 0)+" begins")
}

func (s State) beginAs(now time.Time, actor models.Actor, reason string) Transition {
	s.Execution.Progress.Scheduled = false
	t := s.enter(0, now, actor, reason)
	t.Event = models.EventStarted
	return t
}

// enter returns the transition that begins a stage. A paused rollout stays paused.
func (s State) enter(stage int, now time.Time, actor models.Actor, reason string) Transition {
	e := &s.Execution
	e.StageIndex = stage
	e.Percentage = e.Stages[stage].Percentage
	e.StageStartedAt = now
	e.Progress.Clock = models.StageClock{}
	e.Progress.Breached, e.Progress.Frozen, e.Progress.FrozenUntil = false, false, nil
	e.Reason = reason
	e.WaitingFor = models.WaitResume
	if e.Status == models.ExecutionRunning {
		e.WaitingFor = s.waitAtStart(now)
	}
	return Transition{Next: s, Event: models.EventStageAdvanced, actor: actor}
}

// dropFlags returns the transition that reverts the linked flags and restarts the stage with new counts.
func (s State) dropFlags(now time.Time, reason string) Transition {
	s.LinkedFlags = 0
	s.Execution.Progress.Before = models.Comparison{}
	t := s.enter(s.Execution.StageIndex, now, SystemActor, reason)
	t.Next.Execution.CountsSince = &now
	t.Event = models.EventFlagsReverted
	t.dropFlags = true
	return t
}

// advance returns the transition to the next stage, or to the first stage if the rollout still waits for its start time.
// After the last stage it completes the rollout.
func (s State) advance(now time.Time, actor models.Actor, reason string) Transition {
	if s.Execution.Progress.Scheduled {
		return s.beginAs(now, actor, reason)
	}
	if s.lastStage() {
		return s.end(models.ExecutionCompleted, models.EventCompleted, actor, reason)
	}
	return s.enter(s.Execution.StageIndex+1, now, actor, reason)
}

func (s State) pause(now time.Time, actor models.Actor, reason string) Transition {
	e := &s.Execution
	e.Status = models.ExecutionPaused
	e.PausedAt = &now
	e.Progress.PauseReason = reason
	e.Reason = reason
	e.WaitingFor = models.WaitResume
	e.Progress.Clock = e.Progress.Clock.Stopped(now)
	return Transition{Next: s, Event: models.EventPaused, actor: actor}
}

func (s State) resume(now time.Time, actor models.Actor, reason string) Transition {
	e := &s.Execution
	e.Status = models.ExecutionRunning
	e.PausedAt = nil
	e.Progress.PauseReason, e.Progress.Restored = "", false
	e.Reason = reason
	e.WaitingFor = s.waitAtStart(now)
	return Transition{Next: s, Event: models.EventResumed, actor: actor}
}

// Cancel returns the transition that cancels a rollout. If revert is true, it also rolls the release back.
func (s State) Cancel(actor models.Actor, reason string, revert bool) Transition {
	t := s.end(models.ExecutionCancelled, models.EventCancelled, actor, reason)
	t.revert = revert
	return t
}

// Supersede returns the transition that ends a rollout because every device gets a newer release. It does not roll back,
// because the release is no longer served to any device.
func (s State) Supersede(by models.RolloutSuperseded) Transition {
	return s.Cancel(SystemActor, "superseded by "+models.ReleasePhrase(by.ByReleaseID, by.ReleaseMessage), false)
}

func (s State) end(status models.ExecutionStatus, event models.RolloutEventKind, actor models.Actor, reason string) Transition {
	e := &s.Execution
	e.Status = status
	e.WaitingFor = ""
	e.PausedAt = nil
	e.Reason = reason
	return Transition{Next: s, Event: event, actor: actor}
}

// OnCommand returns the transition for a command. ok is false if the command is unknown.
func (s State) OnCommand(
	name models.RolloutCommand, now time.Time, actor models.Actor, reason string, revert bool,
) (t Transition, ok bool) {
	reason = cmp.Or(reason, fmt.Sprintf("%s by %s", pastTense[name], actor.Shown()))
	switch name {
	case models.CommandPause:
		return s.pause(now, actor, reason), true
	case models.CommandResume:
		return s.resume(now, actor, reason), true
	case models.CommandAdvance:
		return s.advance(now, actor, reason), true
	case models.CommandCancel:
		return s.Cancel(actor, reason, revert), true
	default:
		return Transition{}, false
	}
}

var pastTense = map[models.RolloutCommand]string{
	models.CommandPause:   "paused",
	models.CommandResume:  "resumed",
	models.CommandCancel:  "cancelled",
	models.CommandAdvance: "advanced",
}

// Follow returns the transition for a decision. ok is false if there is no change to write.
func (s State) Follow(d Decision, now time.Time) (t Transition, ok bool) {
	switch d.Action {
	case ActionRollBack:
		t = s.end(models.ExecutionRolledBack, models.EventRolledBack, SystemActor, d.Reason)
		t.revert = true
		return t, true
	case ActionDropFlags:
		return s.dropFlags(now, d.Reason), true
	case ActionComplete, ActionAdvance:
		return s.advance(now, SystemActor, d.Reason), true
	case ActionHold:
		return s.hold(d), d.Changes(s.Execution)
	default:
		return Transition{}, false
	}
}

// hold returns the transition that records why the rollout is held. The timeline shows every change of the reason, except
// that a stage waits for its minimum time.
func (s State) hold(d Decision) Transition {
	t := Transition{actor: SystemActor}
	e := &s.Execution
	told := s.told()
	e.WaitingFor, e.Progress.Breached, e.Progress.Frozen, e.Reason = d.WaitingFor, d.Breached(), d.Frozen, d.ReasonFor(*e)
	e.Progress.FrozenUntil = nil
	switch {
	case d.Frozen:
		e.Progress.FrozenUntil = &d.Deadline
	case d.WaitingFor == models.WaitDuration:
		t.runsUntil = &d.Deadline
	}
	if told || s.told() {
		t.Event = models.EventHeld
	}
	t.Next = s
	return t
}

// told reports whether the timeline shows the reason of the hold.
func (s State) told() bool {
	switch p := s.Execution.Progress; s.Execution.WaitingFor {
	case models.WaitThreshold, models.WaitNetworks, models.WaitData, models.WaitDevices:
		return true
	default:
		return p.Breached || p.Frozen
	}
}
