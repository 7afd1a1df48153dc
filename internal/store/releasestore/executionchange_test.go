package releasestore_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

var observed = models.Observation{
	ReleaseHealth: models.ReleaseHealth{Devices: 200, Launches: 300, ErroredDevices: 4, CrashedDevices: 2},
	ErrorRate:     2, CrashRate: 1, Evidence: 1.5, CheckedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
}

func TestApplyExecutionChange(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)

	t.Run("writes the execution, the share, the timeline and the audit log", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r, e := f.MustRollOut()
		c := storetest.Next(e)
		c.StageIndex, c.Percentage, c.WaitingFor, c.Reason = 1, 50, models.WaitDuration, "stage 2 of 3"
		c.StageStartedAt, c.Health, c.RunID = at, &observed, "run-1"
		c.Event = &models.RolloutEvent{
			Event: models.EventStageAdvanced, At: at, Actor: "alice", FromStage: 0, ToStage: 1, Percentage: 50, Reason: "healthy", Health: &observed,
			RunsUntil: &at,
		}
		f.RequireBumped(true, func() { f.MustApply(c) })

		got := f.MustExecution(e.ID)
		require.EqualValues(t, 1, got.Version)
		require.Equal(t, 1, got.StageIndex)
		require.Equal(t, models.WaitDuration, got.WaitingFor)
		require.Equal(t, "stage 2 of 3", got.Reason)
		require.Equal(t, at, got.StageStartedAt)
		require.Equal(t, &observed, got.Health)
		require.Equal(t, "run-1", got.RunID)
		require.Len(t, got.Timeline, 1)
		event := got.Timeline[0]
		require.Equal(t, models.EventStageAdvanced, event.Event)
		require.Equal(t, at, event.At)
		require.Equal(t, "alice", event.Actor)
		require.Equal(t, &at, event.RunsUntil)
		require.Equal(t, &observed, event.Health)

		got2 := f.MustRelease(r.ID)
		require.InDelta(t, 50, got2.RolloutPercentage, 0)
		require.InDelta(t, 50, got2.ReachedPercentage, 0)
		require.True(t, got2.IsEnabled)

		entries := f.Audited(2)
		require.Equal(t, "update.patched", entries[1].Action)
		require.Equal(t, map[string]any{"before": 0., "after": 50.}, entries[1].Details["rolloutPercentage"])
		require.EqualValues(t, e.ID, entries[1].Details["rolloutExecutionId"])
		entry := entries[0]
		require.Equal(t, "rollout.stage_advanced", entry.Action)
		require.Equal(t, models.ActorSystem, entry.ActorType)
		require.Equal(t, "healthy", entry.Details["reason"])
	})

	t.Run("clears what the change leaves empty", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, e := f.MustRollOut()
		c := storetest.Next(e)
		c.Status, c.PausedAt, c.WaitingFor, c.Reason, c.Health = models.ExecutionPaused, &at, models.WaitResume, "hold on", &observed
		e = f.MustApply(c)
		require.Equal(t, &at, f.MustExecution(e.ID).PausedAt)

		c = storetest.Next(e)
		c.Status, c.PausedAt, c.WaitingFor, c.Reason, c.Health = models.ExecutionRunning, nil, "", "", nil
		f.MustApply(c)
		got := f.MustExecution(e.ID)
		require.Equal(t, models.ExecutionRunning, got.Status)
		require.Nil(t, got.PausedAt)
		require.Equal(t, &observed, got.Health, "a step without an observation keeps the row's observation")
		require.Empty(t, got.WaitingFor)
		require.Empty(t, got.Reason)
	})

	t.Run("does not notify anyone if devices cannot notice the change", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, e := f.MustRollOut()
		c := storetest.Next(e)
		c.Health, c.WaitingFor = &observed, models.WaitDevices
		f.RequireBumped(false, func() { f.MustApply(c) })
	})

	t.Run("applies a change once, however often it comes", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, e := f.MustRollOut()
		c := storetest.Next(e)
		c.Percentage, c.Event = 10, &models.RolloutEvent{Event: models.EventPaused}
		errs := make([]error, 4)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { _, errs[i] = f.ApplyExecutionChange(t.Context(), c) })
		}
		all.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
		got := f.MustExecution(e.ID)
		require.EqualValues(t, 1, got.Version)
		require.Len(t, got.Timeline, 1)
		require.Equal(t, []int64{1}, storetest.Query[int64](f, "SELECT count(*) FROM audit_log WHERE action = 'rollout.paused'"))
	})

	t.Run("returns the ended rollout for a repeated last change", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, e := f.MustRollOut()
		c := storetest.Next(f.MustReach(e, 10))
		c.Status, c.EndedAt, c.Revert = models.ExecutionRolledBack, &at, true
		first := f.MustApply(c)
		require.Equal(t, first, f.MustApply(c))
		require.Equal(t, []int64{1}, storetest.Query[int64](f, "SELECT count(*) FROM releases WHERE kind = 'rollback_to_embedded'"))
	})
}

