package e2e

import (
	"net/http"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// previews returns the preview of a call, requested by a viewer, once it counts devices.
func (p *tenant) previews(body any, format string, args ...any) (said object) {
	p.t.Helper()
	r := to(body, format+"/preview", args...)
	r.key = p.keys[models.RoleViewer]
	p.eventually(func() bool { // a preview waits only briefly for ClickHouse to count devices
		said = p.do(r.by(http.MethodPost)).record(http.StatusOK)
		return said["devicesAffected"] != nil
	})
	return said
}

// told returns the update that each device is served, by the update that it runs; "" if it is not served an update.
func (p *tenant) told(running map[string]any) map[string]string {
	p.t.Helper()
	told := map[string]string{}
	for device, update := range running {
		told[device] = p.gets(device, "production")
		if told[device] == update {
			told[device] = ""
		}
	}
	return told
}

// moved counts the devices that are served something else than before.
func moved(before, after map[string]string) (n int) {
	for device, update := range before {
		if after[device] != update {
			n++
		}
	}
	return n
}

// The preview of a rollback contains the number of devices that it affects, the release that it publishes and the
// rollout that it ends. The rollback must then have exactly these effects.
func TestThePreviewOfARollbackSaysHowManyDevicesItMoves(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	stable := p.release()
	bad, execution := p.rollOut(p.inStages(0, 0, 20, 60, 100))
	p.awaitRollout(execution, has("percentage", 20.0))
	running := map[string]any{}
	report := func(devices []string, update any) {
		p.run(devices, update, "app_launch")
		for _, d := range devices {
			running[d] = update
		}
	}
	in, out := p.inShareOf(bad, 20, true, 3), p.inShareOf(bad, 60, false, 5)
	between := p.betweenShares(bad, 20, 60, 4)
	report(in, bad["updateUuid"])
	report(out, stable["updateUuid"])
	report(between, stable["updateUuid"])
	p.tells("old binary", "staging", nil, "app_launch")
	devices := len(in) + len(out) + len(between)
	p.eventually(func() bool { return p.stream("production")["devices"] == float64(devices) })

	// Advancing gives the release to the devices of the next stage, which do not have it yet.
	said := p.previews(nil, "/v1/ota/rollout-executions/%d/advance", execution)
	require.EqualValues(t, len(between), said["devicesAffected"])
	require.Equal(t, map[string]any{"status": "running", "stageIndex": 1.0, "percentage": 60.0}, theOnly(t, said["executions"])["after"])
	require.Equal(t, map[string]any{"isEnabled": true, "rolloutPercentage": 60.0}, theOnly(t, said["releases"])["after"])
	require.Equal(t, []any{}, said["warnings"])
	require.EqualValues(t, 0, p.previews(nil, "/v1/ota/rollout-executions/%d/pause", execution)["devicesAffected"])
	require.EqualValues(t, len(in), p.previews(nil, "/v1/ota/rollout-executions/%d/cancel", execution)["devicesAffected"])
	require.Equal(t, 20.0, p.rolloutNow(execution)["percentage"], "nothing has changed")
	before := p.told(running)
	e := p.awaitCommand(execution, "advance", nil)
	now := map[string]any{"status": e["status"], "stageIndex": e["stageIndex"], "percentage": e["percentage"]}
	require.Equal(t, now, theOnly(t, said["executions"])["after"])
	p.awaitServed(between, is(bad["updateUuid"]))
	require.Equal(t, len(between), moved(before, p.told(running)))

	// Preview and rollback of the channel.
	body := object{"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "rollbackToUpdateId": stable.id("id")}
	said = p.previews(body, "/v1/ota/rollback")
	updates := len(p.list("/v1/ota/updates"))
	before = p.told(running)
	republished := p.create("/v1/ota/rollback", body)
	p.awaitServed(append(slices.Clone(in), out...), is(republished["updateUuid"]))
	require.Equal(t, devices, moved(before, p.told(running)))
	require.EqualValues(t, devices, said["devicesAffected"])
	require.Len(t, p.list("/v1/ota/updates"), updates+1)
	releases := said["releases"].([]any)
	require.Len(t, releases, 2)
	require.Equal(t, bad["id"], releases[0].(map[string]any)["updateId"])
	require.Equal(t, map[string]any{"isEnabled": false, "rolloutPercentage": 60.0}, releases[0].(map[string]any)["after"])
	published := releases[1].(map[string]any)
	require.Nil(t, published["updateId"])
	require.Nil(t, published["before"])
	require.Equal(t, republished["republishedFromId"], published["republishedFromId"])
	ended := theOnly(t, said["executions"])
	require.Equal(t, "rolled_back", ended["after"].(map[string]any)["status"])
	require.Equal(t, "rolled_back", p.rolloutNow(execution)["status"])
	require.Equal(t, []any{"The rollout of " + bad.phrase() + " would be rolled back."}, said["warnings"])
}

// betweenShares returns n device IDs that enter the release's rollout when its percentage is raised.
func (p *tenant) betweenShares(release object, from, to float64, n int) (ids []string) {
	p.t.Helper()
	group, err := uuid.Parse(release["groupId"].(string))
	require.NoError(p.t, err)
	for len(ids) < n {
		id, salt := uuid.NewString(), models.ReleaseSalt(group)
		if rollout.InShare(salt, id, to) && !rollout.InShare(salt, id, from) {
			ids = append(ids, id)
		}
	}
	return ids
}

func theOnly(t *testing.T, list any) map[string]any {
	t.Helper()
	require.Len(t, list, 1)
	return list.([]any)[0].(map[string]any)
}

// A preview contains warnings for protected records, or the error that the call itself would get.
func TestPreviewsWarn(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	release := p.release()
	p.tells("a", "production", release["updateUuid"], "app_launch")
	p.eventually(func() bool { return p.stream("production")["devices"] == 1.0 })
	embedded := object{"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0"}
	said := p.previews(embedded, "/v1/ota/rollback")
	require.EqualValues(t, 1, said["devicesAffected"])
	require.Equal(t, []any{"iOS devices with runtime version 1.0.0 would return to the embedded update."}, said["warnings"])
	require.Equal(t, []any{}, said["neededApprovals"])

	said = p.previews(object{"minRuntimeVersion": "2.0.0"}, "/v1/ota/channels/production")
	require.EqualValues(t, 1, said["devicesAffected"], "the device is told to update in the app store")
	require.EqualValues(t, 0, p.previews(object{"isPaused": true}, "/v1/ota/channels/production")["devicesAffected"], "it has it already")
	require.Equal(t, []any{"This call would not change anything."}, p.previews(object{"isPaused": false}, "/v1/ota/channels/production")["warnings"])

	change := request{method: http.MethodPatch, path: "/v1/ota/channels/production", body: object{"isProtected": true, "requiredApprovals": 2}}
	p.do(change).record(http.StatusOK)
	said = p.previews(object{"branchName": "staging"}, "/v1/ota/channels/production")
	const waits = "Channel production is protected. The call would wait for approvals (2 required)."
	require.Contains(t, said["warnings"], waits)
	require.Equal(t, []any{map[string]any{"channels": []any{"production"}, "required": 2.0, "warning": waits}}, said["neededApprovals"])
	require.EqualValues(t, 0, said["devicesAffected"], "staging has no release")
	require.Empty(t, p.list("/v1/ota/approvals"))

	for _, call := range []request{
		to(object{"branchName": "nowhere"}, "/v1/ota/channels/production").by(http.MethodPatch),
		to(object{"rolloutPercentage": 10}, "/v1/ota/channels/production").by(http.MethodPatch),
		to(embedded.with("rollbackToUpdateId", 1), "/v1/ota/rollback").by(http.MethodPost),
	} {
		really := p.do(call)
		call.method, call.path = http.MethodPost, call.path+"/preview"
		previewed := p.do(call)
		require.GreaterOrEqual(t, really.status, http.StatusBadRequest)
		require.Equal(t, really.status, previewed.status)
		a, b := really.record(really.status), previewed.record(previewed.status)
		require.Equal(t, a["detail"], b["detail"])
		require.Equal(t, a["errors"], b["errors"])
	}
}

// The preview of an emergency stop names the rollouts that it pauses, and counts the devices that are then served
// nothing. The preview of its end names the rollouts that continue.
func TestAnEmergencyStopIsPreviewed(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	stable := p.release()
	bad, execution := p.rollOut(p.inStages(0, 0, 20, 100))
	p.awaitRollout(execution, has("percentage", 20.0))
	p.tells(p.inShareOf(bad, 20, false, 1)[0], "production", stable["updateUuid"], "app_launch") // this device runs what it gets
	p.tells("new here", "production", nil, "app_launch")
	p.eventually(func() bool { return p.stream("production")["devices"] == 2.0 })
	const stop, resume = "/v1/ota/emergency-stop", "/v1/ota/emergency-stop/resume"
	status := func(said object) any { return theOnly(t, said["executions"])["after"].(map[string]any)["status"] }

	said := p.previews(object{"reason": "it hurts"}, stop)
	require.EqualValues(t, 1, said["devicesAffected"])
	require.Equal(t, "paused", status(said))
	require.Equal(t, []any{}, said["warnings"])
	channels := func(before, after bool) (both []any) {
		for _, name := range []string{"production", "staging"} {
			states := map[string]any{"before": map[string]any{"isPaused": before}, "after": map[string]any{"isPaused": after}, "name": name}
			both = append(both, states)
		}
		return both
	}
	require.Equal(t, channels(false, true), said["channels"])
	require.Equal(t, false, p.do(at(stop).get()).record(http.StatusOK)["active"], "nothing has changed")
	p.do(at(resume+"/preview").by(http.MethodPost)).problem(http.StatusNotFound, models.CodeNotFound)

	p.stop("it hurts")
	require.Equal(t, []any{"This call would not change anything."}, p.previews(object{"reason": "again"}, stop)["warnings"])
	said = p.previews(nil, resume)
	require.EqualValues(t, 1, said["devicesAffected"])
	require.Equal(t, "running", status(said))
	require.Equal(t, channels(true, false), said["channels"])
	require.Equal(t, "paused", p.rolloutNow(execution)["status"])

	// The preview warns about required approvals, but is not refused because of them.
	p.change(http.MethodPatch, "/v1/ota/channels/production", object{"isProtected": true, "requiredApprovals": 1}, "").record(http.StatusOK)
	require.Contains(t, p.previews(nil, resume)["warnings"],
		"Channel production is protected. The call would wait for approvals (1 required).")
}
