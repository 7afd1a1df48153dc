package delivery

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

// deviceIn and deviceOutside are devices that the share does and does not hold.
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
	w := newWorld()
	older := w.publish("next")
	newer := w.publish("production")
	c := newStockClient("device")
	require.Equal(t, newer, c.coldStart(t, w.snapshot(t)))

	w.production().BranchID = w.branchID("next")
	require.Equal(t, older, c.coldStart(t, w.snapshot(t)), "promoted")
	require.Equal(t, older, c.coldStart(t, w.snapshot(t)), "and stays")

	w.production().BranchID = w.branchID("production")
	require.Equal(t, newer, c.coldStart(t, w.snapshot(t)), "and back")
}

func TestPromotionToAnEmptyBranchFallsToTheEmbeddedUpdate(t *testing.T) {
	t.Parallel()
	w := newWorld()
	first := w.publish("production")
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))

	w.production().BranchID = w.branchID("empty")
	require.Equal(t, embedded, c.coldStart(t, w.snapshot(t)))

	w.production().BranchID = w.branchID("production")
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))
}

func TestEnteringAndLeavingABranchRollout(t *testing.T) {
	t.Parallel()
	w := newWorld()
	next := w.publish("next")
	main := w.publish("production")
	c := newStockClient(deviceIn(channelSalt("demo", "production"), 20))
	require.Equal(t, main, c.coldStart(t, w.snapshot(t)))

	w.rollOut("next", 20)
	require.Equal(t, next, c.coldStart(t, w.snapshot(t)), "entered, though the head is older")
	w.rollOut("next", 50)
	require.Equal(t, next, c.coldStart(t, w.snapshot(t)), "stays while the share grows")
	w.rollOut("next", 0)
	require.Equal(t, main, c.coldStart(t, w.snapshot(t)), "left")
}

func TestEnteringAndLeavingTheShareOfARelease(t *testing.T) {
	t.Parallel()
	w := newWorld()
	before := w.publish("production")
	rolling := w.publish("production", percentage(0))
	c := newStockClient(deviceIn(w.release(rolling).ShareSalt, 20))
	require.Equal(t, before, c.coldStart(t, w.snapshot(t)))

	w.release(rolling).RolloutPercentage = 20
	require.Equal(t, rolling, c.coldStart(t, w.snapshot(t)), "entered")
	w.release(rolling).RolloutPercentage = 0
	require.Equal(t, before, c.coldStart(t, w.snapshot(t)), "left, to an older release")
	w.release(rolling).RolloutPercentage = 100
	require.Equal(t, rolling, c.coldStart(t, w.snapshot(t)), "entered again")
}

func TestLeavingTheShareOfTheFirstRelease(t *testing.T) {
	t.Parallel()
	w := newWorld()
	first := w.publish("production", percentage(100))
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))

	w.release(first).RolloutPercentage = 0
	require.Equal(t, embedded, c.coldStart(t, w.snapshot(t)))
	w.release(first).RolloutPercentage = 100
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))
}

func TestDisableAndReEnable(t *testing.T) {
	t.Parallel()
	w := newWorld()
	first := w.publish("production")
	second := w.publish("production")
	c := newStockClient("device")
	require.Equal(t, second, c.coldStart(t, w.snapshot(t)))

	for range 2 {
		w.release(second).IsEnabled = false
		require.Equal(t, first, c.coldStart(t, w.snapshot(t)))
		w.release(second).IsEnabled = true
		require.Equal(t, second, c.coldStart(t, w.snapshot(t)))
	}
	w.release(first).IsEnabled, w.release(second).IsEnabled = false, false
	require.Equal(t, embedded, c.coldStart(t, w.snapshot(t)), "nothing may run")
}

func TestADeletedReleaseLeavesTheDevice(t *testing.T) {
	t.Parallel()
	w := newWorld()
	first := w.publish("production")
	second := w.publish("production")
	c := newStockClient("device")
	require.Equal(t, second, c.coldStart(t, w.snapshot(t)))

	w.remove(second)
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))
}

func TestRevertByASuccessorTwiceAndForward(t *testing.T) {
	t.Parallel()
	w := newWorld()
	good := w.publish("production")
	bad := w.publish("production", percentage(30))
	salt := w.release(bad).ShareSalt
	had, neverHad := newStockClient(deviceIn(salt, 30)), newStockClient(deviceOutside(salt, 30))
	require.Equal(t, bad, had.coldStart(t, w.snapshot(t)))
	require.Equal(t, good, neverHad.coldStart(t, w.snapshot(t)))

	successor := w.revert(bad)
	require.Equal(t, successor, had.coldStart(t, w.snapshot(t)))
	require.Equal(t, OutcomeUpToDate, resolveFor(t, neverHad, w), "undisturbed")

	bad = w.publish("production", percentage(60))
	salt = w.release(bad).ShareSalt
	both := newStockClient(deviceIn(salt, 60))
	require.Equal(t, bad, both.coldStart(t, w.snapshot(t)))
	successor = w.revert(bad)
	require.Equal(t, successor, both.coldStart(t, w.snapshot(t)), "reverted again")

	fixed := w.publish("production")
	for _, c := range []*stockClient{had, neverHad, both} {
		require.Equal(t, fixed, c.coldStart(t, w.snapshot(t)), "forward again")
	}
}

