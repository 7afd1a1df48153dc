package watch

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// testRollouts is a real store with rollouts. It also simulates device reports and the workflows that are woken.
type testRollouts struct {
	*store.Store
	t   *testing.T
	url string

	mu sync.Mutex
	// health contains the device reports of releases, by update UUID. A release that is missing does not have reports.
	health map[string]models.ReleaseHealth
	// away and temporalAway say that ClickHouse or Temporal does not respond.
	away, temporalAway bool
	questions          [][]models.HealthQuery
	woken              []string
	recorded           []models.RolloutObservation
}

func (w *testRollouts) InsertObservations(_ context.Context, _ string, observations []models.RolloutObservation) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.away {
		return models.Unavailable("ClickHouse", nil)
	}
	w.recorded = append(w.recorded, observations...)
	return nil
}

func (w *testRollouts) ReleasesHealth(_ context.Context, queries []models.HealthQuery) ([]models.ReleaseHealth, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.questions = append(w.questions, queries)
	if w.away {
		return nil, models.Unavailable("ClickHouse", nil)
	}
	health := make([]models.ReleaseHealth, len(queries))
	for i, q := range queries {
		health[i] = w.health[q.UpdateUUID]
	}
	return health, nil
}

func (w *testRollouts) Ping(context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.away {
		return models.Unavailable("ClickHouse", nil)
	}
	return nil
}

func (w *testRollouts) Wake(_ context.Context, workflowID string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.temporalAway {
		return errors.New("Temporal is away")
	}
	w.woken = append(w.woken, workflowID)
	return nil
}

// newTestRollouts returns n rollouts in their first stage, which lasts an hour.
func newTestRollouts(t *testing.T, n int) *testRollouts {
	t.Helper()
	url := storetest.Database(t)
	w := &testRollouts{Store: storetest.Open(t, url), t: t, url: url, health: map[string]models.ReleaseHealth{}}
	p, err := w.CreateProject(t.Context(), models.SystemActor("test"), models.NewProject{Name: "demo", Slug: "demo"})
	require.NoError(t, err)
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	storetest.Seed(t, conn, p.ID, n)
	w.exec(`UPDATE rollout_executions SET status = 'running', ended_at = NULL, percentage = 10, waiting_for = 'duration',
		reason = 'stage 1 of 2 (10%) begins', stages = '[{"percentage": 10, "minDurationMinutes": 60}, {"percentage": 100}]',
		thresholds = '{"crashRate": 0.5, "action": "auto-rollback", "method": "sequential"}',
		progress = jsonb_build_object('clock', jsonb_build_object('banked', 0, 'since', now()))`)
	require.Len(t, w.executions(), n)
	return w
}

func (w *testRollouts) exec(query string, args ...any) {
	w.t.Helper()
	conn, err := pgx.Connect(w.t.Context(), w.url)
	require.NoError(w.t, err)
	defer conn.Close(w.t.Context())
	_, err = conn.Exec(w.t.Context(), query, args...)
	require.NoError(w.t, err)
}

func (w *testRollouts) executions() []models.RolloutExecution {
	w.t.Helper()
	p, err := w.Project(w.t.Context(), "demo")
	require.NoError(w.t, err)
	executions, err := w.ListExecutions(w.t.Context(), p.ID, models.ExecutionFilter{}, models.Page{Limit: 1000})
	require.NoError(w.t, err)
	return executions
}

// watcher returns a watcher whose clock the test moves.
func (w *testRollouts) watcher() (watcher *Watcher, pass func(time.Duration)) {
	now := time.Now().UTC().Truncate(time.Millisecond)
	watcher = NewWatcher(w, w, w, w, slog.New(slog.DiscardHandler), func() time.Time { return now })
	return watcher, func(d time.Duration) { now = now.Add(d) }
}

// rounds runs rounds until there are no more prompts.
func (w *Watcher) rounds(t *testing.T) {
	t.Helper()
	for w.round(t.Context()) {
	}
}

