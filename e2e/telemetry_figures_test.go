package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Every endpoint that describes a release has the same figures right after its rollback: the overview, the timeseries,
// the adoption, the list of releases and the rollout. The replacement is a new release: it has no figures until a device reports on it.
func TestNoTwoFiguresDisagreeAfterARollback(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	first := p.release()
	second, execution := p.rollOut(p.inStages(0, 0, 10, 100).with("thresholds", object{"crashRate": 99.0, "action": "gate"}))
	p.awaitRollout(execution, has("percentage", 10.0))
	outside, inside := p.inShareOf(second, 10, false, 4), p.inShareOf(second, 10, true, 2)
	p.run(outside, first["updateUuid"], "app_launch")
	p.run(inside, second["updateUuid"], "app_launch")
	p.tells(outside[0], "production", first["updateUuid"], "js_error")
	p.tells(inside[0], "production", second["updateUuid"], "crash")
	rollout := path("/v1/ota/rollout-executions/%d", execution)
	var health map[string]any
	p.eventually(func() bool {
		health, _ = p.read(rollout)["health"].(map[string]any)
		return health["devices"] == 2.0 && health["crashedDevices"] == 1.0
	})
	require.Equal(t, 200, p.do(request{method: "POST", path: rollout + "/rollback", body: object{"scope": "release"}}).status)

	var row object
	var successor, kept map[string]any
	p.eventually(func() bool { // the overview is at most a second old
		row = p.stream("production")
		served := row["served"].([]any)
		successor, kept = served[0].(map[string]any), served[len(served)-1].(map[string]any)
		return row["rollout"] == nil && len(served) == 2 && row["reportedDevices"] == 4.0 && row["errorRate"] == 25.0
	})
	total := func(release object) map[string]any {
		return p.read("/v1/ota/telemetry/timeseries?period=24h&updateUuid=" + release["updateUuid"].(string))["total"].(map[string]any)
	}
	require.NotEqual(t, second["id"], successor["updateId"], "devices inside the rollout get a copy of the first release")
	require.Equal(t, 0.0, successor["devices"], "a device has not reported on the copy")
	require.Nil(t, successor["crashFreePercentage"])
	require.Nil(t, successor["errorRate"])
	require.Equal(t, first["id"], kept["updateId"])
	require.Equal(t, 100.0, row["crashFreePercentage"], "crashes of the release that was rolled back do not count")
	good, bad := total(first), total(second)
	for _, figure := range []string{"devices", "crashFreePercentage", "crashRate", "errorRate"} {
		require.Equal(t, good[figure], kept[figure], figure)
	}
	for _, figure := range []string{"devices", "launches", "erroredDevices", "crashedDevices", "crashRate", "errorRate"} {
		require.Equal(t, health[figure], bad[figure], figure)
	}
	shares := map[any]any{}
	for _, d := range row["distribution"].([]any) {
		shares[d.(map[string]any)["updateId"]] = d.(map[string]any)["devices"]
	}
	require.Equal(t, map[any]any{first["id"]: good["devices"], second["id"]: bad["devices"]}, shares)
	for _, d := range p.read("/v1/ota/insights/adoption?days=7")["distribution"].([]any) {
		of := d.(map[string]any)
		require.Equal(t, shares[of["updateId"]], of["devices"])
	}
	listed := p.list(path("/v1/ota/insights/releases?updateIds=%d,%d,%d", first.id("id"), second.id("id"), object(successor).id("updateId")))
	require.Len(t, listed, 3)
	for i, want := range []map[string]any{good, bad, total(object{"updateUuid": successor["updateUuid"]})} {
		of, devices := listed[i], shares[listed[i]["updateId"]]
		if devices == nil {
			devices = 0.0
		}
		require.Equal(t, devices, of["devices"])
		require.Equal(t, row["devices"], of["targetDevices"])
		require.Equal(t, want["devices"], of["reportedDevices"])
		for _, figure := range []string{"crashFreePercentage", "crashRate", "errorRate"} {
			require.Equal(t, want[figure], of[figure], figure)
		}
	}
	for i, served := range map[int]map[string]any{0: kept, 2: successor} {
		require.Equal(t, served["crashLimit"], listed[i]["crashLimit"])
		require.Equal(t, served["errorLimit"], listed[i]["errorLimit"])
		require.Equal(t, served["devices"], listed[i]["reportedDevices"])
	}
	require.Equal(t, map[string]any{"rate": 99.0, "source": "policy"}, listed[1]["crashLimit"], "a release that was rolled back keeps its limit")
	require.Equal(t, []any{true, true, false}, []any{listed[0]["isPastLimit"], listed[1]["isPastLimit"], listed[2]["isPastLimit"]})
	require.Empty(t, p.list("/v1/ota/telemetry/incidents"), "one device does not open an incident")
}
