package e2e

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A report also writes the exposures before it to the ingest log. A device whose report was acknowledged therefore
// counts, even if the API is killed right after it.
func TestAServeSurvivesAKillAfterTheNextReport(t *testing.T) {
	t.Parallel()
	env := settings(t)
	migrate(t, env)
	api := waftd(t, "api", env)
	waftd(t, "worker", env)
	p := newProject(t, "http://"+api.addr, env["WAFT_ROOT_KEY"])
	exports := madeExports(t)
	stable := p.publish(t, exports["stable"], "stable", 0)
	p.requireServed(t, stable[0])
	policy := shortStages("careful")
	policy.Stages[0].MinDevices = 1000 // the rollout stays at this stage,
	limit := 90.0                      // and three crashes do not roll it back
	policy.Thresholds.CrashRate = &limit
	policyID, err := p.EnsurePolicy(t.Context(), policy)
	require.NoError(t, err)
	u := p.publish(t, exports["next"], "next", policyID)[0]

	devices := shareDevices(u, policy.Stages[0].Percentage, true, 3)
	for _, device := range devices {
		eventually(t, func() bool {
			return strings.Contains(p.ask(t, device, nil), u.UpdateUUID.String())
		})
		p.report(t, device, u.UpdateUUID.String(), "app_launch")
		api.kill()
		api = waftd(t, "api", env)
		p.url = "http://" + api.addr
		p.report(t, device, u.UpdateUUID.String(), "crash")
	}
	var health object
	await(t, waitLimit, 20*pollEvery, func() bool {
		_, health = p.execution(t, *u.RolloutExecutionID)
		return health["devices"] == 3.0 && health["crashedDevices"] == 3.0
	}, "%v", &health)
	require.Equal(t, 0.0, health["ignoredDevices"])
}
