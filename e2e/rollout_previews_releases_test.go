package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// Each preview of a change of a release has the effects that the call then has. Neither the preview nor a preview of a
// call that would wait for approvals changes anything.
func TestChangesOfReleasesArePreviewed(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	stable := p.release()
	newer := p.release()
	const devices = 12
	running, outside := map[string]any{}, p.inShareOf(newer, 25, false, devices)
	for _, d := range outside {
		running[d] = newer["updateUuid"]
	}
	p.run(outside, newer["updateUuid"], "app_launch")
	p.eventually(func() bool { return p.stream("production")["devices"] == float64(devices) })
	update := path("/v1/ota/updates/%d", newer.id("id"))
	before := p.told(running)

	// really previews a call, makes it, and returns both results.
	really := func(method, path, preview string, body any) (said, made object) {
		t.Helper()
		history := p.list("/v1/ota/audit-log")
		said = p.previews(body, "%s", preview)
		require.Equal(t, history, p.list("/v1/ota/audit-log"), "nothing has changed")
		r := request{method: method, path: path, body: body}
		if method == http.MethodDelete {
			r.body = nil
			require.Equal(t, http.StatusNoContent, p.do(r).status)
			return said, nil
		}
		response := p.do(r)
		require.Less(t, response.status, 300, response.body)
		return said, response.record(response.status)
	}
	moves := func(said object) {
		t.Helper()
		p.eventually(func() bool { return float64(moved(before, p.told(running))) == said["devicesAffected"] })
		before = p.told(running)
	}
	state := func(enabled bool, percentage float64) map[string]any {
		return map[string]any{"isEnabled": enabled, "rolloutPercentage": percentage}
	}

	said, _ := really(http.MethodPatch, update, update, object{"rolloutPercentage": 25})
	require.EqualValues(t, devices, said["devicesAffected"])
	require.Equal(t, state(true, 25), theOnly(t, said["releases"])["after"])
	moves(said)
	said, _ = really(http.MethodPatch, update, update, object{"isEnabled": false, "isCritical": true})
	require.EqualValues(t, 0, said["devicesAffected"], "these devices are outside the rollout")
	critical := state(false, 25)
	critical["isCritical"] = true
	require.Equal(t, critical, theOnly(t, said["releases"])["after"])
	moves(said)
	said, _ = really(http.MethodPatch, update, update, object{"isEnabled": true, "rolloutPercentage": 100})
	require.EqualValues(t, devices, said["devicesAffected"])
	moves(said)
	said, _ = really(http.MethodPatch, update, update, object{"releaseMessage": "other words"})
	require.Equal(t, []any{"Only release notes would change. Devices keep what they have."}, said["warnings"])

	said, _ = really(http.MethodDelete, update, update+"/delete", object{})
	require.EqualValues(t, devices, said["devicesAffected"])
	require.Nil(t, theOnly(t, said["releases"])["after"])
	moves(said)

	// A republish under a policy shows the rollout and its first stage.
	policy := p.create("/v1/ota/rollout-policies", p.inStages(3600, 0, 20, 100)).id("id")
	republish := path("/v1/ota/updates/%d/republish", stable.id("id"))
	body := object{"channels": []string{"production"}, "rolloutPolicyId": policy}
	said, made := really(http.MethodPost, republish, republish, body)
	published := theOnly(t, said["releases"])
	require.Equal(t, state(true, 20), published["after"])
	require.EqualValues(t, stable["id"], published["republishedFromId"])
	started := theOnly(t, said["executions"])
	require.Nil(t, started["before"])
	require.Nil(t, started["updateId"])
	execution := theOnly(t, made["updates"])["rolloutExecutionId"].(float64)
	p.awaitRollout(int64(execution), has("percentage", 20.0))

	// Publishing a build, and starting a rollout.
	build := p.build().id("id")
	publish := path("/v1/ota/builds/%d/publish", build)
	said, made = really(http.MethodPost, publish, publish, object{"channel": "production", "rolloutPercentage": 0})
	require.EqualValues(t, 0, said["devicesAffected"])
	start := object{"policyId": policy, "updateId": made["id"]}
	said, _ = really(http.MethodPost, "/v1/ota/rollout-executions", "/v1/ota/rollout-executions", start)
	require.Equal(t, state(true, 20), theOnly(t, said["releases"])["after"])
	require.EqualValues(t, made["id"], theOnly(t, said["executions"])["updateId"])

	// The previews warn of approvals, which are not requested.
	p.change(http.MethodPatch, "/v1/ota/channels/production", object{"isProtected": true, "requiredApprovals": 1}, "").record(http.StatusOK)
	said = p.previews(object{"channels": []string{"production"}}, "%s", republish)
	require.Contains(t, said["warnings"], "Channel production is protected. The call would wait for approvals (1 required).")
	said = p.previews(object{}, "/v1/ota/channels/production/delete")
	require.EqualValues(t, devices, said["devicesAffected"])
	require.Contains(t, said["warnings"], "Channel production would be deleted. Its devices keep what they run and do not get updates any more.")
	require.Empty(t, p.list("/v1/ota/approvals"))
}

