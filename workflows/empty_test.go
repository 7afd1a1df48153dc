package workflows_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/lab/enginetest/temporaltest"
	"github.com/waft-ota/waft/workflows"
)

// Even a workflow that has ended keeps its ID. Workflows of other programs in the namespace do not matter.
func TestANamespaceWithWorkflowsIsNotEmpty(t *testing.T) {
	t.Parallel()
	address, _ := enginetest.Temporal(t)
	namespace := temporaltest.Namespace(t)
	tc, err := client.Dial(client.Options{HostPort: address, Namespace: namespace, Identity: "test", Logger: quiet{}})
	require.NoError(t, err)
	t.Cleanup(tc.Close)
	check := func() error { return workflows.CheckEmpty(t.Context(), tc, namespace) }
	require.NoError(t, workflows.CheckEmpty(t.Context(), tc, "missing-"+uuid.NewString()))
	start := func(workflow string) {
		t.Helper()
		require.Eventually(t, func() bool { // Temporal reads new namespaces with a delay
			_, err := tc.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: workflow, TaskQueue: "nobody"}, workflow)
			return err == nil
		}, patience, 50*time.Millisecond)
	}
	counted := func() bool {
		found, err := tc.CountWorkflow(t.Context(), &workflowservice.CountWorkflowExecutionsRequest{Namespace: namespace})
		return err == nil && found.GetCount() > 0
	}
	start("Other")
	require.Eventually(t, counted, patience, 50*time.Millisecond)
	require.NoError(t, check())

	start(workflows.WorkflowSendMail)
	require.NoError(t, tc.TerminateWorkflow(t.Context(), workflows.WorkflowSendMail, "", "ended"))
	require.Eventually(t, func() bool { return check() != nil }, patience, 50*time.Millisecond)
	require.ErrorContains(t, check(), "has 1 workflow of Waft")
	require.ErrorContains(t, check(), "name it in TEMPORAL_NAMESPACE")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorContains(t, workflows.CheckEmpty(ctx, tc, namespace), "count the workflows", "a Temporal that does not respond is not empty")
}
