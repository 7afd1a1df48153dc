package e2e

import "github.com/waft-ota/waft/models"

// approvalRows call the endpoints with keys, which can decide only about their own requests. The decisions of people
// are in rollout_approvals_test.go.
var approvalRows = map[string]row{
	"GET /v1/ota/approvals": {status: 200, request: func(p *tenant) request {
		p.rejected()
		return request{}
	}},
	"GET /v1/ota/approvals/{id}": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/approvals/%d", p.rejected()) },
		refusals: []refusal{unknownRecord("/v1/ota/approvals/1", nil)},
	},
	"POST /v1/ota/approvals/{id}/approve": {
		status: 403,
		request: func(p *tenant) request {
			return to(object{"comment": "fine"}, "/v1/ota/approvals/%d/approve", p.rejected())
		},
		refusals: []refusal{unknownRecord("/v1/ota/approvals/1/approve", object{}), {
			"a key asks", 403, models.CodeForbidden, func(p *tenant) request { return at("/v1/ota/approvals/%d/approve", p.rejected()) },
		}},
	},
	"POST /v1/ota/approvals/{id}/reject": {
		status: 403,
		request: func(p *tenant) request {
			return to(object{"comment": "no"}, "/v1/ota/approvals/%d/reject", p.rejected())
		},
		refusals: []refusal{unknownRecord("/v1/ota/approvals/1/reject", object{})},
	},
	"POST /v1/ota/approvals/{id}/withdraw": {
		status:   409,
		request:  func(p *tenant) request { return at("/v1/ota/approvals/%d/withdraw", p.rejected()) },
		refusals: []refusal{unknownRecord("/v1/ota/approvals/1/withdraw", nil)},
	},
}

// peopleOnly lists the routes on which a key cannot act on another requester's record, whatever its role.
var peopleOnly = map[string]bool{
	"POST /v1/ota/approvals/{id}/approve": true,
	"POST /v1/ota/approvals/{id}/reject":  true,
}
