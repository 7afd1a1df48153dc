package e2e

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	temporal "go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/models"
)

// A manual rollback ends the rollout immediately in Postgres, and in Temporal as soon as its workflow gets the command.
func TestAManualRollbackEndsTheRollout(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serve(t, env), env["WAFT_ROOT_KEY"])
	exports := madeExports(t)
	stable := p.publish(t, exports["stable"], "stable", 0)[0]
	policyID, err := p.EnsurePolicy(t.Context(), shortStages("careful"))
	require.NoError(t, err)
	bad := p.publish(t, exports["stable"], "bad", policyID)[0]
	executionID := *bad.RolloutExecutionID
	p.until(t, executionID, atStage(0))

	path := fmt.Sprintf("/v1/ota/rollout-policies/%d", policyID)
	locked := p.askJSON(t, http.MethodPatch, path, map[string]any{"name": "other"}, 409)
	require.Equal(t, "policy_locked", locked["code"])

	rollback := p.askJSON(t, http.MethodPost, "/v1/ota/rollback", map[string]any{
		"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "rollbackToUpdateId": stable.ID,
	}, 201)
	require.InDelta(t, float64(stable.ID), rollback["republishedFromId"], 0)
	execution := p.askJSON(t, http.MethodGet, fmt.Sprintf("/v1/ota/rollout-executions/%d", executionID), nil, 200)
	require.Equal(t, string(models.ExecutionRolledBack), execution["status"])
	eventually(t, func() bool { return p.servedUpdate(t) == rollback["updateUuid"] })

	tc, err := temporal.Dial(temporal.Options{HostPort: env["TEMPORAL_ADDRESS"], Namespace: env["TEMPORAL_NAMESPACE"]})
	require.NoError(t, err)
	t.Cleanup(tc.Close)
	eventually(t, func() bool {
		described, err := tc.DescribeWorkflowExecution(t.Context(), execution["workflowId"].(string), "")
		return err == nil && described.GetWorkflowExecutionInfo().GetStatus() == enumspb.WORKFLOW_EXECUTION_STATUS_COMPLETED
	})
	p.askJSON(t, http.MethodPatch, path, map[string]any{"name": "other"}, 200)

	embedded := p.askJSON(t, http.MethodPost, "/v1/ota/rollback", map[string]any{
		"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0",
	}, 201)
	require.Equal(t, string(models.KindRollbackToEmbedded), embedded["kind"])
	again := p.askJSON(t, http.MethodPost, fmt.Sprintf("/v1/ota/updates/%d/republish", stable.ID), map[string]any{}, 201)
	made := again["updates"].([]any)[0].(map[string]any)
	eventually(t, func() bool { return p.servedUpdate(t) == made["updateUuid"] })
}

// servedUpdate returns the update that a device is served according to Waft.
func (p project) servedUpdate(t *testing.T) any {
	t.Helper()
	resolved := p.askJSON(t, http.MethodGet, "/v1/ota/resolve?channel=production&platform=ios&runtimeVersion=1.0.0&deviceId=device-1", nil, 200)
	return resolved["updateUuid"]
}