// report sets the devices that reported e's release and how many of them crashed.
func (w *testRollouts) report(e models.RolloutExecution, devices, crashed int64) {
	counts := models.DeviceCounts{Devices: devices, ErroredDevices: crashed, CrashedDevices: crashed}
	w.health[e.UpdateUUID.String()] = models.ReleaseHealth{
		Devices: devices, ErroredDevices: crashed, CrashedDevices: crashed, Votes: models.VotesOfEach(counts),
	}
}

func (w *testRollouts) prompt(executions ...models.RolloutExecution) {
	w.t.Helper()
	var ids []string
	for _, e := range executions {
		ids = append(ids, e.WorkflowID)
	}
	require.NoError(w.t, w.PromptRollouts(w.t.Context(), ids))
}

// wokenSince returns the workflows woken since the last call.
func (w *testRollouts) wokenSince() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	woken := w.woken
	w.woken = nil
	return woken
}

func TestOneQuestionIsAskedAndOneDecisionWakesOneWorkflow(t *testing.T) {
	t.Parallel()
	w := newTestRollouts(t, 20)
	watcher, _ := w.watcher()
	all := w.executions()
	bad := all[7]
	for _, e := range all {
		w.report(e, 1000, 1)
	}
	w.prompt(all...)
	watcher.rounds(t)
	require.Len(t, w.questions, 1)
	require.Len(t, w.questions[0], 20)
	require.Empty(t, w.wokenSince(), "the decisions do not change")
	for _, e := range w.executions() {
		require.Equal(t, int64(1000), e.Health.Devices)
		require.Contains(t, e.Reason, "runs until at least")
		require.Equal(t, int64(1), e.Version)
	}

	w.report(bad, 1100, 60)
	for range 3 {
		w.prompt(all...)
		watcher.rounds(t)
	}
	require.Equal(t, []string{bad.WorkflowID}, w.wokenSince(), "and only once")
}

func TestARolloutWithoutNewsIsNotAskedAfter(t *testing.T) {
	t.Parallel()
	w := newTestRollouts(t, 5)
	watcher, pass := w.watcher()
	watcher.check(t.Context())
	watcher.rounds(t)
	require.Len(t, w.questions, 1, "the first sweep observes all rollouts that were never observed")
	before := w.executions()
	for range 10 {
		pass(10 * time.Second)
		watcher.check(t.Context())
		watcher.rounds(t)
	}
	require.Len(t, w.questions, 1)
	pass(sweepAfter)
	watcher.check(t.Context())
	watcher.rounds(t)
	require.Len(t, w.questions, 2)
	after := w.executions()
	for i := range after {
		require.Equal(t, before[i].Health.CheckedAt.Add(100*time.Second+sweepAfter), after[i].Health.CheckedAt, "the rollout is observed again")
		require.Equal(t, before[i].Version, after[i].Version)
	}
	require.Empty(t, w.wokenSince())
}

// First the prompt is lost, then the wake. The sweep finds the rollout of the prompt, and the check finds the wake.
func TestWhatIsLostIsFound(t *testing.T) {
	t.Parallel()
	w := newTestRollouts(t, 3)
	watcher, pass := w.watcher()
	watcher.check(t.Context())
	watcher.rounds(t)
	bad := w.executions()[1]
	w.report(bad, 1100, 60)
	watcher.rounds(t)
	require.Empty(t, w.wokenSince(), "the watcher was not prompted")
	pass(sweepAfter + time.Second)
	watcher.check(t.Context())
	watcher.rounds(t)
	require.Equal(t, []string{bad.WorkflowID}, w.wokenSince())

	pass(wakeAgain - time.Second)
	watcher.check(t.Context())
	watcher.rounds(t)
	require.Empty(t, w.wokenSince(), "the workflow has time to act")
	pass(2 * time.Second)
	watcher.check(t.Context())
	watcher.rounds(t)
	require.Equal(t, []string{bad.WorkflowID}, w.wokenSince(), "the workflow did not act")

	w.exec("UPDATE rollout_executions SET status = 'rolled_back', ended_at = now() WHERE id = $1", bad.ID)
	for range 10 {
		pass(wakeAgain)
		watcher.check(t.Context())
		watcher.rounds(t)
	}
	require.Empty(t, w.wokenSince())
	require.Empty(t, watcher.wakes.woken, "ended rollouts are forgotten")
}

