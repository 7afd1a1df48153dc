package e2e

import (
	"net/http"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// previewRow returns a row for the preview of a command to a rollout. The commands in before are sent first.
func previewRow(command string, body object, before ...string) row {
	return row{
		status: 200,
		request: func(p *tenant) request {
			id := p.begun().id("id")
			for _, first := range before {
				done := p.do(steering(id, first, nil).untilTaken())
				// Without a worker the rollout does not start. Tests without a worker only check who may call the
				// route.
				require.Contains(p.t, []int{http.StatusOK, http.StatusServiceUnavailable}, done.status, done.body)
			}
			return to(body, "/v1/ota/rollout-executions/%d/%s/preview", id, command)
		},
		refusals: []refusal{
			unknownRecord(path("/v1/ota/rollout-executions/1/%s/preview", command), body),
			{"it has ended", 409, models.CodeInvalidTransition, func(p *tenant) request {
				id := p.begun().id("id")
				p.awaitCommand(id, "cancel", nil)
				return to(body, "/v1/ota/rollout-executions/%d/%s/preview", id, command)
			}},
		},
	}
}

var previewRows = map[string]row{
	"POST /v1/ota/rollout-executions/{id}/pause/preview":    previewRow("pause", object{"reason": "lunch"}),
	"POST /v1/ota/rollout-executions/{id}/resume/preview":   previewRow("resume", object{}, "pause"),
	"POST /v1/ota/rollout-executions/{id}/advance/preview":  previewRow("advance", object{}),
	"POST /v1/ota/rollout-executions/{id}/cancel/preview":   previewRow("cancel", object{"revert": false}),
	"POST /v1/ota/rollout-executions/{id}/rollback/preview": previewRow("rollback", object{"scope": "channel"}),
	"POST /v1/ota/rollback/preview": {
		status: 200, refers: true,
		request: func(p *tenant) request {
			channel, older := p.releasedOn()
			return request{body: object{"runtimeVersion": "1.0.0", "platform": "ios", "channel": channel, "rollbackToUpdateId": older}}
		},
		refusals: []refusal{
			{"there is no such channel", 404, models.CodeNotFound, func(*tenant) request {
				return request{body: object{"runtimeVersion": "1.0.0", "platform": "ios", "channel": "nowhere"}}
			}},
			{"the platform is none", 400, models.CodeInvalid, func(*tenant) request {
				return request{body: object{"runtimeVersion": "1.0.0", "platform": "windows", "channel": "production"}}
			}},
		},
		borrowed: func(a, b *tenant) []request {
			channel, _ := b.releasedOn()
			return []request{{body: object{
				"runtimeVersion": "1.0.0", "platform": "ios", "channel": channel, "rollbackToUpdateId": a.release().id("id"),
			}}}
		},
	},
	"POST /v1/ota/updates/preview": {
		status: 200, refers: true,
		request: func(p *tenant) request {
			return request{body: object{"buildId": p.build().id("id"), "branchName": "production"}}
		},
		refusals: []refusal{{"the build is missing", 400, models.CodeInvalid, func(*tenant) request { return request{body: object{}} }}},
		borrowed: func(a, _ *tenant) []request {
			return []request{{body: object{"buildId": a.build().id("id"), "branchName": "production"}}}
		},
	},
	"POST /v1/ota/updates/{id}/preview": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"isEnabled": false}, "/v1/ota/updates/%d/preview", p.release().id("id"))
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/updates/1/preview", object{"isEnabled": false}),
			{"the percentage is above 100", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"rolloutPercentage": 101}, "/v1/ota/updates/%d/preview", p.release().id("id"))
			}},
		},
	},
	"POST /v1/ota/updates/{id}/delete/preview": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{}, "/v1/ota/updates/%d/delete/preview", p.release().id("id"))
		},
		refusals: []refusal{unknownRecord("/v1/ota/updates/1/delete/preview", object{})},
	},
	"POST /v1/ota/updates/{id}/republish/preview": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"channels": []string{"staging"}}, "/v1/ota/updates/%d/republish/preview", p.release().id("id"))
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/updates/1/republish/preview", object{}),
			{"there is no such channel", 404, models.CodeNotFound, func(p *tenant) request {
				return to(object{"channels": []string{"nowhere"}}, "/v1/ota/updates/%d/republish/preview", p.release().id("id"))
			}},
			{"the releases are not those of the path", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"updateIds": []int64{p.release().id("id")}}, "/v1/ota/updates/%d/republish/preview", p.release().id("id"))
			}},
		},
	},
	"POST /v1/ota/builds/{id}/publish/preview": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"channel": "production"}, "/v1/ota/builds/%d/publish/preview", p.build().id("id"))
		},
		refusals: []refusal{unknownRecord("/v1/ota/builds/1/publish/preview", object{"channel": "production"})},
	},
	"POST /v1/ota/rollout-executions/preview": {
		status: 200, refers: true,
		request: func(p *tenant) request {
			return request{body: object{"policyId": p.policy(), "updateId": p.release().id("id")}}
		},
		refusals: []refusal{{"there is no such release", 404, models.CodeNotFound, func(p *tenant) request {
			return request{body: object{"policyId": p.policy(), "updateId": 1}}
		}}},
		borrowed: func(a, b *tenant) []request {
			return []request{
				{body: object{"policyId": a.policy(), "updateId": b.release().id("id")}},
				{body: object{"policyId": b.policy(), "updateId": a.release().id("id")}},
			}
		},
	},
	"POST /v1/ota/channels/{name}/delete/preview": {
		status:   200,
		request:  func(p *tenant) request { return to(object{}, "/v1/ota/channels/%s/delete/preview", p.channel()) },
		refusals: []refusal{unknownRecord("/v1/ota/channels/nowhere/delete/preview", object{})},
	},
	"POST /v1/ota/segments/{id}/preview": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"matchType": "any"}, "/v1/ota/segments/%d/preview", p.segment().id("id"))
		},
		refusals: []refusal{unknownRecord("/v1/ota/segments/1/preview", object{"matchType": "any"})},
	},
	"POST /v1/ota/user-overrides/preview": {
		status:  200,
		request: func(p *tenant) request { return request{body: p.overrideBody()} },
		refusals: []refusal{
			{"the user has one", 409, models.CodeAlreadyExists, func(p *tenant) request {
				body := p.overrideBody()
				p.create("/v1/ota/user-overrides", body)
				return request{body: body}
			}},
			{"an unknown branch", 404, models.CodeNotFound, func(p *tenant) request {
				return request{body: object{"userId": p.name(), "branchName": "nowhere"}}
			}},
			{"the user is missing", 400, models.CodeInvalid, func(*tenant) request { return request{body: object{"branchName": "staging"}} }},
		},
		borrowed: func(a, b *tenant) []request {
			return []request{{body: object{"userId": b.name(), "branchName": a.branch()}}}
		},
	},
	"POST /v1/ota/user-overrides/{id}/delete/preview": {
		status:   200,
		request:  func(p *tenant) request { return to(object{}, "/v1/ota/user-overrides/%d/delete/preview", p.override()) },
		refusals: []refusal{unknownRecord("/v1/ota/user-overrides/1/delete/preview", object{})},
	},
	"POST /v1/ota/flags/preview": {
		status:  200,
		request: func(p *tenant) request { return request{body: p.flagBody()} },
		refusals: []refusal{
			{"the key is taken", 409, models.CodeAlreadyExists, func(p *tenant) request {
				return request{body: p.flagBody().with("key", p.flag()["key"])}
			}},
			{"the default is missing", 400, models.CodeInvalid, func(p *tenant) request {
				return request{body: object{"name": p.name(), "flagType": "number"}}
			}},
		},
	},
	"POST /v1/ota/flags/{id}/delete/preview": {
		status:  200,
		request: func(p *tenant) request { return to(object{}, "/v1/ota/flags/%d/delete/preview", p.flag().id("id")) },
		refusals: []refusal{
			unknownRecord("/v1/ota/flags/1/delete/preview", object{}),
			{"a release links it", 409, models.CodeInUse, func(p *tenant) request {
				return to(object{}, "/v1/ota/flags/%d/delete/preview", p.linked().id("id"))
			}},
		},
	},
	"POST /v1/ota/flags/{id}/copy/preview": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"fromChannel": "staging", "toChannel": "production"}, "/v1/ota/flags/%d/copy/preview", p.flag().id("id"))
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/flags/1/copy/preview", object{"fromChannel": "staging", "toChannel": "production"}),
			{"an unknown channel", 404, models.CodeNotFound, func(p *tenant) request {
				return to(object{"fromChannel": "staging", "toChannel": "nowhere"}, "/v1/ota/flags/%d/copy/preview", p.flag().id("id"))
			}},
		},
	},
	"POST /v1/ota/flags/{id}/env/{channelName}/preview": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"enabled": true}, "/v1/ota/flags/%d/env/production/preview", p.flag().id("id"))
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/flags/1/env/production/preview", object{"enabled": true}),
			{"an unknown channel", 404, models.CodeNotFound, func(p *tenant) request {
				return to(object{"enabled": true}, "/v1/ota/flags/%d/env/nowhere/preview", p.flag().id("id"))
			}},
		},
	},
	"POST /v1/ota/emergency-stop/preview": {
		status:  200,
		request: func(p *tenant) request { return request{body: object{"reason": p.marker}} },
		refusals: []refusal{{"the reason is missing", 400, models.CodeInvalid, func(*tenant) request {
			return request{body: object{"reason": ""}}
		}}},
	},
	"POST /v1/ota/emergency-stop/resume/preview": {
		status: 200,
		request: func(p *tenant) request {
			p.stop(p.marker)
			p.do(to(object{"isPaused": false}, "/v1/ota/channels/production").by(http.MethodPatch)).record(200) // later rows need the channel
			return request{}
		},
	},
	"POST /v1/ota/channels/{name}/preview": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"isPaused": true}, "/v1/ota/channels/%s/preview", p.channel())
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/channels/nowhere/preview", object{"isPaused": true}),
			{"a share without its branch", 400, models.CodeInvalid, func(*tenant) request {
				return to(object{"rolloutPercentage": 10}, "/v1/ota/channels/production/preview")
			}},
			{"null for what is never null", 400, models.CodeInvalid, func(*tenant) request {
				return to(object{"isPaused": nil}, "/v1/ota/channels/production/preview")
			}},
		},
	},
}
