package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// A command that waited too long has no effect. When it is sent again with the same request ID, it is executed, although
// Temporal remembers the refusal.
func TestACommandThatCameTooLateMayBeSentAgain(t *testing.T) {
	t.Parallel()
	l := newLive(t, slow(), rollingBack)
	l.begin(t)
	l.set(func(fake *fakeRollout) { fake.storeAway = true })
	// The rollout is busy with the pause, which it cannot write, so the cancel waits.
	l.rollouts.WithTimeouts(time.Second, patience, 0)
	pause := models.CommandInput{Actor: alice, RequestID: "pause"}
	require.Error(t, l.rollouts.Command(t.Context(), l.start.WorkflowID, models.CommandPause, pause))
	l.rollouts.WithTimeouts(time.Second, 500*time.Millisecond, 0)
	cancel := models.CommandInput{Actor: alice, RequestID: "cancel"}
	for range 2 {
		requireCode(t, l.rollouts.Command(t.Context(), l.start.WorkflowID, models.CommandCancel, cancel), models.CodeUnavailable,
			"the rollout did not respond in time. If the command has not taken effect by now, it never will. "+
				"Retry it, with the same Idempotency-Key if you sent one")
	}
	l.set(func(fake *fakeRollout) { fake.storeAway = false })
	l.rollouts.WithTimeouts(patience, patience, 0)
	require.NoError(t, l.rollouts.Command(t.Context(), l.start.WorkflowID, models.CommandPause, pause), "it joins the first")
	require.Equal(t, models.ExecutionPaused, l.row().Status)
	require.NoError(t, l.rollouts.Command(t.Context(), l.start.WorkflowID, models.CommandCancel, cancel))
	require.Equal(t, models.ExecutionCancelled, l.row().Status)
	writes := len(l.written())
	require.NoError(t, l.rollouts.Command(t.Context(), l.start.WorkflowID, models.CommandCancel, cancel))
	require.Len(t, l.written(), writes)
}

// A command that was refused on arrival is not in the history. When it is sent again, it is executed under its first update ID,
// so a third command with the same request ID is still the same command.
func TestACommandRefusedAtTheDoorIsSentAgainUnderItsName(t *testing.T) {
	t.Parallel()
	l := newLive(t, slow(), rollingBack)
	l.begin(t)
	in := models.CommandInput{Actor: alice, RequestID: "once"}
	l.rollouts.WithTimeouts(patience, -time.Second, 0)
	requireCode(t, l.rollouts.Command(t.Context(), l.start.WorkflowID, models.CommandAdvance, in), models.CodeUnavailable,
		models.Unavailable("the rollout worker", nil).Message)
	require.Zero(t, l.row().StageIndex)
	l.rollouts.WithTimeouts(patience, patience, 0)
	for range 3 {
		require.NoError(t, l.rollouts.Command(t.Context(), l.start.WorkflowID, models.CommandAdvance, in))
		require.Equal(t, 1, l.row().StageIndex)
		require.Equal(t, models.ExecutionRunning, l.row().Status)
	}
}