func TestAWakeThatTemporalDoesNotTakeIsTriedAgain(t *testing.T) {
	t.Parallel()
	w := newTestRollouts(t, 2)
	watcher, pass := w.watcher()
	bad := w.executions()[0]
	w.report(bad, 1100, 60)
	w.temporalAway = true
	w.prompt(bad)
	watcher.rounds(t)
	w.temporalAway = false
	pass(checkEvery)
	watcher.check(t.Context())
	watcher.rounds(t)
	require.Equal(t, []string{bad.WorkflowID}, w.wokenSince())
}

func TestClickHouseAwayWakesEveryRolloutOnceAndSoItsReturn(t *testing.T) {
	t.Parallel()
	w := newTestRollouts(t, 4)
	watcher, pass := w.watcher()
	// The first stage is over, so the rest of the wait depends on health.
	w.exec(`UPDATE rollout_executions SET waiting_for = 'devices', stages = '[{"percentage": 10, "minDevices": 100}, {"percentage": 100}]'`)
	all := w.executions()
	var ids []string
	for _, e := range all {
		w.report(e, 50, 0)
		ids = append(ids, e.WorkflowID)
	}
	slices.Sort(ids)
	tick := func() []string {
		pass(checkEvery)
		watcher.check(t.Context())
		watcher.rounds(t)
		woken := w.wokenSince()
		slices.Sort(woken)
		return woken
	}
	require.Empty(t, tick())
	w.away = true
	require.Equal(t, ids, tick())
	require.Empty(t, tick())
	w.exec("UPDATE rollout_executions SET waiting_for = 'data', version = version + 1") // the workflows made the decision
	require.Empty(t, tick())
	require.Equal(t, int64(50), w.executions()[0].Health.Devices, "the last observation is kept")
	w.away = false
	require.Equal(t, ids, tick())
	require.Empty(t, tick())
}

func TestAFreezeAndATimeToStartWakeNobody(t *testing.T) {
	t.Parallel()
	w := newTestRollouts(t, 2)
	watcher, _ := w.watcher()
	all := w.executions()
	w.exec(`UPDATE rollout_executions SET stages = '[{"percentage": 10}, {"percentage": 100}]', thresholds = '{}'`)
	w.exec(`UPDATE rollout_executions SET schedule = '{"freezeWindows": [{"from": "00:00", "to": "00:00"}]}',
		progress = progress || '{"frozen": true}' WHERE id = $1`, all[0].ID)
	w.exec(`UPDATE rollout_executions SET progress = '{"scheduled": true}' WHERE id = $1`, all[1].ID)
	w.report(all[0], 10, 0)
	w.report(all[1], 10, 0)
	w.prompt(all...)
	watcher.rounds(t)
	require.Empty(t, w.wokenSince())
	require.Len(t, w.questions[0], 1, "a rollout is not observed before its start time")
}

// Two running watchers together take each prompt once.
func TestWatchersRunBesideEachOther(t *testing.T) {
	t.Parallel()
	w := newTestRollouts(t, 250)
	ctx, end := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for range 2 {
		watcher := NewWatcher(w, w, w, w, slog.New(slog.DiscardHandler), time.Now)
		running.Go(func() { _ = watcher.Run(ctx) }) // Run returns nil
	}
	bad := w.executions()[100]
	w.mu.Lock()
	w.report(bad, 1100, 60)
	w.mu.Unlock()
	require.NoError(t, w.PromptUnobserved(t.Context(), time.Now()))
	require.Eventually(t, func() bool {
		return !slices.ContainsFunc(w.executions(), func(e models.RolloutExecution) bool { return e.Health == nil })
	}, time.Minute, 50*time.Millisecond)
	end()
	running.Wait()
	asked := map[string]int{}
	for _, question := range w.questions {
		require.LessOrEqual(t, len(question), batch)
		for _, q := range question {
			asked[q.UpdateUUID]++
		}
	}
	require.Len(t, asked, 250)
	for update, times := range asked {
		require.Equal(t, 1, times, update)
	}
	require.Equal(t, []string{bad.WorkflowID}, w.wokenSince())
}
