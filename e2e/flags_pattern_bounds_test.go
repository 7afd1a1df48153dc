package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// costlyPattern is a pattern of less than a kilobyte that would compile to 100,000 instructions.
var costlyPattern = strings.Repeat(".{0,1000}", 100)

// matching returns a rule that turns a flag on if the attribute "text" matches one of the patterns.
func matching(patterns ...string) object {
	return object{"ruleType": "attribute", "variantValue": "true", "ruleConfig": object{"conditions": []object{
		{"attribute": "text", "operator": "matches", "values": patterns},
	}}}
}

// A pattern that would cost every process megabytes is refused in every request that contains it. The error names the
// field and how to fix it.
func TestACostlyPatternIsRefused(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	flag := p.create("/v1/ota/flags", object{"key": "plain", "flagType": "boolean", "defaultValue": false}).id("id")
	segment := object{"name": "Costly", "matchType": "all", "conditions": []object{
		{"attribute": "platform", "operator": "matches", "valuesJson": []string{"^ios$", costlyPattern}},
	}}
	for name, c := range map[string]struct {
		path  string
		body  object
		field string
	}{
		"a rule":                    {path("/v1/ota/flags/%d/rules", flag), matching(costlyPattern), "ruleConfig.conditions[0].values[0]"},
		"a segment":                 {"/v1/ota/segments", segment, "conditions[0].valuesJson[1]"},
		"the estimate of a segment": {"/v1/ota/segments/estimate", object{"matchType": "all", "conditions": segment["conditions"]}, "conditions[0].valuesJson[1]"},
	} {
		problem := p.do(request{method: http.MethodPost, path: c.path, body: c.body}).problem(http.StatusBadRequest, models.CodeInvalid)
		field := problem["errors"].([]any)[0].(map[string]any)
		require.Equal(t, c.field, field["field"], name)
		require.Contains(t, field["message"], "at most 2000 instructions", name)
		require.Contains(t, field["message"], "shorten its repetitions", name)
	}
}

// All patterns of a project share one limit. A pattern that is used twice counts once.
func TestAProjectsPatternsHaveABound(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	flag := p.create("/v1/ota/flags", object{"key": "plain", "flagType": "boolean", "defaultValue": false}).id("id")
	add := func(pattern string) answer {
		return p.do(request{method: http.MethodPost, path: path("/v1/ota/flags/%d/rules", flag), body: matching(pattern)})
	}
	large := func(i int) string { return fmt.Sprintf("^%02d.{950}.{950}$", i) }
	for i := range 10 {
		add(large(i)).record(http.StatusCreated)
	}
	add(large(0)).record(http.StatusCreated)
	problem := add(large(10)).problem(http.StatusConflict, models.CodeQuotaExceeded)
	require.Contains(t, problem["detail"], "20000 instructions")
	require.Contains(t, problem["detail"], "ruleConfig.conditions")
	segment := object{"name": "One more", "matchType": "all", "conditions": []object{
		{"attribute": "text", "operator": "matches", "valuesJson": []string{large(11)}},
	}}
	p.do(request{method: http.MethodPost, path: "/v1/ota/segments", body: segment}).problem(http.StatusConflict, models.CodeQuotaExceeded)
	add("^small$").record(http.StatusCreated)
}

