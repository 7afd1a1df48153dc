package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// bulk evaluates all flags for a device, and returns them.
func (p *tenant) bulk(body object) map[string]any {
	p.t.Helper()
	body["projectSlug"] = p.slug
	answer := p.do(request{method: http.MethodPost, path: "/v1/ota/flag-evaluations-bulk", body: body}.with("Authorization", "").with("X-Project", ""))
	return answer.record(http.StatusOK)["flags"].(map[string]any)
}

// ofrep sends an evaluation with an API key. An empty key of a flag means all flags.
func (p *tenant) ofrep(apiKey, key string, context object) answer {
	p.t.Helper()
	path := "/ofrep/v1/evaluate/flags"
	if key != "" {
		path += "/" + key
	}
	return p.do(request{method: http.MethodPost, path: path, key: apiKey, project: "-", body: object{"context": context}})
}

// settle returns once devices are served all changes so far. For that it changes the description of a flag. The
// response to a change waits until devices are served the change, but not for long.
func (p *tenant) settle(flag int64) {
	p.t.Helper()
	eventually(p.t, func() bool {
		answer := p.do(request{method: http.MethodPatch, path: path("/v1/ota/flags/%d", flag), body: object{"description": uuid.NewString()}})
		answer.record(http.StatusOK)
		return answer.header.Get("Waft-Served") == ""
	})
}

// key creates a key with a role, and returns it.
func (p *tenant) key(role models.Role) string {
	p.t.Helper()
	return p.create("/v1/ota/api-keys", object{"name": p.name(), "role": role})["key"].(string)
}

func TestFlagsAreEvaluatedByTheServer(t *testing.T) {
	t.Parallel()
	began := time.Now()
	p := install(t).tenant(t)
	p.known()
	flag := p.create("/v1/ota/flags", object{
		"key": "colour", "flagType": "string", "defaultValue": "red",
		"variations": []object{{"name": "Red", "value": "red"}, {"name": "Blue", "value": "blue"}, {"name": "Green", "value": "green"}},
	})
	id := flag.id("id")
	rule := func(body object) { p.create(path("/v1/ota/flags/%d/rules", id), body) }
	rule(object{"ruleType": "user_list", "ruleConfig": object{"userIds": []string{"ada", "bob"}}, "variantValue": "blue"})
	p.create("/v1/ota/segments", object{"key": "pros", "name": "Pros", "matchType": "all", "conditions": []object{
		{"attribute": "plan", "operator": "in", "valuesJson": []string{"pro", "team"}},
	}})
	rule(object{"ruleType": "segment", "ruleConfig": object{"segmentKey": "pros"}, "variantValue": "green"})
	rule(object{"ruleType": "percentage_rollout", "channelName": "staging", "ruleConfig": object{"rollout": []object{{"variantValue": "blue", "weight": 100}}}})
	p.settle(id)

	want := func(value, variant, reason string) any {
		return map[string]any{"value": value, "variant": variant, "reason": reason}
	}
	require.Equal(t, want("blue", "Blue", "TARGETING_MATCH"), p.bulk(object{"deviceId": "d1", "targetingKey": "ada"})["colour"])
	require.Equal(t, want("blue", "Blue", "TARGETING_MATCH"), p.bulk(object{"deviceId": "bob", "targetingKey": ""})["colour"], "the device ID is used")
	require.Equal(t, want("green", "Green", "SEGMENT_MATCH"), p.bulk(object{"deviceId": "d1", "attributes": object{"plan": "pro"}})["colour"])
	require.Equal(t, want("red", "Red", "DEFAULT"), p.bulk(object{"deviceId": "d1", "channel": "production", "platform": "web"})["colour"])
	require.Equal(t, want("blue", "Blue", "SPLIT"), p.bulk(object{"deviceId": "d1", "channel": "staging"})["colour"])

	// A release that links the flag overrides it on devices that run the release.
	release := p.create(path("/v1/ota/builds/%d/publish", p.build().id("id")), object{
		"channel": "production", "linkedFlags": []object{{"flagId": id, "enabled": true, "value": "green"}},
	})
	p.settle(id)
	running := object{"update_id": release["updateUuid"]}
	require.Equal(t, want("green", "Green", "RELEASE_OVERRIDE"), p.bulk(object{"deviceId": "d1", "targetingKey": "ada", "attributes": running})["colour"])

	p.do(request{method: http.MethodPatch, path: path("/v1/ota/flags/%d", id), body: object{"enabled": false}}).record(http.StatusOK)
	p.settle(id)
	require.Equal(t, want("red", "Red", "DISABLED"), p.bulk(object{"deviceId": "d1", "targetingKey": "ada"})["colour"])
	require.Equal(t, want("green", "Green", "RELEASE_OVERRIDE"), p.bulk(object{"deviceId": "d1", "attributes": running})["colour"])

	explained := p.do(request{method: http.MethodPost, path: path("/v1/ota/flags/%d/explain", id), body: object{
		"context": object{"targetingKey": "eve", "channel": "staging", "plan": "free"},
	}}).record(http.StatusOK)
	require.Equal(t, "DISABLED", explained["reason"])
	require.Equal(t, false, explained["enabled"])
	rules := explained["rules"].([]any)
	require.Len(t, rules, 3)
	require.Contains(t, rules[0].(map[string]any)["detail"], `does not contain the targeting key "eve"`)
	require.Equal(t, []any{map[string]any{
		"attribute": "plan", "operator": "in", "values": []any{"pro", "team"}, "actual": "free", "holds": false,
	}}, rules[1].(map[string]any)["conditions"])
	require.Equal(t, true, rules[2].(map[string]any)["matched"])
	require.Equal(t, false, rules[2].(map[string]any)["decided"])
	require.EqualValues(t, 100_000, rules[2].(map[string]any)["threshold"])

	// Evaluations are counted, and their contexts are recorded.
	eventually(t, func() bool {
		counts := p.do(request{method: http.MethodGet, path: path("/v1/ota/flags/%d/evaluations", id)}).record(http.StatusOK)
		total := counts["total"].(float64) // d1 and bob, each counted once per hour
		return total == 2 || total > 2 && total <= 4 && time.Now().Truncate(time.Hour).After(began)
	})
	eventually(t, func() bool {
		return len(p.do(request{method: http.MethodGet, path: "/v1/ota/contexts?search=bob"}).list()) == 1
	})
}

