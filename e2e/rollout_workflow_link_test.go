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

// Approvals, scheduled changes of flags and webhook deliveries link to their workflows, too.
func TestFurtherWorkflowsAreLinked(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_TEMPORAL_UI_URL"] = "https://temporal.example.com/ui"
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	hook := p.webhook()
	p.do(at("/v1/ota/webhooks/%d/test", hook).by(http.MethodPost)).record(http.StatusCreated)
	schedule := p.scheduled()
	release := p.release()
	p.protect("production", 1)
	approval := p.pending(to(object{"isCritical": true}, "/v1/ota/updates/%d", release.id("id")).by(http.MethodPatch))
	require.Nil(t, approval["workflowUrl"], "the response to the call")
	tc := dialTemporal(t, env)
	for name, c := range map[string]struct {
		path string
		of   func(answer) object
	}{
		"an approval": {path("/v1/ota/approvals/%d", approval.id("id")), func(a answer) object { return a.record(http.StatusOK) }},
		"a scheduled change": {
			path("/v1/ota/flags/%d/schedule", schedule.id("flagId")), func(a answer) object { return a.list()[0] },
		},
		"a delivery": {path("/v1/ota/webhooks/%d/deliveries", hook), func(a answer) object { return a.list()[0] }},
	} {
		for role, sees := range map[models.Role]bool{models.RoleViewer: false, models.RoleEditor: true} {
			asked := at("%s", c.path).get()
			asked.key = p.keys[role]
			record := c.of(p.do(asked))
			if !sees {
				require.Nil(t, record["workflowUrl"], name)
				continue
			}
			id := record["workflowId"].(string)
			require.Equal(t, "https://temporal.example.com/ui/namespaces/"+env["TEMPORAL_NAMESPACE"]+"/workflows/"+url.PathEscape(id), record["workflowUrl"], name)
			eventually(t, func() bool { // the link leads to a workflow
				_, err := tc.DescribeWorkflowExecution(t.Context(), id, "")
				return err == nil
			})
		}
	}
}
