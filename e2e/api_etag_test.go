package e2e

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// etagged is a record that is patched.
type etagged struct {
	path string
	// patches each change it.
	patches [2]object
	// gets says that it is read at its path.
	gets, stays bool
}

func (p *tenant) etagged() map[string]etagged {
	flag := p.flag().id("id")
	rule, ruleID := p.rule()
	f := p.flag()
	segment := p.create("/v1/ota/segments", p.segmentBody()).id("id")
	texts := func(field string) [2]object { return [2]object{{field: "one"}, {field: "two"}} }
	variation := path("/v1/ota/flags/%d/variations/%d", f.id("id"), f.variation(0).id("id"))
	return map[string]etagged{
		"release":   {path: path("/v1/ota/updates/%d", p.release().id("id")), patches: texts("releaseMessage"), gets: true},
		"channel":   {path: "/v1/ota/channels/" + p.channel(), patches: [2]object{{"isPaused": true}, {"isPaused": false}}},
		"flag":      {path: path("/v1/ota/flags/%d", flag), patches: texts("description"), gets: true},
		"rule":      {path: path("/v1/ota/flags/%d/rules/%d", rule, ruleID), patches: [2]object{{"priority": 7}, {"priority": 8}}},
		"variation": {path: variation, patches: texts("name"), stays: true},
		"setting":   {path: path("/v1/ota/flags/%d/env/production", f.id("id")), patches: [2]object{{"enabled": false}, {"enabled": true}}, stays: true},
		"segment":   {path: path("/v1/ota/segments/%d", segment), patches: texts("description"), gets: true},
		"policy":    {path: path("/v1/ota/rollout-policies/%d", p.policy()), patches: texts("description"), gets: true},
		"webhook":   {path: path("/v1/ota/webhooks/%d", p.webhook()), patches: texts("description")},
		"incident":  {path: path("/v1/ota/telemetry/incidents/%d", p.incident()), patches: texts("note"), stays: true},
		"settings": {
			path: "/v1/ota/settings", patches: [2]object{{"buildRetentionDays": 40}, {"buildRetentionDays": 50}}, gets: true, stays: true,
		},
	}
}

func (p *tenant) change(method, path string, body any, ifMatch string) answer {
	p.t.Helper()
	r := request{method: method, path: path, body: body}
	if ifMatch != "" {
		r = r.with("If-Match", ifMatch)
	}
	return p.do(r)
}

// TestIfMatch changes every kind of record under the condition that nobody else has.
func TestIfMatch(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_INCIDENT_INTERVAL"] = "1h" // nothing but the test changes an incident
	server := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
	for name := range server.tenant(t).etagged() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := server.tenant(t)
			r := p.etagged()[name]
			patched := func(body object, ifMatch string) (status int, etag string) {
				a := p.change(http.MethodPatch, r.path, body, ifMatch)
				return a.status, a.header.Get("ETag")
			}
			status, first := patched(r.patches[0], "")
			require.Equal(t, 200, status)
			require.Regexp(t, `^"[A-Za-z0-9_-]{22}"$`, first)
			if r.gets {
				require.Equal(t, first, p.do(at("%s", r.path).get()).header.Get("ETag"))
			}
			status, same := patched(r.patches[0], first)
			require.Equal(t, [2]any{200, first}, [2]any{status, same}, "what changes nothing keeps the ETag")
			status, second := patched(r.patches[1], `"other", `+first)
			require.Equal(t, 200, status)
			require.NotEqual(t, first, second)

			for _, old := range []string{first, "W/" + second, `"none"`} {
				p.change(http.MethodPatch, r.path, r.patches[0], old).problem(412, models.CodePreconditionFailed)
			}
			status, unchanged := patched(object{}, "*")
			require.Equal(t, [2]any{200, second}, [2]any{status, unchanged}, "nothing was changed")
			p.change(http.MethodPatch, r.path, r.patches[0], "unquoted").problem(400, models.CodeInvalid)

			// Of many at once one is first.
			count := map[int]int{}
			patch := request{method: http.MethodPatch, path: r.path, body: r.patches[0]}.with("If-Match", second)
			for _, a := range p.together(slices.Repeat([]request{patch}, 8)...) {
				count[a.status]++
			}
			require.Equal(t, map[int]int{200: 1, 412: 7}, count)
			if r.stays {
				return
			}
			p.change(http.MethodDelete, r.path, nil, second).problem(412, models.CodePreconditionFailed)
			_, now := patched(object{}, "")
			require.Equal(t, 204, p.change(http.MethodDelete, r.path, nil, now).status)
			p.change(http.MethodDelete, r.path, nil, now).problem(404, models.CodeNotFound)
		})
	}
	p := server.tenant(t)
	branch := "/v1/ota/branches/" + p.branch()
	p.change(http.MethodDelete, branch, nil, `"any"`).problem(412, models.CodePreconditionFailed)
	require.Equal(t, 204, p.change(http.MethodDelete, branch, nil, "*").status, "branches have no ETag")
}
