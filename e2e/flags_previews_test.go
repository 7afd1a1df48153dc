package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// preview returns the preview of a call, requested by a viewer.
func (p *tenant) preview(body any, format string, args ...any) object {
	p.t.Helper()
	version, entries := p.version(), len(p.list("/v1/ota/audit-log?limit=200"))
	call := to(body, format+"/preview", args...).by(http.MethodPost)
	call.key = p.keys[models.RoleViewer]
	said := p.do(call).record(http.StatusOK)
	require.Equal(p.t, version, p.version())
	require.Len(p.t, p.list("/v1/ota/audit-log?limit=200"), entries)
	return said
}

const wouldWait = "Channel production is protected. The call would wait for approvals (1 required)."

// The previews of a change on one channel, of a copy to another channel and of a deletion have the effects that the calls then have.
func TestFurtherChangesOfFlagsArePreviewed(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	p.known()
	flag := p.create("/v1/ota/flags", p.flagBody().with("defaultValue", true))
	id, key := flag.id("id"), flag["key"].(string)
	p.settle(id)
	devices := map[string]string{"a": "production", "b": "production", "c": "staging"}
	value := func(device string) any {
		evaluated := p.do(request{method: http.MethodPost, path: "/v1/ota/flag-evaluations-bulk", body: object{
			"projectSlug": p.slug, "channel": devices[device], "deviceId": device, "platform": "ios", "runtimeVersion": "1.0.0",
		}}).record(200)["flags"].(map[string]any)[key]
		if evaluated == nil {
			return nil
		}
		return evaluated.(map[string]any)["value"]
	}
	values := func() map[string]any {
		p.settle(id)
		all := map[string]any{}
		for device := range devices {
			all[device] = value(device)
		}
		return all
	}
	before := values()
	require.Equal(t, map[string]any{"a": true, "b": true, "c": true}, before)
	p.eventually(func() bool { return len(p.list("/v1/ota/contexts")) == len(devices) })

	// really previews a call, makes it, and compares the moves with the values that devices then get.
	really := func(method, address string, body object, devices int) {
		t.Helper()
		said := p.preview(body, "%s", address)
		require.EqualValues(t, devices, said["devicesAffected"], said)
		p.do(to(body, "%s", address).by(method)).record(http.StatusOK)
		after, moved := values(), 0
		for device := range after {
			if after[device] != before[device] {
				moved++
			}
		}
		require.Equal(t, devices, moved)
		before = after
	}
	onStaging := path("/v1/ota/flags/%d/env/staging", id)
	really(http.MethodPatch, onStaging, object{"defaultValue": false}, 1)
	require.Equal(t, []any{"This call would not change anything."}, p.preview(object{"defaultValue": false}, "%s", onStaging)["warnings"])
	toProduction := object{"fromChannel": "staging", "toChannel": "production"}
	really(http.MethodPost, path("/v1/ota/flags/%d/copy", id), toProduction, 2)

	// Two devices report the flag, and the third does not.
	for _, device := range []string{"a", "c"} {
		a := p.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: object{
			"projectSlug": p.slug, "deviceId": device, "channel": devices[device], "platform": "ios", "runtimeVersion": "1.0.0",
			"events": []object{{"type": "custom", "name": "opened", "count": 1, "flagStates": object{key: false}}},
		}}.with("Authorization", ""))
		a.requireStatus(http.StatusNoContent)
	}
	remove := path("/v1/ota/flags/%d/delete", id)
	var said object
	p.eventually(func() bool {
		said = p.preview(object{}, "%s", remove)
		return said["devicesAffected"] == 2.0
	})
	require.Len(t, said["warnings"], 1)
	require.Contains(t, said["warnings"].([]any)[0], "Apps that still ask for it would get the default value in their code.")
	unused := p.preview(object{}, "/v1/ota/flags/%d/delete", p.flag().id("id"))
	require.EqualValues(t, 0, unused["devicesAffected"])
	require.Equal(t, []any{"The flag was not evaluated in the last 7 days."}, unused["warnings"])

	p.protect("production", 1)
	for _, warned := range []object{
		p.preview(object{}, "%s", remove), p.preview(object{"defaultValue": true}, "/v1/ota/flags/%d/env/production", id),
	} {
		require.Contains(t, warned["warnings"], wouldWait)
	}
	p.do(to(object{"isProtected": false}, "/v1/ota/channels/production").by(http.MethodPatch)).record(http.StatusOK)
	p.do(at("/v1/ota/flags/%d", id).by(http.MethodDelete)).requireStatus(http.StatusNoContent)
	p.eventually(func() bool { return value("a") == nil })
}

