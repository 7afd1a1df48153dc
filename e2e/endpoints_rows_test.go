package e2e

import (
	"fmt"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// tables have one row per endpoint. Refusals that are common to all endpoints of a kind (401, 403, unknown fields,
// another project's record, …) are in endpoints_test.go.
var tables = []map[string]row{
	deviceRows, systemRows, projectRows, keyRows, buildRows, updateRows, branchRows, channelRows, policyRows,
	executionRows, auditRows, fileRows, overrideRows, contextRows, webhookRows, signingRows,
	telemetryRows, flagRows, segmentRows, releaseRows, upkeepRows, peopleRows, approvalRows,
	previewRows,
}

// at returns a request without a body.
func at(format string, args ...any) request { return request{path: fmt.Sprintf(format, args...)} }

// to returns a request with a body.
func to(body any, format string, args ...any) request {
	return request{path: fmt.Sprintf(format, args...), body: body}
}

// own returns a request to the route's own path.
func own(*tenant) request { return request{} }

// unknownRecord returns the refusal of a record that does not exist in any project.
func unknownRecord(path string, body any) refusal {
	return refusal{"there is no such record", 404, models.CodeNotFound, func(*tenant) request { return request{path: path, body: body} }}
}

var deviceRows = map[string]row{
	"GET /v1/ota/manifest/{projectSlug}": {
		status: 200,
		request: func(p *tenant) request {
			p.served()
			return at("/v1/ota/manifest/%s?channel=production", p.slug).
				with("Expo-Runtime-Version", "1.0.0").with("Expo-Platform", "ios").with("Accept", "application/expo+json")
		},
		refusals: []refusal{
			{"the platform is missing", 400, models.CodeInvalid, func(p *tenant) request {
				return at("/v1/ota/manifest/%s?channel=production", p.known()).
					with("Expo-Runtime-Version", "1.0.0").with("Authorization", "")
			}},
			{"there is no such project", 404, models.CodeNotFound, func(*tenant) request {
				return at("/v1/ota/manifest/nowhere?channel=production").with("Authorization", "")
			}},
			{"there is no such channel", 404, models.CodeNotFound, func(p *tenant) request {
				return at("/v1/ota/manifest/%s?channel=nowhere", p.known()).
					with("Expo-Runtime-Version", "1.0.0").with("Expo-Platform", "ios").with("Authorization", "")
			}},
			{"nothing that we have is accepted", 406, models.CodeNotAcceptable, func(p *tenant) request {
				return at("/v1/ota/manifest/%s?channel=production", p.known()).with("Accept", "image/png").
					with("Expo-Runtime-Version", "1.0.0").with("Expo-Platform", "ios").with("Authorization", "")
			}},
		},
	},
	"GET /v1/ota/assets/{md5}": {
		status:  200,
		request: func(p *tenant) request { return at("/v1/ota/assets/%s?project=%s", p.served(), p.slug) },
		refusals: []refusal{
			{"no build has such a file", 404, models.CodeNotFound, func(p *tenant) request {
				return at("/v1/ota/assets/00000000000000000000000000000000?project=%s", p.slug).with("Authorization", "")
			}},
			{"the project is missing", 400, models.CodeInvalid, func(p *tenant) request {
				return at("/v1/ota/assets/%s", p.served()).with("Authorization", "")
			}},
		},
	},
	"HEAD /v1/ota/assets/{md5}": {
		status:  200,
		request: func(p *tenant) request { return at("/v1/ota/assets/%s?project=%s", p.served(), p.slug) },
	},
	"POST /v1/ota/health-metrics": {
		status: 204,
		request: func(p *tenant) request {
			return request{body: healthReport(p.known())}
		},
		refusals: []refusal{
			{"it is not JSON", 400, models.CodeInvalid, func(*tenant) request {
				return request{body: "not json"}.with("Authorization", "")
			}},
			{"there is no such project", 404, models.CodeNotFound, func(*tenant) request {
				return request{body: healthReport("nowhere")}.with("Authorization", "")
			}},
			{"it is too large", 413, models.CodeTooLarge, func(*tenant) request {
				return request{body: string(make([]byte, 512<<10+1))}.with("Authorization", "")
			}},
			{"it is XML", 415, models.CodeUnsupportedMedia, func(p *tenant) request {
				return request{body: "<xml/>"}.with("Content-Type", "application/xml").with("Authorization", "")
			}},
		},
	},
}

func healthReport(slug string) object {
	return object{
		"projectSlug": slug, "deviceId": uuid.NewString(), "platform": "ios", "runtimeVersion": "1.0.0",
		"updateUuid": nil, "channel": "production", "events": []object{{"type": "app_launch", "count": 1}, {"type": "perf_sample", "count": 1}},
	}
}

var systemRows = map[string]row{
	"GET /healthz":      {status: 200, request: own},
	"GET /readyz":       {status: 200, request: own},
	"GET /openapi.json": {status: 200, request: own},
	"GET /docs":         {status: 200, request: own},
}

var projectRows = map[string]row{
	"GET /v1/ota/projects": {status: 200, request: own},
	"POST /v1/ota/projects": {
		status:  201,
		request: func(p *tenant) request { return request{body: object{"name": p.marker, "slug": "s" + p.slug}} },
		refusals: []refusal{
			{"the slug is taken", 409, models.CodeAlreadyExists, func(p *tenant) request {
				return request{body: object{"name": "x", "slug": p.slug}, key: p.rootKey, project: "-"}
			}},
			{"the slug has capitals", 400, models.CodeInvalid, func(p *tenant) request {
				return request{body: object{"name": "x", "slug": "UPPER"}, key: p.rootKey, project: "-"}
			}},
		},
	},
	"DELETE /v1/ota/projects/{slug}": {
		status: 204,
		request: func(p *tenant) request {
			return at("/v1/ota/projects/%s", p.slug)
		},
		refusals: []refusal{{"there is no such project", 404, models.CodeNotFound, func(p *tenant) request {
			return request{path: "/v1/ota/projects/nowhere", key: p.rootKey, project: "-"}
		}}},
	},
}

var keyRows = map[string]row{
	"GET /v1/ota/api-keys": {status: 200, request: own},
	"POST /v1/ota/api-keys": {
		status:  201,
		request: func(p *tenant) request { return request{body: object{"name": p.marker, "role": "viewer"}} },
		refusals: []refusal{
			{"the role is not known", 400, models.CodeInvalid, func(*tenant) request {
				return request{body: object{"name": "x", "role": "owner"}}
			}},
			{"it has ended already", 400, models.CodeInvalid, func(*tenant) request {
				return request{body: object{"name": "x", "role": "viewer", "expiresAt": "2020-01-01T00:00:00Z"}}
			}},
		},
	},
	"POST /v1/ota/api-keys/revoke": {
		status: 200, request: func(*tenant) request { return request{body: object{"madeBy": 1}} },
		refusals: []refusal{{"it names no user", 400, models.CodeInvalid, func(*tenant) request {
			return request{body: object{"madeBy": 0}}
		}}},
	},
	"DELETE /v1/ota/api-keys/{id}": {
		status:   204,
		request:  func(p *tenant) request { return at("/v1/ota/api-keys/%d", p.apiKey()) },
		refusals: []refusal{unknownRecord("/v1/ota/api-keys/1", nil), unknownRecord("/v1/ota/api-keys/x", nil)},
	},
}

var buildRows = map[string]row{
	"GET /v1/ota/builds": {status: 200, request: own},
	"POST /v1/ota/builds": {
		status: 201, request: (*tenant).upload,
		refusals: []refusal{
			{"it is no form", 415, models.CodeUnsupportedMedia, func(*tenant) request {
				return request{body: object{}}.with("Content-Type", "application/xml")
			}},
			{"it names a file that is not stored", 409, models.CodeFilesMissing, func(p *tenant) request {
				named := []object{{"path": "index.hbc", "sha256": sha256Of(p.name())}}
				return request{body: object{"platform": "ios", "runtimeVersion": "1.0.0", "files": named}}
			}},
			{"it ends too early", 400, models.CodeInvalid, func(p *tenant) request {
				r := p.upload()
				r.body = r.body.(string)[:100]
				return r
			}},
		},
	},
	"GET /v1/ota/builds/{id}": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/builds/%d", p.build().id("id")) },
		refusals: []refusal{unknownRecord("/v1/ota/builds/1", nil)},
	},
	"DELETE /v1/ota/builds/{id}": {
		status:  204,
		request: func(p *tenant) request { return at("/v1/ota/builds/%d", p.build().id("id")) },
		refusals: []refusal{
			unknownRecord("/v1/ota/builds/1", nil),
			{"a release needs it", 409, models.CodeInUse, func(p *tenant) request {
				return at("/v1/ota/builds/%d", p.release().id("buildId"))
			}},
		},
	},
	"DELETE /v1/ota/builds/{id}/sourcemap": {
		status: 204,
		request: func(p *tenant) request {
			id := p.build().id("id")
			p.do(to(object{"version": 3, "sources": []string{p.marker}, "mappings": ""}, "/v1/ota/builds/%d/sourcemap", id).by("PUT")).record(200)
			return at("/v1/ota/builds/%d/sourcemap", id)
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/builds/1/sourcemap", nil),
			{"it has none", 404, models.CodeNotFound, func(p *tenant) request {
				return at("/v1/ota/builds/%d/sourcemap", p.build().id("id"))
			}},
		},
	},
	"PUT /v1/ota/builds/{id}/sourcemap": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"version": 3, "sources": []string{p.marker}, "mappings": ""}, "/v1/ota/builds/%d/sourcemap", p.build().id("id"))
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/builds/1/sourcemap", object{"version": 3, "mappings": ""}),
			{"it is no source map", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"version": 3}, "/v1/ota/builds/%d/sourcemap", p.build().id("id"))
			}},
			{"it is of another version", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"version": 2, "mappings": ""}, "/v1/ota/builds/%d/sourcemap", p.build().id("id"))
			}},
			{"it is XML", 415, models.CodeUnsupportedMedia, func(p *tenant) request {
				return to(object{}, "/v1/ota/builds/%d/sourcemap", p.build().id("id")).with("Content-Type", "application/xml")
			}},
		},
	},
	"POST /v1/ota/builds/{id}/publish": {
		status: 201,
		request: func(p *tenant) request {
			return to(object{"channel": "production", "releaseMessage": p.marker}, "/v1/ota/builds/%d/publish", p.build().id("id"))
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/builds/1/publish", object{"channel": "production"}),
			{"there is no such channel", 404, models.CodeNotFound, func(p *tenant) request {
				return to(object{"channel": "nowhere"}, "/v1/ota/builds/%d/publish", p.build().id("id"))
			}},
			{"there is no such policy", 404, models.CodeNotFound, func(p *tenant) request {
				return to(object{"channel": "production", "rolloutPolicyId": 1}, "/v1/ota/builds/%d/publish", p.build().id("id"))
			}},
			{"the share is above 100", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"channel": "production", "rolloutPercentage": 101}, "/v1/ota/builds/%d/publish", p.build().id("id"))
			}},
			{"the group has this platform", 409, models.CodeAlreadyExists, func(p *tenant) request {
				r := p.release()
				return to(object{"channel": "production", "groupId": r["groupId"]}, "/v1/ota/builds/%d/publish", r.id("buildId"))
			}},
		},
		borrowed: func(a, b *tenant) []request {
			publish := func(body object) request { return to(body, "/v1/ota/builds/%d/publish", b.build().id("id")) }
			return []request{
				publish(object{"channel": a.channel()}),
				publish(object{"channel": "production", "rolloutPolicyId": a.policy()}),
				publish(object{"channel": "production", "linkedFlags": []object{{"flagId": a.flag().id("id"), "enabled": true}}}),
			}
		},
	},
}

