package ingest

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// heldGroups waits for a source map until may is closed. Each call returns a different group for the events.
type heldGroups struct {
	asked chan struct{}
	may   chan struct{}
	calls atomic.Uint64
}

func newHeldGroups() *heldGroups {
	return &heldGroups{asked: make(chan struct{}, 1), may: make(chan struct{})}
}

func (g *heldGroups) Group(ctx context.Context, reports []models.HealthReport) error {
	wake(g.asked)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-g.may:
	}
	call := g.calls.Add(1)
	for _, r := range reports {
		for n := range r.Events {
			r.Events[n].Group.Fingerprint = models.Fingerprint(call)
		}
	}
	return nil
}

func await[T any](t testing.TB, from <-chan T, what string) (got T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	select {
	case got = <-from:
	case <-ctx.Done():
		require.Fail(t, "it never came", what)
	}
	return got
}

// A crash must be inserted and reported to Inserted while its source map is still being read.
func TestACrashIsJudgedBeforeItsSourceMapIsRead(t *testing.T) {
	t.Parallel()
	sink, groups, judge := newMemorySink(), newHeldGroups(), make(chan []models.HealthReport, 10)
	incidents := make(chan []models.HealthReport, 10)
	o := testOptions(t, sink)
	o.Groups, o.Inserted = groups, []func([]models.HealthReport){func(r []models.HealthReport) { judge <- r }}
	o.ErrorsInserted = []func([]models.HealthReport){func(r []models.HealthReport) { incidents <- r }}
	i := openTestIngest(t, o)
	startRun(t, i)
	first, second := testReport("one", models.EventCrash), testReport("two", models.EventCrash)
	require.NoError(t, i.Append(t.Context(), first))
	require.Equal(t, first.ID, await(t, judge, "the first crash")[0].ID)
	await(t, groups.asked, "the question for the group")
	require.NoError(t, i.Append(t.Context(), second))
	require.Equal(t, second.ID, await(t, judge, "a crash that follows")[0].ID)
	require.Empty(t, sink.errors(t))
	require.Empty(t, incidents)

	close(groups.may)
	sink.await(t, func() bool { return len(sink.failed) == 2 })
	require.Equal(t, first.ID, await(t, incidents, "errors with their groups")[0].ID)
	require.Equal(t, map[string][]models.Fingerprint{first.ID: {1}, second.ID: {2}}, sink.errors(t))
}

// If the process ends at any point between the insert of a crash and the insert of its group, the next process groups
// it once.
func TestErrorsAreGroupedOnceOverARestart(t *testing.T) {
	t.Parallel()
	sink, judge, held := newMemorySink(), make(chan []models.HealthReport, 10), newHeldGroups()
	o := testOptions(t, sink)
	o.Groups, o.Inserted = held, []func([]models.HealthReport){func(r []models.HealthReport) { judge <- r }}
	i := openTestIngest(t, o)
	startRun(t, i)
	want := map[string][]models.Fingerprint{}
	report := func(types ...models.HealthEventType) {
		r := testReport("d", types...)
		require.NoError(t, i.Append(t.Context(), r))
		await(t, judge, "the report")
		if r.HasErrors() {
			want[r.ID] = []models.Fingerprint{1}
		}
	}
	report(models.EventCrash)
	await(t, held.asked, "the question for the group")
	report(models.EventAppLaunch)
	report(models.EventJSError)
	require.Eventually(t, func() bool {
		entries, _, _ := i.intake.waiting()
		return entries == 0
	}, testTimeout, time.Millisecond)
	waiting := crashImage(t, o.Dir)

	lost := make(chan struct{}, 1)
	sink.mu.Lock()
	sink.onStored = func(string) error {
		wake(lost)
		return errors.New("the answer is lost")
	}
	sink.mu.Unlock()
	close(held.may)
	await(t, lost, "the insert of the errors")
	inserted := crashImage(t, o.Dir)
	sink.mu.Lock()
	sink.onStored = nil
	failed := maps.Clone(sink.failed)
	sink.mu.Unlock()

	for name, dir := range map[string]string{"before its insert": waiting, "during its insert": inserted} {
		next := newMemorySink()
		next.stored, next.reports = maps.Clone(sink.stored), sink.seen(t)
		if dir == inserted {
			next.failed = failed
		}
		resumed := newHeldGroups()
		close(resumed.may)
		again := testOptions(t, next)
		again.Dir, again.Groups = dir, resumed
		j := openTestIngest(t, again)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.NoError(t, j.Run(ctx))
		_, bytes, _ := j.intake.waiting()
		require.Zero(t, bytes, name)
		got := next.errors(t)
		require.Len(t, got, len(want), name)
		for id := range want {
			require.Len(t, got[id], 1, name)
		}
		for id, times := range next.seen(t) {
			require.Equal(t, 1, times, "%s: report %s", name, id)
		}
	}
}

