package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// Clients that were written for another server with the same interface use these names.
func TestNamesOfOtherClients(t *testing.T) {
	t.Parallel()
	server := install(t)
	p := server.tenant(t)
	server.tenant(t).known()
	p.known()

	for _, role := range []models.Role{models.RoleViewer, models.RoleAdmin} {
		own := p.do(request{method: http.MethodGet, path: "/v1/ota/projects", key: p.keys[role], project: "-"}).list()
		require.Len(t, own, 1)
		require.Equal(t, p.slug, own[0]["slug"])
	}

	upload := p.upload()
	upload.method = http.MethodPost
	upload.body = strings.Replace(upload.body.(string), `name="runtimeVersion"`, `name="runtimeFingerprint"`, 1)
	build := p.do(upload).record(http.StatusCreated)
	require.Equal(t, "1.0.0", build["runtimeVersion"])
	require.Equal(t, build["uuid"], build["buildUuid"])
	release := p.create(path("/v1/ota/builds/%d/publish", build.id("id")), object{"channel": "production"})
	require.Equal(t, release["id"], release["updateId"])

	id := p.create("/v1/ota/flags", object{"key": "dark", "flagType": "boolean", "defaultValue": false}).id("id")
	require.Contains(t, p.bulk(object{"deviceId": "d", "platform": "web"}), "dark")
	report := request{method: http.MethodPost, path: "/v1/ota/flag-evaluations", project: "-", body: object{
		"channel": nil, "context": object{"targetingKey": "carol", "kind": "user", "name": "Carol", "attributes": object{"plan": "pro"}},
		"evaluations": []object{
			{"flagKey": "dark", "variationValue": "true", "count": 5, "lastEvaluatedAt": nil, "context": nil, "channel": "production"},
			{"flagKey": "dark", "value": true, "count": 2, "targetingKey": "dave"},
		},
	}}
	require.Equal(t, http.StatusNoContent, p.do(report).status)
	p.do(report.with("Authorization", "")).problem(400, models.CodeInvalid)
	eventually(t, func() bool {
		counts := p.do(request{method: http.MethodGet, path: path("/v1/ota/flags/%d/evaluations", id)}).record(http.StatusOK)
		return counts["total"].(float64) == 1+5+2
	})
	eventually(t, func() bool {
		found := p.do(request{method: http.MethodGet, path: "/v1/ota/contexts?search=carol"}).list()
		return len(found) == 1 && found[0]["name"] == "Carol" && found[0]["attributes"].(map[string]any)["plan"] == "pro"
	})
	var dave []object
	p.eventually(func() bool { dave = p.list("/v1/ota/contexts?search=dave"); return len(dave) == 1 })
	require.Empty(t, dave[0]["name"], "dave is another user")

	health := p.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: object{
		"projectSlug": p.slug, "deviceId": "browser", "platform": "web", "runtimeVersion": "1.0.0", "updateUuid": nil,
		"events": []object{{"type": "js_error", "message": "oops", "count": 1}},
	}}.with("Authorization", "").with("X-Project", ""))
	require.Equal(t, http.StatusNoContent, health.status, health.body)
	eventually(t, func() bool {
		events := p.do(request{method: http.MethodGet, path: "/v1/ota/telemetry/events?platform=web"}).list()
		return len(events) == 1 && events[0]["platform"] == "web"
	})
}
