package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// Reports that are refused because of their rate do not count in a decision. The decision includes the number of
// devices that it leaves out.
func TestRateLimitedDevicesAreListed(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_RATE_PER_ADDRESS"], env["WAFT_TRUSTED_PROXIES"] = "0.001", "127.0.0.1"
	p := newProject(t, serve(t, env), env["WAFT_ROOT_KEY"])
	exports := madeExports(t)
	p.requireServed(t, p.publish(t, exports["stable"], "stable", 0)[0])
	policy := shortStages("careful")
	policy.Stages[0].MinDevices = 1000 // the rollout stays at this stage
	policyID, err := p.EnsurePolicy(t.Context(), policy)
	require.NoError(t, err)
	u := p.publish(t, exports["next"], "next", policyID)[0]
	known := shareDevices(u, policy.Stages[0].Percentage, true, 1)[0]
	eventually(t, func() bool { return strings.Contains(p.ask(t, known, nil), u.UpdateUUID.String()) })
	crash := func(device, address string) int {
		status, _ := p.call(t, http.MethodPost, "/v1/ota/health-metrics", object{
			"projectSlug": p.slug, "deviceId": device, "platform": "ios", "runtimeVersion": "1.0.0",
			"updateUuid": u.UpdateUUID, "events": []object{{"type": "crash", "count": 1}},
		}, map[string]string{"X-Forwarded-For": address})
		return status
	}
	const flooder = "203.0.113.7"
	invented := uuid.NewString()
	require.Equal(t, http.StatusNoContent, crash(invented, flooder), "one call is allowed")
	flood := []string{uuid.NewString(), uuid.NewString(), uuid.NewString()}
	for n := range 30 {
		require.Equal(t, http.StatusTooManyRequests, crash(flood[n%len(flood)], flooder))
	}
	var health object
	polls := 0
	await(t, waitLimit, 20*pollEvery, func() bool {
		// A stored report makes the watcher observe the rollout again. The same device counts once, even from another
		// address.
		polls++
		require.Equal(t, http.StatusNoContent, crash(invented, fmt.Sprintf("198.%d.%d.7", 18+polls/256%2, polls%256)))
		_, health = p.execution(t, *u.RolloutExecutionID)
		return health["ignoredDevices"] == 4.0
	}, "%v", &health)
	require.Equal(t, object{"notServed": 1.0, "notInShare": 0.0, "rateLimited": 3.0}, object(health["ignoredReasons"].(map[string]any)))
	require.Equal(t, 0.0, health["devices"])
	require.Equal(t, 30.0, metricOf(t, p.url, `waft_reports_limited_total{noted="true"}`))
}
