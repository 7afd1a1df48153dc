package e2e

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// teamOf returns a team that is in the first 20% of the flag colour, or not.
func teamOf(in bool) string {
	for i := 0; ; i++ {
		if team := fmt.Sprint("team-", i); rollout.InShare("flag:colour", team, 20) == in {
			return team
		}
	}
}

// 20% of iOS on version 2 or later get blue: a rule with conditions ends in a split, and every way to evaluate says the same.
func TestAShareOfTheDevicesThatMatch(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	flag := p.create("/v1/ota/flags", object{
		"key": "colour", "flagType": "string", "defaultValue": "red",
		"variations": []object{{"name": "Red", "value": "red"}, {"name": "Blue", "value": "blue"}, {"name": "Green", "value": "green"}},
	})
	id := flag.id("id")
	config := object{
		"conditions": []object{
			{"attribute": "platform", "operator": "eq", "values": []string{"ios"}},
			{"attribute": "runtimeVersion", "operator": "semver_gte", "values": []string{"2"}},
		},
		"rollout": []object{{"variantValue": "blue", "weight": 20}}, "bucketBy": "team",
	}
	rule := p.create(path("/v1/ota/flags/%d/rules", id), object{"ruleType": "attribute", "ruleConfig": config})
	require.Nil(t, rule["variantValue"])
	at := path("/v1/ota/flags/%d/rules/%d", id, rule.id("id"))
	both := object{"ruleType": "attribute", "ruleConfig": config, "variantValue": "green"}
	p.do(request{method: http.MethodPost, path: path("/v1/ota/flags/%d/rules", id), body: both}).problem(http.StatusBadRequest, models.CodeInvalid)
	p.do(request{method: http.MethodPatch, path: at, body: both}).problem(http.StatusBadRequest, models.CodeInvalid)
	p.create(path("/v1/ota/flags/%d/rules", id), object{"ruleType": "user_list", "ruleConfig": object{"userIds": "ada"}, "variantValue": "green"})
	p.settle(id)

	key := p.key(models.RoleClient)
	requireOutcome := func(context object, value, variant, reason string, matched bool) {
		t.Helper()
		want := map[string]any{"value": value, "variant": variant, "reason": reason}
		device := object{"deviceId": p.name(), "attributes": object{"team": context["team"]}} // each device is counted once
		for _, field := range []string{"targetingKey", "platform", "runtimeVersion"} {
			device[field] = context[field]
		}
		require.Equal(t, want, p.bulk(device)["colour"])
		single := p.ofrep(key, "colour", context).record(http.StatusOK)
		delete(single, "key")
		require.EqualValues(t, want, single)
		explained := p.do(request{method: http.MethodPost, path: path("/v1/ota/flags/%d/explain", id), body: object{"context": context}}).record(http.StatusOK)
		require.Equal(t, reason, explained["reason"])
		why := explained["rules"].([]any)[0].(map[string]any)
		require.Equal(t, "attribute", why["ruleType"])
		require.Equal(t, matched, why["matched"])
		require.Len(t, why["conditions"], 2)
	}
	context := func(team, version string) object {
		return object{"targetingKey": "ada", "platform": "ios", "runtimeVersion": version, "team": team}
	}
	inside, outside := teamOf(true), teamOf(false)
	requireOutcome(context(inside, "2.1.0"), "blue", "Blue", "SPLIT", true)
	requireOutcome(context(outside, "2.1.0"), "green", "Green", "TARGETING_MATCH", false)
	requireOutcome(context(inside, "1.9.0"), "green", "Green", "TARGETING_MATCH", false)

	definitions := p.do(request{method: http.MethodGet, path: "/v1/ota/flag-definitions/" + p.slug}).record(http.StatusOK)
	defined := definitions["flags"].([]any)[0].(map[string]any)["rules"].([]any)[0].(map[string]any)
	require.Equal(t, "split", defined["ruleType"])
	require.NotContains(t, defined, "variantValue")
	require.Equal(t, "attribute", defined["ruleConfig"].(map[string]any)["when"].(map[string]any)["ruleType"])

	// A single value replaces the split.
	changed := p.do(request{method: http.MethodPatch, path: at, body: object{"variantValue": "red"}}).record(http.StatusOK)
	require.Equal(t, "red", changed["variantValue"])
	require.NotContains(t, changed["ruleConfig"], "rollout")
	p.settle(id)
	requireOutcome(context(inside, "2.1.0"), "red", "Red", "TARGETING_MATCH", true)

	// Each variation that devices got is counted.
	eventually(t, func() bool {
		counts := p.do(request{method: http.MethodGet, path: path("/v1/ota/flags/%d/evaluations", id)}).record(http.StatusOK)
		counted := 0
		for _, v := range counts["variations"].([]any) {
			if v.(map[string]any)["count"].(float64) > 0 {
				counted++
			}
		}
		return counted == 3
	})
}
