package e2e

import (
	"github.com/waft-ota/waft/models"
)

// releasedOn publishes twice on a new channel, and returns the channel's name and the ID of the older release.
func (p *tenant) releasedOn() (channel string, older int64) {
	p.t.Helper()
	channel = p.channel()
	publish := func() int64 {
		return p.create(path("/v1/ota/builds/%d/publish", p.build().id("id")), object{"channel": channel, "releaseMessage": p.marker}).id("id")
	}
	older = publish()
	publish()
	return channel, older
}

var releaseRows = map[string]row{
	"POST /v1/ota/updates/{id}/republish": {
		status: 201,
		request: func(p *tenant) request {
			return to(object{"channels": []string{"staging"}, "releaseMessage": p.marker}, "/v1/ota/updates/%d/republish", p.release().id("id"))
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/updates/1/republish", object{}),
			{"there is no such channel", 404, models.CodeNotFound, func(p *tenant) request {
				return to(object{"channels": []string{"nowhere"}}, "/v1/ota/updates/%d/republish", p.release().id("id"))
			}},
		},
		borrowed: func(a, b *tenant) []request {
			return []request{to(object{"channels": []string{a.channel()}}, "/v1/ota/updates/%d/republish", b.release().id("id"))}
		},
	},
	"GET /v1/ota/updates/{id}/history": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/updates/%d/history", p.release().id("id")) },
		refusals: []refusal{unknownRecord("/v1/ota/updates/1/history", nil)},
	},
	"GET /v1/ota/updates/{id}/patches": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/updates/%d/patches", p.release().id("id")) },
		refusals: []refusal{unknownRecord("/v1/ota/updates/1/patches", nil)},
	},
	"POST /v1/ota/rollback": {
		status: 201, refers: true,
		request: func(p *tenant) request {
			channel, older := p.releasedOn()
			return request{body: object{"runtimeVersion": "1.0.0", "platform": "ios", "channel": channel, "rollbackToUpdateId": older}}
		},
		refusals: []refusal{
			{"there is no such channel", 404, models.CodeNotFound, func(*tenant) request {
				return request{body: object{"runtimeVersion": "1.0.0", "platform": "ios", "channel": "nowhere"}}
			}},
			{"there is no such release", 404, models.CodeNotFound, func(p *tenant) request {
				channel, _ := p.releasedOn()
				return request{body: object{"runtimeVersion": "1.0.0", "platform": "ios", "channel": channel, "rollbackToUpdateId": 1}}
			}},
			{"the platform is none", 400, models.CodeInvalid, func(*tenant) request {
				return request{body: object{"runtimeVersion": "1.0.0", "platform": "windows", "channel": "production"}}
			}},
			{"the release is disabled", 409, models.CodeGoalDisabled, func(p *tenant) request {
				channel, older := p.releasedOn()
				p.do(to(object{"isEnabled": false}, "/v1/ota/updates/%d", older).by("PATCH")).record(200)
				return request{body: object{"runtimeVersion": "1.0.0", "platform": "ios", "channel": channel, "rollbackToUpdateId": older}}
			}},
		},
		borrowed: func(a, b *tenant) []request {
			channel, _ := b.releasedOn()
			return []request{{body: object{
				"runtimeVersion": "1.0.0", "platform": "ios", "channel": channel, "rollbackToUpdateId": a.release().id("id"),
			}}}
		},
	},
	"PATCH /v1/ota/rollout-policies/{id}": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"isActive": false}, "/v1/ota/rollout-policies/%d", p.policy())
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/rollout-policies/1", object{"isActive": false}),
			{"the stages fall", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"stages": []object{{"percentage": 50}, {"percentage": 20}}}, "/v1/ota/rollout-policies/%d", p.policy())
			}},
			{"a rollout runs by it", 409, models.CodePolicyLocked, func(p *tenant) request {
				return to(object{"isActive": false}, "/v1/ota/rollout-policies/%d", p.execution().id("policyId"))
			}},
		},
	},
	"DELETE /v1/ota/rollout-policies/{id}": {
		status:  204,
		request: func(p *tenant) request { return at("/v1/ota/rollout-policies/%d", p.policy()) },
		refusals: []refusal{
			unknownRecord("/v1/ota/rollout-policies/1", nil),
			{"a rollout runs by it", 409, models.CodePolicyLocked, func(p *tenant) request {
				return at("/v1/ota/rollout-policies/%d", p.execution().id("policyId"))
			}},
		},
	},
}
