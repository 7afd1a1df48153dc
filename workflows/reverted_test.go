package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// revertByHand ends the rollout in the store, as a manual rollback does.
func (fake *fakeRollout) revertByHand() {
	fake.set(func(fake *fakeRollout) {
		row := &fake.subject.Execution
		now := time.Now().UTC()
		row.Version++
		row.Status, row.Reason, row.WaitingFor, row.EndedAt = models.ExecutionRolledBack, "rolled back by hand", "", &now
	})
}

func TestARolloutThatWasEndedByHandEndsInPeace(t *testing.T) {
	t.Parallel()

	t.Run("when it runs", func(t *testing.T) {
		t.Parallel()
		l := newLive(t, slow(), rollingBack)
		l.begin(t)
		changes := len(l.written())
		l.revertByHand()
		reverted := models.RolloutReverted{WorkflowID: l.start.WorkflowID, ByReleaseID: 1077}
		require.NoError(t, l.rollouts.Reverted(t.Context(), reverted))
		result := l.await(t)
		require.Equal(t, models.ExecutionRolledBack, result.Status)
		require.Equal(t, "rolled back by hand", result.Reason)
		require.Len(t, l.written(), changes, "there was nothing left to write")
		require.NoError(t, l.rollouts.Reverted(t.Context(), reverted), "an ended rollout is not an error")
	})

	t.Run("when it is paused and a command comes before the news", func(t *testing.T) {
		t.Parallel()
		l := newLive(t, slow(), rollingBack)
		l.begin(t)
		require.NoError(t, l.command(t, models.CommandPause))
		l.revertByHand()
		err := l.command(t, models.CommandResume)
		require.Equal(t, models.CodeInvalidTransition, models.CodeOf(err), "%v", err)
		require.Equal(t, models.ExecutionRolledBack, l.await(t).Status)
	})

	t.Run("when it was not started yet", func(t *testing.T) {
		t.Parallel()
		l := newLive(t, slow(), rollingBack)
		l.work(t)
		l.revertByHand()
		require.NoError(t, l.rollouts.Reverted(t.Context(), models.RolloutReverted{WorkflowID: l.start.WorkflowID}))
		require.NoError(t, l.rollouts.StartRollout(t.Context(), l.start))
		require.Equal(t, models.ExecutionRolledBack, l.await(t).Status)
		require.Empty(t, l.written())
	})
}
