package delivery

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// deviceIn returns a device inside the share. deviceOutside returns a device outside it.
func deviceIn(salt string, percentage float64) string { return findDevice(salt, percentage, true) }
func deviceOutside(salt string, percentage float64) string {
	return findDevice(salt, percentage, false)
}

func findDevice(salt string, percentage float64, in bool) string {
	for i := 0; ; i++ {
		if id := fmt.Sprintf("device-%d", i); rollout.InShare(salt, id, percentage) == in {
			return id
		}
	}
}

func TestPromotionToABranchWithAnOlderHead(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	older := tp.publish("next")
	newer := tp.publish("production")
	c := newStockClient("device")
	require.Equal(t, newer, c.coldStart(t, tp.snapshot(t)))

	tp.production().BranchID = tp.branchID("next")
	require.Equal(t, older, c.coldStart(t, tp.snapshot(t)), "promoted")
	require.Equal(t, older, c.coldStart(t, tp.snapshot(t)), "and stays")

	tp.production().BranchID = tp.branchID("production")
	require.Equal(t, newer, c.coldStart(t, tp.snapshot(t)), "and back")
}

func TestPromotionToAnEmptyBranchFallsToTheEmbeddedUpdate(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	first := tp.publish("production")
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))

	tp.production().BranchID = tp.branchID("empty")
	require.Equal(t, embedded, c.coldStart(t, tp.snapshot(t)))

	tp.production().BranchID = tp.branchID("production")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))
}

func TestEnteringAndLeavingABranchRollout(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	next := tp.publish("next")
	main := tp.publish("production")
	c := newStockClient(deviceIn(channelSalt("demo", "production"), 20))
	require.Equal(t, main, c.coldStart(t, tp.snapshot(t)))

	tp.rollOut("next", 20)
	require.Equal(t, next, c.coldStart(t, tp.snapshot(t)), "the device enters the branch, although its newest release is older")
	tp.rollOut("next", 50)
	require.Equal(t, next, c.coldStart(t, tp.snapshot(t)), "the device stays while the percentage grows")
	tp.rollOut("next", 0)
	require.Equal(t, main, c.coldStart(t, tp.snapshot(t)), "left")
}

func TestEnteringAndLeavingTheShareOfARelease(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	before := tp.publish("production")
	rolling := tp.publish("production", percentage(0))
	c := newStockClient(deviceIn(tp.release(rolling).ShareSalt, 20))
	require.Equal(t, before, c.coldStart(t, tp.snapshot(t)))

	tp.release(rolling).RolloutPercentage = 20
	require.Equal(t, rolling, c.coldStart(t, tp.snapshot(t)), "entered")
	tp.release(rolling).RolloutPercentage = 0
	require.Equal(t, before, c.coldStart(t, tp.snapshot(t)), "the device leaves the branch, to an older release")
	tp.release(rolling).RolloutPercentage = 100
	require.Equal(t, rolling, c.coldStart(t, tp.snapshot(t)), "entered again")
}

func TestLeavingTheShareOfTheFirstRelease(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	first := tp.publish("production", percentage(100))
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))

	tp.release(first).RolloutPercentage = 0
	require.Equal(t, embedded, c.coldStart(t, tp.snapshot(t)))
	tp.release(first).RolloutPercentage = 100
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))
}

func TestDisableAndReEnable(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	first := tp.publish("production")
	second := tp.publish("production")
	c := newStockClient("device")
	require.Equal(t, second, c.coldStart(t, tp.snapshot(t)))

	for range 2 {
		tp.release(second).IsEnabled = false
		require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))
		tp.release(second).IsEnabled = true
		require.Equal(t, second, c.coldStart(t, tp.snapshot(t)))
	}
	tp.release(first).IsEnabled, tp.release(second).IsEnabled = false, false
	require.Equal(t, embedded, c.coldStart(t, tp.snapshot(t)), "only the embedded update may run")
}

func TestADeletedReleaseLeavesTheDevice(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	first := tp.publish("production")
	second := tp.publish("production")
	c := newStockClient("device")
	require.Equal(t, second, c.coldStart(t, tp.snapshot(t)))

	tp.remove(second)
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))
}

func TestRevertByASuccessorTwiceAndForward(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	good := tp.publish("production")
	bad := tp.publish("production", percentage(30))
	salt := tp.release(bad).ShareSalt
	had, neverHad := newStockClient(deviceIn(salt, 30)), newStockClient(deviceOutside(salt, 30))
	require.Equal(t, bad, had.coldStart(t, tp.snapshot(t)))
	require.Equal(t, good, neverHad.coldStart(t, tp.snapshot(t)))

	successor := tp.revert(bad)
	require.Equal(t, successor, had.coldStart(t, tp.snapshot(t)))
	require.Equal(t, OutcomeUpToDate, resolveFor(t, neverHad, tp), "undisturbed")

	bad = tp.publish("production", percentage(60))
	salt = tp.release(bad).ShareSalt
	both := newStockClient(deviceIn(salt, 60))
	require.Equal(t, bad, both.coldStart(t, tp.snapshot(t)))
	successor = tp.revert(bad)
	require.Equal(t, successor, both.coldStart(t, tp.snapshot(t)), "reverted again")

	fixed := tp.publish("production")
	for _, c := range []*stockClient{had, neverHad, both} {
		require.Equal(t, fixed, c.coldStart(t, tp.snapshot(t)), "forward again")
	}
}

