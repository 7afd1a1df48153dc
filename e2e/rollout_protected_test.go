package e2e

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// guarded is a project whose channel production is protected, with the records that the calls use.
type guarded struct {
	*tenant
	release, disabled, covering, flag, segment object
	build, policy, override                    int64
	rule, lastRule                             int64
	running, paused                            int64 // rollouts at 10% on the branch of production
}

// waiting lists, by route, the calls that change what devices of a protected channel get. Each call by an editor is
// refused while the channel requires no approvals, and waits if it requires approvals.
var waiting = map[string][]func(g *guarded) request{
	"POST /v1/ota/builds/{id}/publish": {
		func(g *guarded) request {
			return to(object{"channel": "production"}, "/v1/ota/builds/%d/publish", g.build)
		},
		func(g *guarded) request { return to(object{"channel": "twin"}, "/v1/ota/builds/%d/publish", g.build) },
		func(g *guarded) request { return to(object{"channel": "next"}, "/v1/ota/builds/%d/publish", g.build) },
		func(g *guarded) request { return to(object{"channel": "tested"}, "/v1/ota/builds/%d/publish", g.build) },
		func(g *guarded) request {
			return to(object{"channel": "production", "rolloutPolicyId": g.policy}, "/v1/ota/builds/%d/publish", g.build)
		},
	},
	"POST /v1/ota/updates": {
		func(g *guarded) request {
			return to(object{"buildId": g.build, "branchName": "production"}, "/v1/ota/updates")
		},
		func(g *guarded) request {
			return to(object{"buildId": g.build, "branchName": "production", "isEnabled": false}, "/v1/ota/updates")
		},
		func(g *guarded) request {
			return to(object{"buildId": g.build, "branchName": "next"}, "/v1/ota/updates")
		},
	},
	"PATCH /v1/ota/updates/{id}": {
		func(g *guarded) request { return g.updates(g.disabled, object{"isEnabled": true}) },
		func(g *guarded) request { return g.updates(g.release, object{"rolloutPercentage": 60}) },
		func(g *guarded) request { return g.updates(g.release, object{"isCritical": true}) },
		func(g *guarded) request { return g.updates(g.release, object{"releaseMessage": "better"}) },
		func(g *guarded) request { return g.updates(g.release, object{"isEnabled": false, "isCritical": true}) },
		func(g *guarded) request {
			return g.updates(g.release, object{"linkedFlags": []object{{"flagId": g.flag.id("id"), "enabled": true}}})
		},
	},
	"POST /v1/ota/updates/{id}/republish": {
		func(g *guarded) request { return to(object{}, "/v1/ota/updates/%d/republish", g.release.id("id")) },
		func(g *guarded) request {
			return to(object{"channels": []string{"staging", "production"}}, "/v1/ota/updates/%d/republish", g.release.id("id"))
		},
	},
	"DELETE /v1/ota/updates/{id}": {func(g *guarded) request {
		return at("/v1/ota/updates/%d", g.covering.id("id")) // no device ever had the release below it
	}},
	"POST /v1/ota/rollback": {func(g *guarded) request {
		return to(object{
			"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "rollbackToUpdateId": g.disabled.id("id"),
			"allowDisabled": true,
		}, "/v1/ota/rollback") // no device ever had this release
	}},
	"PATCH /v1/ota/channels/{name}": {
		func(g *guarded) request { return g.channels(object{"branchName": "staging"}) },
		func(g *guarded) request {
			return g.channels(object{"rolloutBranchName": "staging", "rolloutPercentage": 10})
		},
		func(g *guarded) request { return g.channels(object{"rolloutPercentage": 30}) },
		func(g *guarded) request { return g.channels(object{"minRuntimeVersion": "2.0.0"}) },
		func(g *guarded) request { return g.channels(object{"isPaused": false}) },
	},
	"DELETE /v1/ota/channels/{name}": {func(*guarded) request { return at("/v1/ota/channels/production") }},
	"POST /v1/ota/user-overrides": {func(*guarded) request {
		return to(object{"userId": "somebody", "branchName": "staging"}, "/v1/ota/user-overrides")
	}},
	"DELETE /v1/ota/user-overrides/{id}": {func(g *guarded) request { return at("/v1/ota/user-overrides/%d", g.override) }},
	"POST /v1/ota/flags":                 {func(g *guarded) request { return to(g.flagBody(), "/v1/ota/flags") }},
	"PATCH /v1/ota/flags/{id}": {
		func(g *guarded) request { return g.flags("", object{"defaultValue": true}) },
		func(g *guarded) request { return g.flags("", object{"enabled": false, "defaultValue": true}) },
	},
	"PUT /v1/ota/flags/{id}": {
		func(g *guarded) request { return g.saves(object{"defaultValue": true}) },
		func(g *guarded) request { return g.saves(object{"rules": []object{}}) },
		func(g *guarded) request { return g.saves(object{"enabled": false, "defaultValue": true}) },
		func(g *guarded) request {
			return g.saves(object{"rules": []object{g.ruleBody().with("channelName", "production")}})
		},
	},
	"POST /v1/ota/flags/{id}/schedule": {func(g *guarded) request {
		return g.scheduledCall(g.flag.id("id"), time.Hour, object{"defaultValue": true})
	}},
	"DELETE /v1/ota/flags/{id}": {func(g *guarded) request { return at("/v1/ota/flags/%d", g.flag.id("id")) }},
	"POST /v1/ota/flags/{id}/rules": {
		func(g *guarded) request { return g.flags("/rules", g.ruleBody()) },
		func(g *guarded) request {
			return g.flags("/rules", g.ruleBody().with("channelName", "production"))
		},
	},
	"PATCH /v1/ota/flags/{id}/rules/{ruleId}": {func(g *guarded) request {
		return to(object{"variantValue": "false"}, "/v1/ota/flags/%d/rules/%d", g.flag.id("id"), g.rule)
	}},
	"DELETE /v1/ota/flags/{id}/rules/{ruleId}": {func(g *guarded) request {
		return at("/v1/ota/flags/%d/rules/%d", g.flag.id("id"), g.rule)
	}},
	"PATCH /v1/ota/flags/{id}/variations/{variationId}": {func(g *guarded) request {
		return to(object{"name": "Other"}, "/v1/ota/flags/%d/variations/%d", g.flag.id("id"), g.flag.variation(0).id("id"))
	}},
	"PATCH /v1/ota/flags/{id}/env/{channelName}": {func(g *guarded) request {
		return to(object{"defaultValue": "true"}, "/v1/ota/flags/%d/env/production", g.flag.id("id"))
	}},
	"PUT /v1/ota/flags/{id}/rules/order": {func(g *guarded) request {
		return g.flags("/rules/order", object{"ruleIds": []int64{g.lastRule, g.rule}})
	}},
	"POST /v1/ota/flags/{id}/copy": {func(g *guarded) request {
		return g.flags("/copy", object{"fromChannel": "staging", "toChannel": "production"})
	}},
	"DELETE /v1/ota/emergency-stop": {func(*guarded) request { return at("/v1/ota/emergency-stop") }},
	"PATCH /v1/ota/segments/{id}": {
		func(g *guarded) request {
			return to(object{"conditions": []object{{"attribute": "plan", "operator": "eq", "valuesJson": []string{"team"}}}},
				"/v1/ota/segments/%d", g.segment.id("id"))
		},
		func(g *guarded) request {
			return to(object{"matchType": "any"}, "/v1/ota/segments/%d", g.segment.id("id"))
		},
	},
	"POST /v1/ota/rollout-executions": {func(g *guarded) request {
		return to(object{"policyId": g.policy, "updateId": g.release.id("id")}, "/v1/ota/rollout-executions")
	}},
	"POST /v1/ota/rollout-executions/{id}/advance": {func(g *guarded) request {
		return at("/v1/ota/rollout-executions/%d/advance", g.running)
	}},
	"POST /v1/ota/rollout-executions/{id}/resume": {func(g *guarded) request {
		return at("/v1/ota/rollout-executions/%d/resume", g.paused)
	}},
}

