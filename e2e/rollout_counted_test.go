package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// call sends a request as the project's admin, and returns the status and body.
func (p project) call(t *testing.T, method, path string, body any, header map[string]string) (int, string) {
	t.Helper()
	text := request{body: body}.text(t)
	req, err := http.NewRequestWithContext(t.Context(), method, p.url+path, strings.NewReader(text))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+p.key)
	req.Header.Set("X-Project", p.slug)
	req.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(answer)
}

// ask requests a device's manifest, and returns the body of the response.
func (p project) ask(t *testing.T, device string, header map[string]string) string {
	t.Helper()
	all := map[string]string{
		"Eas-Client-Id": device, "Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0", "Expo-Protocol-Version": "1",
		"Accept": "multipart/mixed,application/expo+json",
	}
	for name, value := range header {
		all[name] = value
	}
	status, body := p.call(t, http.MethodGet, "/v1/ota/manifest/"+p.slug+"?channel=production", nil, all)
	require.Equal(t, http.StatusOK, status, body)
	return body
}

// report sends a report with one event.
func (p project) report(t *testing.T, device, update, event string) {
	t.Helper()
	status, body := p.call(t, http.MethodPost, "/v1/ota/health-metrics", object{
		"projectSlug": p.slug, "deviceId": device, "channel": "production", "platform": "ios", "runtimeVersion": "1.0.0",
		"updateUuid": update, "events": []object{{"type": event, "count": 1}},
	}, nil)
	require.Equal(t, http.StatusNoContent, status, body)
}

// shareDevices returns n device IDs that are inside the release's rollout at the percentage, or outside it.
func shareDevices(u client.Update, percentage float64, in bool, n int) []string {
	var ids []string
	for len(ids) < n {
		id := uuid.NewString()
		if rollout.InShare(models.ReleaseSalt(u.GroupID), id, percentage) == in {
			ids = append(ids, id)
		}
	}
	return ids
}

// rolledOut publishes a stable release and starts a rollout of the next one.
func rolledOut(t *testing.T, prepare func(project)) (project, client.Update) {
	t.Helper()
	env := settings(t)
	p := newProject(t, serve(t, env), env["WAFT_ROOT_KEY"])
	prepare(p)
	exports := madeExports(t)
	stable := p.publish(t, exports["stable"], "stable", 0)
	p.requireServed(t, stable[0])
	policy := shortStages("careful")
	policy.Stages[0].MinDevices = 1000 // the rollout stays at this stage
	policyID, err := p.EnsurePolicy(t.Context(), policy)
	require.NoError(t, err)
	return p, p.publish(t, exports["next"], "next", policyID)[0]
}

// execution returns a rollout's status and health as JSON, because the tests check the names of the ignored counts.
func (p project) execution(t *testing.T, id int64) (status string, health object) {
	t.Helper()
	code, body := p.call(t, http.MethodGet, fmt.Sprintf("/v1/ota/rollout-executions/%d", id), nil, nil)
	require.Equal(t, http.StatusOK, code, body)
	var record struct {
		Status string `json:"status"`
		Health object `json:"health"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &record))
	return record.Status, record.Health
}

// Anyone can send reports. A rollout counts only reports from devices that Waft served the release, and that are inside
// the rollout.
func TestForgedReportsMoveNoRollout(t *testing.T) {
	t.Parallel()
	p, u := rolledOut(t, func(project) {})
	share := shortStages("").Stages[0].Percentage
	devices := shareDevices(u, share, true, 10)
	for _, device := range devices {
		eventually(t, func() bool { return strings.Contains(p.ask(t, strings.ToUpper(device), nil), u.UpdateUUID.String()) })
		p.report(t, device, u.UpdateUUID.String(), "app_launch")
	}
	for _, forger := range append(shareDevices(u, share, true, 100), shareDevices(u, share, false, 100)...) {
		p.report(t, forger, strings.ToUpper(u.UpdateUUID.String()), "crash")
	}
	var status string
	var health object
	await(t, waitLimit, 20*pollEvery, func() bool {
		status, health = p.execution(t, *u.RolloutExecutionID)
		return health["ignoredDevices"] == 200.0 && health["devices"] == 10.0
	}, "%v", health)
	require.Equal(t, string(models.ExecutionRunning), status)
	require.Equal(t, object{"notServed": 200.0, "notInShare": 0.0, "rateLimited": 0.0}, object(health["ignoredReasons"].(map[string]any)))
	require.Equal(t, 0.0, health["crashedDevices"])
}

// A device whose update crashes before it renders anything cannot report. At each later start it names the update as
// failed, which counts as one crash.
func TestFailuresBeforeTheFirstRenderRevertARelease(t *testing.T) {
	t.Parallel()
	for name, hashing := range map[string]bool{"plain": false, "hashed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, u := rolledOut(t, func(p project) {
				code, body := p.call(t, http.MethodPatch, "/v1/ota/settings", object{"hashIds": hashing}, nil)
				require.Equal(t, http.StatusOK, code, body)
			})
			devices := shareDevices(u, shortStages("").Stages[0].Percentage, true, 12)
			for _, device := range devices {
				eventually(t, func() bool { return strings.Contains(p.ask(t, device, nil), u.UpdateUUID.String()) })
			}
			for _, device := range devices { // the first few may be enough
				for range 3 {
					body := p.ask(t, device, map[string]string{"Expo-Recent-Failed-Update-Ids": `"` + u.UpdateUUID.String() + `"`})
					require.NotContains(t, body, u.UpdateUUID.String())
				}
			}
			e := p.until(t, *u.RolloutExecutionID, ended)
			require.Equal(t, models.ExecutionRolledBack, models.ExecutionStatus(e.Status))
			require.Positive(t, e.Health.CrashedDevices)
			require.LessOrEqual(t, e.Health.CrashedDevices, int64(len(devices)))
			_, health := p.execution(t, *u.RolloutExecutionID)
			require.Equal(t, 0.0, health["ignoredDevices"])
		})
	}
}

func TestADevicesDataIsDeleted(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serve(t, env), env["WAFT_ROOT_KEY"])
	u := p.publish(t, madeExports(t)["stable"], "stable", 0)[0]
	p.requireServed(t, u)
	gone, stays := uuid.NewString(), uuid.NewString()
	for _, device := range []string{gone, stays} {
		p.ask(t, device, nil)
		p.report(t, device, u.UpdateUUID.String(), "crash")
	}
	b := openBooks(t, env["CLICKHOUSE_URL"])
	tables := []string{"health_events", "health_reports", "exposures", "device_releases"}
	for _, table := range tables {
		eventually(t, func() bool { return len(b.count("device_id", table, "1")) == 2 }, table)
	}
	// ClickHouse shows the rows of a table before it writes the rows of its views.
	for _, source := range []string{"first_at", "first_served_at"} {
		written := func() bool { return len(b.count("device_id", "device_releases", source+" IS NOT NULL")) == 2 }
		eventually(t, written, source)
	}
	code, body := p.call(t, http.MethodDelete, "/v1/ota/devices/"+strings.ToUpper(gone)+"/data", nil, nil)
	require.Equal(t, http.StatusNoContent, code, body)
	for _, table := range tables {
		left := b.count("device_id", table, "1")
		require.Contains(t, left, stays, table)
		require.Len(t, left, 1, table)
	}
	_, entries := p.call(t, http.MethodGet, "/v1/ota/audit-log", nil, nil)
	require.Contains(t, entries, "device.erased")
	require.NotContains(t, entries, gone)
}