var updateRows = map[string]row{
	"GET /v1/ota/updates": {
		status: 200, request: own,
		refusals: []refusal{{"the filter is none", 400, models.CodeInvalid, func(*tenant) request {
			return at("/v1/ota/updates?platform=windows")
		}}},
	},
	"POST /v1/ota/updates": {
		status: 201, refers: true,
		request: func(p *tenant) request {
			return request{body: object{"buildId": p.build().id("id"), "branchName": "production", "releaseMessage": p.marker}}
		},
		refusals: []refusal{
			{"there is no such build", 404, models.CodeNotFound, func(*tenant) request {
				return request{body: object{"buildId": 1, "branchName": "production"}}
			}},
			{"the flag is not the project's", 404, models.CodeNotFound, func(p *tenant) request {
				return request{body: object{
					"buildId": p.build().id("id"), "branchName": "production", "linkedFlags": []object{{"flagId": 1, "enabled": true}},
				}}
			}},
			{"both branch and channel are given", 400, models.CodeInvalid, func(p *tenant) request {
				return request{body: object{"buildId": p.build().id("id"), "branchName": "production", "channel": "production"}}
			}},
			{"the group has this platform", 409, models.CodeAlreadyExists, func(p *tenant) request {
				r := p.release()
				return request{body: object{"buildId": r.id("buildId"), "branchName": "production", "groupId": r["groupId"]}}
			}},
		},
	},
	"GET /v1/ota/updates/{id}": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/updates/%d", p.release().id("id")) },
		refusals: []refusal{unknownRecord("/v1/ota/updates/1", nil)},
	},
	"PATCH /v1/ota/updates/{id}": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"isEnabled": false}, "/v1/ota/updates/%d", p.release().id("id"))
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/updates/1", object{"isEnabled": false}),
			{"the share is none", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"rolloutPercentage": -1}, "/v1/ota/updates/%d", p.release().id("id"))
			}},
			{"a rollout runs", 409, models.CodeRolloutInProgress, func(p *tenant) request {
				return to(object{"rolloutPercentage": 50}, "/v1/ota/updates/%d", p.execution().id("updateId"))
			}},
		},
		borrowed: func(a, b *tenant) []request {
			return []request{to(object{"linkedFlags": []object{{"flagId": a.flag().id("id"), "enabled": true}}},
				"/v1/ota/updates/%d", b.release().id("id"))}
		},
	},
	"DELETE /v1/ota/updates/{id}": {
		status:  204,
		request: func(p *tenant) request { return at("/v1/ota/updates/%d", p.release().id("id")) },
		refusals: []refusal{
			unknownRecord("/v1/ota/updates/1", nil),
			{"a rollout runs", 409, models.CodeRolloutInProgress, func(p *tenant) request {
				return at("/v1/ota/updates/%d", p.execution().id("updateId"))
			}},
		},
	},
	"GET /v1/ota/resolve": {
		status: 200,
		request: func(p *tenant) request {
			p.known()
			return at("/v1/ota/resolve?channel=production&platform=ios&runtimeVersion=1.0.0")
		},
		refusals: []refusal{{"the platform is missing", 400, models.CodeInvalid, func(*tenant) request {
			return at("/v1/ota/resolve?channel=production&runtimeVersion=1.0.0")
		}}},
	},
}

