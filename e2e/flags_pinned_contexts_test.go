package e2e

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/models"
)

// Evaluations work without a key and can name any context. They never rename, change or evict a pinned context.
func TestAnonymousEvaluationsLeavePinnedContextsAlone(t *testing.T) {
	t.Parallel()
	const quota = 10
	env := settings(t)
	env["WAFT_QUOTA_CONTEXTS"] = strconv.Itoa(quota)
	url, _ := startRole(t, env, app.Role{API: true})
	p := installation{url: url, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	p.create("/v1/ota/flags", object{"name": "Checkout", "key": "checkout", "flagType": "boolean", "defaultValue": false})
	vip := p.create("/v1/ota/contexts", object{"kind": "user", "targetingKey": "vip", "name": "Ada", "attributes": object{"plan": "pro"}})
	require.Equal(t, true, vip["pinned"])
	p.known()

	var sent []object
	for range 3 * quota {
		sent = append(sent, object{"flagKey": "checkout", "value": true, "count": 1, "targetingKey": uuid.NewString()})
	}
	sent = append(sent, object{
		"flagKey": "checkout", "value": true, "count": 3,
		"context": object{"kind": "user", "targetingKey": "vip", "name": "Mallory", "plan": "free", "admin": true},
	})
	p.eventually(func() bool { // the process may not serve the flag yet
		a := p.do(request{method: http.MethodPost, path: "/v1/ota/flag-evaluations", body: object{
			"projectSlug": p.slug, "evaluations": sent,
		}}.with("Authorization", ""))
		require.Equal(t, http.StatusNoContent, a.status)
		return p.read(fmt.Sprintf("/v1/ota/contexts/%d", vip.id("id")))["evaluationCount"].(float64) > 0
	})
	after := p.read(fmt.Sprintf("/v1/ota/contexts/%d", vip.id("id")))
	require.Equal(t, "Ada", after["name"])
	require.Equal(t, map[string]any{"plan": "pro"}, after["attributes"])
	all := p.list("/v1/ota/contexts?limit=200")
	require.Len(t, all, quota)
	for _, c := range all {
		require.Equal(t, c["targetingKey"] == "vip", c["pinned"])
	}

	for n := range quota - 1 {
		p.create("/v1/ota/contexts", object{"kind": "user", "targetingKey": fmt.Sprint("hand-", n)})
	}
	refused := p.do(request{method: http.MethodPost, path: "/v1/ota/contexts", body: object{"kind": "user", "targetingKey": "one more"}})
	require.Contains(t, refused.problem(http.StatusConflict, models.CodeQuotaExceeded)["detail"], "WAFT_QUOTA_CONTEXTS")
	for _, c := range p.list("/v1/ota/contexts?limit=200") {
		require.Equal(t, true, c["pinned"])
	}
}
