package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// stream returns the row of the overview for a channel, on iOS with runtime version 1.0.0.
func (p *tenant) stream(channel string) object {
	p.t.Helper()
	for _, s := range p.list("/v1/ota/overview") {
		if s["channel"] == channel && s["platform"] == "ios" && s["runtimeVersion"] == "1.0.0" {
			return s
		}
	}
	return object{}
}

// The overview shows in a single request which releases run where, and their health.
func TestTheOverviewShowsWhatRunsWhere(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	require.Empty(t, p.list("/v1/ota/overview"))
	first := p.release()
	second, execution := p.rollOut(p.inStages(0, 0, 10, 100))
	p.awaitRollout(execution, has("percentage", 10.0))
	outside, inside := p.inShareOf(second, 10, false, 4), p.inShareOf(second, 10, true, 2)
	p.run(outside, first["updateUuid"], "app_launch")
	p.run(inside, second["updateUuid"], "app_launch")
	p.tells(outside[0], "production", first["updateUuid"], "crash")
	p.tells(outside[1], "production", first["updateUuid"], "js_error")
	p.tells("embedded", "production", nil, "app_launch")
	p.tells("stranger", "production", "9e5b5a0a-6a1f-4d5e-8a53-000000000000", "app_launch")
	p.tells("tester", "staging", nil, "app_launch")
	p.gets("late", "nowhere")

	var s object
	p.eventually(func() bool {
		s = p.stream("production")
		return s["devices"] == 8.0 && s["reportedDevices"] == 6.0 && s["errorRate"] == 33.333 && s["crashFreePercentage"] != 100.0
	})
	require.Equal(t, p.read(path("/v1/ota/updates/%d", first.id("id"))), object(s["release"].(map[string]any)))
	require.Equal(t, second["id"], s["newestUpdateId"])
	require.EqualValues(t, execution, s["rollout"].(map[string]any)["id"])
	require.Equal(t, "running", s["rollout"].(map[string]any)["status"])
	require.Equal(t, []any{
		map[string]any{"updateId": first["id"], "updateUuid": first["updateUuid"], "release": nameOf(first), "devices": 4.0, "percentage": 50.0},
		map[string]any{"updateId": second["id"], "updateUuid": second["updateUuid"], "release": nameOf(second), "devices": 2.0, "percentage": 25.0},
		map[string]any{"updateId": nil, "updateUuid": nil, "release": nil, "devices": 2.0, "percentage": 25.0},
	}, s["distribution"])
	require.Equal(t, 83.333, s["crashFreePercentage"], "devices on the embedded update and on other updates do not count")
	incidents := map[string]any{"rate": 2.0, "source": "incidents"}
	require.Equal(t, []any{
		map[string]any{
			"release": nameOf(second), "updateId": second["id"], "updateUuid": second["updateUuid"], "devices": 2.0, "crashFreePercentage": 100.0, "crashRate": 0.0, "errorRate": 0.0,
			"crashLimit": map[string]any{"rate": 2.0, "source": "policy"}, "errorLimit": incidents,
		},
		map[string]any{
			"release": nameOf(first), "updateId": first["id"], "updateUuid": first["updateUuid"], "devices": 4.0, "crashFreePercentage": 75.0, "crashRate": 25.0, "errorRate": 50.0,
			"crashLimit": incidents, "errorLimit": incidents,
		},
	}, s["served"])
	require.Equal(t, 0.0, s["incidents"])
	require.Equal(t, 0.0, s["refused"])
	require.Equal(t, false, s["isPaused"])
	var staging object
	p.eventually(func() bool { // its report came last
		staging = p.stream("staging")
		return staging["devices"] == 1.0 && staging["crashFreePercentage"] != nil
	})
	require.Nil(t, staging["release"])
	require.Nil(t, staging["rollout"])
	require.Equal(t, 100.0, staging["crashFreePercentage"])
	p.eventually(func() bool { return p.stream("nowhere")["refused"] == 1.0 })

	// A viewer sees the overview, another project does not.
	require.Len(t, p.do(request{method: "GET", path: "/v1/ota/overview", key: p.keys[models.RoleViewer]}).list(), 3)
	require.Empty(t, p.tenant(t).list("/v1/ota/overview"))

	require.Equal(t, 200, p.do(request{method: "PATCH", path: "/v1/ota/channels/production", body: object{"isPaused": true}}).status)
	s = p.stream("production")
	require.Equal(t, true, s["isPaused"])
}

// Without telemetry the overview still shows the served releases. Unknown values are null, not zero.
func TestTheOverviewWithoutClickHouse(t *testing.T) {
	t.Parallel()
	env := settings(t)
	clickhouse, through := newLine(t, env["CLICKHOUSE_URL"])
	env["CLICKHOUSE_URL"] = through
	server := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
	p := server.tenant(t)
	p.known()
	first := p.release()
	_, execution := p.rollOut(p.inStages(0, 0, 10, 100))
	p.awaitRollout(execution, has("percentage", 10.0))
	overview := request{method: "GET", path: "/v1/ota/overview"}
	require.NotContains(t, p.do(overview).header, "Waft-Incomplete")
	whole := p.stream("production")
	require.Equal(t, 0.0, whole["devices"])

	clickhouse.cut()
	var got answer
	p.eventually(func() bool { // the metrics are at most a second old
		got = p.do(overview)
		return got.header.Get("Waft-Incomplete") == "ClickHouse is unavailable; device metrics are missing"
	})
	require.Equal(t, "clickhouse", got.header.Get("Waft-Unavailable"))
	refused := p.do(request{method: "GET", path: "/v1/ota/telemetry/refused"}).problem(503, models.CodeUnavailable)
	require.Equal(t, "clickhouse", refused["unavailable"])
	lines := got.list()
	require.Len(t, lines, 1)
	require.Equal(t, "no-store", got.header.Get("Cache-Control"))
	require.Empty(t, got.header.Get("ETag"))
	s := lines[0]
	require.Equal(t, first["id"], s["release"].(map[string]any)["id"])
	require.EqualValues(t, execution, s["rollout"].(map[string]any)["id"])
	require.Equal(t, 0.0, s["incidents"])
	for _, figure := range []string{"devices", "distribution", "reportedDevices", "crashFreePercentage", "errorRate", "refused"} {
		require.Contains(t, s, figure)
		require.Nil(t, s[figure], figure)
	}

	clickhouse.mend(t)
	p.eventually(func() bool { return p.do(overview).header.Get("Waft-Incomplete") == "" })
	again := p.stream("production")
	whole["rollout"] = again["rollout"] // its health differs
	require.Equal(t, whole, again)
}
