package releasestore_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// begun rolls releases out and begins the first stage of each. It takes all prompts.
func begun(f *storetest.Fixture, n int) []models.RolloutExecution {
	f.T.Helper()
	executions := make([]models.RolloutExecution, n)
	for i := range executions {
		_, e := f.MustRollOut()
		c := storetest.Next(e)
		c.StageStartedAt = time.Now().UTC()
		executions[i] = f.MustApply(c)
	}
	takenPrompts(f, 100)
	return executions
}

// takenPrompts takes prompts and returns the IDs of their rollouts.
func takenPrompts(f *storetest.Fixture, most int) []int64 {
	f.T.Helper()
	subjects, _, err := f.TakePrompts(f.T.Context(), most)
	require.NoError(f.T, err)
	ids := []int64{}
	for _, s := range subjects {
		require.NotEmpty(f.T, s.ShareSalt)
		require.Equal(f.T, "demo", s.ProjectSlug)
		ids = append(ids, s.Execution.ID)
	}
	return ids
}

func TestAPromptIsTakenOnce(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	e := begun(f, 1)[0]
	require.Empty(t, takenPrompts(f, 100))
	for range 3 {
		require.NoError(t, f.PromptRollouts(t.Context(), []string{e.WorkflowID, "rollout/demo/unknown"}))
	}
	require.Equal(t, []int64{e.ID}, takenPrompts(f, 100))
	require.Empty(t, takenPrompts(f, 100))

	c := storetest.Next(e)
	c.Status, c.EndedAt = models.ExecutionCancelled, new(time.Now().UTC())
	require.NoError(t, f.PromptRollouts(t.Context(), []string{e.WorkflowID}))
	f.MustApply(c)
	require.Empty(t, takenPrompts(f, 100), "it has ended")
	require.NoError(t, f.PromptRollouts(t.Context(), []string{e.WorkflowID}))
	require.Empty(t, takenPrompts(f, 100))
}

func TestPromptsAreListenedFor(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	e := begun(f, 1)[0]
	woken := storetest.Listen(t, f.Store, models.NotifyRolloutPrompt)
	require.Empty(t, storetest.Await(t, woken), "it listens")
	require.NoError(t, f.PromptRollouts(t.Context(), []string{e.WorkflowID}))
	require.Empty(t, storetest.Await(t, woken))
}

func TestARolloutIsPromptedByAChangeOfItsStage(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	e := begun(f, 1)[0]
	f.MustApply(storetest.Next(e))
	require.Empty(t, takenPrompts(f, 100), "nothing happened")
	c := storetest.Next(f.MustExecution(e.ID))
	c.Event = &models.RolloutEvent{Event: models.EventStageAdvanced}
	f.MustApply(c)
	require.Equal(t, []int64{e.ID}, takenPrompts(f, 100))
}

// Two watchers that take prompts at the same time never take the same prompt and do not leave any.
func TestWatchersShareThePrompts(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	executions := begun(f, 9)
	require.NoError(t, f.PromptUnobserved(t.Context(), time.Now()))
	var mu sync.Mutex
	var both sync.WaitGroup
	taken := map[int64]int{}
	for range 2 {
		both.Go(func() {
			for more := true; more; {
				subjects, rest, err := f.TakePrompts(t.Context(), 2)
				if err != nil {
					return
				}
				more = rest
				mu.Lock()
				for _, s := range subjects {
					taken[s.Execution.ID]++
				}
				mu.Unlock()
			}
		})
	}
	both.Wait()
	for _, id := range takenPrompts(f, 100) { // a watcher may stop while another watcher holds the last prompt
		taken[id]++
	}
	require.Len(t, taken, len(executions))
	for id, times := range taken {
		require.Equal(t, 1, times, id)
	}
}

func TestASweepPromptsWhatNobodyObserved(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	executions := begun(f, 3)
	_, notBegun := f.MustRollOut()
	now := time.Now().UTC().Truncate(time.Millisecond)
	show := func(e models.RolloutExecution, at time.Time) {
		require.NoError(t, f.ShowObservations(t.Context(), []models.ShownObservation{{
			ExecutionID: e.ID, Version: e.Version, Health: models.Observation{CheckedAt: at},
		}}))
	}
	show(executions[0], now)
	show(executions[1], now.Add(-time.Hour))
	require.NoError(t, f.PromptUnobserved(t.Context(), now.Add(-time.Minute)))
	ids := takenPrompts(f, 100)
	require.ElementsMatch(t, []int64{executions[1].ID, executions[2].ID}, ids)
	require.NotContains(t, ids, notBegun.ID)
}

