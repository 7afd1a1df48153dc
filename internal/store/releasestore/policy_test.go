package releasestore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestCreatePolicy(t *testing.T) {
	t.Parallel()

	t.Run("fills the defaults", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.RequireBumped(false, func() {
			p := f.MustPolicy(func(n *models.NewRolloutPolicy) { n.Channel = new("staging") })
			require.Equal(t, models.ActionAutoRollback, p.Thresholds.Action)
			require.Equal(t, models.MethodSequential, p.Thresholds.Method)
			read, err := f.Policy(t.Context(), f.Demo.ID, p.ID)
			require.NoError(t, err)
			require.Equal(t, p, read)
		})
		require.Equal(t, "policy.created", f.Audited(1)[0].Action)
	})

	t.Run("refuses a channel that does not exist", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		n := storetest.NewPolicy()
		n.Channel = new("nobody")
		_, err := f.CreatePolicy(t.Context(), f.Demo.ID, storetest.Alice, n)
		storetest.RequireCode(t, models.CodeNotFound, err)
		require.ErrorContains(t, err, "nobody")
	})

	t.Run("refuses stages that do not end at 100 %", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		n := storetest.NewPolicy()
		n.Stages = n.Stages[:1]
		_, err := f.CreatePolicy(t.Context(), f.Demo.ID, storetest.Alice, n)
		storetest.RequireField(t, "stages[0].percentage", err)
	})

	t.Run("refuses a project that does not exist", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.CreatePolicy(t.Context(), 1<<40, storetest.Alice, storetest.NewPolicy())
		storetest.RequireCode(t, models.CodeNotFound, err)
	})
}

func TestPoliciesShowTheirOpenExecutions(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	idle, busy := f.MustPolicy(), f.MustPolicy()
	running := f.MustPublish(storetest.WithPolicy(busy.ID))
	paused := f.MustPublish(storetest.WithPolicy(busy.ID))
	ended := f.MustPublish(storetest.WithPolicy(busy.ID))
	c := storetest.Next(f.MustExecution(*paused.RolloutExecutionID))
	c.Status = models.ExecutionPaused
	f.MustApply(c)
	c = storetest.Next(f.MustExecution(*ended.RolloutExecutionID))
	c.Status = models.ExecutionCancelled
	f.MustApply(c)

	policies, err := f.ListPolicies(t.Context(), f.Demo.ID, models.Page{})
	require.NoError(t, err)
	require.Len(t, policies, 2)
	require.Equal(t, busy.ID, policies[0].ID)
	require.Equal(t, []int64{*running.RolloutExecutionID, *paused.RolloutExecutionID}, policies[0].RunningExecutions)
	require.Equal(t, idle.ID, policies[1].ID)
	require.Equal(t, []int64{}, policies[1].RunningExecutions)

	_, err = f.Policy(t.Context(), f.NewProject("other").ID, busy.ID)
	storetest.RequireCode(t, models.CodeNotFound, err)
}
