package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// saved sends a whole flag with its current ETag, and returns the response.
func (p *tenant) saved(id int64, changed object) answer {
	p.t.Helper()
	etag := p.do(at("/v1/ota/flags/%d", id).by(http.MethodGet)).header.Get("ETag")
	return p.do(to(p.whole(id, changed), "/v1/ota/flags/%d", id).by(http.MethodPut).with("If-Match", etag))
}

func listOf(value any) (all []object) {
	for _, each := range value.([]any) {
		all = append(all, each.(map[string]any))
	}
	return all
}

// A flag with new, changed, moved and deleted rules is saved in one step.
func TestAFlagIsSavedInOneStep(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	id := p.flag().id("id")
	ruleFor := func(user string) object {
		return object{"ruleType": "user_list", "ruleConfig": object{"userIds": []string{user}}, "variantValue": "true"}
	}
	gone, kept := p.create(path("/v1/ota/flags/%d/rules", id), ruleFor("ann")), p.create(path("/v1/ota/flags/%d/rules", id), ruleFor("bob"))
	p.do(to(object{"enabled": false}, "/v1/ota/flags/%d/env/staging", id).by(http.MethodPatch)).record(200)
	version, entries := p.version(), len(p.list("/v1/ota/audit-log?limit=200"))

	// A flag that is saved as it was read does not change.
	etag := p.do(at("/v1/ota/flags/%d", id).by(http.MethodGet)).header.Get("ETag")
	same := p.saved(id, nil)
	same.record(200)
	require.Equal(t, etag, same.header.Get("ETag"))
	require.Equal(t, version, p.version())
	require.Len(t, p.list("/v1/ota/audit-log?limit=200"), entries)

	split := object{"ruleType": "percentage_rollout", "ruleConfig": object{"rollout": []object{{"variantValue": "maybe", "weight": 10}}}}
	saved := p.saved(id, object{
		"name": "Checkout", "description": "new", "enabled": false,
		"variations":   []object{{"name": "On", "value": "true"}, {"name": "Off", "value": "false"}},
		"rules":        []object{split.with("ruleConfig", object{"rollout": []object{{"variantValue": "true", "weight": 10}}}), ruleFor("cleo").with("id", kept["id"])},
		"environments": []object{{"channelName": "production", "enabled": true}},
	})
	after := saved.record(200)
	require.NotEqual(t, etag, saved.header.Get("ETag"))
	require.Equal(t, saved.header.Get("ETag"), p.do(at("/v1/ota/flags/%d", id).by(http.MethodGet)).header.Get("ETag"))
	require.Equal(t, version+1, p.version(), "one snapshot")
	log := p.list("/v1/ota/audit-log?limit=200")
	require.Len(t, log, entries+1, "one audit entry")
	require.Equal(t, "flag.updated", log[0]["action"])
	require.Equal(t, map[string]any{"true": "On"}, log[0]["details"].(map[string]any)["variationNames"])
	changes := object(log[0]["details"].(map[string]any)["changes"].(map[string]any))
	require.Equal(t, map[string]any{"before": true, "after": false}, changes["enabled"])
	require.ElementsMatch(t, []string{"name", "description", "enabled", "rules", "ruleOrder", "environments"}, keysOf(changes))

	require.Equal(t, "Checkout", after["name"])
	require.Equal(t, false, after["enabled"])
	rules := listOf(after["rules"])
	require.Len(t, rules, 2)
	require.Equal(t, "percentage_rollout", rules[0]["ruleType"])
	require.Equal(t, kept["id"], rules[1]["id"])
	require.EqualValues(t, []any{0.0, 1.0}, []any{rules[0]["priority"], rules[1]["priority"]})
	require.NotContains(t, []any{rules[0]["id"], rules[1]["id"]}, gone["id"])
	for _, e := range listOf(after["environments"]) {
		own := e["channelName"] == "production"
		require.Equal(t, own, !e["isEnabledInherited"].(bool), "channels that are not listed follow the flag")
		require.Equal(t, own, e["enabled"])
	}

	// A refused save does not change the flag, however late the problem is found.
	refused := p.saved(id, object{"name": "Other", "rules": []object{ruleFor("dan"), {
		"ruleType": "segment", "ruleConfig": object{"segmentKey": "nowhere"}, "variantValue": "true",
	}}})
	refused.problem(404, models.CodeNotFound)
	require.Equal(t, after, p.read(path("/v1/ota/flags/%d", id)))
	wrong := p.saved(id, object{"rules": []object{rules[0], ruleFor("eve").with("variantValue", "maybe")}})
	require.Contains(t, wrong.problem(400, models.CodeInvalid)["detail"], "rules[1].variantValue")

	// Without the current ETag, the flag is not replaced.
	put := to(p.whole(id, object{"name": "Third"}), "/v1/ota/flags/%d", id).by(http.MethodPut)
	p.do(put).problem(428, models.CodePreconditionNeeded)
	p.do(put.with("If-Match", etag)).problem(412, models.CodePreconditionFailed)
	require.Equal(t, "Checkout", p.read(path("/v1/ota/flags/%d", id))["name"])
}