// The preview of a new flag counts the devices that would get its value, and does not create the flag.
func TestCreatingAFlagIsPreviewed(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	p.known()
	p.settle(p.flag().id("id")) // contexts are recorded in a project with flags
	evaluate := func(device string) object {
		return p.do(request{method: http.MethodPost, path: "/v1/ota/flag-evaluations-bulk", body: object{
			"projectSlug": p.slug, "channel": "production", "deviceId": device, "platform": "ios", "runtimeVersion": "1.0.0",
		}}).record(200)
	}
	for _, device := range []string{"a", "b"} {
		evaluate(device)
	}
	p.eventually(func() bool { return len(p.list("/v1/ota/contexts")) == 2 })
	body := p.flagBody().with("defaultValue", true)
	said := p.preview(body, "/v1/ota/flags")
	require.EqualValues(t, 2, said["devicesAffected"])
	require.Equal(t, map[string]any{"from": nil, "to": true, "toVariant": "On", "devices": 2.0}, theOnly(t, said["moves"]))
	require.Equal(t, []any{}, said["warnings"])
	require.Len(t, p.list("/v1/ota/flags"), 1)

	flag := p.create("/v1/ota/flags", body)
	p.settle(flag.id("id"))
	require.Equal(t, true, evaluate("a")["flags"].(map[string]any)[flag["key"].(string)].(map[string]any)["value"])
	p.protect("production", 1)
	waits := p.preview(p.flagBody(), "/v1/ota/flags")
	require.Contains(t, waits["warnings"], wouldWait)
	require.Len(t, waits["neededApprovals"], 1)
}

// The preview of a user override names the releases that the user's devices then get.
func TestUserOverridesArePreviewed(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	p.known()
	usual := p.release()
	onStaging := func(notes string) object {
		return p.create(path("/v1/ota/builds/%d/publish", p.build().id("id")), object{"channel": "staging", "releaseMessage": notes})
	}
	onStaging("older")
	newer := onStaging("newer")
	served := func(user string) any {
		a := p.do(at("/v1/ota/manifest/%s?channel=production", p.slug).with("Expo-Platform", "ios").with("Authorization", "").
			with("Expo-Runtime-Version", "1.0.0").with("Eas-Client-Id", "d1").with("Accept", "application/expo+json").
			with("client-user-id", user).get())
		if a.status != http.StatusOK {
			return nil
		}
		return a.record(http.StatusOK)["id"]
	}
	p.eventually(func() bool { return served("ada") == usual["updateUuid"] })

	body := object{"userId": "ada", "branchName": "staging"}
	said := p.preview(body, "/v1/ota/user-overrides")
	require.Nil(t, said["devicesAffected"])
	require.Equal(t, []any{
		`The devices of user "ada" would get the releases of branch staging on every channel. Waft cannot count them, ` +
			`because it does not know the devices of a user.`,
		"iOS, runtime version 1.0.0: " + newer.phrase() + ".",
	}, said["warnings"])
	require.Empty(t, p.list("/v1/ota/user-overrides"))
	override := p.create("/v1/ota/user-overrides", body)
	p.eventually(func() bool { return served("ada") == newer["updateUuid"] })

	said = p.preview(object{}, "/v1/ota/user-overrides/%d/delete", override.id("id"))
	require.Len(t, said["warnings"], 1)
	require.Contains(t, said["warnings"].([]any)[0], "would get the releases of their channels again, instead of branch staging.")
	require.Len(t, p.list("/v1/ota/user-overrides"), 1)
	p.protect("production", 1)
	require.Contains(t, p.preview(object{}, "/v1/ota/user-overrides/%d/delete", override.id("id"))["warnings"], wouldWait)
	require.Contains(t, p.preview(body.with("userId", "bob"), "/v1/ota/user-overrides")["warnings"], wouldWait)
	require.Empty(t, p.list("/v1/ota/approvals"))
	p.do(to(object{"isProtected": false}, "/v1/ota/channels/production").by(http.MethodPatch)).record(http.StatusOK)
	p.do(at("/v1/ota/user-overrides/%d", override.id("id")).by(http.MethodDelete)).requireStatus(http.StatusNoContent)
	p.eventually(func() bool { return served("ada") == usual["updateUuid"] })
}