func TestAnObservationIsShownUnlessTheRowHasMovedOn(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	e := begun(f, 1)[0]
	woken := storetest.Listen(t, f.Store, models.NotifyExecution)
	require.Empty(t, storetest.Await(t, woken), "it listens")
	at := time.Now().UTC().Truncate(time.Millisecond)
	shown := models.ShownObservation{ExecutionID: e.ID, Version: e.Version, Reason: "waits", Health: models.Observation{
		ReleaseHealth: models.ReleaseHealth{Devices: 5}, CheckedAt: at,
	}}
	show := func(change func(*models.ShownObservation)) models.RolloutExecution {
		t.Helper()
		s := shown
		change(&s)
		require.NoError(t, f.ShowObservations(t.Context(), []models.ShownObservation{s}))
		return f.MustExecution(e.ID)
	}
	got := show(func(*models.ShownObservation) {})
	require.Equal(t, &shown.Health, got.Health)
	require.Equal(t, "waits", got.Reason)
	require.Equal(t, e.Version, got.Version, "it does not change the row")
	require.NotEmpty(t, storetest.Await(t, woken), "event streams are notified")

	later := at.Add(time.Second)
	got = show(func(s *models.ShownObservation) { s.Health.CheckedAt, s.Reason = later, "" })
	require.Equal(t, later, got.Health.CheckedAt)
	require.Equal(t, "waits", got.Reason)
	for name, change := range map[string]func(*models.ShownObservation){
		"older than the row's":    func(s *models.ShownObservation) { s.Health.CheckedAt = at },
		"of another version":      func(s *models.ShownObservation) { s.Version++ },
		"of health counted since": func(s *models.ShownObservation) { s.CountsSince = &later },
	} {
		got = show(func(s *models.ShownObservation) {
			s.Health.CheckedAt, s.Reason = later.Add(time.Second), name
			change(s)
		})
		require.Equal(t, "waits", got.Reason, name)
		require.Equal(t, later, got.Health.CheckedAt, name)
	}
}

// The row stores the stage's clock and the results of earlier stages. With them, a watcher can plan, and so can a
// workflow that takes over the row.
func TestTheStoreKeepsAStagesProgress(t *testing.T) {
	t.Parallel()
	now, stopped := storetest.StoppedClock()
	f := storetest.Setup(t, stopped)
	e := begun(f, 1)[0]
	require.Equal(t, now, *e.Progress.Clock.Since, "it runs from the time when the rollout percentage takes effect")

	c := storetest.Next(e)
	c.Health = &models.Observation{CheckedAt: c.StageStartedAt, ReleaseHealth: models.ReleaseHealth{Compared: models.ComparedHealth{
		Inside:  models.GroupHealth{Votes: models.VotesOfEach(models.DeviceCounts{Devices: 10, CrashedDevices: 5})},
		Outside: models.GroupHealth{Votes: models.VotesOfEach(models.DeviceCounts{Devices: 90, CrashedDevices: 1})},
	}}}
	e = f.MustApply(c)
	require.Zero(t, e.Progress.Before)
	c = storetest.Next(e)
	c.StageIndex, c.StageStartedAt, c.Progress.Clock = 1, c.StageStartedAt.Add(time.Hour), models.StageClock{}
	e = f.MustApply(c)
	require.Positive(t, e.Progress.Before.Crashes[5], "the results of the previous stage are carried over")
	before := e.Progress.Before
	c = storetest.Next(e)
	c.StageIndex, c.StageStartedAt = 2, c.StageStartedAt.Add(time.Hour)
	e = f.MustApply(c)
	require.Equal(t, before, e.Progress.Before, "the second stage was not observed")
	c = storetest.Next(e)
	c.Status, c.Progress.Clock = models.ExecutionPaused, c.Progress.Clock.Stopped(now.Add(time.Minute))
	e = f.MustApply(c)
	require.Equal(t, models.StageClock{Banked: time.Minute}, f.MustExecution(e.ID).Progress.Clock)
}