func TestApplyExecutionChangeRefuses(t *testing.T) {
	t.Parallel()

	for name, change := range map[string]func(*models.ExecutionChange){
		"a change that skips one":     func(c *models.ExecutionChange) { c.Seq++ },
		"a change older than the row": func(c *models.ExecutionChange) { c.Seq -= 2 },
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			_, e := f.MustRollOut()
			c := storetest.Next(f.MustReach(f.MustReach(e, 1), 2))
			change(&c)
			_, err := f.ApplyExecutionChange(t.Context(), c)
			storetest.RequireCode(t, models.CodeInvalidTransition, err)
			require.ErrorContains(t, err, "does not follow")
		})
	}

	t.Run("refuses to change an ended execution", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, e := f.MustRollOut()
		c := storetest.Next(e)
		c.Status = models.ExecutionCompleted
		e = f.MustApply(c)
		require.NotNil(t, e.EndedAt, "an end without a time ends now")
		c = storetest.Next(e)
		c.Status, c.EndedAt = models.ExecutionRunning, nil
		_, err := f.ApplyExecutionChange(t.Context(), c)
		storetest.RequireCode(t, models.CodeInvalidTransition, err)
		require.ErrorContains(t, err, "completed")
	})

	t.Run("refuses what comes after its sender has given up, unless it was applied before", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, e := f.MustRollOut()
		c := storetest.Next(e)
		c.Percentage, c.ExpiresAt = 10, new(time.Now().Add(-time.Millisecond))
		_, err := f.ApplyExecutionChange(t.Context(), c)
		storetest.RequireCode(t, models.CodeExpired, err)
		require.Zero(t, f.MustExecution(e.ID).Version)
		c.ExpiresAt = new(time.Now().Add(time.Hour))
		f.MustApply(c)
		c.ExpiresAt = new(time.Now().Add(-time.Millisecond))
		require.EqualValues(t, 1, f.MustApply(c).Version)
	})

	t.Run("refuses an execution that does not exist", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, e := f.MustRollOut()
		c := storetest.Next(e)
		c.ProjectID = f.NewProject("other").ID
		_, err := f.ApplyExecutionChange(t.Context(), c)
		storetest.RequireCode(t, models.CodeNotFound, err)
	})
}

func TestApplyExecutionChangeKeepsManualChanges(t *testing.T) {
	t.Parallel()

	t.Run("leaves a release alone that was disabled manually", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r, e := f.MustRollOut()
		f.MustPatch(r.ID, models.ReleasePatch{IsEnabled: new(false)})
		f.MustReach(e, 50)
		got := f.MustRelease(r.ID)
		require.False(t, got.IsEnabled)
		require.InDelta(t, 50, got.RolloutPercentage, 0)
		require.Zero(t, got.ReachedPercentage, "no device got it")
		require.InDelta(t, 50, f.MustPatch(r.ID, models.ReleasePatch{IsEnabled: new(true)}).ReachedPercentage, 0)
	})

	t.Run("leaves a release alone that was deleted manually", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r, e := f.MustRollOut()
		f.MustExec("UPDATE releases SET deleted_at = now() WHERE id = $1", r.ID)
		require.InDelta(t, 50, f.MustReach(e, 50).Percentage, 0)
		require.Equal(t, []float64{0}, storetest.Query[float64](f, "SELECT rollout_percentage FROM releases WHERE id = $1", r.ID))
	})
}

func TestExecutionEventsAreAudited(t *testing.T) {
	t.Parallel()
	for event, action := range map[models.RolloutEventKind]string{
		models.EventStarted:       "rollout.started", // written by startExecution, under the caller's name
		models.EventStageAdvanced: "rollout.stage_advanced",
		models.EventPaused:        "rollout.paused",
		models.EventResumed:       "rollout.resumed",
		models.EventCompleted:     "rollout.completed",
		models.EventCancelled:     "rollout.cancelled",
		models.EventRolledBack:    "rollout.rolled_back",
		models.EventHeld:          "", // audited only if it waits for a threshold or for networks
	} {
		t.Run(string(event), func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			_, e := f.MustRollOut()
			c := storetest.Next(e)
			c.Event = &models.RolloutEvent{Event: event}
			f.MustApply(c)
			require.Len(t, f.MustExecution(e.ID).Timeline, 1)
			want := map[string]int64{"rollout.started": 1}
			if action != "" {
				want[action] = 1
			}
			got := map[string]int64{}
			for _, action := range storetest.Query[string](f, "SELECT action FROM audit_log WHERE entity_type = 'rollout_execution'") {
				got[action]++
			}
			require.Equal(t, want, got)
		})
	}
}

// A hold that needs a person's attention is recorded when it begins, and not again while it lasts.
func TestHoldsForAThresholdOrNetworksAreAudited(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	_, e := f.MustRollOut()
	for _, waiting := range []models.WaitReason{
		models.WaitDevices, models.WaitNetworks, models.WaitNetworks, models.WaitThreshold, models.WaitThreshold, models.WaitDuration,
	} {
		c := storetest.Next(e)
		c.WaitingFor, c.Reason = waiting, "waits for "+string(waiting)
		c.Event = &models.RolloutEvent{Event: models.EventHeld, Reason: c.Reason}
		e = f.MustApply(c)
	}
	require.Equal(t, []string{"waits for networks", "waits for threshold"},
		storetest.Query[string](f, "SELECT details->>'reason' FROM audit_log WHERE action = 'rollout.held' ORDER BY id"))
}
