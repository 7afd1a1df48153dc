package workflows_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/worker"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// Every history is recorded on the real Temporal and replayed immediately.
func TestRecordHistoriesOfDeliveries(t *testing.T) {
	t.Parallel()
	soon, late := pendingFor(10*time.Millisecond), pendingFor(time.Hour)
	ended := func(t *testing.T, c *workflows.Client, _ client.Client, id string) {
		require.NoError(t, c.DeliveryEnded(t.Context(), models.WebhookEnded{WorkflowID: id}))
	}
	cancelled := func(t *testing.T, _ *workflows.Client, tc client.Client, id string) {
		require.NoError(t, tc.CancelWorkflow(t.Context(), id, ""))
	}
	for name, tc := range map[string]struct {
		outcomes []models.DeliveryOutcome
		// then runs after the first attempt.
		then func(*testing.T, *workflows.Client, client.Client, string)
	}{
		"delivered":             {[]models.DeliveryOutcome{{Status: models.DeliveryDelivered}}, nil},
		"delivered_in_the_end":  {[]models.DeliveryOutcome{soon, soon, {Status: models.DeliveryDelivered}}, nil},
		"failed":                {[]models.DeliveryOutcome{soon, {Status: models.DeliveryFailed}}, nil},
		"found_cancelled":       {[]models.DeliveryOutcome{soon, {Status: models.DeliveryCancelled}}, nil},
		"cancelled_in_store":    {[]models.DeliveryOutcome{late}, ended},
		"cancelled_in_temporal": {[]models.DeliveryOutcome{late}, cancelled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &fakeDelivery{outcomes: tc.outcomes, now: time.Now}
			history := w.deliverLive(t, tc.then)
			require.Len(t, w.tries, len(tc.outcomes))
			recordedDeliveries.check(t, name, history)
		})
	}
}

// deliverLive runs the workflow on the real Temporal, started twice.
func (w *fakeDelivery) deliverLive(t *testing.T, then func(*testing.T, *workflows.Client, client.Client, string)) *historypb.History {
	t.Helper()
	tc, namespace := dial(t)
	require.NoError(t, workflows.EnsureSearchAttributes(t.Context(), tc, namespace))
	unique := uuid.NewString()
	own := worker.New(tc, workflows.WebhooksQueue(unique), worker.Options{Identity: "test"})
	recordedDeliveries.register(own)
	own.RegisterActivityWithOptions(w.attempt, activity.RegisterOptions{Name: workflows.ActivityAttemptDelivery})
	own.RegisterActivityWithOptions(w.cancel, activity.RegisterOptions{Name: workflows.ActivityCancelDelivery})
	startWorkers(t, own)

	c := workflows.NewClient(tc, unique)
	s := webhookStart
	s.WorkflowID = "webhook/demo/" + unique
	require.NoError(t, c.DeliverWebhook(t.Context(), s))
	require.NoError(t, c.DeliverWebhook(t.Context(), s), "again while it runs")
	if then != nil {
		awaitTimer(t, tc, s.WorkflowID)
		then(t, c, tc, s.WorkflowID)
	}
	awaitEnd(t, tc, s.WorkflowID, nil)
	requireShown(t, tc, s)
	require.NoError(t, c.DeliverWebhook(t.Context(), s), "again when it has ended")
	require.NoError(t, c.DeliveryEnded(t.Context(), models.WebhookEnded{WorkflowID: s.WorkflowID}), "told when it has ended")
	return historyOf(t, tc, s.WorkflowID)
}

// requireShown checks the search attributes of the workflow.
func requireShown(t *testing.T, tc client.Client, s models.WebhookStart) {
	t.Helper()
	described, err := tc.DescribeWorkflowExecution(t.Context(), s.WorkflowID, "")
	require.NoError(t, err)
	for name, want := range map[string]string{"WaftProject": "demo", "WaftWebhook": "31", "WaftEvent": "build.published"} {
		var got string
		field := described.GetWorkflowExecutionInfo().GetSearchAttributes().GetIndexedFields()[name]
		require.NoError(t, converter.GetDefaultDataConverter().FromPayload(field, &got), name)
		require.Equal(t, want, got, name)
	}
}
