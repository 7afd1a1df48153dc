package e2e

import "github.com/waft-ota/waft/models"

var branchRows = map[string]row{
	"GET /v1/ota/branches": {status: 200, request: own},
	"POST /v1/ota/branches": {
		status:  201,
		request: func(p *tenant) request { return request{body: object{"name": p.name()}} },
		refusals: []refusal{
			{"the name is taken", 409, models.CodeAlreadyExists, func(*tenant) request { return request{body: object{"name": "production"}} }},
			{"the name is none", 400, models.CodeInvalid, func(*tenant) request { return request{body: object{"name": "-x"}} }},
		},
	},
	"DELETE /v1/ota/branches/{name}": {
		status:  204,
		request: func(p *tenant) request { return at("/v1/ota/branches/%s", p.branch()) },
		refusals: []refusal{
			unknownRecord("/v1/ota/branches/nowhere", nil),
			{"a channel points to it", 409, models.CodeInUse, func(*tenant) request { return at("/v1/ota/branches/production") }},
		},
	},
}

var channelRows = map[string]row{
	"GET /v1/ota/channels": {status: 200, request: own},
	"POST /v1/ota/channels": {
		status:  201,
		request: func(p *tenant) request { return request{body: object{"name": p.name(), "branchName": "production"}} },
		refusals: []refusal{
			{"the name is taken", 409, models.CodeAlreadyExists, func(*tenant) request { return request{body: object{"name": "production"}} }},
			{"the name is missing", 400, models.CodeInvalid, func(*tenant) request { return request{body: object{"branchName": "production"}} }},
		},
	},
	"GET /v1/ota/channels/{name}": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/channels/%s", p.channel()) },
		refusals: []refusal{unknownRecord("/v1/ota/channels/nowhere", nil)},
	},
	"PATCH /v1/ota/channels/{name}": {
		status:  200,
		request: func(p *tenant) request { return to(object{"isPaused": true}, "/v1/ota/channels/%s", p.channel()) },
		refusals: []refusal{
			unknownRecord("/v1/ota/channels/nowhere", object{"isPaused": true}),
			{"there is no such branch", 404, models.CodeNotFound, func(*tenant) request {
				return to(object{"branchName": "nowhere"}, "/v1/ota/channels/production")
			}},
			{"a share without its branch", 400, models.CodeInvalid, func(*tenant) request {
				return to(object{"rolloutPercentage": 10}, "/v1/ota/channels/production")
			}},
			{"null for what is never null", 400, models.CodeInvalid, func(*tenant) request {
				return to(object{"isPaused": nil}, "/v1/ota/channels/production")
			}},
		},
		borrowed: func(a, _ *tenant) []request {
			return []request{
				to(object{"branchName": a.branch()}, "/v1/ota/channels/production"),
				to(object{"rolloutBranchName": a.branch(), "rolloutPercentage": 10}, "/v1/ota/channels/production"),
			}
		},
	},
	"DELETE /v1/ota/channels/{name}": {
		status:   204,
		request:  func(p *tenant) request { return at("/v1/ota/channels/%s", p.channel()) },
		refusals: []refusal{unknownRecord("/v1/ota/channels/nowhere", nil)},
	},
}
