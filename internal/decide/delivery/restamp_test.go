package delivery

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// The device followed a rollback to the embedded update. The embedded update now has the rollback's commit time, so
// the device refuses updates committed before it.
func TestAReleaseFromBeforeARollbackIsServedUnderANewName(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	first := tp.publish("production")
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))
	for range 2 {
		back := tp.rollBack("production", 0)
		require.Equal(t, embedded, c.coldStart(t, tp.snapshot(t)))
		require.Equal(t, embedded, c.coldStart(t, tp.snapshot(t)))

		tp.release(first).IsEnabled, tp.release(back).IsEnabled = true, false
		require.Equal(t, first, c.coldStart(t, tp.snapshot(t)), "enabled again")
		require.Equal(t, OutcomeUpToDate, resolveFor(t, c, tp))
	}
	names := tp.names(tp.release(first))
	require.Len(t, names, 3)
	require.Equal(t, names[2], c.running.id)
	s := tp.snapshot(t)
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
	tp := newTestProject()
	older := tp.publish("next")
	tp.publish("production")
	tp.rollBack("production", 0)
	c := newStockClient("device")
	// The device follows the rollback even though it has only ever had the embedded update.
	c.stored[0].committed = tp.release(tp.state.Releases[0].ID).CreatedAt
	tp.production().BranchID = tp.branchID("next")
	require.Equal(t, older, c.coldStart(t, tp.snapshot(t)))
}

func TestADeviceThatRunsAReleaseByAnyNameIsUpToDate(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	first := tp.publish("production")
	tp.rollBack("next", 0)
	tp.rollBack("next", 0)
	s, names := tp.snapshot(t), tp.names(tp.release(first))
	require.Len(t, names, 3)
	for _, name := range names {
		r := ask("device")
		r.CurrentUpdateUUID = name
		d := s.Resolve(r)
		require.Equal(t, OutcomeUpToDate, d.Outcome)
		require.Equal(t, names[2], d.UpdateUUID, "the update that it would be served")
		steps := s.Explain(r).Steps
		require.Contains(t, steps[len(steps)-1].Detail, "served as "+names[2])

		r.CurrentUpdateUUID, r.RecentFailed = embeddedID, []string{name}
		require.Equal(t, OutcomeNoUpdate, s.Resolve(r).Outcome, "a failed release is not served again under another update ID")
	}
}

func TestNewNamesAreOnlyForWhatARollbackShadows(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	older, other := tp.publish("production"), tp.publish("next")
	off, gone := tp.publish("next", disabled), tp.publish("production")
	tp.remove(gone)
	ios := tp.publish("production", func(r *models.Release) { r.Platform = models.IOS })
	elsewhere := tp.publish("production", func(r *models.Release) { r.RuntimeVersion = "2.0.0" })
	earlier := tp.publish("production", toEmbedded, disabled)
	back := tp.rollBack("production", 0)
	later := tp.publish("production")
	for _, id := range []int64{older, other, off} {
		require.Len(t, tp.names(tp.release(id)), 3, "release %d, by two rollbacks", id)
	}
	for _, id := range []int64{gone, ios, elsewhere, earlier, back, later} {
		require.Len(t, tp.names(tp.release(id)), 1, "release %d", id)
	}
	times := map[string]bool{}
	last := tp.release(back).CreatedAt
	for i, a := range tp.state.Aliases[3:] {
		require.Equal(t, []int64{older, other, off}[i], a.ReleaseID)
		require.True(t, a.CreatedAt.After(last), "after the rollback, in the order of the releases")
		last = a.CreatedAt
		times[commitTime(a.CreatedAt)] = true
	}
	require.Len(t, times, 3, "the times differ in milliseconds")
	require.True(t, tp.release(later).CreatedAt.After(last), "a later release is newer than all of them")
}

// The phone runs a release under its first update ID. It has also downloaded the previous release under a newer alias
// with a later commit time. If the server says that the phone is up to date, the phone must not start the older release.
func TestAPhoneThatIsUpToDateDoesNotStartAnOlderReleaseByANewerName(t *testing.T) {
	t.Parallel()
	for name, hold := range map[string]func(tp *testProject){
		"served": func(*testProject) {},
		"paused": func(tp *testProject) { tp.production().IsPaused = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tp := newTestProject()
			older := tp.publish("production")
			newer := tp.publish("production")
			c := newStockClient("device")
			require.Equal(t, newer, c.coldStart(t, tp.snapshot(t)))
			tp.rollBack("next", 0)
			tp.release(newer).IsEnabled = false
			c.check(t, tp.snapshot(t))
			require.Equal(t, older, c.stored[len(c.stored)-1].release, "downloaded")

			tp.release(newer).IsEnabled = true
			hold(tp)
			c.check(t, tp.snapshot(t))
			c.launch()
			require.Equal(t, newer, c.running.release)
		})
	}
}

func TestTheWorkflowOfAReleaseIsFoundByEveryName(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	id := tp.publish("production", percentage(10))
	tp.rollBack("next", 0)
	tp.state.RolloutWorkflows[id] = "rollout/demo/9"
	s := tp.snapshot(t)
	for _, name := range tp.names(tp.release(id)) {
		workflow, ok := s.RolloutWorkflow(name)
		require.True(t, ok)
		require.Equal(t, "rollout/demo/9", workflow)
	}
}

