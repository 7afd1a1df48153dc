package workflows_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// fakeSchedule replaces a scheduled change in the store.
type fakeSchedule struct {
	mu     sync.Mutex
	status models.FlagScheduleStatus
	at     time.Time
	// ends is the status that the change gets at its time.
	ends models.FlagScheduleStatus
	gone bool
	// failures is the number of attempts that fail.
	failures int
	applied  int
}

func (f *fakeSchedule) apply(_ context.Context, step models.FlagScheduleStep) (models.FlagScheduleStatus, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	due := !time.Now().Before(f.at)
	switch {
	case f.gone:
		return "", temporal.NewNonRetryableApplicationError("there is no scheduled change", string(models.CodeNotFound), nil)
	case due && f.failures > 0:
		f.failures--
		return "", temporal.NewApplicationError("Postgres is unavailable", string(models.CodeUnavailable))
	case f.status.Open() && step.Cancelled:
		f.status = models.ScheduleCancelled
	case f.status.Open() && due:
		f.status = f.ends
		f.applied++
	}
	return f.status, nil
}

func (f *fakeSchedule) end(status models.FlagScheduleStatus) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status = status
}

// Every history is recorded on the real Temporal and replayed immediately.
func TestRecordHistoriesOfSchedules(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		wait     time.Duration
		ends     models.FlagScheduleStatus
		failures int
		gone     bool
		// then runs while the workflow waits.
		then func(*testing.T, *fakeSchedule, *workflows.Client, client.Client, models.FlagScheduleStart)
	}{
		"applied":                {wait: 2 * time.Second, ends: models.ScheduleApplied},
		"applied_after_failures": {wait: 2 * time.Second, ends: models.ScheduleApplied, failures: 2},
		"stale":                  {wait: 2 * time.Second, ends: models.ScheduleStale},
		"cancelled": {
			wait: time.Hour, ends: models.ScheduleCancelled,
			then: func(t *testing.T, f *fakeSchedule, c *workflows.Client, _ client.Client, s models.FlagScheduleStart) {
				f.end(models.ScheduleCancelled)
				require.NoError(t, c.FlagScheduleEnded(t.Context(), s))
			},
		},
		"cancelled_in_temporal": {
			wait: time.Hour, ends: models.ScheduleCancelled,
			then: func(t *testing.T, _ *fakeSchedule, _ *workflows.Client, tc client.Client, s models.FlagScheduleStart) {
				require.NoError(t, tc.CancelWorkflow(t.Context(), s.WorkflowID, ""))
			},
		},
		"deleted_with_its_project": {wait: time.Hour, ends: models.ScheduleCancelled, gone: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fakeSchedule{
				status: models.ScheduleScheduled, at: time.Now().Add(tc.wait), ends: tc.ends, gone: tc.gone, failures: tc.failures,
			}
			recordedSchedules.check(t, name, f.live(t, tc.then))
			if tc.ends == models.ScheduleApplied {
				require.Equal(t, 1, f.applied)
			}
		})
	}
}

// live runs the workflow on the real Temporal, started twice.
func (f *fakeSchedule) live(
	t *testing.T, then func(*testing.T, *fakeSchedule, *workflows.Client, client.Client, models.FlagScheduleStart),
) *historypb.History {
	t.Helper()
	tc, namespace := dial(t)
	require.NoError(t, workflows.EnsureSearchAttributes(t.Context(), tc, namespace))
	unique := uuid.NewString()
	own := worker.New(tc, unique, worker.Options{Identity: "test"})
	recordedSchedules.register(own)
	own.RegisterActivityWithOptions(f.apply, activity.RegisterOptions{Name: workflows.ActivityApplyFlagSchedule})
	startWorkers(t, own)

	c := workflows.NewClient(tc, unique)
	s := models.FlagScheduleStart{
		ScheduleID: 71, ProjectID: 7, FlagID: 31, WorkflowID: "flag-schedule/demo/" + unique, Project: "demo",
		Summary: "enabled from no to yes", At: f.at.UTC(),
	}
	require.NoError(t, c.FlagScheduleEnded(t.Context(), s), "before the workflow is started")
	require.NoError(t, c.StartFlagSchedule(t.Context(), s))
	require.NoError(t, c.StartFlagSchedule(t.Context(), s), "again while it runs")
	if then != nil {
		awaitTimer(t, tc, s.WorkflowID)
		then(t, f, c, tc, s)
	}
	var result workflows.FlagScheduleResult
	awaitEnd(t, tc, s.WorkflowID, &result)
	require.Equal(t, f.ends, result.Status)
	history := historyOf(t, tc, s.WorkflowID)
	require.NoError(t, c.FlagScheduleEnded(t.Context(), s), "when it has ended")
	return history
}
