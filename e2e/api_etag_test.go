package e2e

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// etagged is a record that the test patches.
type etagged struct {
	// path is the record's path. route is the route in the OpenAPI document.
	path, route string
	// patches are applied in order. Each of them must change the record, and together they must contain every field of
	// the body.
	patches []object
	// flag is the path of the flag if the record is a part of a flag. The part has the flag's ETag.
	flag string
	// gets is true if the record can be read at its path. stays is true if it cannot be deleted.
	gets, stays bool
}

// etagged returns functions that create a record of each kind.
func (p *tenant) etagged() map[string]func() etagged {
	p.t.Helper()
	return map[string]func() etagged{
		"release": func() etagged {
			return etagged{path: path("/v1/ota/updates/%d", p.release().id("id")), route: "/v1/ota/updates/{id}", gets: true, patches: []object{
				{"releaseMessage": "one"}, {"isCritical": true}, {"rolloutPercentage": 50}, {"isEnabled": false},
				{"linkedFlags": []object{{"flagId": p.flag().id("id"), "enabled": true}}}, {"linkedFlags": []object{}},
			}}
		},
		"channel": func() etagged {
			return etagged{path: "/v1/ota/channels/" + p.channel(), route: "/v1/ota/channels/{name}", patches: []object{
				{"isPaused": true}, {"minRuntimeVersion": "1.2.0"}, {"branchName": p.branch()},
				{"rolloutBranchName": p.branch(), "rolloutPercentage": 10}, {"rolloutPercentage": 20},
				{"isProtected": true}, {"requiredApprovals": 1}, {"requiredApprovals": 0}, {"isProtected": false},
			}}
		},
		"flag": func() etagged {
			return etagged{path: path("/v1/ota/flags/%d", p.flag().id("id")), route: "/v1/ota/flags/{id}", gets: true, patches: []object{
				{"name": p.name()}, {"description": "one"}, {"enabled": false}, {"enabled": true}, {"defaultValue": true},
				{"variations": []object{{"name": "Yes", "value": "true"}, {"name": "No", "value": "false"}}},
			}}
		},
		"rule": func() etagged {
			flag := path("/v1/ota/flags/%d", p.create("/v1/ota/flags", p.flagBody()).id("id"))
			return etagged{
				path: path("%s/rules/%d", flag, p.create(flag+"/rules", p.ruleBody()).id("id")), route: "/v1/ota/flags/{id}/rules/{ruleId}",
				flag: flag, patches: []object{
					{"priority": 7}, {"variantValue": "false"}, {"channelName": "production"}, {"ruleConfig": object{"userIds": []string{"one"}}},
					{"ruleType": "ota_update", "ruleConfig": object{"branch": "production"}},
				},
			}
		},
		"variation": func() etagged {
			flag := p.create("/v1/ota/flags", object{
				"name": p.name(), "flagType": "string", "defaultValue": "a",
				"variations": []object{{"name": "A", "value": "a"}, {"name": "B", "value": "b"}},
			})
			return etagged{
				path:  path("/v1/ota/flags/%d/variations/%d", flag.id("id"), flag.variation(0).id("id")),
				route: "/v1/ota/flags/{id}/variations/{variationId}", flag: path("/v1/ota/flags/%d", flag.id("id")), stays: true,
				patches: []object{{"name": "one"}, {"value": "c"}},
			}
		},
		"setting": func() etagged {
			flag := path("/v1/ota/flags/%d", p.flag().id("id"))
			return etagged{
				path: flag + "/env/production", route: "/v1/ota/flags/{id}/env/{channelName}", flag: flag, stays: true,
				patches: []object{{"enabled": false}, {"enabled": true}, {"defaultValue": "true"}},
			}
		},
		"segment": func() etagged {
			segment := p.create("/v1/ota/segments", p.segmentBody()).id("id")
			return etagged{path: path("/v1/ota/segments/%d", segment), route: "/v1/ota/segments/{id}", gets: true, patches: []object{
				{"name": "one"}, {"description": "one"}, {"matchType": "any"},
				{"conditions": []object{{"attribute": "plan", "operator": "eq", "valuesJson": []string{"free"}}}},
			}}
		},
		"policy": func() etagged {
			day := []object{{"days": []string{"fri"}, "from": "16:00", "to": "00:00"}}
			policy := path("/v1/ota/rollout-policies/%d", p.policy())
			return etagged{path: policy, route: "/v1/ota/rollout-policies/{id}", gets: true, patches: []object{
				{"name": "one"}, {"description": "one"}, {"channel": "production"}, {"isActive": false}, {"stages": []object{{"percentage": 100}}},
				{"thresholds": object{"errorRate": 3}}, {"startAt": "2030-01-01T00:00:00Z"}, {"timeZone": "Europe/Berlin"}, {"freezeWindows": day},
			}}
		},
		"webhook": func() etagged {
			return etagged{path: path("/v1/ota/webhooks/%d", p.webhook()), route: "/v1/ota/webhooks/{id}", gets: true, patches: []object{
				{"description": "one"}, {"url": "http://127.0.0.1:9/other"}, {"events": []string{"*"}}, {"isActive": false}, {"format": "slack"},
				{"secret": "whsec_" + strings.Repeat("A", 43) + "="},
			}}
		},
		"incident": func() etagged {
			return etagged{
				path: path("/v1/ota/telemetry/incidents/%d", p.incident()), route: "/v1/ota/telemetry/incidents/{id}", gets: true, stays: true,
				patches: []object{{"note": "one"}, {"acknowledged": true}, {"status": "closed"}},
			}
		},
		"error group": func() etagged {
			return etagged{
				path: path("/v1/ota/observe/groups/%s", p.crash()["fingerprint"]), route: "/v1/ota/observe/groups/{fingerprint}", stays: true,
				patches: []object{{"note": "one"}, {"resolved": true}, {"assigneeId": p.membership(p.person(models.RoleViewer))["userId"]}},
			}
		},
		"settings": func() etagged {
			return etagged{path: "/v1/ota/settings", route: "/v1/ota/settings", gets: true, stays: true, patches: []object{
				{"buildRetentionDays": 40}, {"telemetryRetentionDays": 50}, {"hashIds": true}, {"trustedNetworks": []string{"203.0.113.0/24"}},
				{"repositoryUrl": "https://github.com/acme/app"},
			}}
		},
		"member": func() etagged {
			return etagged{
				path: path("/v1/ota/members/%d", p.member(p.person(models.RoleViewer))), route: "/v1/ota/members/{id}",
				patches: []object{{"role": "editor"}, {"role": "viewer"}},
			}
		},
	}
}

