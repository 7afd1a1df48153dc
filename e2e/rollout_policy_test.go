package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestARolloutStartsAtItsTime(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	stable := p.release()
	const ahead = 8 * time.Second // enough time for a slow machine to publish the release
	startAt := time.Now().Add(ahead).UTC().Truncate(time.Millisecond)
	release, id := p.rollOut(p.inStages(0.5, 0, 20, 100).with("startAt", startAt).
		with("thresholds", object{"crashRate": 2.0, "minNetworks": 1})) // only one device runs the release
	e := p.rolloutNow(id)
	require.Equal(t, "running", e["status"])
	require.Equal(t, "duration", e["waitingFor"])
	require.Contains(t, e["reason"], "begins at")
	require.Empty(t, e["timeline"])
	member := p.inShareOf(release, 20, true, 1)
	p.awaitServed(member, is(stable["updateUuid"]))

	// Until the start time the device must keep the release that it has.
	await(t, waitLimit, atLeisure, func() bool {
		got := p.gets(member[0], "production")
		early := time.Now().Before(startAt)
		require.False(t, early && got == release["updateUuid"], "served before its time")
		return got == release["updateUuid"]
	})
	p.run(member, release["updateUuid"], "app_launch")
	e = p.awaitRollout(id, has("status", "completed"))
	begun, err := time.Parse(time.RFC3339Nano, e["timeline"].([]any)[0].(map[string]any)["at"].(string))
	require.NoError(t, err)
	require.False(t, begun.Before(startAt))
	require.Equal(t, []string{"started", "stage_advanced", "completed"}, happened(e))
}

// In a freeze window no stage begins automatically. Thresholds are still watched, and people may advance the rollout.
func TestAFreezeHoldsARollout(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	stable := p.release()
	p.awaitServed([]string{"anybody"}, is(stable["updateUuid"]))
	always := []object{{"from": "00:00", "to": "00:00"}}
	release, id := p.rollOut(p.inStages(0.5, 2, 20, 40, 100).with("freezeWindows", always).with("timeZone", "Europe/Berlin"))
	members := p.inShareOf(release, 20, true, 8)
	p.run(members, release["updateUuid"], "app_launch")
	e := p.awaitRollout(id, func(e object) bool { return strings.Contains(e["reason"].(string), "freeze") })
	timeline := e["timeline"].([]any)
	held := timeline[len(timeline)-1].(map[string]any)
	require.EqualValues(t, models.EventHeld, held["event"])
	require.Contains(t, held["reason"], "freeze")
	require.Equal(t, 20.0, e["percentage"])

	e = p.awaitCommand(id, "advance", object{"reason": "it cannot wait"})
	require.Equal(t, 40.0, e["percentage"])
	p.run(members, release["updateUuid"], "app_launch", "crash")
	e = p.awaitRollout(id, has("status", "rolled_back"))
	require.Equal(t, []string{"started", "stage_advanced", "rolled_back"}, happened(e))
	p.awaitServed(members, isNot(release["updateUuid"]))
}

// A release is compared with devices outside the rollout. If a backend fails for all devices, the release stays; if the
// release crashes more than the others' release, it is rolled back.
func TestAReleaseIsComparedWithDevicesOutsideItsShare(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		inside, outside int // of 12 devices each, the number that crash
		status          string
	}{
		"worse than what the others have": {inside: 12, outside: 0, status: "rolled_back"},
		"no worse than the others":        {inside: 6, outside: 6, status: "completed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := install(t).tenant(t)
			stable := p.release()
			p.awaitServed([]string{"anybody"}, is(stable["updateUuid"]))
			policy := p.inStages(0, 12, 50, 100)
			policy["thresholds"] = object{"baseline": "control"}
			release, id := p.rollOut(policy)
			p.awaitRollout(id, hasHappened("started"))
			const devices = 12
			outside, inside := p.inShareOf(release, 50, false, devices), p.inShareOf(release, 50, true, devices)
			// All devices get their release before the first reports, because a few crashes may roll the release back.
			// Crashing devices inside the rollout report last. If in the end equally many devices crash inside and
			// outside, there are then never more inside.
			p.awaitServed(outside, is(stable["updateUuid"]))
			p.awaitServed(inside, is(release["updateUuid"]))
			for i := range devices {
				p.tells(outside[i], "production", stable["updateUuid"], symptoms(i < c.outside)...)
			}
			for i := range devices {
				p.tells(inside[i], "production", release["updateUuid"], symptoms(i >= devices-c.inside)...)
			}
			if c.status == "completed" {
				p.awaitRollout(id, func(e object) bool {
					health, ok := e["health"].(map[string]any)
					return ok && health["devices"] == float64(devices) && health["crashedDevices"] == float64(c.inside)
				})
				p.awaitCommand(id, "advance", nil)
				p.awaitCommand(id, "advance", nil)
			}
			e := p.awaitRollout(id, func(e object) bool { return e["endedAt"] != nil })
			require.Equal(t, c.status, e["status"], e["reason"])
			if c.status == "rolled_back" {
				require.Contains(t, e["reason"], "control group: 0 of")
				p.awaitServed(p.inShareOf(release, 50, true, 1), isNot(release["updateUuid"]))
			}
		})
	}
}