func TestOFREP(t *testing.T) {
	t.Parallel()
	server := install(t)
	p := server.tenant(t)
	p.known()
	p.create("/v1/ota/flags", object{"key": "dark", "flagType": "boolean", "defaultValue": false})
	id := p.create("/v1/ota/flags", object{
		"key": "limit", "flagType": "number", "defaultValue": 1, "variations": []object{{"name": "Many", "value": "7"}},
	}).id("id")
	p.create(path("/v1/ota/flags/%d/rules", id), object{
		"ruleType": "attribute", "variantValue": "7", "ruleConfig": object{"conditions": []object{{"attribute": "plan", "operator": "eq", "values": []string{"pro"}}}},
	})
	p.settle(id)
	key := p.key(models.RoleClient)

	require.Equal(t, object{"key": "limit", "value": 7.0, "variant": "Many", "reason": "TARGETING_MATCH"},
		p.ofrep(key, "limit", object{"targetingKey": "ada", "plan": "pro"}).record(http.StatusOK))
	require.Equal(t, object{"key": "limit", "value": 1.0, "reason": "DEFAULT"}, p.ofrep(key, "limit", nil).record(http.StatusOK))
	p.ofrep(p.keys[models.RoleViewer], "limit", object{}).record(http.StatusOK)
	byHeader := request{method: http.MethodPost, path: "/ofrep/v1/evaluate/flags/limit", project: "-", body: object{}}.
		with("Authorization", "").with("X-API-Key", key)
	p.do(byHeader).record(http.StatusOK)

	for name, c := range map[string]struct {
		key     string
		body    any
		status  int
		code    string
		details string
	}{
		"no such flag":       {"nothing", object{}, 404, "FLAG_NOT_FOUND", "nothing"},
		"no JSON":            {"limit", "{", 400, "PARSE_ERROR", "JSON"},
		"a list as context":  {"limit", object{"context": []int{1}}, 400, "INVALID_CONTEXT", "object"},
		"a number as key":    {"limit", object{"context": object{"targetingKey": 5}}, 400, "INVALID_CONTEXT", "context.targetingKey"},
		"no such channel":    {"limit", object{"context": object{"channel": "nowhere"}}, 400, "INVALID_CONTEXT", "nowhere"},
		"more than it reads": {"limit", object{"context": object{"a": strings.Repeat("x", 600<<10)}}, 400, "GENERAL", "larger"},
	} {
		answer := p.do(request{method: http.MethodPost, path: "/ofrep/v1/evaluate/flags/" + c.key, key: key, project: "-", body: c.body}).record(c.status)
		require.Equal(t, c.key, answer["key"], name)
		require.Equal(t, c.code, answer["errorCode"], name)
		require.Contains(t, answer["errorDetails"], c.details, name)
	}

	// The ETag depends on the values and the context.
	ask := func(context object, etag string) answer {
		r := request{method: http.MethodPost, path: "/ofrep/v1/evaluate/flags", key: key, project: "-", body: object{"context": context}}
		return p.do(r.with("If-None-Match", etag))
	}
	ada := object{"targetingKey": "ada", "plan": "free"}
	first := ask(ada, "")
	require.Len(t, first.record(http.StatusOK)["flags"], 2)
	etag := first.header.Get("ETag")
	require.NotEmpty(t, etag)
	require.Equal(t, http.StatusNotModified, ask(ada, etag).status)
	require.Equal(t, http.StatusNotModified, ask(ada, `W/"x", W/`+etag).status)
	require.Equal(t, http.StatusOK, ask(object{"targetingKey": "ada", "plan": "pro"}, etag).status)
	require.Equal(t, http.StatusOK, ask(object{"targetingKey": "ada", "plan": "other"}, etag).status, "the same values for another context")
	p.do(request{method: http.MethodPatch, path: path("/v1/ota/flags/%d", id), body: object{"defaultValue": 2}}).record(http.StatusOK)
	p.settle(id)
	require.Equal(t, http.StatusOK, ask(ada, etag).status, "the flags changed")

	// A client key can only evaluate flags. A key sees only the flags of its own project.
	for _, route := range []string{"/v1/ota/flags", "/v1/ota/projects", "/v1/ota/builds"} {
		p.do(request{method: http.MethodGet, path: route, key: key}).problem(403, models.CodeForbidden)
	}
	other := server.tenant(t)
	other.known()
	require.Equal(t, http.StatusNotFound, other.ofrep(other.key(models.RoleClient), "limit", object{}).status)
}