// unasked lists the routes that never wait for approval, with the reason. Every route that writes is here or in
// waiting.
var unasked = map[string]string{
	"POST /v1/ota/builds":                             "a build is not a release",
	"POST /v1/ota/builds/check":                       "it changes nothing",
	"PUT /v1/ota/builds/files/{sha256}":               "a file without a release is not served",
	"DELETE /v1/ota/builds/{id}":                      "no release needs it",
	"PUT /v1/ota/builds/{id}/sourcemap":               "a source map is not served",
	"DELETE /v1/ota/builds/{id}/sourcemap":            "a source map is not served",
	"POST /v1/ota/emergency-stop":                     "devices get less",
	"POST /v1/ota/branches":                           "a new branch is empty",
	"DELETE /v1/ota/branches/{name}":                  "no channel uses it",
	"POST /v1/ota/channels":                           "a new channel has no devices",
	"DELETE /v1/ota/flags/{id}/schedule/{scheduleId}": "devices keep what they have",
	"POST /v1/ota/segments":                           "no flag refers to it",
	"DELETE /v1/ota/segments/{id}":                    "no flag refers to it",
	"POST /v1/ota/rollout-policies":                   "a rollout takes it with approval",
	"PATCH /v1/ota/rollout-policies/{id}":             "a running rollout keeps its own",
	"DELETE /v1/ota/rollout-policies/{id}":            "a running rollout keeps its own",
	"POST /v1/ota/rollout-executions/{id}/pause":      "devices get less",
	"POST /v1/ota/rollout-executions/{id}/cancel":     "devices get less",
	"POST /v1/ota/rollout-executions/{id}/rollback":   "devices get what they had",
	"PUT /v1/ota/code-signing":                        "a signature does not change the content",
	"DELETE /v1/ota/code-signing":                     "a signature does not change the content",
	"PATCH /v1/ota/settings":                          "they concern telemetry",
	"POST /v1/ota/gc":                                 "no release needs the deleted files",
	"DELETE /v1/ota/devices/{deviceId}/data":          "the law may require the deletion",
	"DELETE /v1/ota/projects/{slug}":                  "it is for owners of the installation",
}