func symptoms(crashes bool) []string {
	if crashes {
		return []string{"app_launch", "crash"}
	}
	return []string{"app_launch"}
}

// A change of a release during its rollout is kept.
func TestAReleaseChangedDuringItsRollout(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	stable := p.release()
	policy := p.create("/v1/ota/rollout-policies", p.inStages(0, 0, 20, 50, 100))
	release := p.create(path("/v1/ota/builds/%d/publish", p.build().id("id")), object{"channel": "production", "rolloutPolicyId": policy.id("id")})
	id := release.id("rolloutExecutionId")
	members := p.inShareOf(release, 20, true, 2)
	p.awaitServed(members, is(release["updateUuid"]))

	policyPath, releasePath := path("/v1/ota/rollout-policies/%d", policy.id("id")), path("/v1/ota/updates/%d", release.id("id"))
	p.do(request{method: http.MethodDelete, path: policyPath}).problem(http.StatusConflict, models.CodePolicyLocked)
	p.do(request{method: http.MethodPatch, path: policyPath, body: object{"isActive": false}}).problem(http.StatusConflict, models.CodePolicyLocked)
	p.do(request{method: http.MethodDelete, path: releasePath}).problem(http.StatusConflict, models.CodeRolloutInProgress)
	p.do(request{method: http.MethodPatch, path: releasePath, body: object{"rolloutPercentage": 100}}).problem(http.StatusConflict, models.CodeRolloutInProgress)

	p.do(request{method: http.MethodPatch, path: releasePath, body: object{"isEnabled": false}}).record(http.StatusOK)
	p.awaitServed(members, is(stable["updateUuid"]))
	e := p.awaitRollout(id, has("status", "paused"))
	require.Contains(t, e["reason"], "was disabled; enable it, then resume")
	require.Equal(t, []string{"started", "paused"}, happened(e))
	for _, command := range []string{"resume", "advance"} {
		detail := p.steer(id, command, nil).problem(http.StatusConflict, models.CodeInvalidTransition)
		require.Contains(t, detail["detail"], "enable the release first")
	}
	require.Equal(t, false, p.read(releasePath)["isEnabled"])
	require.Equal(t, stable["updateUuid"], p.gets(members[0], "production"))

	// Once enabled, it is served to the same devices, and does not advance automatically.
	p.do(request{method: http.MethodPatch, path: releasePath, body: object{"isEnabled": true}}).record(http.StatusOK)
	p.awaitServed(members, is(release["updateUuid"]))
	require.Equal(t, "running", p.awaitCommand(id, "resume", nil)["status"])
	require.Equal(t, 50.0, p.awaitCommand(id, "advance", nil)["percentage"])

	// After the cancel, no rollout percentage, lock or rollout is left.
	require.Equal(t, "cancelled", p.awaitCommand(id, "cancel", nil)["status"])
	after := p.read(releasePath)
	require.Equal(t, false, after["isEnabled"])
	require.Nil(t, after["rolloutExecutionId"])
	p.do(request{method: http.MethodDelete, path: policyPath}).requireStatus(http.StatusNoContent)
	p.do(request{method: http.MethodDelete, path: releasePath}).requireStatus(http.StatusNoContent)
	require.Nil(t, p.rolloutNow(id)["policyId"])
	p.awaitServed(members, isNot(release["updateUuid"]))
}

func (a answer) requireStatus(status int) {
	a.t.Helper()
	require.Equal(a.t, status, a.status, a.body)
}

// After a cancelled rollout, no rollout percentage, flag override, lock or workflow is left.
func TestACancelLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	stable := p.release()
	flag := p.create("/v1/ota/flags", object{"name": "Checkout", "key": "checkout", "flagType": "boolean", "defaultValue": false})
	release, id := p.rollOut(p.inStages(0, 0, 20, 100), linking(flag))
	member, other := p.inShareOf(release, 20, true, 1), p.inShareOf(release, 20, false, 1)
	p.awaitServed(member, is(release["updateUuid"]))
	p.awaitCommand(id, "pause", nil)
	e := p.awaitCommand(id, "cancel", object{"reason": "postponed"})
	require.Equal(t, []string{"started", "paused", "cancelled"}, happened(e))
	require.Equal(t, "postponed", e["reason"])
	p.awaitServed(member, isNot(release["updateUuid"]))
	require.Equal(t, stable["updateUuid"], p.gets(other[0], "production"))
	require.Equal(t, false, p.read(path("/v1/ota/updates/%d", release.id("id")))["isEnabled"])
	require.Empty(t, p.overriding("checkout"), "no device is served the release")
	state := followed(t, env, e["workflowId"])
	require.Equal(t, models.ExecutionCancelled, state.Status)
	p.do(request{method: http.MethodDelete, path: path("/v1/ota/rollout-policies/%d", e.id("policyId"))}).requireStatus(http.StatusNoContent)
	p.steer(id, "resume", nil).problem(http.StatusConflict, models.CodeInvalidTransition)
}
