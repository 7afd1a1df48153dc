package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/models"
)

// Someone invents device IDs at many addresses of one network. All of them are served, but at most as many devices as
// the network's budget are stored. A device in another network counts as before. After a restart the stored devices are
// still known.
func TestInventedDevicesOfANetworkAreStoredUpToItsBudget(t *testing.T) {
	t.Parallel()
	const budget, devices = 20, 150
	env := settings(t)
	env["WAFT_TRUSTED_PROXIES"] = "127.0.0.1"
	env["WAFT_NEW_DEVICES_BURST"], env["WAFT_NEW_DEVICES_PER_MINUTE"] = strconv.Itoa(budget), "0.001"
	url, stop := startRole(t, env, app.Role{API: true})
	p := installation{url: url, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	b := openBooks(t, env["CLICKHOUSE_URL"])
	release := p.release()["updateUuid"].(string)
	p.known()
	p.eventually(func() bool { return p.gets("", "production") == release })

	ask := func(device, address string) answer {
		return p.do(at("/v1/ota/manifest/%s?channel=production", p.slug).with("Authorization", "").
			with("Expo-Platform", "ios").with("Expo-Runtime-Version", "1.0.0").with("Eas-Client-Id", device).
			with("Accept", "application/expo+json").with("X-Forwarded-For", address).get())
	}
	crash := func(device, address string) answer {
		return p.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: object{
			"projectSlug": p.slug, "deviceId": device, "platform": "ios", "runtimeVersion": "1.0.0", "updateUuid": release,
			"events": []object{{"type": "crash", "count": 1}},
		}}.with("X-Forwarded-For", address).with("Authorization", ""))
	}
	address := func(n int) string { return fmt.Sprint("203.0.113.", n) }
	var stored []string
	for n := range devices {
		invented := uuid.NewString()
		require.Equal(t, release, ask(invented, address(n)).record(http.StatusOK)["id"])
		if a := crash(invented, address(n)); a.status == http.StatusNoContent {
			stored = append(stored, invented)
		} else {
			a.problem(http.StatusTooManyRequests, models.CodeRateLimited)
			require.NotEmpty(t, a.header.Get("Retry-After"))
		}
	}
	require.Len(t, stored, budget)
	honest := uuid.NewString()
	ask(honest, "198.51.100.7").record(http.StatusOK)
	require.Equal(t, http.StatusNoContent, crash(honest, "198.51.100.7").status)

	want := append(slices.Clone(stored), honest)
	tables := []string{"exposures", "health_reports", "health_events", "device_releases"}
	for _, table := range tables {
		found := func() map[string]uint64 {
			return b.count("device_id", table, fmt.Sprintf("project_id = %d", p.id))
		}
		p.eventually(func() bool { return found()[honest] > 0 }) // the honest device reported last
		require.Len(t, found(), budget+1, table)
		for _, device := range want {
			require.Contains(t, found(), device, table)
		}
	}
	known := func() uint64 {
		return b.query(fmt.Sprintf("SELECT '', uniqExact(device_key) FROM devices WHERE project_id = %d", p.id))[""]
	}
	p.eventually(func() bool { return known() >= budget+1 }) // a view writes devices, after the tables
	require.EqualValues(t, budget+1, known())
	metrics := metricsOf(t, p.url)
	require.Contains(t, metrics, fmt.Sprintf("waft_new_devices_refused_total{of=\"report\"} %d\n", devices-budget))
	require.Contains(t, metrics, fmt.Sprintf("waft_new_devices_refused_total{of=\"exposure\"} %d\n", devices-budget))
	// Waft also stores which devices it refused, but for at most as many devices as the budget.
	noted := func() int { return len(b.count("device_id", "limited_devices", fmt.Sprintf("project_id = %d", p.id))) }
	p.eventually(func() bool { return noted() >= budget })
	require.Equal(t, budget, noted())

	stop()
	env["WAFT_NEW_DEVICES_BURST"] = "1"
	p.url, _ = startRole(t, env, app.Role{API: true})
	require.Equal(t, http.StatusNoContent, crash(uuid.NewString(), address(1)).status)
	require.Equal(t, http.StatusTooManyRequests, crash(uuid.NewString(), address(2)).status)
	require.Equal(t, http.StatusNoContent, crash(stored[0], address(3)).status)
}

// Devices above the budget do not count in a rollout. Its health has the number of ignored devices and the reason.
func TestDevicesAboveTheBudgetAreIgnored(t *testing.T) {
	t.Parallel()
	const budget, devices = 5, 8
	p := proxied(t, func(env map[string]string) {
		env["WAFT_NEW_DEVICES_BURST"], env["WAFT_NEW_DEVICES_PER_MINUTE"] = strconv.Itoa(budget), "0.001"
	}).tenant(t)
	release, id := p.forAll(1000)
	require.Equal(t, budget, p.visit(release, inNetworks(invented(devices), "203.0.113."), always("crash")))
	known := invented(1)
	p.run(known, release["updateUuid"], "app_launch")
	e := p.awaitRollout(id, func(e object) bool {
		p.tells(known[0], "production", release["updateUuid"], "app_launch") // refused reports alone do not make the watcher observe the rollout
		// waitingFor depends on the counts. Before that it is the minimum time or the minimum number of devices.
		return hasCounted(budget+1, budget)(e) && health(e)["ignoredDevices"] == float64(devices-budget) && e["waitingFor"] == "networks"
	})
	require.Equal(t, map[string]any{"notServed": 0.0, "notInShare": 0.0, "rateLimited": float64(devices - budget)}, health(e)["ignoredReasons"])
}
