package workflows

import (
	"fmt"
	"time"

	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

// transition is a step of a rollout that is not written yet.
type transition struct {
	next RolloutState
	// event goes onto the timeline, "" for none.
	event  models.RolloutEventKind
	actor  models.Actor
	revert bool
	// dropFlags takes the release's linked flags back.
	dropFlags bool
	// expiresAt is until when it may be written, nil for ever.
	expiresAt *time.Time
}

var systemActor = models.SystemActor("rollout")

// begin applies the first stage's share.
func (s RolloutState) begin(now time.Time) transition {
	return s.beginAs(now, systemActor, rollout.StageName(s.Stages, 0)+" begins")
}

func (s RolloutState) beginAs(now time.Time, actor models.Actor, reason string) transition {
	s.Scheduled = false
	t := s.enter(0, now, actor, reason)
	t.event = models.EventStarted
	return t
}

// enter goes to a stage, at once. A paused rollout stays paused.
func (s RolloutState) enter(stage int, now time.Time, actor models.Actor, reason string) transition {
	s.StageIndex = stage
	s.Percentage = s.Stages[stage].Percentage
	s.StageStartedAt = now
	s.Clock = rollout.Clock{}
	s.Broken, s.Frozen = false, false
	s.Before = s.Compared
	s.Reason = reason
	s.WaitingFor = models.WaitResume
	if s.Status == models.ExecutionRunning {
		s.WaitingFor = s.waitAtStart(now)
	}
	return transition{next: s, event: models.EventStageAdvanced, actor: actor}
}

// dropFlags takes the linked flags back and begins the stage again, with fresh
// counts.
func (s RolloutState) dropFlags(now time.Time, reason string) transition {
	s.Flags = false
	s.CountsSince = &now
	s.Compared = rollout.Comparison{}
	t := s.enter(s.StageIndex, now, systemActor, reason)
	t.event = models.EventFlagsReverted
	t.dropFlags = true
	return t
}

// advance goes to the next stage, the first one when it still waits for its time;
// after the last one the rollout is complete.
func (s RolloutState) advance(now time.Time, actor models.Actor, reason string) transition {
	if s.Scheduled {
		return s.beginAs(now, actor, reason)
	}
	if s.lastStage() {
		return s.end(models.ExecutionCompleted, models.EventCompleted, actor, reason)
	}
	return s.enter(s.StageIndex+1, now, actor, reason)
}

func (s RolloutState) pause(now time.Time, actor models.Actor, reason string) transition {
	s.Status = models.ExecutionPaused
	s.PausedAt = &now
	s.PauseReason = reason
	s.Reason = reason
	s.WaitingFor = models.WaitResume
	s.Clock = s.Clock.Stopped(now)
	return transition{next: s, event: models.EventPaused, actor: actor}
}

func (s RolloutState) resume(now time.Time, actor models.Actor, reason string) transition {
	s.Status = models.ExecutionRunning
	s.PausedAt = nil
	s.PauseReason = ""
	s.Reason = reason
	s.Clock = s.Clock.Started(now)
	s.WaitingFor = s.waitAtStart(now)
	return transition{next: s, event: models.EventResumed, actor: actor}
}

func (s RolloutState) cancel(actor models.Actor, reason string, revert bool) transition {
	t := s.end(models.ExecutionCancelled, models.EventCancelled, actor, reason)
	t.revert = revert
	return t
}

// supersede ends a rollout whose release a newer one replaced everywhere. There is
// nothing to revert: no device is served the release any more.
func (s RolloutState) supersede(by int64) transition {
	return s.cancel(systemActor, fmt.Sprintf("superseded by release %d", by), false)
}

func (s RolloutState) end(status models.ExecutionStatus, event models.RolloutEventKind, actor models.Actor, reason string) transition {
	s.Status = status
	s.WaitingFor = ""
	s.PausedAt = nil
	s.Reason = reason
	return transition{next: s, event: event, actor: actor}
}

// follow is what a decision of the planner leads to; ok is false when there is
// nothing to write.
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
		return s.hold(d, now)
	default:
		return transition{}, false
	}
}

// hold writes why the rollout holds when that has changed, or fresh health when
// the row's is old. The timeline has every such change, but for a stage that runs as
// long as it has to and has nothing else to tell.
func (s RolloutState) hold(d rollout.Decision, now time.Time) (transition, bool) {
	broken := d.Judgement.Verdict == rollout.VerdictBreach
	changed := d.WaitingFor != s.WaitingFor || broken != s.Broken || d.Frozen != s.Frozen
	if !changed && !s.showDue(now) {
		return transition{}, false
	}
	t := transition{actor: systemActor}
	if changed && (s.told() || broken || d.Frozen || told(d.WaitingFor)) {
		t.event = models.EventHeld
	}
	s.WaitingFor, s.Broken, s.Frozen, s.Reason = d.WaitingFor, broken, d.Frozen, d.Reason
	if d.WaitingFor == models.WaitResume && !broken && s.PauseReason != "" {
		s.Reason = s.PauseReason
	}
	t.next = s
	return t, true
}

// told reports whether the row tells of a hold that the timeline tells of as well.
func (s RolloutState) told() bool { return s.Broken || s.Frozen || told(s.WaitingFor) }

func told(w models.WaitReason) bool {
	return w == models.WaitThreshold || w == models.WaitData || w == models.WaitDevices
}

// change is the transition as the store applies it, the one after from.
func (t transition) change(from RolloutState, now time.Time, runID string) models.ExecutionChange {
	s := t.next
	c := models.ExecutionChange{
		ProjectID:      s.ProjectID,
		ExecutionID:    s.ExecutionID,
		Seq:            from.Seq + 1,
		Status:         s.Status,
		StageIndex:     s.StageIndex,
		WaitingFor:     s.WaitingFor,
		Reason:         s.Reason,
		Percentage:     s.Percentage,
		StageStartedAt: s.StageStartedAt,
		PausedAt:       s.PausedAt,
		Health:         s.Health,
		RunID:          runID,
		Revert:         t.revert,
		DropFlags:      t.dropFlags,
		CountsSince:    from.CountsSince,
		ExpiresAt:      t.expiresAt,
		Actor:          t.actor,
	}
	if !s.Status.Open() {
		c.EndedAt = &now
	}
	if t.event != "" {
		c.Event = &models.RolloutEvent{
			ExecutionID: s.ExecutionID,
			ProjectID:   s.ProjectID,
			At:          now,
			Event:       t.event,
			Actor:       t.actor.Shown(),
			FromStage:   from.StageIndex,
			ToStage:     s.StageIndex,
			Percentage:  s.Percentage,
			Reason:      s.Reason,
			Health:      s.Health,
		}
	}
	return c
}