// Web pages may call the endpoints for devices, and OFREP with client keys.
func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	p.settle(p.create("/v1/ota/flags", object{"key": "dark", "flagType": "boolean", "defaultValue": false}).id("id"))
	const page = "https://shop.example"
	preflight := func(path string) answer {
		return p.do(request{method: http.MethodOptions, path: path}.with("Authorization", "").with("X-Project", "").with("Origin", page).
			with("Access-Control-Request-Method", "POST").with("Access-Control-Request-Headers", "authorization,content-type"))
	}
	for _, path := range []string{
		"/v1/ota/manifest/" + p.slug, "/v1/ota/assets/9e107d9d372bb6826bd81d3542a419d6", "/v1/ota/health-metrics", "/v1/ota/flag-definitions/" + p.slug,
		"/v1/ota/flag-evaluations", "/v1/ota/flag-evaluations-bulk", "/v1/ota/flag-stream/" + p.slug, "/ofrep/v1/evaluate/flags", "/ofrep/v1/evaluate/flags/dark",
		"/ofrep/v1/event-stream",
	} {
		answer := preflight(path)
		require.Equal(t, http.StatusNoContent, answer.status, path)
		require.Equal(t, "*", answer.header.Get("Access-Control-Allow-Origin"), path)
		require.Equal(t, "authorization,content-type", answer.header.Get("Access-Control-Allow-Headers"), path)
		require.Contains(t, answer.header.Get("Access-Control-Allow-Methods"), "POST", path)
		require.Empty(t, answer.header.Get("Access-Control-Allow-Credentials"), path)
	}
	for _, path := range []string{"/v1/ota/flags", "/v1/ota/projects", "/v1/ota/flags/explain"} {
		require.Empty(t, preflight(path).header.Get("Access-Control-Allow-Origin"), path)
		answer := p.do(request{method: http.MethodGet, path: path}.with("Origin", page))
		require.Empty(t, answer.header.Get("Access-Control-Allow-Origin"), path)
	}
	definitions := p.do(request{method: http.MethodGet, path: "/v1/ota/flag-definitions/" + p.slug}.with("Authorization", "").with("Origin", page))
	require.Equal(t, http.StatusOK, definitions.status)
	require.Equal(t, "*", definitions.header.Get("Access-Control-Allow-Origin"))

	ask := func(key, origin string) answer {
		return p.do(request{method: http.MethodPost, path: "/ofrep/v1/evaluate/flags/dark", key: key, project: "-", body: object{}}.with("Origin", origin))
	}
	client := ask(p.key(models.RoleClient), page)
	require.Equal(t, http.StatusOK, client.status)
	require.Equal(t, "*", client.header.Get("Access-Control-Allow-Origin"))
	refused := ask(p.keys[models.RoleViewer], page)
	require.Contains(t, refused.record(http.StatusForbidden)["errorDetails"], "client")
	require.Equal(t, "*", refused.header.Get("Access-Control-Allow-Origin"), "the page must be able to read the reason")
	require.Equal(t, http.StatusOK, ask(p.keys[models.RoleViewer], p.url).status, "the same origin")
}
