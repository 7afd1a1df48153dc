package releasestore_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func end(f *storetest.Fixture, executionID int64) {
	f.T.Helper()
	c := storetest.Next(f.MustExecution(executionID))
	c.Status = models.ExecutionCancelled
	f.MustApply(c)
}

func TestUpdatePolicy(t *testing.T) {
	t.Parallel()

	t.Run("changes what is set and nothing else", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		before := f.MustPolicy(func(n *models.NewRolloutPolicy) { n.Channel = new("staging") })
		stages := []models.Stage{{Percentage: 100, MinDurationMinutes: 0.25}}
		p, err := f.UpdatePolicy(t.Context(), f.Demo.ID, storetest.Alice, before.ID, models.PolicyPatch{
			Description: new("in one go"), Channel: models.Nullable[string]{Set: true}, Stages: &stages,
			Thresholds: models.ThresholdsPatch{
				CrashRate: models.Nullable[float64]{Set: true}, ErrorRate: models.Nullable[float64]{Set: true, Value: new(3.0)},
				Action: new(models.ActionGate), Baseline: new(models.BaselineControl),
			},
			TimeZone: new("Europe/Berlin"), FreezeWindows: &[]models.FreezeWindow{{From: "18:00", To: "08:00"}},
		})
		require.NoError(t, err)
		read, err := f.Policy(t.Context(), f.Demo.ID, p.ID)
		require.NoError(t, err)
		require.Equal(t, p, read)
		require.Equal(t, before.Name, p.Name)
		require.True(t, p.IsActive)
		require.Equal(t, "in one go", p.Description)
		require.Nil(t, p.Channel)
		require.Equal(t, stages, p.Stages)
		require.Equal(t, models.Thresholds{
			ErrorRate: new(3.0), Action: models.ActionGate, Method: models.MethodSequential, RollbackScope: models.ScopeRelease,
			Baseline: models.BaselineControl, MinNetworks: new(int64(3)), AllocationVotes: new(int64(20)),
		}, p.Thresholds)
		require.Equal(t, models.Schedule{
			TimeZone: "Europe/Berlin", FreezeWindows: []models.FreezeWindow{{From: "18:00", To: "08:00"}},
		}, p.Schedule)
		entry := f.Audited(1)[0]
		require.Equal(t, "policy.updated", entry.Action)
		require.Equal(t, strconv.FormatInt(p.ID, 10), entry.EntityID)
		require.Equal(t, map[string]any{"before": "staging", "after": nil}, entry.Details["channel"])
		require.Contains(t, entry.Details, "stages")
		require.Contains(t, entry.Details, "thresholds")
		require.Contains(t, entry.Details, "schedule")
		require.NotContains(t, entry.Details, "name")
	})

	t.Run("writes nothing when nothing changes", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		before := f.MustPolicy()
		p, err := f.UpdatePolicy(t.Context(), f.Demo.ID, storetest.Alice, before.ID,
			models.PolicyPatch{Name: &before.Name, Stages: &before.Stages})
		require.NoError(t, err)
		require.Equal(t, before, p)
		require.Equal(t, "policy.created", f.Audited(1)[0].Action)
	})

	t.Run("refuses what a policy cannot be", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		p := f.MustPolicy()
		for field, patch := range map[string]models.PolicyPatch{
			"name":                 {Name: new(" ")},
			"stages":               {Stages: &[]models.Stage{}},
			"stages[0].percentage": {Stages: &[]models.Stage{{Percentage: 50}}},
			"thresholds.errorRate": {Thresholds: models.ThresholdsPatch{ErrorRate: models.Nullable[float64]{Set: true, Value: new(0.0)}}},
		} {
			_, err := f.UpdatePolicy(t.Context(), f.Demo.ID, storetest.Alice, p.ID, patch)
			storetest.RequireField(t, field, err)
		}
		_, err := f.UpdatePolicy(t.Context(), f.Demo.ID, storetest.Alice, p.ID,
			models.PolicyPatch{Channel: models.Nullable[string]{Set: true, Value: new("nobody")}})
		storetest.RequireCode(t, models.CodeNotFound, err)
		_, err = f.UpdatePolicy(t.Context(), f.NewProject("other").ID, storetest.Alice, p.ID, models.PolicyPatch{Name: new("mine")})
		storetest.RequireCode(t, models.CodeNotFound, err)
	})
}

func TestAPolicyIsLockedWhileARolloutByItIsOpen(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	p := f.MustPolicy()
	running, paused := *f.MustPublish(storetest.WithPolicy(p.ID)).RolloutExecutionID,
		*f.MustPublish(storetest.WithPolicy(p.ID)).RolloutExecutionID
	c := storetest.Next(f.MustExecution(paused))
	c.Status = models.ExecutionPaused
	f.MustApply(c)
	requireLocked := func(executions ...int64) {
		_, err := f.UpdatePolicy(t.Context(), f.Demo.ID, storetest.Alice, p.ID, models.PolicyPatch{Name: new("new")})
		storetest.RequireCode(t, models.CodePolicyLocked, err)
		for _, id := range executions {
			require.ErrorContains(t, err, strconv.FormatInt(id, 10))
		}
		storetest.RequireCode(t, models.CodePolicyLocked, f.DeletePolicy(t.Context(), f.Demo.ID, storetest.Alice, p.ID))
	}
	requireLocked(running, paused)
	end(f, running)
	requireLocked(paused)
	end(f, paused)

	_, err := f.UpdatePolicy(t.Context(), f.Demo.ID, storetest.Alice, p.ID, models.PolicyPatch{Name: new("new")})
	require.NoError(t, err)
	require.Equal(t, "careful", f.MustExecution(running).PolicyName)
	storetest.RequireCode(t, models.CodeNotFound, f.DeletePolicy(t.Context(), f.NewProject("other").ID, storetest.Alice, p.ID))
	require.NoError(t, f.DeletePolicy(t.Context(), f.Demo.ID, storetest.Alice, p.ID))
	require.Equal(t, "policy.deleted", f.Audited(1)[0].Action)
	ended := f.MustExecution(running)
	require.Nil(t, ended.PolicyID)
	require.Equal(t, "careful", ended.PolicyName)
	require.Len(t, ended.Stages, 3)
	storetest.RequireCode(t, models.CodeNotFound, f.DeletePolicy(t.Context(), f.Demo.ID, storetest.Alice, p.ID))
}

func TestPostgresItselfLocksAPolicy(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	p := f.MustPolicy()
	r := f.MustPublish()
	begun, err := f.Conn().Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = begun.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = begun.Exec(t.Context(), `INSERT INTO rollout_executions (project_id, policy_id, policy_name, update_id, update_uuid, group_id,
		platform, runtime_version, status, stage_index, stages, thresholds, percentage, waiting_for, reason, started_at, stage_started_at,
		workflow_id, run_id, version)
		SELECT p.project_id, p.id, p.name, $1, $2, $2, 'ios', '1', 'running', 0, p.stages, p.thresholds, 0, '', '', now(), now(), 'w', '', 0
		FROM rollout_policies p WHERE p.id = $3`, r.ID, r.UpdateUUID, p.ID)
	require.NoError(t, err)

	edited := make(chan struct{})
	go func() {
		defer close(edited)
		_, err = f.UpdatePolicy(context.WithoutCancel(t.Context()), f.Demo.ID, storetest.Alice, p.ID, models.PolicyPatch{Name: new("new")})
	}()
	storetest.AwaitLock(f, edited)
	require.NoError(t, begun.Commit(t.Context()))
	<-edited
	storetest.RequireCode(t, models.CodePolicyLocked, err)
}