// patchable returns the routes that patch a record of a project, with the names of the fields in each body.
func patchable(t *testing.T) map[string][]string {
	t.Helper()
	doc, err := document()
	require.NoError(t, err)
	routes := map[string][]string{}
	for route, item := range doc.Paths.Map() {
		if item.Patch == nil || item.Patch.Responses.Value("412") == nil || item.Patch.Responses.Value("200").Value.Headers["ETag"] == nil {
			continue
		}
		fields := openapi3.Schemas{}
		for _, body := range item.Patch.RequestBody.Value.Content {
			fields = body.Schema.Value.Properties
		}
		routes[route] = slices.Sorted(maps.Keys(fields))
	}
	return routes
}

func (p *tenant) change(method, path string, body any, ifMatch string) answer {
	p.t.Helper()
	r := request{method: method, path: path, body: body}
	if ifMatch != "" {
		r = r.with("If-Match", ifMatch)
	}
	return p.do(r)
}

// TestIfMatch changes every field of every kind of record, on the condition that the record has not changed since it
// was read.
func TestIfMatch(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_INCIDENT_INTERVAL"] = "1h" // only the test changes incidents
	server := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
	untested := patchable(t)
	for name, made := range server.tenant(t).etagged() {
		r := made()
		fields := map[string]bool{"$schema": true, "reason": true} // a reason belongs to the change, not to the record
		for _, patch := range r.patches {
			for field := range patch {
				fields[field] = true
			}
		}
		for _, field := range untested[r.route] {
			require.Contains(t, fields, field, "no patch of %s changes the field", name)
		}
		delete(untested, r.route)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := server.tenant(t)
			p.changedIfMatch(p.etagged()[name]())
		})
	}
	require.Empty(t, untested, "routes whose records the test leaves out")

	p := server.tenant(t)
	branch := "/v1/ota/branches/" + p.branch()
	p.change(http.MethodDelete, branch, nil, `"any"`).problem(412, models.CodePreconditionFailed)
	require.Equal(t, 204, p.change(http.MethodDelete, branch, nil, "*").status, "branches have no ETag")
}

// changedIfMatch applies the patches of r and then deletes r.
func (p *tenant) changedIfMatch(r etagged) {
	t := p.t
	patched := func(body object, ifMatch string) string {
		t.Helper()
		a := p.change(http.MethodPatch, r.path, body, ifMatch)
		require.Equal(t, 200, a.status, "%v: %s", body, a.body)
		return a.header.Get("ETag")
	}
	now := patched(object{}, "")
	require.Regexp(t, `^"[0-9]+-[0-9]+"$`, now)
	for i, patch := range r.patches {
		if i == len(r.patches)-1 { // of several patches at the same time, only the first succeeds
			count := map[int]int{}
			same := request{method: http.MethodPatch, path: r.path, body: patch}.with("If-Match", now)
			for _, a := range p.together(slices.Repeat([]request{same}, 8)...) {
				count[a.status]++
			}
			require.Equal(t, map[int]int{200: 1, 412: 7}, count)
		} else {
			require.NotEqual(t, now, patched(patch, `"other", `+now), "%v", patch)
		}
		before := now
		now = patched(object{}, "*")
		require.NotEqual(t, before, now, "%v", patch)
		if i == 0 {
			require.Equal(t, now, patched(patch, now), "a patch without a change keeps the ETag")
		}
		for _, old := range []string{before, "W/" + now, `"none"`} {
			p.change(http.MethodPatch, r.path, r.patches[0], old).problem(412, models.CodePreconditionFailed)
		}
		require.Equal(t, now, patched(object{}, ""), "nothing was changed")
		if r.gets {
			require.Equal(t, now, p.do(at("%s", r.path).get()).header.Get("ETag"))
		}
		if r.flag != "" {
			require.Equal(t, now, p.do(at("%s", r.flag).get()).header.Get("ETag"))
		}
	}
	p.change(http.MethodPatch, r.path, r.patches[0], "unquoted").problem(400, models.CodeInvalid)
	if r.stays {
		return
	}
	p.change(http.MethodDelete, r.path, nil, `"1-1"`).problem(412, models.CodePreconditionFailed)
	require.Equal(t, 204, p.change(http.MethodDelete, r.path, nil, now).status)
	p.change(http.MethodDelete, r.path, nil, "*").problem(404, models.CodeNotFound)
}