// A fix is rolling out while the previous release, which is also rolling out, goes bad.
func TestARevertLeavesANewerRolloutItsDevices(t *testing.T) {
	t.Parallel()
	for name, history := range map[string]func(tp *testProject){
		"to a release":           func(tp *testProject) { tp.publish("production") },
		"to the embedded update": func(*testProject) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tp := newTestProject()
			history(tp)
			bad := tp.publish("production", percentage(40))
			fix := tp.publish("production", percentage(10))
			both := newStockClient(deviceOf(t, tp, map[int64]float64{bad: 40, fix: 10}))
			later := newStockClient(deviceOf(t, tp, map[int64]float64{bad: 40, fix: -50}))
			require.Equal(t, fix, both.coldStart(t, tp.snapshot(t)))
			require.Equal(t, bad, later.coldStart(t, tp.snapshot(t)))

			successor := tp.revert(bad)
			want := rule{release: tp.release(successor)}.runs()
			require.Equal(t, OutcomeUpToDate, resolveFor(t, both, tp), "undisturbed")
			require.Equal(t, fix, both.coldStart(t, tp.snapshot(t)))
			require.Equal(t, want, later.coldStart(t, tp.snapshot(t)))

			tp.release(fix).RolloutPercentage = 60
			require.Equal(t, want, later.coldStart(t, tp.snapshot(t)))
			tp.release(fix).RolloutPercentage = 100
			require.Equal(t, fix, later.coldStart(t, tp.snapshot(t)), "the fix reaches every device, although the successor was committed later")
		})
	}
}

// After a rollback, older releases keep their order.
func TestADeviceEntersAShareFromBeforeARollback(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	first := tp.publish("production")
	second := tp.publish("production", percentage(0))
	tp.rollBack("next", 0)
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))
	tp.release(second).RolloutPercentage = 100
	require.Equal(t, second, c.coldStart(t, tp.snapshot(t)))
}

// deviceOf returns a device that is inside the rollout of each release with a positive percentage, and outside it for
// a negative percentage.
func deviceOf(t *testing.T, tp *testProject, shares map[int64]float64) string {
	t.Helper()
	for i := 0; ; i++ {
		id, fits := "device-"+itoa(int64(i)), true
		for release, p := range shares {
			s := share{salt: tp.release(release).ShareSalt, percentage: max(p, -p)}
			fits = fits && s.includes(id) == (p > 0)
		}
		if fits {
			return id
		}
	}
}

// The newer of two rollouts is rolled back. Its devices get the successor until the older rollout reaches every
// device.
func TestARevertKeepsNoDeviceFromAnOlderRolloutForGood(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.publish("production")
	older := tp.publish("production", percentage(30))
	bad := tp.publish("production", percentage(20))
	had := newStockClient(deviceOf(t, tp, map[int64]float64{bad: 20}))
	require.Equal(t, bad, had.coldStart(t, tp.snapshot(t)))
	successor := tp.revert(bad)
	require.Equal(t, successor, had.coldStart(t, tp.snapshot(t)))

	tp.change(tp.release(older), percentage(90))
	require.Equal(t, successor, had.coldStart(t, tp.snapshot(t)), "the successor, until a newer release reaches every device")
	tp.change(tp.release(older), percentage(100))
	require.False(t, tp.release(successor).IsEnabled)
	require.Equal(t, older, had.coldStart(t, tp.snapshot(t)))
}

func TestADeviceThatMissedALongerHistoryThanFiltersName(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(tp *testProject) int64{
		"nothing left":    func(*testProject) int64 { return embedded },
		"to the embedded": func(tp *testProject) int64 { tp.rollBack("production", 0); return embedded },
		"an older one": func(tp *testProject) int64 {
			tp.production().BranchID = tp.branchID("production")
			tp.release(tp.state.Releases[len(tp.state.Releases)-1].ID).IsEnabled = true
			return tp.state.Releases[len(tp.state.Releases)-1].ID
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tp := newTestProject()
			tp.publish("production", disabled)
			held := tp.publish("production")
			c := newStockClient("device")
			require.Equal(t, held, c.coldStart(t, tp.snapshot(t)))
			tp.release(held).IsEnabled = false
			for range 2 * maxExcluded {
				tp.publish("production", disabled)
			}
			want := end(tp)
			require.Equal(t, want, c.coldStart(t, tp.snapshot(t)))
			require.Equal(t, want, c.coldStart(t, tp.snapshot(t)))
		})
	}
}

// There are more releases than filters can name between the release that the phone runs and the release that it
// downloaded before the channel was paused.
func TestAPausedChannelStartsNothingThatWasDownloadedLongBefore(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	first := tp.publish("production")
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))
	tp.publish("production")
	c.check(t, tp.snapshot(t))
	for range maxExcluded {
		tp.publish("production")
	}
	tp.production().IsPaused = true
	c.check(t, tp.snapshot(t))
	c.launch()
	require.Equal(t, first, c.running.release)
}

// The phone runs a release under an alias created after the rollback. The release is older than every release that
// the filters name.
func TestARollbackThatIsEnabledAgainReachesALongHistory(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	first := tp.publish("production")
	for range maxExcluded + 1 {
		tp.publish("production")
	}
	back := tp.publish("production", toEmbedded)
	tp.rollBack("next", 0)
	enable := func(on bool) {
		for _, r := range tp.stream(tp.release(back)) {
			r.IsEnabled = on || r.ID == first
		}
	}
	enable(false)
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))
	enable(true)
	require.Equal(t, embedded, c.coldStart(t, tp.snapshot(t)))
	require.Equal(t, embedded, c.coldStart(t, tp.snapshot(t)))
}
