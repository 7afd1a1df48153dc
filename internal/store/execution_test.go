package store_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestStartRollout(t *testing.T) {
	t.Parallel()

	t.Run("leaves the release's share to the workflow", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r, policy := f.publish(share(5)), f.policy()
		var e models.RolloutExecution
		f.requireBumped(true, func() {
			var err error
			e, err = f.StartRollout(t.Context(), f.project.ID, alice, policy.ID, r.ID)
			require.NoError(t, err)
		})
		require.Equal(t, e, f.execution(e.ID))
		require.Equal(t, policy.ID, *e.PolicyID)
		require.InDelta(t, 5, e.Percentage, 0)
		require.InDelta(t, 5, f.release(r.ID).RolloutPercentage, 0)
		require.Equal(t, e.ID, *f.release(r.ID).RolloutExecutionID)
		require.Len(t, f.outbox(models.OutboxRolloutStart), 1)

		entry := f.audited(1)[0]
		require.Equal(t, "rollout.started", entry.Action)
		require.Equal(t, "rollout_execution", entry.EntityType)
	})

	t.Run("may start again after the last one ended", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r, e := f.rollOut()
		c := next(e)
		c.Status = models.ExecutionCancelled
		f.apply(c)
		_, err := f.StartRollout(t.Context(), f.project.ID, alice, *e.PolicyID, r.ID)
		require.NoError(t, err)
	})

	for name, tc := range map[string]struct {
		prepare func(f *fixture) (policyID, updateID int64)
		code    models.ErrorCode
		names   string
	}{
		"a second rollout": {func(f *fixture) (int64, int64) {
			r, e := f.rollOut()
			return *e.PolicyID, r.ID
		}, models.CodeRolloutInProgress, "execution"},
		"a disabled release": {func(f *fixture) (int64, int64) {
			return f.policy().ID, f.publish(disabled).ID
		}, models.CodeInvalid, "updateId"},
		"a release behind one that everybody gets": {func(f *fixture) (int64, int64) {
			r := f.publish()
			f.publish()
			return f.policy().ID, r.ID
		}, models.CodeInvalid, "updateId"},
		"a rollback to the embedded update": {func(f *fixture) (int64, int64) {
			_, e := f.rollOut()
			e = f.reach(e, 10)
			f.apply(reverting(e))
			return f.policy().ID, f.newest().ID
		}, models.CodeInvalid, "updateId"},
		"a deleted release": {func(f *fixture) (int64, int64) {
			r := f.publish()
			require.NoError(f.t, f.DeleteRelease(f.t.Context(), f.project.ID, alice, r.ID))
			return f.policy().ID, r.ID
		}, models.CodeNotFound, "update"},
		"a policy that is not active": {func(f *fixture) (int64, int64) {
			return f.policy(func(n *models.NewRolloutPolicy) { n.IsActive = false }).ID, f.publish().ID
		}, models.CodeInvalid, "policyId"},
		"a policy for another channel": {func(f *fixture) (int64, int64) {
			return f.policy(func(n *models.NewRolloutPolicy) { n.Channel = new("staging") }).ID, f.publish().ID
		}, models.CodeInvalid, "policyId"},
		"a policy that does not exist": {func(f *fixture) (int64, int64) {
			return 1 << 40, f.publish().ID
		}, models.CodeNotFound, "policy"},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			policyID, updateID := tc.prepare(f)
			_, err := f.StartRollout(t.Context(), f.project.ID, alice, policyID, updateID)
			requireCode(t, tc.code, err)
			require.ErrorContains(t, err, tc.names)
		})
	}

	t.Run("lets one of several at once win", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r, policy := f.publish(), f.policy()
		errs := make([]error, 4)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { _, errs[i] = f.StartRollout(t.Context(), f.project.ID, alice, policy.ID, r.ID) })
		}
		all.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else {
				requireCode(t, models.CodeRolloutInProgress, err)
			}
		}
		require.Equal(t, 1, won)
		require.Len(t, f.outbox(models.OutboxRolloutStart), 1)
	})
}

func TestListExecutions(t *testing.T) {
	t.Parallel()
	f := setup(t)
	_, first := f.rollOut()
	_, second := f.rollOut()
	c := next(first)
	c.Event = &models.RolloutEvent{Event: models.EventStarted, At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Actor: "system"}
	f.apply(c)

	executions, err := f.ListExecutions(t.Context(), f.project.ID, models.ExecutionFilter{}, models.Page{})
	require.NoError(t, err)
	require.Len(t, executions, 2)
	require.Equal(t, second.ID, executions[0].ID)
	require.Empty(t, executions[0].Timeline)
	require.Equal(t, f.execution(first.ID), executions[1])
	require.Len(t, executions[1].Timeline, 1)

	executions, err = f.ListExecutions(t.Context(), f.project.ID, models.ExecutionFilter{}, models.Page{Before: first.ID})
	require.NoError(t, err)
	require.Empty(t, executions)
	_, err = f.Execution(t.Context(), f.newProject("other").ID, first.ID)
	requireCode(t, models.CodeNotFound, err)
}

func TestRolloutSubject(t *testing.T) {
	t.Parallel()
	f := setup(t)
	r, e := f.rollOut()
	subject, err := f.RolloutSubject(t.Context(), f.project.ID, e.ID)
	require.NoError(t, err)
	require.Equal(t, models.RolloutSubject{
		Execution: e, ProjectSlug: "demo", ShareSalt: r.ShareSalt,
	}, subject)
	_, err = f.RolloutSubject(t.Context(), f.project.ID, 1<<40)
	requireCode(t, models.CodeNotFound, err)
	require.NoError(t, f.DeleteProject(t.Context(), alice, "demo"))
	_, err = f.RolloutSubject(t.Context(), f.project.ID, e.ID)
	requireCode(t, models.CodeNotFound, err)
}
