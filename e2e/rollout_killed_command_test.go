package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// The first command to a rollout takes effect even if the worker that had the rollout in memory was killed a moment
// ago.
func TestACommandRightAfterTheWorkerWasKilled(t *testing.T) {
	t.Parallel()
	env := settings(t)
	migrate(t, env)
	server := waftd(t, "serve", env)
	p := installation{url: server.url(), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	p.known()
	_, execution := p.rollOut(p.inStages(0, 0, 10, 100))
	p.awaitRollout(execution, has("percentage", 10.0))
	// Temporal gives a task that the worker has begun to another worker only after the task's own time limit, which is
	// longer than a command waits.
	tc := dialTemporal(t, env)
	workflowID := p.read(path("/v1/ota/rollout-executions/%d", execution))["workflowId"].(string)
	eventually(t, func() bool {
		described, err := tc.DescribeWorkflowExecution(t.Context(), workflowID, "")
		return err == nil && described.GetPendingWorkflowTask() == nil && len(described.GetPendingActivities()) == 0
	})
	server.kill()
	p.url = waftd(t, "serve", env).url()
	p.do(request{method: http.MethodPost, path: path("/v1/ota/rollout-executions/%d/pause", execution)}).record(http.StatusOK)
	require.Equal(t, "paused", p.read(path("/v1/ota/rollout-executions/%d", execution))["status"])
}
