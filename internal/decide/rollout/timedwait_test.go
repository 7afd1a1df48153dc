package rollout

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestTimedWaitOf(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 5, 5, 0, 0, 0, time.UTC)
	at := func(d time.Duration) *time.Time { return new(now.Add(d)) }
	running := models.RolloutExecution{
		Status: models.ExecutionRunning, WaitingFor: models.WaitDuration, Version: 3, StageIndex: 1,
		Stages:   []models.Stage{{Percentage: 5}, {Percentage: 100, MinDurationMinutes: 60}},
		Progress: models.StageProgress{Clock: models.StageClock{Banked: 10 * time.Minute, Since: at(-20 * time.Minute)}},
	}
	none := func(change func(*models.RolloutExecution)) {
		e := running
		change(&e)
		_, ok := TimedWaitOf(e)
		require.False(t, ok)
	}
	none(func(e *models.RolloutExecution) { e.WaitingFor = models.WaitDevices })
	none(func(e *models.RolloutExecution) { e.Status = models.ExecutionCompleted })
	none(func(e *models.RolloutExecution) { e.Progress.Clock.Since = nil })
	none(func(e *models.RolloutExecution) { e.Progress.Frozen = true })
	wait := func(kind WaitKind, until time.Duration, change func(*models.RolloutExecution)) {
		e := running
		change(&e)
		w, ok := TimedWaitOf(e)
		require.True(t, ok)
		require.Equal(t, TimedWait{kind, now.Add(until)}, w)
	}
	wait(WaitForStage, 30*time.Minute, func(*models.RolloutExecution) {})
	wait(WaitForThaw, time.Hour, func(e *models.RolloutExecution) { e.Progress.Frozen, e.Progress.FrozenUntil = true, at(time.Hour) })
	scheduled := func(e *models.RolloutExecution) { e.Version, e.Schedule.StartAt = 0, at(time.Hour) }
	wait(WaitForStart, time.Hour, scheduled)
	wait(WaitForStart, 2*time.Hour, func(e *models.RolloutExecution) {
		scheduled(e)
		e.Schedule.FreezeWindows = []models.FreezeWindow{{From: "05:30", To: "07:00"}}
	})
}

// The record of a held rollout and its event name the end of the freeze, and neither does after it.
func TestAHoldKnowsTheEndOfItsFreeze(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 5, 5, 0, 0, 0, time.UTC)
	until := now.Add(time.Hour)
	s := State{RolloutSubject: models.RolloutSubject{Execution: models.RolloutExecution{
		Status: models.ExecutionRunning, Stages: []models.Stage{{Percentage: 5}, {Percentage: 100}},
	}}}
	held, ok := s.Follow(Decision{Action: ActionHold, WaitingFor: models.WaitDuration, Deadline: until, Frozen: true, Reason: "frozen"}, now)
	require.True(t, ok)
	change := held.Change(s, now, "")
	require.Equal(t, &until, change.Progress.FrozenUntil)
	require.Equal(t, &until, change.Event.HeldUntil)
	thawed, ok := held.Next.Follow(Decision{Action: ActionHold, WaitingFor: models.WaitDevices, Reason: "waits for devices"}, until)
	require.True(t, ok)
	change = thawed.Change(held.Next, until, "")
	require.Nil(t, change.Progress.FrozenUntil)
	require.Nil(t, change.Event.HeldUntil)
}

// The event that ends a hold names the end of the stage's minimum time.
func TestTheEndOfAHoldKnowsHowLongTheStageRuns(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 5, 5, 0, 0, 0, time.UTC)
	until := now.Add(time.Hour)
	s := State{RolloutSubject: models.RolloutSubject{Execution: models.RolloutExecution{
		Status: models.ExecutionRunning, Stages: []models.Stage{{Percentage: 5}, {Percentage: 100}},
	}}}
	held, ok := s.Follow(Decision{Action: ActionHold, WaitingFor: models.WaitThreshold, Deadline: until, Reason: "held"}, now)
	require.True(t, ok)
	require.Nil(t, held.Change(s, now, "").Event.RunsUntil)
	released, ok := held.Next.Follow(Decision{Action: ActionHold, WaitingFor: models.WaitDuration, Deadline: until, Reason: "runs"}, now)
	require.True(t, ok)
	event := released.Change(held.Next, now, "").Event
	require.Equal(t, models.EventHeld, event.Event)
	require.Equal(t, &until, event.RunsUntil)
	require.Nil(t, event.HeldUntil)
}