func TestRevertOfTheFirstReleaseToTheEmbeddedUpdateTwice(t *testing.T) {
	t.Parallel()
	w := newWorld()
	bad := w.publish("production", percentage(40))
	salt := w.release(bad).ShareSalt
	had, neverHad := newStockClient(deviceIn(salt, 40)), newStockClient(deviceOutside(salt, 40))
	require.Equal(t, bad, had.coldStart(t, w.snapshot(t)))
	require.Equal(t, embedded, neverHad.coldStart(t, w.snapshot(t)))

	w.revert(bad)
	require.Equal(t, embedded, had.coldStart(t, w.snapshot(t)))
	require.Equal(t, OutcomeUpToDate, resolveFor(t, had, w), "no order to one that obeyed")
	require.Equal(t, OutcomeNoUpdate, resolveFor(t, neverHad, w))

	bad = w.publish("production", percentage(100))
	require.Equal(t, bad, had.coldStart(t, w.snapshot(t)), "what comes later is newer than the rollback")
	w.revert(bad)
	require.Equal(t, embedded, had.coldStart(t, w.snapshot(t)))

	fixed := w.publish("production")
	require.Equal(t, fixed, had.coldStart(t, w.snapshot(t)))
}

// A device that downloaded an update and has not started it yet runs the embedded
// one, so it gets no order to roll back.
func TestARollbackKeepsADownloadedUpdateFromStarting(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.publish("production")
	c := newStockClient("device")
	c.check(t, w.snapshot(t))
	require.Equal(t, embedded, c.running.release)

	w.publish("production", toEmbedded)
	c.check(t, w.snapshot(t))
	c.launch()
	require.Equal(t, embedded, c.running.release)
}

func TestAPausedChannelMovesNoDevice(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.publish("next")
	first := w.publish("production")
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))

	w.production().IsPaused = true
	second := w.publish("production")
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)), "no update")
	w.production().BranchID = w.branchID("next")
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)), "not even off its branch")
	w.production().BranchID = w.branchID("production")
	w.production().IsPaused = false
	require.Equal(t, second, c.coldStart(t, w.snapshot(t)))

	w.production().IsPaused = true
	w.release(second).IsEnabled = false
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)), "disabled is disabled, paused or not")
}

func TestAPausedChannelStartsNothingThatWasDownloadedBefore(t *testing.T) {
	t.Parallel()
	w := newWorld()
	first := w.publish("production")
	c, fresh := newStockClient("device"), newStockClient("other")
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))
	second := w.publish("production")
	c.check(t, w.snapshot(t))
	fresh.check(t, w.snapshot(t))

	w.production().IsPaused = true
	c.check(t, w.snapshot(t))
	fresh.check(t, w.snapshot(t))
	c.launch()
	fresh.launch()
	require.Equal(t, first, c.running.release)
	require.Equal(t, embedded, fresh.running.release)

	w.production().IsPaused = false
	require.Equal(t, second, c.coldStart(t, w.snapshot(t)))
	require.Equal(t, second, fresh.coldStart(t, w.snapshot(t)))
}

func TestABinaryBelowTheMinimumKeepsWhatItRuns(t *testing.T) {
	t.Parallel()
	w := newWorld()
	first := w.publish("production")
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))

	minimum := "2"
	w.production().MinRuntimeVersion = &minimum
	w.production().BranchID = w.branchID("next")
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))
}

func TestADeviceThatFailedOnAReleaseIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld()
	first := w.publish("production")
	c := newStockClient("device")
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))
	bad := w.publish("production")
	require.Equal(t, bad, c.coldStart(t, w.snapshot(t)))

	c.crash()
	require.Equal(t, first, c.running.release, "the client falls back by itself, which filters must allow")
	require.Equal(t, OutcomeNoUpdate, resolveFor(t, c, w))
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))
	fixed := w.publish("production")
	require.Equal(t, fixed, c.coldStart(t, w.snapshot(t)))
}

func TestADeviceThatMissedALongHistory(t *testing.T) {
	t.Parallel()
	w := newWorld()
	c := newStockClient("device")
	held := w.publish("production")
	require.Equal(t, held, c.coldStart(t, w.snapshot(t)))
	w.release(held).IsEnabled = false
	for range maxDenied - 1 {
		w.publish("production", disabled)
	}
	require.Equal(t, embedded, c.coldStart(t, w.snapshot(t)))
}

func TestAReusedBranchNameDoesNotReviveItsOldReleases(t *testing.T) {
	t.Parallel()
	w := newWorld()
	old := w.publish("production")
	c := newStockClient("device")
	require.Equal(t, old, c.coldStart(t, w.snapshot(t)))

	w.state.Branches = nil
	w.production().BranchID = w.branch("production")
	w.remove(old)
	require.Equal(t, embedded, c.coldStart(t, w.snapshot(t)))
	fresh := w.publish("production", percentage(0))
	require.Equal(t, embedded, c.coldStart(t, w.snapshot(t)))
	w.release(fresh).RolloutPercentage = 100
	require.Equal(t, fresh, c.coldStart(t, w.snapshot(t)))
}

// resolveFor is the outcome that the client would get now.
func resolveFor(t testing.TB, c *stockClient, w *world) Outcome {
	t.Helper()
	r, err := ParseRequest(c.headers(t), "")
	require.NoError(t, err)
	require.Equal(t, models.Android, r.Platform)
	return w.snapshot(t).Resolve(r).Outcome
}
