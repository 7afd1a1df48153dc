package delivery

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnOverrideComesBeforeTheChannel(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.publish("production")
	rolled := tp.publish("next")
	own := tp.publish("preview")
	tp.rollOut("next", 100)
	tp.send("vip", "preview")
	s := tp.snapshot(t)

	r := ask("device")
	require.Equal(t, rolled, s.Resolve(r).ReleaseID, "without a user there is no override")
	r.UserID = "vip"
	require.Equal(t, own, s.Resolve(r).ReleaseID)
	require.Equal(t, "preview", s.Resolve(r).BranchName)
	for _, other := range []string{"VIP", "vip ", "vi", "somebody"} {
		r.UserID = other
		require.Equal(t, rolled, s.Resolve(r).ReleaseID, "%q is another user", other)
	}
}

func TestAnOverrideComesAfterPauseAndMinimumVersion(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.publish("preview")
	tp.send("vip", "preview")
	r := ask("device")
	r.UserID = "vip"

	minimum := "2"
	tp.production().MinRuntimeVersion = &minimum
	require.Equal(t, OutcomeStoreUpdateRequired, tp.snapshot(t).Resolve(r).Outcome)
	tp.production().IsPaused = true
	require.Equal(t, OutcomeChannelPaused, tp.snapshot(t).Resolve(r).Outcome)
}

func TestAnOverrideIsExplained(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.publish("preview")
	tp.rollOut("next", 50)
	tp.send("vip", "preview")
	steps := func(userID string) (of []Step) {
		r := ask("device")
		r.UserID = userID
		for _, s := range tp.snapshot(t).Explain(r).Steps {
			if s.Step == StepUserOverride || s.Step == StepBranch {
				of = append(of, s)
			}
		}
		return of
	}
	require.Equal(t, []Step{
		{StepUserOverride, "applies", `user "vip" has an override to branch preview`},
		{StepBranch, "override", "branch preview replaces the branch of channel production"},
	}, steps("vip"))
	require.Equal(t, Step{StepUserOverride, "none", `user "somebody" has no override`}, steps("somebody")[0])
	require.Len(t, steps(""), 1, "the device does not send a user")
}

func TestAnOverrideToAMissingBranchIsAContradiction(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.send("vip", "preview")
	tp.state.Branches = tp.state.Branches[:1]
	_, err := NewSnapshot(tp.copy(), testBaseURL)
	require.ErrorContains(t, err, "user override")
}

// The device follows its end user to a branch whose newest release is older than the running one, and back, without a
// new release.
func TestAnOverrideSetAndRemovedMovesAStockClient(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	preview := tp.publish("preview")
	first := tp.publish("production")
	c, other := newStockClient("device"), newStockClient("other")
	c.user, other.user = "vip", "somebody"
	both := func(want, wantOther int64) {
		t.Helper()
		require.Equal(t, want, c.coldStart(t, tp.snapshot(t)))
		require.Equal(t, wantOther, other.coldStart(t, tp.snapshot(t)))
	}
	both(first, first)
	for range 2 {
		tp.send("vip", "preview")
		both(preview, first)
		tp.unsend("vip")
		both(first, first)
	}

	tp.send("vip", "preview")
	second := tp.publish("production")
	both(preview, second)
	newer := tp.publish("preview")
	both(newer, second)
	tp.send("vip", "empty")
	both(embedded, second)
	tp.unsend("vip")
	both(second, second)
}

// In a paused channel an override does not move a device.
func TestAnOverrideMovesNoDeviceOfAPausedChannel(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.publish("preview")
	first := tp.publish("production")
	c := newStockClient("device")
	c.user = "vip"
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))
	tp.production().IsPaused = true
	tp.send("vip", "preview")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))
}
