package releasestore_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestStartRollout(t *testing.T) {
	t.Parallel()

	t.Run("leaves the release's share to the workflow", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r, policy := f.MustPublish(storetest.Share(5)), f.MustPolicy()
		var e models.RolloutExecution
		f.RequireBumped(true, func() {
			var err error
			e, err = f.StartRollout(t.Context(), f.Demo.ID, storetest.Alice, policy.ID, r.ID)
			require.NoError(t, err)
		})
		require.Equal(t, e, f.MustExecution(e.ID))
		require.Equal(t, policy.ID, *e.PolicyID)
		require.InDelta(t, 5, e.Percentage, 0)
		require.InDelta(t, 5, f.MustRelease(r.ID).RolloutPercentage, 0)
		require.Equal(t, e.ID, *f.MustRelease(r.ID).RolloutExecutionID)
		require.Len(t, f.Outbox(models.OutboxRolloutStart), 1)

		entry := f.Audited(1)[0]
		require.Equal(t, "rollout.started", entry.Action)
		require.Equal(t, "rollout_execution", entry.EntityType)
	})

	t.Run("may start again after the last one ended", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r, e := f.MustRollOut()
		c := storetest.Next(e)
		c.Status = models.ExecutionCancelled
		f.MustApply(c)
		_, err := f.StartRollout(t.Context(), f.Demo.ID, storetest.Alice, *e.PolicyID, r.ID)
		require.NoError(t, err)
	})

	for name, tc := range map[string]struct {
		prepare func(f *storetest.Fixture) (policyID, updateID int64)
		code    models.ErrorCode
		names   string
	}{
		"a second rollout": {func(f *storetest.Fixture) (int64, int64) {
			r, e := f.MustRollOut()
			return *e.PolicyID, r.ID
		}, models.CodeRolloutInProgress, "rollout"},
		"a disabled release": {func(f *storetest.Fixture) (int64, int64) {
			return f.MustPolicy().ID, f.MustPublish(storetest.Disabled).ID
		}, models.CodeInvalid, "updateId"},
		"a release behind one that everybody gets": {func(f *storetest.Fixture) (int64, int64) {
			r := f.MustPublish()
			f.MustPublish()
			return f.MustPolicy().ID, r.ID
		}, models.CodeInvalid, "updateId"},
		"a rollback to the embedded update": {func(f *storetest.Fixture) (int64, int64) {
			_, e := f.MustRollOut()
			e = f.MustReach(e, 10)
			f.MustApply(reverting(e))
			return f.MustPolicy().ID, newest(f).ID
		}, models.CodeInvalid, "updateId"},
		"a deleted release": {func(f *storetest.Fixture) (int64, int64) {
			r := f.MustPublish()
			require.NoError(f.T, f.DeleteRelease(f.T.Context(), f.Demo.ID, storetest.Alice, r.ID))
			return f.MustPolicy().ID, r.ID
		}, models.CodeNotFound, "release"},
		"a policy that is not active": {func(f *storetest.Fixture) (int64, int64) {
			return f.MustPolicy(func(n *models.NewRolloutPolicy) { n.IsActive = false }).ID, f.MustPublish().ID
		}, models.CodeInvalid, "policyId"},
		"a policy for another channel": {func(f *storetest.Fixture) (int64, int64) {
			return f.MustPolicy(func(n *models.NewRolloutPolicy) { n.Channel = new("staging") }).ID, f.MustPublish().ID
		}, models.CodeInvalid, "policyId"},
		"a policy that does not exist": {func(f *storetest.Fixture) (int64, int64) {
			return 1 << 40, f.MustPublish().ID
		}, models.CodeNotFound, "policy"},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			policyID, updateID := tc.prepare(f)
			_, err := f.StartRollout(t.Context(), f.Demo.ID, storetest.Alice, policyID, updateID)
			storetest.RequireCode(t, tc.code, err)
			require.ErrorContains(t, err, tc.names)
		})
	}

	t.Run("lets one of several simultaneous starts succeed", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r, policy := f.MustPublish(), f.MustPolicy()
		errs := make([]error, 4)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { _, errs[i] = f.StartRollout(t.Context(), f.Demo.ID, storetest.Alice, policy.ID, r.ID) })
		}
		all.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else {
				storetest.RequireCode(t, models.CodeRolloutInProgress, err)
			}
		}
		require.Equal(t, 1, won)
		require.Len(t, f.Outbox(models.OutboxRolloutStart), 1)
	})
}

func TestListExecutions(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	_, first := f.MustRollOut()
	_, second := f.MustRollOut()
	c := storetest.Next(first)
	c.Event = &models.RolloutEvent{Event: models.EventStarted, At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Actor: "system"}
	f.MustApply(c)

	executions, err := f.ListExecutions(t.Context(), f.Demo.ID, models.ExecutionFilter{}, models.Page{})
	require.NoError(t, err)
	require.Len(t, executions, 2)
	require.Equal(t, second.ID, executions[0].ID)
	require.Empty(t, executions[0].Timeline)
	require.Equal(t, f.MustExecution(first.ID), executions[1])
	require.Len(t, executions[1].Timeline, 1)

	executions, err = f.ListExecutions(t.Context(), f.Demo.ID, models.ExecutionFilter{}, models.Page{Before: first.ID})
	require.NoError(t, err)
	require.Empty(t, executions)
	_, err = f.Execution(t.Context(), f.NewProject("other").ID, first.ID)
	storetest.RequireCode(t, models.CodeNotFound, err)
}

func TestRolloutSubject(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	r, e := f.MustRollOut()
	subject, err := f.RolloutSubject(t.Context(), f.Demo.ID, e.ID)
	require.NoError(t, err)
	require.Equal(t, models.RolloutSubject{
		Execution: e, ProjectSlug: "demo", ShareSalt: r.ShareSalt,
	}, subject)
	_, err = f.RolloutSubject(t.Context(), f.Demo.ID, 1<<40)
	storetest.RequireCode(t, models.CodeNotFound, err)
	require.NoError(t, f.DeleteProject(t.Context(), storetest.Alice, "demo"))
	_, err = f.RolloutSubject(t.Context(), f.Demo.ID, e.ID)
	storetest.RequireCode(t, models.CodeNotFound, err)
}