// Promoting takes exactly the named releases, each for a platform or runtime version of its own.
func TestNamedReleasesAreRepublishedTogether(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	first, second := p.release(), p.release()
	policy := p.policy()
	republish := path("/v1/ota/updates/%d/republish", first.id("id"))
	call := func(body object) answer { return p.do(request{method: http.MethodPost, path: republish, body: body}) }
	ids := func(releases ...object) (ids []any) {
		for _, r := range releases {
			ids = append(ids, r["id"])
		}
		return ids
	}
	call(object{"updateIds": ids(second)}).problem(http.StatusBadRequest, models.CodeInvalid)
	call(object{"updateIds": ids(first, second)}).problem(http.StatusBadRequest, models.CodeInvalid)
	body := object{"channels": []string{"staging"}, "updateIds": ids(first), "rolloutPolicyId": policy}
	made := theOnly(t, call(body).record(http.StatusCreated)["updates"])
	require.Equal(t, first["id"], made["republishedFromId"])
	require.NotNil(t, made["rolloutExecutionId"])
}

// The preview of a change of a segment has the number of devices that enter or leave it, and the flags that use it.
func TestAChangeOfASegmentIsPreviewed(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	release := p.release()
	p.tells("a", "production", release["updateUuid"], "app_launch")
	p.tells("b", "staging", release["updateUuid"], "app_launch")
	on := func(channel string) object {
		return object{"conditions": []object{{"attribute": "channel", "operator": "eq", "valuesJson": []string{channel}}}}
	}
	segment := p.create("/v1/ota/segments", on("production").with("name", "Here").with("matchType", "all"))
	address := path("/v1/ota/segments/%d", segment.id("id"))
	said := p.previews(on("staging"), "%s", address)
	require.EqualValues(t, 0, said["devicesAffected"])
	require.Equal(t, []any{"No flag rule uses this segment, so devices do not notice the change."}, said["warnings"])

	flag := p.flag()
	p.create(path("/v1/ota/flags/%d/rules", flag.id("id")), object{
		"ruleType": "segment", "ruleConfig": object{"segmentKey": segment["key"]}, "variantValue": "true",
	})
	p.eventually(func() bool {
		said = p.previews(on("staging"), "%s", address)
		return said["devicesAffected"] == 2.0
	})
	require.Equal(t, flag["key"], theOnly(t, said["flags"])["flagKey"])
	require.Equal(t, []any{"Devices that would enter the segment: 1. Devices that would leave it: 1."}, said["warnings"])
	require.EqualValues(t, 0, p.previews(object{"name": "There"}, "%s", address)["devicesAffected"])
	require.Equal(t, segment["conditions"], p.do(at("%s", address).get()).record(http.StatusOK)["conditions"], "nothing has changed")
}