// A flag whose rules take too many steps has its default with reason ERROR in every kind of evaluation, and explain
// gives the reason. The rules of other flags are evaluated as usual.
func TestACostlyEvaluationHasTheDefault(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	var last, keyed int64
	for key, pattern := range map[string]string{"costly": "^(?:x?){400}x{400}$", "plain": "^x"} {
		last = p.create("/v1/ota/flags", object{"key": key, "flagType": "boolean", "defaultValue": false}).id("id")
		p.create(path("/v1/ota/flags/%d/rules", last), matching(pattern))
	}
	p.settle(last)
	text := strings.Repeat("x", 800)
	failed := map[string]any{"value": false, "variant": "Off", "reason": "ERROR"}
	bulk := p.bulk(object{"deviceId": "d1", "attributes": object{"text": text}})
	require.Equal(t, failed, bulk["costly"])
	require.Equal(t, map[string]any{"value": true, "variant": "On", "reason": "TARGETING_MATCH"}, bulk["plain"])
	short := p.bulk(object{"deviceId": "d1", "attributes": object{"text": strings.Repeat("x", 400)}})
	require.Equal(t, "TARGETING_MATCH", short["costly"].(map[string]any)["reason"], "500 bytes take few enough steps")

	key := p.key(models.RoleClient)
	one := p.ofrep(key, "costly", object{"targetingKey": "u1", "text": text}).record(http.StatusOK)
	require.Equal(t, "ERROR", one["reason"])
	require.Equal(t, false, one["value"])
	for _, f := range p.ofrep(key, "", object{"targetingKey": "u1", "text": text}).record(http.StatusOK)["flags"].([]any) {
		f := f.(map[string]any)
		require.Equal(t, f["key"] == "costly", f["reason"] == "ERROR", f["key"])
	}
	for key, patterns := range map[string][]string{"costly-key": {"^(?:x?){400}x{400}$", "^(?:x?){400}x{401}$"}, "plain-key": {"^x"}} {
		keyed = p.create("/v1/ota/flags", object{"key": key, "flagType": "boolean", "defaultValue": false}).id("id")
		p.create(path("/v1/ota/flags/%d/rules", keyed), object{
			"ruleType": "attribute", "variantValue": "true", "ruleConfig": object{"conditions": []object{
				{"attribute": "targetingKey", "operator": "matches", "values": patterns},
			}},
		})
	}
	p.settle(keyed)
	event, put := p.followFlags("d1", "&targetingKey="+strings.Repeat("x", 256)).next()
	require.Equal(t, "put", event)
	require.Equal(t, failed, put["flags"].(map[string]any)["costly-key"])
	require.Equal(t, "TARGETING_MATCH", put["flags"].(map[string]any)["plain-key"].(map[string]any)["reason"])

	explain := p.do(request{method: http.MethodPost, path: "/v1/ota/flags/explain", body: object{"context": object{"text": text}}})
	told := explain.list()[0]
	require.Equal(t, "costly", told["flagKey"])
	require.Equal(t, "ERROR", told["reason"])
	require.Contains(t, told["detail"], "need more steps")

	// An attribute above a kilobyte never matches a pattern, and explain gives that reason.
	long := strings.Repeat("x", 1025)
	require.Equal(t, "DEFAULT", p.bulk(object{"deviceId": "d1", "attributes": object{"text": long}})["plain"].(map[string]any)["reason"])
	told = p.do(request{method: http.MethodPost, path: path("/v1/ota/flags/%d/explain", last), body: object{"context": object{"text": long}}}).
		record(http.StatusOK)
	condition := told["rules"].([]any)[0].(map[string]any)["conditions"].([]any)[0].(map[string]any)
	require.Contains(t, condition["note"], "longer than 1024 bytes, and the attribute has 1025")
}

// A pattern that was stored before the limits existed stays in its record, with a note that it never matches. The
// rule's other fields can be changed. Clients that evaluate locally do not get the pattern.
func TestAStoredCostlyPatternNeverMatches(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	flag := p.create("/v1/ota/flags", object{"key": "old", "flagType": "boolean", "defaultValue": false}).id("id")
	rule := p.create(path("/v1/ota/flags/%d/rules", flag), matching("^placeholder$", "^fine$")).id("id")
	db, err := pgx.Connect(t.Context(), p.databaseURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close(context.WithoutCancel(t.Context())) })
	_, err = db.Exec(t.Context(), "UPDATE flag_rules SET rule_config = replace(rule_config::text, '^placeholder$', $2)::jsonb WHERE id = $1",
		rule, costlyPattern)
	require.NoError(t, err)

	rulePath := path("/v1/ota/flags/%d/rules/%d", flag, rule)
	changed := p.do(request{method: http.MethodPatch, path: rulePath, body: object{"priority": 7}}).record(http.StatusOK)
	condition := changed["ruleConfig"].(map[string]any)["conditions"].([]any)[0].(map[string]any)
	require.Equal(t, []any{costlyPattern, "^fine$"}, condition["values"])
	require.Contains(t, condition["problem"], "values[0] never matches, because it must compile to at most 2000 instructions")
	p.settle(flag)

	reason := func(text string) any {
		return p.bulk(object{"deviceId": "d1", "attributes": object{"text": text}})["old"].(map[string]any)["reason"]
	}
	require.Equal(t, "DEFAULT", reason("anything"))
	require.Equal(t, "TARGETING_MATCH", reason("fine"))
	definitions := p.do(request{path: "/v1/ota/flag-definitions/" + p.slug}).body
	require.Contains(t, definitions, "^fine$")
	require.NotContains(t, definitions, "{0,1000}")
	p.do(request{method: http.MethodPatch, path: rulePath, body: object{"ruleConfig": changed["ruleConfig"]}}).
		problem(http.StatusBadRequest, models.CodeInvalid)
}
