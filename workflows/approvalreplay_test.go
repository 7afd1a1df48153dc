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
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// fakeApproval replaces an approval in the store and its call.
type fakeApproval struct {
	mu     sync.Mutex
	status models.ApprovalStatus
	steps  []models.ApprovalStep
	expire time.Time
	gone   bool
	// heartbeat is the timeout after which another worker takes over.
	heartbeat time.Duration
}

func (f *fakeApproval) settle(ctx context.Context, step models.ApprovalStep) (models.ApprovalStatus, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.steps = append(f.steps, step)
	f.heartbeat = activity.GetInfo(ctx).HeartbeatTimeout
	switch {
	case f.gone:
		return "", temporal.NewNonRetryableApplicationError("there is no approval", string(models.CodeNotFound), nil)
	case f.status == models.ApprovalApproved:
		f.status = models.ApprovalCarriedOut
	case f.status == models.ApprovalPending && (step.Cancelled || !time.Now().Before(f.expire)):
		f.status = models.ApprovalExpired
	}
	return f.status, nil
}

func (f *fakeApproval) decide(status models.ApprovalStatus) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status = status
}

// Every history is recorded on the real Temporal and replayed immediately.
func TestRecordHistoriesOfApprovals(t *testing.T) {
	t.Parallel()
	decided := func(status models.ApprovalStatus) func(*testing.T, *fakeApproval, *workflows.Client, client.Client, models.ApprovalStart) {
		return func(t *testing.T, f *fakeApproval, c *workflows.Client, _ client.Client, s models.ApprovalStart) {
			f.decide(status)
			require.NoError(t, c.Decided(t.Context(), s))
		}
	}
	for name, tc := range map[string]struct {
		life time.Duration
		// then runs while the workflow waits.
		then func(*testing.T, *fakeApproval, *workflows.Client, client.Client, models.ApprovalStart)
		ends models.ApprovalStatus
	}{
		"carried_out": {time.Hour, decided(models.ApprovalApproved), models.ApprovalCarriedOut},
		"rejected":    {time.Hour, decided(models.ApprovalRejected), models.ApprovalRejected},
		"expired":     {2 * time.Second, nil, models.ApprovalExpired},
		"cancelled": {time.Hour, func(
			t *testing.T, _ *fakeApproval, _ *workflows.Client, tc client.Client, s models.ApprovalStart,
		) {
			require.NoError(t, tc.CancelWorkflow(t.Context(), s.WorkflowID, ""))
		}, models.ApprovalExpired},
		"deleted_with_its_project": {time.Hour, nil, models.ApprovalExpired},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fakeApproval{status: models.ApprovalPending, expire: time.Now().Add(tc.life), gone: name == "deleted_with_its_project"}
			recordedApprovals.check(t, name, f.live(t, tc.then, tc.ends))
		})
	}
}

// live runs the workflow on the real Temporal, started twice.
func (f *fakeApproval) live(
	t *testing.T, then func(*testing.T, *fakeApproval, *workflows.Client, client.Client, models.ApprovalStart), ends models.ApprovalStatus,
) *historypb.History {
	t.Helper()
	tc, namespace := dial(t)
	require.NoError(t, workflows.EnsureSearchAttributes(t.Context(), tc, namespace))
	unique := uuid.NewString()
	own := worker.New(tc, unique, worker.Options{Identity: "test"})
	recordedApprovals.register(own)
	own.RegisterActivityWithOptions(f.settle, activity.RegisterOptions{Name: workflows.ActivitySettleApproval})
	startWorkers(t, own)

	c := workflows.NewClient(tc, unique)
	s := models.ApprovalStart{
		ApprovalID: 61, ProjectID: 7, WorkflowID: "approval/demo/" + unique, Project: "demo", Action: "update.publish",
		Summary: "publish build 12 (ios, runtime version 1.2.0) to channel \"production\"", ExpiresAt: f.expire.UTC(),
	}
	require.NoError(t, c.StartApproval(t.Context(), s))
	require.NoError(t, c.StartApproval(t.Context(), s), "again while it runs")
	if then != nil {
		awaitTimer(t, tc, s.WorkflowID)
		then(t, f, c, tc, s)
	}
	var result workflows.ApprovalResult
	awaitEnd(t, tc, s.WorkflowID, &result)
	require.Positive(t, f.heartbeat, "the process that carries a call out may be killed")
	require.InDelta(t, 8, f.heartbeat.Seconds(), 2)
	require.Equal(t, ends, result.Status)
	described, err := tc.DescribeWorkflowExecution(t.Context(), s.WorkflowID, "")
	require.NoError(t, err)
	var summary, action string
	require.NoError(t, converter.GetDefaultDataConverter().FromPayload(described.GetExecutionConfig().GetUserMetadata().GetSummary(), &summary))
	require.Equal(t, "demo: "+s.Summary, summary)
	field := described.GetWorkflowExecutionInfo().GetSearchAttributes().GetIndexedFields()["WaftAction"]
	require.NoError(t, converter.GetDefaultDataConverter().FromPayload(field, &action))
	require.Equal(t, "update.publish", action)
	history := historyOf(t, tc, s.WorkflowID)
	require.NoError(t, c.StartApproval(t.Context(), s), "again when it has ended")
	return history
}
