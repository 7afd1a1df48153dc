//go:build containers

package pods

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/internal/lab/enginetest"
)

// emptyTemporal deletes every workflow of the namespace that the set small uses, as if another Temporal were started empty.
func emptyTemporal(t *testing.T) {
	t.Helper()
	address, namespace := enginetest.Temporal(t)
	tc, err := client.Dial(client.Options{HostPort: address, Namespace: namespace})
	require.NoError(t, err)
	defer tc.Close()
	require.Eventually(t, func() bool {
		found, err := tc.ListWorkflow(t.Context(), &workflowservice.ListWorkflowExecutionsRequest{Namespace: namespace})
		if err != nil {
			return false
		}
		for _, one := range found.GetExecutions() {
			_, _ = tc.WorkflowService().DeleteWorkflowExecution(t.Context(), &workflowservice.DeleteWorkflowExecutionRequest{
				Namespace: namespace, WorkflowExecution: one.GetExecution(),
			}) // fails if an earlier request deletes it already
		}
		return len(found.GetExecutions()) == 0
	}, podLimit, 200*time.Millisecond)
}