// unserved lists the beginnings of routes that do not affect what devices are served.
var unserved = []string{
	"POST /v1/ota/projects", "/v1/ota/api-keys", "/v1/ota/members", "/v1/ota/invitations", "/v1/ota/contexts", "/v1/ota/webhooks",
	"/v1/ota/approvals", "/explain", "/v1/ota/trusted-publishers", "/v1/ota/telemetry", "/v1/ota/observe", "/estimate", "/preview",
}

func (g *guarded) updates(u, body object) request {
	return to(body, "/v1/ota/updates/%d", u.id("id"))
}

func (g *guarded) channels(body object) request { return to(body, "/v1/ota/channels/production") }

func (g *guarded) flags(under string, body object) request {
	return to(body, "/v1/ota/flags/%d%s", g.flag.id("id"), under)
}

// saves returns the call that saves the whole flag with other fields.
func (g *guarded) saves(changed object) request {
	return to(g.whole(g.flag.id("id"), changed), "/v1/ota/flags/%d", g.flag.id("id")).with("If-Match", "*")
}

// guard creates the project on a server without a worker, so rollouts do not advance.
func guard(t *testing.T) *guarded {
	t.Helper()
	env := settings(t)
	return guardIn(t, installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true})
}

// guardIn creates the project on the given server.
func guardIn(t *testing.T, server installation) *guarded {
	t.Helper()
	g := &guarded{tenant: server.tenant(t)}
	g.create("/v1/ota/channels", object{"name": "twin", "branchName": "production"})
	g.create("/v1/ota/channels", object{"name": "next"})
	g.create("/v1/ota/channels", object{"name": "tested"})
	g.do(g.channels(object{"rolloutBranchName": "next", "rolloutPercentage": 20}).by(http.MethodPatch)).record(200)
	g.override = g.create("/v1/ota/user-overrides", object{"userId": "tester", "branchName": "tested"}).id("id")
	publish := func(more object) object {
		return g.create("/v1/ota/updates", more.with("buildId", g.build0()).with("channel", "production"))
	}
	covered := publish(object{"isEnabled": false})
	g.covering = publish(object{})
	g.do(g.updates(covered, object{"isEnabled": true}).by(http.MethodPatch)).record(200)
	g.disabled = publish(object{"isEnabled": false})
	g.policy = g.create("/v1/ota/rollout-policies", g.inStages(0, 0, 10, 100)).id("id")
	g.running = publish(object{"rolloutPolicyId": g.policy}).id("rolloutExecutionId")
	g.paused = publish(object{"rolloutPolicyId": g.policy}).id("rolloutExecutionId")
	g.release = publish(object{"rolloutPercentage": 50})
	if g.still {
		g.sql("UPDATE rollout_executions SET status = 'paused', version = 1, percentage = 10 WHERE id = $1", g.paused)
	} else {
		g.awaitRollout(g.running, hasHappened("started"))
		g.awaitRollout(g.paused, hasHappened("started"))
		g.awaitCommand(g.paused, "pause", nil)
	}
	g.build = g.build0()
	g.flag = g.create("/v1/ota/flags", g.flagBody().with("enabled", true))
	g.segment = g.create("/v1/ota/segments", g.segmentBody())
	g.rule = g.create(path("/v1/ota/flags/%d/rules", g.flag.id("id")), object{
		"ruleType": "segment", "ruleConfig": object{"segmentKey": g.segment["key"]}, "variantValue": "true", "priority": 1,
	}).id("id")
	g.lastRule = g.create(path("/v1/ota/flags/%d/rules", g.flag.id("id")), g.ruleBody().with("priority", 2)).id("id")
	g.do(g.flags("/env/staging", object{"defaultValue": "true"}).by(http.MethodPatch)).record(200)
	g.do(g.channels(object{"isPaused": true}).by(http.MethodPatch)).record(200)
	return g
}

