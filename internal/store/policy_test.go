package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestCreatePolicy(t *testing.T) {
	t.Parallel()

	t.Run("fills the defaults", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.requireBumped(false, func() {
			p := f.policy(func(n *models.NewRolloutPolicy) { n.Channel = new("staging") })
			require.Equal(t, models.ActionAutoRollback, p.Thresholds.Action)
			require.Equal(t, models.MethodSequential, p.Thresholds.Method)
			read, err := f.Policy(t.Context(), f.project.ID, p.ID)
			require.NoError(t, err)
			require.Equal(t, p, read)
		})
		require.Equal(t, "policy.created", f.audited(1)[0].Action)
	})

	t.Run("refuses a channel that does not exist", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		n := newPolicy()
		n.Channel = new("nobody")
		_, err := f.CreatePolicy(t.Context(), f.project.ID, alice, n)
		requireCode(t, models.CodeNotFound, err)
		require.ErrorContains(t, err, "nobody")
	})

	t.Run("refuses stages that do not end at 100 %", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		n := newPolicy()
		n.Stages = n.Stages[:1]
		_, err := f.CreatePolicy(t.Context(), f.project.ID, alice, n)
		requireField(t, "stages[0].percentage", err)
	})

	t.Run("refuses a project that does not exist", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, err := f.CreatePolicy(t.Context(), 1<<40, alice, newPolicy())
		requireCode(t, models.CodeNotFound, err)
	})
}

func TestPoliciesShowTheirOpenExecutions(t *testing.T) {
	t.Parallel()
	f := setup(t)
	idle, busy := f.policy(), f.policy()
	running := f.publish(withPolicy(busy.ID))
	paused := f.publish(withPolicy(busy.ID))
	ended := f.publish(withPolicy(busy.ID))
	c := next(f.execution(*paused.RolloutExecutionID))
	c.Status = models.ExecutionPaused
	f.apply(c)
	c = next(f.execution(*ended.RolloutExecutionID))
	c.Status = models.ExecutionCancelled
	f.apply(c)

	policies, err := f.ListPolicies(t.Context(), f.project.ID, models.Page{})
	require.NoError(t, err)
	require.Len(t, policies, 2)
	require.Equal(t, busy.ID, policies[0].ID)
	require.Equal(t, []int64{*running.RolloutExecutionID, *paused.RolloutExecutionID}, policies[0].RunningExecutions)
	require.Equal(t, idle.ID, policies[1].ID)
	require.Equal(t, []int64{}, policies[1].RunningExecutions)

	_, err = f.Policy(t.Context(), f.newProject("other").ID, busy.ID)
	requireCode(t, models.CodeNotFound, err)
}