var policyRows = map[string]row{
	"GET /v1/ota/rollout-policies": {status: 200, request: own},
	"POST /v1/ota/rollout-policies": {
		status:  201,
		request: func(p *tenant) request { return request{body: p.policyBody()} },
		refusals: []refusal{{"the last stage is not 100", 400, models.CodeInvalid, func(p *tenant) request {
			return request{body: object{"name": p.name(), "stages": []object{{"percentage": 50}}}}
		}}},
	},
	"GET /v1/ota/rollout-policies/{id}": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/rollout-policies/%d", p.policy()) },
		refusals: []refusal{unknownRecord("/v1/ota/rollout-policies/1", nil)},
	},
}

// commandRow returns a row for a command to a rollout. The commands in before are sent first.
func commandRow(command string, before ...string) row {
	return row{
		status: 200,
		request: func(p *tenant) request {
			id := p.begun().id("id")
			for _, c := range before {
				if p.still {
					break
				}
				p.awaitCommand(id, c, nil)
			}
			return steering(id, command, object{"reason": p.marker}).untilTaken()
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/rollout-executions/1/"+command, nil),
			{"it has ended", 409, models.CodeInvalidTransition, func(p *tenant) request {
				id := p.begun().id("id")
				p.awaitCommand(id, "cancel", nil)
				return steering(id, command, nil).untilTaken()
			}},
		},
	}
}

