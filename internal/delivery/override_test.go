package delivery

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnOverrideComesBeforeTheChannel(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.publish("production")
	rolled := w.publish("next")
	own := w.publish("preview")
	w.rollOut("next", 100)
	w.send("vip", "preview")
	s := w.snapshot(t)

	r := ask("device")
	require.Equal(t, rolled, s.Resolve(r).ReleaseID, "no user, no override")
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
	w := newWorld()
	w.publish("preview")
	w.send("vip", "preview")
	r := ask("device")
	r.UserID = "vip"

	minimum := "2"
	w.production().MinRuntimeVersion = &minimum
	require.Equal(t, OutcomeStoreUpdateRequired, w.snapshot(t).Resolve(r).Outcome)
	w.production().IsPaused = true
	require.Equal(t, OutcomeChannelPaused, w.snapshot(t).Resolve(r).Outcome)
}

func TestAnOverrideIsExplained(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.publish("preview")
	w.rollOut("next", 50)
	w.send("vip", "preview")
	steps := func(userID string) (of []Step) {
		r := ask("device")
		r.UserID = userID
		for _, s := range w.snapshot(t).Explain(r).Steps {
			if s.Step == StepUserOverride || s.Step == StepBranch {
				of = append(of, s)
			}
		}
		return of
	}
	require.Equal(t, []Step{
		{StepUserOverride, "applies", `user "vip" is sent to branch preview`},
		{StepBranch, "override", "branch preview comes before what channel production says"},
	}, steps("vip"))
	require.Equal(t, Step{StepUserOverride, "none", `user "somebody" has no override`}, steps("somebody")[0])
	require.Len(t, steps(""), 1, "the device names no user")
}

func TestAnOverrideToAMissingBranchIsAContradiction(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.send("vip", "preview")
	w.state.Branches = w.state.Branches[:1]
	_, err := NewSnapshot(w.copy(), testBaseURL)
	require.ErrorContains(t, err, "user override")
}

// The device follows its user into a branch whose head is older than what it runs,
// and back, without a new release.
func TestAnOverrideSetAndRemovedMovesAStockClient(t *testing.T) {
	t.Parallel()
	w := newWorld()
	preview := w.publish("preview")
	first := w.publish("production")
	c, other := newStockClient("device"), newStockClient("other")
	c.user, other.user = "vip", "somebody"
	both := func(want, wantOther int64) {
		t.Helper()
		require.Equal(t, want, c.coldStart(t, w.snapshot(t)))
		require.Equal(t, wantOther, other.coldStart(t, w.snapshot(t)))
	}
	both(first, first)
	for range 2 {
		w.send("vip", "preview")
		both(preview, first)
		w.unsend("vip")
		both(first, first)
	}

	w.send("vip", "preview")
	second := w.publish("production")
	both(preview, second)
	newer := w.publish("preview")
	both(newer, second)
	w.send("vip", "empty")
	both(embedded, second)
	w.unsend("vip")
	both(second, second)
}

// While the channel is paused nobody moves, whoever the user is.
func TestAnOverrideMovesNoDeviceOfAPausedChannel(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.publish("preview")
	first := w.publish("production")
	c := newStockClient("device")
	c.user = "vip"
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))
	w.production().IsPaused = true
	w.send("vip", "preview")
	require.Equal(t, first, c.coldStart(t, w.snapshot(t)))
}