// A range of errors that is retried must have the groups of its first attempt, although a source map may have arrived
// since.
func TestErrorsThatAreTriedAgainHaveTheSameGroups(t *testing.T) {
	t.Parallel()
	sink, groups := newMemorySink(), newHeldGroups()
	close(groups.may)
	o := testOptions(t, sink)
	o.Groups = groups
	i := openTestIngest(t, o)
	for _, device := range []string{"one", "two"} {
		require.NoError(t, i.Append(t.Context(), testReport(device, models.EventCrash)))
	}
	_, err := i.moveRange(t.Context())
	require.NoError(t, err)
	failures := 2
	sink.onStored = func(string) error {
		if failures--; failures >= 0 {
			return errors.New("the answer is lost")
		}
		return nil
	}
	for range 2 {
		_, err = i.moveErrors(t.Context())
		require.Error(t, err)
	}
	_, err = i.moveErrors(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, groups.calls.Load())
	require.Len(t, sink.errors(t), 2)
}

// Reports whose errors wait for their groups count toward the size of the log.
func TestErrorsThatWaitCountIntoTheSizeOfTheLog(t *testing.T) {
	t.Parallel()
	sink := newMemorySink()
	o := testOptions(t, sink)
	o.MaxBytes, o.Groups = 2000, newHeldGroups()
	i := openTestIngest(t, o)
	var err error
	for err == nil {
		err = i.Append(t.Context(), testReport("d", models.EventCrash))
	}
	requireUnavailable(t, err)
	_, err = i.moveRange(t.Context())
	require.NoError(t, err)
	requireUnavailable(t, i.Append(t.Context(), testReport("d", models.EventCrash)))
	i.options.Groups = nil
	_, err = i.moveErrors(t.Context())
	require.NoError(t, err)
	require.NoError(t, i.Append(t.Context(), testReport("d", models.EventCrash)))
}

// An older version without this pass inserted errors together with their reports. A range that it left unfinished
// keeps its token.
func TestALogOfAnEarlierVersionInsertsNoErrorTwice(t *testing.T) {
	t.Parallel()
	o := testOptions(t, newMemorySink())
	i := openTestIngest(t, o)
	require.NoError(t, i.Append(t.Context(), testReport("done", models.EventCrash)))
	_, err := i.moveRange(t.Context())
	require.NoError(t, err)
	inFlight := testReport("in flight", models.EventCrash)
	require.NoError(t, i.Append(t.Context(), inFlight))
	require.NoError(t, i.setCursor(cursor{Node: i.cursor.Node, Done: 1, To: 2}))
	token := i.cursor.token()
	require.NoError(t, i.Append(t.Context(), testReport("later", models.EventCrash)))
	require.NoError(t, i.Close())
	require.NoError(t, os.Remove(filepath.Join(o.Dir, "errors.json")))

	sink := newMemorySink()
	drain(t, o.Dir, sink)
	require.Len(t, sink.errors(t), 2)
	require.Equal(t, []storedErrors{{id: inFlight.ID}}, sink.failed[token])
}