var executionRows = map[string]row{
	"GET /v1/ota/rollout-executions": {status: 200, request: own},
	"POST /v1/ota/rollout-executions": {
		status: 201, refers: true,
		request: func(p *tenant) request {
			return request{body: object{"policyId": p.policy(), "updateId": p.releaseApart().id("id")}}
		},
		refusals: []refusal{
			{"every device gets a newer one", 400, models.CodeInvalid, func(p *tenant) request {
				older := p.release().id("id")
				p.release()
				return request{body: object{"policyId": p.policy(), "updateId": older}}
			}},
			{"there is no such policy", 404, models.CodeNotFound, func(p *tenant) request {
				return request{body: object{"policyId": 1, "updateId": p.release().id("id")}}
			}},
			{"there is no such release", 404, models.CodeNotFound, func(p *tenant) request {
				return request{body: object{"policyId": p.policy(), "updateId": 1}}
			}},
			{"one runs already", 409, models.CodeRolloutInProgress, func(p *tenant) request {
				e := p.execution()
				return request{body: object{"policyId": e["policyId"], "updateId": e["updateId"]}}
			}},
		},
		borrowed: func(a, b *tenant) []request {
			return []request{
				{body: object{"policyId": b.policy(), "updateId": a.release().id("id")}},
				{body: object{"policyId": a.policy(), "updateId": b.release().id("id")}},
			}
		},
	},
	"GET /v1/ota/rollout-executions/{id}": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/rollout-executions/%d", p.execution().id("id")) },
		refusals: []refusal{unknownRecord("/v1/ota/rollout-executions/1", nil)},
	},
	"GET /v1/ota/rollout-executions/{id}/stream": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/rollout-executions/%d/stream", p.execution().id("id")) },
		refusals: []refusal{unknownRecord("/v1/ota/rollout-executions/1/stream", nil)},
	},
	"POST /v1/ota/rollout-executions/{id}/pause":   commandRow("pause"),
	"POST /v1/ota/rollout-executions/{id}/resume":  commandRow("resume", "pause"),
	"POST /v1/ota/rollout-executions/{id}/advance": commandRow("advance"),
	"POST /v1/ota/rollout-executions/{id}/cancel":  commandRow("cancel"),
	"POST /v1/ota/rollout-executions/{id}/rollback": {
		status: 200,
		request: func(p *tenant) request {
			return steering(p.execution().id("id"), "rollback", object{"scope": "release", "reason": p.marker}).untilTaken()
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/rollout-executions/1/rollback", object{"scope": "channel"}),
			{"a scope that there is not", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"scope": "planet"}, "/v1/ota/rollout-executions/%d/rollback", p.execution().id("id"))
			}},
			{"a flag without its id", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"scope": "flag"}, "/v1/ota/rollout-executions/%d/rollback", p.execution().id("id"))
			}},
			{"a flag that it does not link", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"scope": "flag", "flagId": 1}, "/v1/ota/rollout-executions/%d/rollback", p.execution().id("id"))
			}},
			{"it has ended", 409, models.CodeInvalidTransition, func(p *tenant) request {
				id := p.begun().id("id")
				p.awaitCommand(id, "cancel", nil)
				return steering(id, "rollback", object{"scope": "release"}).untilTaken()
			}},
		},
	},
}

var auditRows = map[string]row{
	"GET /v1/ota/audit-log/export": {
		status: 200, request: own,
		refusals: []refusal{
			badQuery("there is no such format", "/v1/ota/audit-log/export?format=xml"),
			badQuery("the time is none", "/v1/ota/audit-log/export?from=yesterday"),
		},
	},
}