func (p *tenant) build0() int64 { return p.build().id("id") }

// version returns the version of what devices of the project are served. Every change increases it.
func (p *tenant) version() int64 {
	p.t.Helper()
	rows, err := p.postgres().Query(p.t.Context(), "SELECT snapshot_version FROM projects WHERE id = $1", p.id)
	require.NoError(p.t, err)
	version, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[int64])
	require.NoError(p.t, err)
	return version
}

// TestEveryRouteToAProtectedChannelAsks makes every call that would change what devices of a protected channel get. A
// route that writes and is in neither table fails the test.
func TestEveryRouteToAProtectedChannelAsks(t *testing.T) {
	t.Parallel()
	g := guard(t)
	g.stop("so that it can be ended")
	seen := map[string]bool{}
	for _, r := range allRoutes(t) {
		if r.method == http.MethodGet || r.method == http.MethodHead || r.public() || r.personal() {
			continue
		}
		name := r.String()
		seen[name] = true
		_, never := unasked[name]
		served := !slices.ContainsFunc(unserved, func(part string) bool {
			return name == part || len(part) > 0 && part[0] == '/' && containsPath(r.path, part)
		})
		require.Equal(t, served, never || waiting[name] != nil, "%s: add it to waiting or unasked", name)
		require.False(t, never && waiting[name] != nil, name)
		accepted, documented := r.operation.Responses.Status(202), false
		if accepted != nil && accepted.Value.Content["application/json"] != nil {
			documented = accepted.Value.Content["application/json"].Schema.Ref == "#/components/schemas/PendingApproval"
		}
		require.Equal(t, waiting[name] != nil, documented, "%s: the document must have 202 if and only if the call can wait", name)
	}
	for name := range waiting {
		require.True(t, seen[name], "%s is not a route", name)
	}
	for name := range unasked {
		require.True(t, seen[name], "%s is not a route", name)
	}
	for _, approvals := range []int{0, 2} {
		g.protect("production", approvals)
		before := g.version()
		for _, r := range allRoutes(t) {
			for i, make := range waiting[r.String()] {
				call := make(g)
				call.method, call.key = r.method, g.keys[models.RoleEditor]
				a := g.do(call)
				if approvals == 0 {
					detail := a.problem(403, models.CodeForbidden)["detail"]
					require.Contains(t, detail, `channel "production" is protected`, "%s %d", r, i)
					continue
				}
				require.Equal(t, 202, a.status, "%s %d: %s", r, i, a.body)
				call.key = "" // an admin has to wait too
				approval := g.pending(call)
				require.Equal(t, []any{"production"}, approval["channels"], "%s %d", r, i)
				require.Equal(t, before, g.version(), "%s %d", r, i)
			}
		}
		require.Equal(t, before, g.version())
	}
}

