package delivery

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// The device obeyed a rollback to the embedded update, so that it carries the
// rollback's commit time and refuses what was committed before.
func TestAReleaseFromBeforeARollbackIsServedUnderANewName(t *testing.T) {
	t.Parallel()
	w := newWorld()
	first := w.publish("production")
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))
	for range 2 {
		back := w.rollBack("production", 0)
		require.Equal(t, embedded, c.coldStart(t, w.snapshot(t)))
		require.Equal(t, embedded, c.coldStart(t, w.snapshot(t)))

		w.release(first).IsEnabled, w.release(back).IsEnabled = true, false
		require.Equal(t, first, c.coldStart(t, w.snapshot(t)), "enabled again")
		require.Equal(t, OutcomeUpToDate, resolveFor(t, c, w))
	}
	names := w.names(w.release(first))
	require.Len(t, names, 3)
	require.Equal(t, names[2], c.running.id)
	s := w.snapshot(t)
	for _, name := range names {
		canonical, ok := s.CanonicalUpdate(name)
		require.True(t, ok)
		require.Equal(t, names[0], canonical)
	}
	_, ok := s.CanonicalUpdate(embeddedID)
	require.False(t, ok)
}

func TestPromotionToABranchFromBeforeARollback(t *testing.T) {
	t.Parallel()
	w := newWorld()
	older := w.publish("next")
	w.publish("production")
	w.rollBack("production", 0)
	c := newStockClient("device")
	// It obeys although the update that it came with is all it ever had.
	c.stored[0].committed = w.release(w.state.Releases[0].ID).CreatedAt
	w.production().BranchID = w.branchID("next")
	require.Equal(t, older, c.coldStart(t, w.snapshot(t)))
}

func TestADeviceThatRunsAReleaseByAnyNameIsUpToDate(t *testing.T) {
	t.Parallel()
	w := newWorld()
	first := w.publish("production")
	w.rollBack("next", 0)
	w.rollBack("next", 0)
	s, names := w.snapshot(t), w.names(w.release(first))
	require.Len(t, names, 3)
	for _, name := range names {
		r := ask("device")
		r.CurrentUpdateUUID = name
		d := s.Resolve(r)
		require.Equal(t, OutcomeUpToDate, d.Outcome)
		require.Equal(t, names[2], d.UpdateUUID, "what it would be served")
		steps := s.Explain(r).Steps
		require.Contains(t, steps[len(steps)-1].Detail, "served as "+names[2])

		r.CurrentUpdateUUID, r.RecentFailed = embeddedID, []string{name}
		require.Equal(t, OutcomeNoUpdate, s.Resolve(r).Outcome, "nor is it served what it failed on under another name")
	}
}

func TestNewNamesAreOnlyForWhatARollbackShadows(t *testing.T) {
	t.Parallel()
	w := newWorld()
	older, other := w.publish("production"), w.publish("next")
	off, gone := w.publish("next", disabled), w.publish("production")
	w.remove(gone)
	ios := w.publish("production", func(r *models.Release) { r.Platform = models.IOS })
	elsewhere := w.publish("production", func(r *models.Release) { r.RuntimeVersion = "2.0.0" })
	earlier := w.publish("production", toEmbedded, disabled)
	back := w.rollBack("production", 0)
	later := w.publish("production")
	for _, id := range []int64{older, other, off} {
		require.Len(t, w.names(w.release(id)), 3, "release %d, by two rollbacks", id)
	}
	for _, id := range []int64{gone, ios, elsewhere, earlier, back, later} {
		require.Len(t, w.names(w.release(id)), 1, "release %d", id)
	}
	times := map[string]bool{}
	last := w.release(back).CreatedAt
	for i, a := range w.state.Aliases[3:] {
		require.Equal(t, []int64{older, other, off}[i], a.ReleaseID)
		require.True(t, a.CreatedAt.After(last), "after the rollback, in the order of the releases")
		last = a.CreatedAt
		times[commitTime(a.CreatedAt)] = true
	}
	require.Len(t, times, 3, "distinct in milliseconds")
	require.True(t, w.release(later).CreatedAt.After(last), "what comes later is newer than all of them")
}

// The phone runs a release by its first name; meanwhile it downloaded the one before
// by a newer name, with a later commit time. Told to stay, it stays.
func TestAPhoneThatIsUpToDateDoesNotStartAnOlderReleaseByANewerName(t *testing.T) {
	t.Parallel()
	for name, hold := range map[string]func(w *world){
		"served": func(*world) {},
		"paused": func(w *world) { w.production().IsPaused = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			older := w.publish("production")
			newer := w.publish("production")
			c := newStockClient("device")
			require.Equal(t, newer, c.coldStart(t, w.snapshot(t)))
			w.rollBack("next", 0)
			w.release(newer).IsEnabled = false
			c.check(t, w.snapshot(t))
			require.Equal(t, older, c.stored[len(c.stored)-1].release, "downloaded")

			w.release(newer).IsEnabled = true
			hold(w)
			c.check(t, w.snapshot(t))
			c.launch()
			require.Equal(t, newer, c.running.release)
		})
	}
}

func TestTheWorkflowOfAReleaseIsFoundByEveryName(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.publish("production", percentage(10))
	w.rollBack("next", 0)
	w.state.RolloutWorkflows[id] = "rollout/demo/9"
	s := w.snapshot(t)
	for _, name := range w.names(w.release(id)) {
		workflow, ok := s.RolloutWorkflow(name)
		require.True(t, ok)
		require.Equal(t, "rollout/demo/9", workflow)
	}
}