func keysOf(o object) (keys []string) {
	for key := range o {
		keys = append(keys, key)
	}
	return keys
}

// Saving may swap the values of variations and replace a variation that a rule used.
func TestASavedFlagMayReplaceItsVariations(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	flag := p.create("/v1/ota/flags", object{"name": "Color", "flagType": "string", "defaultValue": "red", "variations": []object{
		{"name": "A", "value": "red"}, {"name": "B", "value": "blue"}, {"name": "C", "value": "green"},
	}})
	id := flag.id("id")
	p.create(path("/v1/ota/flags/%d/rules", id), object{
		"ruleType": "user_list", "ruleConfig": object{"userIds": []string{"ann"}}, "variantValue": "green",
	})
	rule := listOf(p.read(path("/v1/ota/flags/%d", id))["rules"])[0]
	after := p.saved(id, object{
		"defaultValue": "blue",
		"variations": []object{
			{"id": flag.variation(0).id("id"), "name": "A", "value": "blue"}, {"id": flag.variation(1).id("id"), "name": "B", "value": "red"},
			{"name": "D", "value": "black"},
		},
		"rules": []object{rule.with("variantValue", "black")},
	}).record(200)
	require.Equal(t, "blue", after["defaultValue"])
	require.Equal(t, flag.variation(0)["id"], after.variation(0)["id"])
	require.Equal(t, "black", listOf(after["rules"])[0]["variantValue"])
	require.Equal(t, rule["id"], listOf(after["rules"])[0]["id"])
	require.Len(t, after["variations"], 3)
}

// Saving waits for one approval, which becomes stale if the flag changes. Turning the flag off does not wait.
func TestASavedFlagWaitsForOneApproval(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	author, colleague := p.person(models.RoleEditor), p.person(models.RoleEditor)
	id := p.flag().id("id")
	p.protect("production", 1)
	change := object{
		"name": "Other", "defaultValue": true, "variations": []object{{"name": "On", "value": "true"}, {"name": "Off", "value": "false"}},
		"rules": []object{
			{"ruleType": "user_list", "ruleConfig": object{"userIds": []string{"ann"}}, "variantValue": "false"},
			{"ruleType": "percentage_rollout", "ruleConfig": object{"rollout": []object{{"variantValue": "false", "weight": 10}}}},
		},
		"environments": []object{{"channelName": "production", "enabled": true}},
	}
	save := to(p.whole(id, change), "/v1/ota/flags/%d", id).by(http.MethodPut).with("If-Match", "*").in(author.session)
	asked := p.pending(save)
	require.Equal(t, "flag.save", asked["action"])
	for _, part := range []string{`the default value from "false" to "true"`, `of the users "ann" get false`, "false for 10%"} {
		require.Contains(t, asked["summary"], part)
	}
	require.Equal(t, asked["id"], p.pending(save)["id"], "the same call waits once")
	require.Len(t, p.list("/v1/ota/approvals?status=pending"), 1)
	require.Equal(t, false, p.read(path("/v1/ota/flags/%d", id))["defaultValue"])
	entries, version := p.list("/v1/ota/audit-log?limit=200"), p.version()

	// The flag may be turned off and renamed without an approval.
	p.saved(id, object{"enabled": false, "name": "Renamed"}).record(200)
	require.Len(t, p.list("/v1/ota/audit-log?limit=200"), len(entries)+1)
	require.Equal(t, version+1, p.version())
	require.Equal(t, http.StatusConflict, p.verdict(asked.id("id"), "approve", colleague).status, "the flag is another one now")

	save.body = p.whole(id, change)
	p.carriedOut(p.pending(save).id("id"), colleague)
	after := p.read(path("/v1/ota/flags/%d", id))
	require.Equal(t, true, after["defaultValue"])
	require.Len(t, after["rules"], 2)
	require.Equal(t, "flag.updated", p.list("/v1/ota/audit-log?limit=2")[1]["action"])
}