func containsPath(path, part string) bool {
	return len(path) >= len(part) && (path[:len(part)] == part || path[len(path)-len(part):] == part)
}

// TestWhatNeverWaits makes the calls that give devices less, with the key of an editor.
func TestWhatNeverWaits(t *testing.T) {
	t.Parallel()
	g := guard(t)
	extra := g.create("/v1/ota/updates", object{"buildId": g.build, "channel": "production"})
	newest := g.create("/v1/ota/updates", object{"buildId": g.build, "channel": "production", "rolloutPercentage": 50})
	g.do(g.channels(object{"isPaused": false}).by(http.MethodPatch)).record(200)
	g.protect("production", 2)
	for _, allowed := range []struct {
		name string
		call request
	}{
		{"a smaller share", g.updates(g.release, object{"rolloutPercentage": 10}).by(http.MethodPatch)},
		{"disabling", g.updates(newest, object{"isEnabled": false}).by(http.MethodPatch)},
		{"deleting a release", at("/v1/ota/updates/%d", g.disabled.id("id")).by(http.MethodDelete)},
		{"pausing", g.channels(object{"isPaused": true}).by(http.MethodPatch)},
		{"a smaller branch rollout", g.channels(object{"rolloutPercentage": 5}).by(http.MethodPatch)},
		{"a flag off", g.flags("", object{"enabled": false}).by(http.MethodPatch)},
		{"the name of a flag", g.flags("", object{"name": "Another"}).by(http.MethodPatch)},
		{"a flag off on a channel", g.flags("/env/staging", object{"enabled": false}).by(http.MethodPatch)},
		{"another channel", to(object{"isPaused": true}, "/v1/ota/channels/staging").by(http.MethodPatch)},
		{"publishing to another", to(object{"channel": "staging"}, "/v1/ota/builds/%d/publish", g.build).by(http.MethodPost)},
		{"the name of a segment", to(object{"name": "Another"}, "/v1/ota/segments/%d", g.segment.id("id")).by(http.MethodPatch)},
		{"a manual rollback of a run", to(object{"scope": "release"}, "/v1/ota/rollout-executions/%d/rollback", g.running).by(http.MethodPost)},
		{"an emergency stop", to(object{"reason": "it crashes"}, "/v1/ota/emergency-stop").by(http.MethodPost)},
		{"the end of branch rollouts", g.channels(object{"rolloutBranchName": nil}).by(http.MethodPatch)},
	} {
		allowed.call.key = g.keys[models.RoleEditor]
		a := g.do(allowed.call)
		require.Contains(t, []int{200, 201, 204}, a.status, "%s: %s", allowed.name, a.body)
	}
	back := to(object{
		"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "rollbackToUpdateId": extra.id("id"),
	}, "/v1/ota/rollback").by(http.MethodPost)
	back.key = g.keys[models.RoleEditor]
	g.do(back).record(201)
	require.Empty(t, g.list("/v1/ota/approvals"))
}