func TestRevertOfTheFirstReleaseToTheEmbeddedUpdateTwice(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	bad := tp.publish("production", percentage(40))
	salt := tp.release(bad).ShareSalt
	had, neverHad := newStockClient(deviceIn(salt, 40)), newStockClient(deviceOutside(salt, 40))
	require.Equal(t, bad, had.coldStart(t, tp.snapshot(t)))
	require.Equal(t, embedded, neverHad.coldStart(t, tp.snapshot(t)))

	tp.revert(bad)
	require.Equal(t, embedded, had.coldStart(t, tp.snapshot(t)))
	require.Equal(t, OutcomeUpToDate, resolveFor(t, had, tp), "a device that rolled back does not get the directive again")
	require.Equal(t, OutcomeNoUpdate, resolveFor(t, neverHad, tp))

	bad = tp.publish("production", percentage(100))
	require.Equal(t, bad, had.coldStart(t, tp.snapshot(t)), "a later release is newer than the rollback")
	tp.revert(bad)
	require.Equal(t, embedded, had.coldStart(t, tp.snapshot(t)))

	fixed := tp.publish("production")
	require.Equal(t, fixed, had.coldStart(t, tp.snapshot(t)))
}

// A device that downloaded an update but has not started it yet still runs the embedded update, so it does not get a
// directive to roll back.
func TestARollbackKeepsADownloadedUpdateFromStarting(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.publish("production")
	c := newStockClient("device")
	c.check(t, tp.snapshot(t))
	require.Equal(t, embedded, c.running.release)

	tp.publish("production", toEmbedded)
	c.check(t, tp.snapshot(t))
	c.launch()
	require.Equal(t, embedded, c.running.release)
}

func TestAPausedChannelMovesNoDevice(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.publish("next")
	first := tp.publish("production")
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))

	tp.production().IsPaused = true
	second := tp.publish("production")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)), "no update")
	tp.production().BranchID = tp.branchID("next")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)), "the device does not even leave its branch")
	tp.production().BranchID = tp.branchID("production")
	tp.production().IsPaused = false
	require.Equal(t, second, c.coldStart(t, tp.snapshot(t)))

	tp.production().IsPaused = true
	tp.release(second).IsEnabled = false
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)), "a disabled release is withdrawn even in a paused channel")
}

func TestAPausedChannelStartsNothingThatWasDownloadedBefore(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	first := tp.publish("production")
	c, fresh := newStockClient("device"), newStockClient("other")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))
	second := tp.publish("production")
	c.check(t, tp.snapshot(t))
	fresh.check(t, tp.snapshot(t))

	tp.production().IsPaused = true
	c.check(t, tp.snapshot(t))
	fresh.check(t, tp.snapshot(t))
	c.launch()
	fresh.launch()
	require.Equal(t, first, c.running.release)
	require.Equal(t, embedded, fresh.running.release)

	tp.production().IsPaused = false
	require.Equal(t, second, c.coldStart(t, tp.snapshot(t)))
	require.Equal(t, second, fresh.coldStart(t, tp.snapshot(t)))
}

func TestABinaryBelowTheMinimumKeepsWhatItRuns(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	first := tp.publish("production")
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))

	minimum := "2"
	tp.production().MinRuntimeVersion = &minimum
	tp.production().BranchID = tp.branchID("next")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))
}

func TestADeviceThatFailedOnAReleaseIsLeftAlone(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	first := tp.publish("production")
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))
	bad := tp.publish("production")
	require.Equal(t, bad, c.coldStart(t, tp.snapshot(t)))

	c.crash()
	require.Equal(t, first, c.running.release, "the client returns to an older release itself, so the filters must allow it")
	require.Equal(t, OutcomeNoUpdate, resolveFor(t, c, tp))
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))
	fixed := tp.publish("production")
	require.Equal(t, fixed, c.coldStart(t, tp.snapshot(t)))
}

func TestADeviceThatMissedALongHistory(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	c := newStockClient("device")
	held := tp.publish("production")
	require.Equal(t, held, c.coldStart(t, tp.snapshot(t)))
	tp.release(held).IsEnabled = false
	for range maxExcluded - 1 {
		tp.publish("production", disabled)
	}
	require.Equal(t, embedded, c.coldStart(t, tp.snapshot(t)))
}

func TestAReusedBranchNameDoesNotReviveItsOldReleases(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	old := tp.publish("production")
	c := newStockClient("device")
	require.Equal(t, old, c.coldStart(t, tp.snapshot(t)))

	tp.state.Branches = nil
	tp.production().BranchID = tp.branch("production")
	tp.remove(old)
	require.Equal(t, embedded, c.coldStart(t, tp.snapshot(t)))
	fresh := tp.publish("production", percentage(0))
	require.Equal(t, embedded, c.coldStart(t, tp.snapshot(t)))
	tp.release(fresh).RolloutPercentage = 100
	require.Equal(t, fresh, c.coldStart(t, tp.snapshot(t)))
}

// resolveFor returns the outcome that the client would get now.
func resolveFor(t testing.TB, c *stockClient, tp *testProject) Outcome {
	t.Helper()
	r, err := ParseRequest(c.headers(t), "")
	require.NoError(t, err)
	require.Equal(t, models.Android, r.Platform)
	return tp.snapshot(t).Resolve(r).Outcome
}
