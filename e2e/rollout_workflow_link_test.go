package e2e

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// Temporal's UI shows data of every project, and can end workflows. Only callers that may operate rollouts see its address.
func TestARolloutLinksToItsWorkflow(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_TEMPORAL_UI_URL"] = "https://temporal.example.com/ui"
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	rollout := p.begun()
	address := at("/v1/ota/rollout-executions/%d", rollout.id("id"))
	want := "https://temporal.example.com/ui/namespaces/" + env["TEMPORAL_NAMESPACE"] + "/workflows/" + url.PathEscape(rollout["workflowId"].(string))
	for role, sees := range map[models.Role]bool{models.RoleViewer: false, models.RoleEditor: true, models.RoleAdmin: true} {
		asked := address
		asked.key = p.keys[role]
		read := p.do(asked).record(http.StatusOK)
		if !sees {
			require.Nil(t, read["workflowUrl"], role)
			continue
		}
		require.Equal(t, want+"/"+read["runId"].(string), read["workflowUrl"], role)
	}
	for _, listed := range p.do(at("/v1/ota/rollout-executions")).list() {
		require.Nil(t, listed["workflowUrl"])
	}
}
