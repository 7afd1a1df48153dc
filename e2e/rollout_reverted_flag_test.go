package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// After a manual rollback of a flag, earlier reports do not count. The stage starts again, and ends once enough devices
// report without errors.
func TestARolloutContinuesAfterAManualRollbackOfAFlag(t *testing.T) {
	t.Parallel()
	for name, take := range map[string]func(p *tenant, release object, id int64){
		"by a rollback": func(p *tenant, release object, id int64) {
			flag := release["linkedFlags"].([]any)[0].(map[string]any)["flagId"]
			e := p.awaitCommand(id, "rollback", object{"scope": "flag", "flagId": flag, "reason": "checkout hangs"})
			require.Equal(p.t, "checkout hangs", told(e, models.EventFlagsReverted))
		},
		"by a change of the release": func(p *tenant, release object, _ int64) {
			p.do(request{method: http.MethodPatch, path: path("/v1/ota/updates/%d", release.id("id")), body: object{"linkedFlags": []object{}}}).
				record(http.StatusOK)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, release, id := crashingWithItsFlag(t, "release")
			take(p, release, id)
			fresh := p.awaitRollout(id, func(e object) bool { return health(e)["devices"] == 0.0 })
			require.Equal(t, 0.0, health(fresh)["crashedDevices"])
			require.Empty(t, fresh["linkedFlags"])
			p.run(p.inShareOf(release, 30, true, 8), release["updateUuid"], "app_launch")
			e := p.awaitRollout(id, func(e object) bool { return e["endedAt"] != nil })
			require.Equal(t, []string{"started", "flags_reverted", "stage_advanced", "completed"}, happened(e))
			require.Equal(t, 0.0, health(e)["crashedDevices"])
		})
	}
}

// A flag that was reverted manually is not reverted again. The release is rolled back next.
func TestAGraduatedRollbackAfterAManualOneRevertsTheRelease(t *testing.T) {
	t.Parallel()
	p, release, id := crashingWithItsFlag(t, "graduated")
	flag := release["linkedFlags"].([]any)[0].(map[string]any)["flagId"]
	p.awaitCommand(id, "rollback", object{"scope": "flag", "flagId": flag})
	members := p.inShareOf(release, 30, true, 6)
	p.run(members, release["updateUuid"], "app_launch", "crash")
	e := p.awaitRollout(id, func(e object) bool { return e["endedAt"] != nil })
	require.Equal(t, []string{"started", "flags_reverted", "rolled_back"}, happened(e))
	require.Equal(t, health(e)["devices"], health(e)["crashedDevices"], "the healthy devices had the flag and no longer count")
	p.awaitServed(members, isNot(release["updateUuid"]))
}

// crashingWithItsFlag starts a rollout of a release with a linked flag, and lets two of eight devices crash. The rate
// is above the threshold, but there is too little evidence. The stages are short, and wait for seven devices.
func crashingWithItsFlag(t *testing.T, scope string) (p *tenant, release object, id int64) {
	t.Helper()
	p = install(t).tenant(t)
	stable := p.release()
	p.awaitServed([]string{"anybody"}, is(stable["updateUuid"]))
	flag := p.create("/v1/ota/flags", object{"name": "Checkout", "key": "checkout", "flagType": "boolean", "defaultValue": false})
	policy := p.inStages(1, 7, 30, 100).with("thresholds", object{"crashRate": 2.0, "rollbackScope": scope})
	release, id = p.rollOut(policy, linking(flag))
	members := p.inShareOf(release, 30, true, 8)
	p.run(members[:6], release["updateUuid"], "app_launch")
	p.awaitRollout(id, func(e object) bool { return health(e)["devices"] == 6.0 })
	p.run(members[6:], release["updateUuid"], "app_launch", "crash")
	p.awaitRollout(id, func(e object) bool { return e["waitingFor"] == "threshold" && health(e)["devices"] == 8.0 })
	return p, release, id
}

// health returns the health of the rollout, or nil.
func health(e object) map[string]any {
	known, _ := e["health"].(map[string]any)
	return known
}