// A fix is rolling out while the release before it, which also is, goes bad.
func TestARevertLeavesANewerRolloutItsDevices(t *testing.T) {
	t.Parallel()
	for name, history := range map[string]func(w *world){
		"to a release":           func(w *world) { w.publish("production") },
		"to the embedded update": func(*world) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			history(w)
			bad := w.publish("production", percentage(40))
			fix := w.publish("production", percentage(10))
			both := newStockClient(deviceOf(t, w, map[int64]float64{bad: 40, fix: 10}))
			later := newStockClient(deviceOf(t, w, map[int64]float64{bad: 40, fix: -50}))
			require.Equal(t, fix, both.coldStart(t, w.snapshot(t)))
			require.Equal(t, bad, later.coldStart(t, w.snapshot(t)))

			successor := w.revert(bad)
			want := rule{release: w.release(successor)}.runs()
			require.Equal(t, OutcomeUpToDate, resolveFor(t, both, w), "undisturbed")
			require.Equal(t, fix, both.coldStart(t, w.snapshot(t)))
			require.Equal(t, want, later.coldStart(t, w.snapshot(t)))

			w.release(fix).RolloutPercentage = 60
			require.Equal(t, want, later.coldStart(t, w.snapshot(t)))
			w.release(fix).RolloutPercentage = 100
			require.Equal(t, fix, later.coldStart(t, w.snapshot(t)), "the fix reaches everybody, though the successor was committed later")
		})
	}
}

// After a rollback the releases before it keep their order.
func TestADeviceEntersAShareFromBeforeARollback(t *testing.T) {
	t.Parallel()
	w := newWorld()
	first := w.publish("production")
	second := w.publish("production", percentage(0))
	w.rollBack("next", 0)
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))
	w.release(second).RolloutPercentage = 100
	require.Equal(t, second, c.coldStart(t, w.snapshot(t)))
}

// deviceOf is a device that is in the share of each release at the percentage, or
// outside of it at the percentage negated.
func deviceOf(t *testing.T, w *world, shares map[int64]float64) string {
	t.Helper()
	for i := 0; ; i++ {
		id, fits := "device-"+itoa(int64(i)), true
		for release, p := range shares {
			s := share{salt: w.release(release).ShareSalt, percentage: max(p, -p)}
			fits = fits && s.holds(id) == (p > 0)
		}
		if fits {
			return id
		}
	}
}

// The newer of two rollouts goes bad; its devices go back behind the older one until
// that reaches everybody.
func TestARevertKeepsNoDeviceFromAnOlderRolloutForGood(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.publish("production")
	older := w.publish("production", percentage(30))
	bad := w.publish("production", percentage(20))
	had := newStockClient(deviceOf(t, w, map[int64]float64{bad: 20}))
	require.Equal(t, bad, had.coldStart(t, w.snapshot(t)))
	successor := w.revert(bad)
	require.Equal(t, successor, had.coldStart(t, w.snapshot(t)))

	w.change(w.release(older), percentage(90))
	require.Equal(t, successor, had.coldStart(t, w.snapshot(t)), "what everybody has, until there is something newer for everybody")
	w.change(w.release(older), percentage(100))
	require.False(t, w.release(successor).IsEnabled)
	require.Equal(t, older, had.coldStart(t, w.snapshot(t)))
}

func TestADeviceThatMissedALongerHistoryThanFiltersName(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(w *world) int64{
		"nothing left":    func(*world) int64 { return embedded },
		"to the embedded": func(w *world) int64 { w.rollBack("production", 0); return embedded },
		"an older one": func(w *world) int64 {
			w.production().BranchID = w.branchID("production")
			w.release(w.state.Releases[len(w.state.Releases)-1].ID).IsEnabled = true
			return w.state.Releases[len(w.state.Releases)-1].ID
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			w.publish("production", disabled)
			held := w.publish("production")
			c := newStockClient("device")
			require.Equal(t, held, c.coldStart(t, w.snapshot(t)))
			w.release(held).IsEnabled = false
			for range 2 * maxDenied {
				w.publish("production", disabled)
			}
			want := end(w)
			require.Equal(t, want, c.coldStart(t, w.snapshot(t)))
			require.Equal(t, want, c.coldStart(t, w.snapshot(t)))
		})
	}
}

// More releases than filters name lie between what the phone runs and what it
// downloaded before the channel was paused.
func TestAPausedChannelStartsNothingThatWasDownloadedLongBefore(t *testing.T) {
	t.Parallel()
	w := newWorld()
	first := w.publish("production")
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))
	w.publish("production")
	c.check(t, w.snapshot(t))
	for range maxDenied {
		w.publish("production")
	}
	w.production().IsPaused = true
	c.check(t, w.snapshot(t))
	c.launch()
	require.Equal(t, first, c.running.release)
}

// The phone runs a release, by a name from after the rollback, that is older than
// all that filters name.
func TestARollbackThatIsEnabledAgainReachesALongHistory(t *testing.T) {
	t.Parallel()
	w := newWorld()
	first := w.publish("production")
	for range maxDenied + 1 {
		w.publish("production")
	}
	back := w.publish("production", toEmbedded)
	w.rollBack("next", 0)
	enable := func(on bool) {
		for _, r := range w.stream(w.release(back)) {
			r.IsEnabled = on || r.ID == first
		}
	}
	enable(false)
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))
	enable(true)
	require.Equal(t, embedded, c.coldStart(t, w.snapshot(t)))
	require.Equal(t, embedded, c.coldStart(t, w.snapshot(t)))
}