// A preview counts the devices that get another value, and does not change the flag. Attributes of devices are suggested.
func TestSavingAFlagIsPreviewed(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	id := p.flag().id("id")
	preview := func(changed object) object {
		call := to(p.whole(id, changed), "/v1/ota/flags/%d/preview", id).by(http.MethodPost)
		call.key = p.keys[models.RoleViewer]
		return p.do(call).record(200)
	}
	none := preview(object{"defaultValue": true})
	require.Nil(t, none["devicesAffected"], "no device is known")
	require.Len(t, none["warnings"], 1)

	p.known()
	for device, platform := range map[string]string{"a": "ios", "b": "ios", "c": "android"} {
		p.do(request{method: http.MethodPost, path: "/v1/ota/flag-evaluations-bulk", body: object{
			"projectSlug": p.slug, "channel": "production", "deviceId": device, "platform": platform, "runtimeVersion": "2.1.0",
			"attributes": object{"plan": "pro", "age": 41},
		}}).record(200)
	}
	p.eventually(func() bool { return len(p.list("/v1/ota/contexts")) == 3 })
	suggested := map[any]any{}
	for _, a := range p.list("/v1/ota/contexts/attributes") {
		suggested[a["name"]] = a["values"]
	}
	require.Equal(t, map[any]any{
		"platform": []any{"ios", "android"}, "plan": []any{"pro"}, "age": []any{41.0}, "channel": []any{"production"}, "runtimeVersion": []any{"2.1.0"},
	}, suggested)

	version, entries := p.version(), len(p.list("/v1/ota/audit-log?limit=200"))
	ios := object{"ruleType": "attribute", "variantValue": "true", "ruleConfig": object{"conditions": []object{
		{"attribute": "platform", "operator": "eq", "values": []string{"ios"}}, {"attribute": "runtimeVersion", "operator": "semver_gte", "values": []string{"2"}},
	}}}
	said := preview(object{"rules": []object{ios}})
	require.EqualValues(t, 2, said["devicesAffected"])
	require.Equal(t, map[string]any{"from": false, "to": true, "fromVariant": "Off", "toVariant": "On", "devices": 2.0}, theOnly(t, said["moves"]))
	require.Equal(t, []any{}, said["warnings"])
	require.EqualValues(t, 0, preview(object{"rules": []object{ios}, "environments": []object{{"channelName": "production", "enabled": false}}})["devicesAffected"])
	require.Equal(t, []any{"This call would not change anything."}, preview(nil)["warnings"])
	require.Equal(t, version, p.version())
	require.Len(t, p.list("/v1/ota/audit-log?limit=200"), entries)

	p.protect("production", 1)
	require.Contains(t, preview(object{"rules": []object{ios}})["warnings"], "Channel production is protected. The call would wait for approvals (1 required).")
}
