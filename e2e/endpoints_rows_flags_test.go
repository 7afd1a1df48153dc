package e2e

import (
	"maps"
	"net/http"
	"time"

	"github.com/waft-ota/waft/models"
)

func (p *tenant) flagBody() object {
	return object{"name": p.name(), "description": p.marker, "flagType": "boolean", "defaultValue": false}
}

// flag creates a boolean flag with the variations on and off.
func (p *tenant) flag() object {
	p.t.Helper()
	return p.create("/v1/ota/flags", p.flagBody())
}

func (o object) variation(i int) object {
	return o["variations"].([]any)[i].(map[string]any)
}

func (p *tenant) ruleBody() object {
	return object{"ruleType": "user_list", "ruleConfig": object{"userIds": []string{p.marker}}, "variantValue": "true", "priority": 1}
}

// rule creates a rule and returns the IDs of its flag and of the rule.
func (p *tenant) rule() (flagID, id int64) {
	p.t.Helper()
	flagID = p.flag().id("id")
	return flagID, p.create(path("/v1/ota/flags/%d/rules", flagID), p.ruleBody()).id("id")
}

func (p *tenant) segmentBody() object {
	return object{"name": p.name(), "description": p.marker, "matchType": "all", "conditions": []object{
		{"attribute": "plan", "operator": "eq", "valuesJson": []string{"pro"}},
	}}
}

func (p *tenant) segment() object {
	p.t.Helper()
	return p.create("/v1/ota/segments", p.segmentBody())
}

// linked publishes a release that turns on a new flag, and returns the flag.
func (p *tenant) linked() object {
	p.t.Helper()
	f := p.flag()
	p.create(path("/v1/ota/builds/%d/publish", p.build().id("id")), object{
		"channel": "production", "linkedFlags": []object{{"flagId": f.id("id"), "enabled": true}},
	})
	return f
}

// whole returns the body that saves a stored flag, with some fields changed.
func (p *tenant) whole(id int64, changed object) object {
	p.t.Helper()
	stored, body := p.read(path("/v1/ota/flags/%d", id)), object{}
	for _, field := range []string{"name", "description", "enabled", "defaultValue", "variations", "rules", "environments"} {
		body[field] = stored[field]
	}
	maps.Copy(body, changed)
	return body
}

var flagRows = map[string]row{
	"GET /v1/ota/flag-definitions/{projectSlug}": {
		status:  200,
		request: func(p *tenant) request { return at("/v1/ota/flag-definitions/%s?channel=production", p.known()) },
		refusals: []refusal{{"there is no such project", 404, models.CodeNotFound, func(*tenant) request {
			return at("/v1/ota/flag-definitions/nowhere?channel=production").with("Authorization", "")
		}}},
	},
	"POST /v1/ota/flag-evaluations-bulk": {
		status:  200,
		request: func(p *tenant) request { return request{body: object{"projectSlug": p.known(), "deviceId": p.marker}} },
		refusals: []refusal{
			{"it is not JSON", 400, models.CodeInvalid, func(*tenant) request {
				return request{body: "not json"}.with("Authorization", "")
			}},
			{"the platform is unknown", 400, models.CodeInvalid, func(p *tenant) request {
				return request{body: object{"projectSlug": p.known(), "deviceId": "d", "platform": "tv"}}
			}},
			{"there is no such project", 404, models.CodeNotFound, func(*tenant) request {
				return request{body: object{"projectSlug": "nowhere", "deviceId": "d"}}.with("Authorization", "")
			}},
			{"there is no such channel", 404, models.CodeNotFound, func(p *tenant) request {
				return request{body: object{"projectSlug": p.known(), "deviceId": "d", "channel": "nowhere"}}
			}},
			{"it is too large", 413, models.CodeTooLarge, func(*tenant) request {
				return request{body: string(make([]byte, 512<<10+1))}.with("Authorization", "")
			}},
			{"it is XML", 415, models.CodeUnsupportedMedia, func(*tenant) request {
				return request{body: "<xml/>"}.with("Content-Type", "application/xml").with("Authorization", "")
			}},
		},
	},
	"GET /v1/ota/flag-stream/{projectSlug}": {
		status: 200,
		request: func(p *tenant) request {
			return at("/v1/ota/flag-stream/%s?channel=production&deviceId=%s", p.known(), p.marker)
		},
		refusals: []refusal{
			{"there is no device", 400, models.CodeInvalid, func(p *tenant) request { return at("/v1/ota/flag-stream/%s", p.known()) }},
			{"definitions is no boolean", 400, models.CodeInvalid, func(p *tenant) request {
				return at("/v1/ota/flag-stream/%s?definitions=yes", p.known())
			}},
			{"there is no such channel", 404, models.CodeNotFound, func(p *tenant) request {
				return at("/v1/ota/flag-stream/%s?deviceId=d&channel=nowhere", p.known())
			}},
			{"there is no such project", 404, models.CodeNotFound, func(*tenant) request {
				return at("/v1/ota/flag-stream/nowhere?deviceId=d").with("Authorization", "")
			}},
		},
	},
	"POST /ofrep/v1/evaluate/flags": {
		status: 200,
		request: func(p *tenant) request {
			p.known()
			return request{body: object{"context": object{"targetingKey": p.marker}}}
		},
	},
	"POST /ofrep/v1/evaluate/flags/{key}": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"context": object{"targetingKey": p.marker}}, "/ofrep/v1/evaluate/flags/%s", p.flag()["key"])
		},
	},
	"GET /ofrep/v1/event-stream": {
		status: 200,
		request: func(p *tenant) request {
			p.known()
			return at("%s", p.openPage(p.keys[models.RoleViewer], object{"targetingKey": p.marker}).stream)
		},
		refusals: []refusal{
			{"it has no token", 400, models.CodeInvalid, func(*tenant) request { return at("/ofrep/v1/event-stream") }},
			{"its token is invented", 401, models.CodeUnauthenticated, func(p *tenant) request {
				return at("/ofrep/v1/event-stream?token=%s", p.marker)
			}},
		},
	},
	"POST /v1/ota/flags/explain": {
		status:  200,
		request: func(*tenant) request { return request{body: object{"context": object{"targetingKey": "x"}}} },
		refusals: []refusal{
			{"the key is no text", 400, models.CodeInvalid, func(*tenant) request {
				return request{body: object{"context": object{"targetingKey": 7}}}
			}},
			{"there is no such channel", 400, models.CodeInvalid, func(*tenant) request {
				return request{body: object{"context": object{"channel": "nowhere"}}}
			}},
		},
	},
	"POST /v1/ota/flags/{id}/explain": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"context": object{"targetingKey": "x"}}, "/v1/ota/flags/%d/explain", p.flag().id("id"))
		},
		refusals: []refusal{unknownRecord("/v1/ota/flags/1/explain", object{"context": object{}})},
	},
	"GET /v1/ota/flags": {status: 200, request: own},
	"POST /v1/ota/flags": {
		status:  201,
		request: func(p *tenant) request { return request{body: p.flagBody()} },
		refusals: []refusal{
			{"the key is taken", 409, models.CodeAlreadyExists, func(p *tenant) request {
				return request{body: object{"name": "x", "key": p.flag()["key"], "flagType": "boolean", "defaultValue": false}}
			}},
			{"a variation is no number", 400, models.CodeInvalid, func(*tenant) request {
				return request{body: object{"name": "x", "flagType": "number", "defaultValue": 1, "variations": []object{{"name": "a", "value": "many"}}}}
			}},
		},
	},
	"GET /v1/ota/flags/{id}": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/flags/%d", p.flag().id("id")) },
		refusals: []refusal{unknownRecord("/v1/ota/flags/1", nil)},
	},
	"PATCH /v1/ota/flags/{id}": {
		status:  200,
		request: func(p *tenant) request { return to(object{"enabled": false}, "/v1/ota/flags/%d", p.flag().id("id")) },
		refusals: []refusal{
			unknownRecord("/v1/ota/flags/1", object{"enabled": false}),
			{"the default is of another type", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"defaultValue": 7}, "/v1/ota/flags/%d", p.flag().id("id"))
			}},
			{"a rule needs the variation", 409, models.CodeInUse, func(p *tenant) request {
				id, _ := p.rule()
				return to(object{"variations": []object{{"name": "Off", "value": "false"}}}, "/v1/ota/flags/%d", id)
			}},
		},
	},
	"PUT /v1/ota/flags/{id}": {
		status: 200,
		request: func(p *tenant) request {
			id, _ := p.rule()
			return to(p.whole(id, object{"enabled": false}), "/v1/ota/flags/%d", id).with("If-Match", "*")
		},
		refusals: []refusal{
			{"there is no such record", 404, models.CodeNotFound, func(p *tenant) request {
				return to(p.whole(p.flag().id("id"), nil), "/v1/ota/flags/1").with("If-Match", "*")
			}},
			{"the ETag is missing", 428, models.CodePreconditionNeeded, func(p *tenant) request {
				id := p.flag().id("id")
				return to(p.whole(id, nil), "/v1/ota/flags/%d", id)
			}},
			{"the flag has changed", 412, models.CodePreconditionFailed, func(p *tenant) request {
				id := p.flag().id("id")
				return to(p.whole(id, nil), "/v1/ota/flags/%d", id).with("If-Match", `"1-1"`)
			}},
			{"the default is of another type", 400, models.CodeInvalid, func(p *tenant) request {
				id := p.flag().id("id")
				return to(p.whole(id, object{"defaultValue": 7}), "/v1/ota/flags/%d", id).with("If-Match", "*")
			}},
			{"the flag has no such rule", 404, models.CodeNotFound, func(p *tenant) request {
				id := p.flag().id("id")
				return to(p.whole(id, object{"rules": []object{p.ruleBody().with("id", 1)}}), "/v1/ota/flags/%d", id).with("If-Match", "*")
			}},
			{"a default needs the variation", 409, models.CodeInUse, func(p *tenant) request {
				id := p.flag().id("id")
				body := p.whole(id, object{"variations": []object{{"name": "On", "value": "true"}}})
				return to(body, "/v1/ota/flags/%d", id).with("If-Match", "*")
			}},
		},
		borrowed: func(a, b *tenant) []request {
			id := b.flag().id("id")
			_, rule := a.rule()
			save := func(changed object) request {
				return to(b.whole(id, changed), "/v1/ota/flags/%d", id).with("If-Match", "*")
			}
			bySegment := b.ruleBody().with("ruleType", "segment").with("ruleConfig", object{"segmentKey": a.segment()["key"]})
			return []request{
				save(object{"rules": []object{b.ruleBody().with("id", rule)}}),
				save(object{"rules": []object{bySegment}}),
				save(object{"rules": []object{b.ruleBody().with("channelName", a.channel())}}),
				save(object{"environments": []object{{"channelName": a.channel(), "enabled": true}}}),
			}
		},
	},
	"POST /v1/ota/flags/{id}/preview": {
		status: 200,
		request: func(p *tenant) request {
			id, _ := p.rule()
			return to(p.whole(id, object{"enabled": false}), "/v1/ota/flags/%d/preview", id)
		},
		refusals: []refusal{
			{"there is no such record", 404, models.CodeNotFound, func(p *tenant) request {
				return to(p.whole(p.flag().id("id"), nil), "/v1/ota/flags/1/preview")
			}},
			{"the default is of another type", 400, models.CodeInvalid, func(p *tenant) request {
				id := p.flag().id("id")
				return to(p.whole(id, object{"defaultValue": 7}), "/v1/ota/flags/%d/preview", id)
			}},
		},
	},
	"DELETE /v1/ota/flags/{id}": {
		status:  204,
		request: func(p *tenant) request { return at("/v1/ota/flags/%d", p.flag().id("id")) },
		refusals: []refusal{
			unknownRecord("/v1/ota/flags/1", nil),
			{"a release links it", 409, models.CodeInUse, func(p *tenant) request {
				return at("/v1/ota/flags/%d", p.linked().id("id"))
			}},
		},
	},
	"POST /v1/ota/flags/{id}/rules": {
		status:  201,
		request: func(p *tenant) request { return to(p.ruleBody(), "/v1/ota/flags/%d/rules", p.flag().id("id")) },
		refusals: []refusal{
			unknownRecord("/v1/ota/flags/1/rules", object{
				"ruleType": "user_list", "ruleConfig": object{"userIds": []string{"x"}}, "variantValue": "true", "priority": 1,
			}),
			{"the value is no variation", 400, models.CodeInvalid, func(p *tenant) request {
				body := p.ruleBody()
				body["variantValue"] = "maybe"
				return to(body, "/v1/ota/flags/%d/rules", p.flag().id("id"))
			}},
			{"the weights are above 100", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"ruleType": "percentage_rollout", "priority": 1, "ruleConfig": object{"rollout": []object{
					{"variantValue": "true", "weight": 60}, {"variantValue": "false", "weight": 60},
				}}}, "/v1/ota/flags/%d/rules", p.flag().id("id"))
			}},
		},
		borrowed: func(a, b *tenant) []request {
			bySegment := b.ruleBody()
			bySegment["ruleType"], bySegment["ruleConfig"] = "segment", object{"segmentKey": a.segment()["key"]}
			byChannel := b.ruleBody()
			byChannel["channelName"] = a.channel()
			byVariation := object{"ruleType": "percentage_rollout", "priority": 1, "ruleConfig": object{"rollout": []object{
				{"variationId": a.flag().variation(0).id("id"), "weight": 60},
			}}}
			id := b.flag().id("id")
			return []request{
				to(bySegment, "/v1/ota/flags/%d/rules", id), to(byChannel, "/v1/ota/flags/%d/rules", id),
				to(byVariation, "/v1/ota/flags/%d/rules", id),
			}
		},
	},
	"PUT /v1/ota/flags/{id}/rules/order": {
		status: 200,
		request: func(p *tenant) request {
			flagID, id := p.rule()
			return to(object{"ruleIds": []int64{id}}, "/v1/ota/flags/%d/rules/order", flagID)
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/flags/1/rules/order", object{"ruleIds": []int64{}}),
			{"a rule is missing", 400, models.CodeInvalid, func(p *tenant) request {
				flagID, _ := p.rule()
				return to(object{"ruleIds": []int64{}}, "/v1/ota/flags/%d/rules/order", flagID)
			}},
			{"a rule is listed twice", 400, models.CodeInvalid, func(p *tenant) request {
				flagID, id := p.rule()
				return to(object{"ruleIds": []int64{id, id}}, "/v1/ota/flags/%d/rules/order", flagID)
			}},
			{"a rule is another flag's", 400, models.CodeInvalid, func(p *tenant) request {
				flagID, id := p.rule()
				_, other := p.rule()
				return to(object{"ruleIds": []int64{id, other}}, "/v1/ota/flags/%d/rules/order", flagID)
			}},
		},
	},
	"POST /v1/ota/flags/{id}/copy": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"fromChannel": "production", "toChannel": p.channel()}, "/v1/ota/flags/%d/copy", p.flag().id("id"))
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/flags/1/copy", object{"fromChannel": "production", "toChannel": "staging"}),
			{"there is no such channel", 404, models.CodeNotFound, func(p *tenant) request {
				return to(object{"fromChannel": "production", "toChannel": "nowhere"}, "/v1/ota/flags/%d/copy", p.flag().id("id"))
			}},
			{"both are the same", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"fromChannel": "production", "toChannel": "production"}, "/v1/ota/flags/%d/copy", p.flag().id("id"))
			}},
		},
		borrowed: func(a, b *tenant) []request {
			return []request{
				to(object{"fromChannel": a.channel(), "toChannel": "production"}, "/v1/ota/flags/%d/copy", b.flag().id("id")),
				to(object{"fromChannel": "production", "toChannel": a.channel()}, "/v1/ota/flags/%d/copy", b.flag().id("id")),
			}
		},
	},
	"PATCH /v1/ota/flags/{id}/rules/{ruleId}": {
		status: 200,
		request: func(p *tenant) request {
			flagID, id := p.rule()
			return to(object{"priority": 7}, "/v1/ota/flags/%d/rules/%d", flagID, id)
		},
		refusals: []refusal{
			{"the flag has no such rule", 404, models.CodeNotFound, func(p *tenant) request {
				return to(object{"priority": 7}, "/v1/ota/flags/%d/rules/1", p.flag().id("id"))
			}},
			{"the rule is another flag's", 404, models.CodeNotFound, func(p *tenant) request {
				_, id := p.rule()
				return to(object{"priority": 7}, "/v1/ota/flags/%d/rules/%d", p.flag().id("id"), id)
			}},
			{"the value is no variation", 400, models.CodeInvalid, func(p *tenant) request {
				flagID, id := p.rule()
				return to(object{"variantValue": "maybe"}, "/v1/ota/flags/%d/rules/%d", flagID, id)
			}},
		},
		borrowed: func(a, b *tenant) []request {
			_, id := a.rule()
			return []request{to(object{"priority": 7}, "/v1/ota/flags/%d/rules/%d", b.flag().id("id"), id)}
		},
	},
	"GET /v1/ota/flags/{id}/schedule": {
		status:  200,
		request: func(p *tenant) request { return at("/v1/ota/flags/%d/schedule", p.scheduled().id("flagId")) },
		refusals: []refusal{{"there is no such flag", 404, models.CodeNotFound, func(*tenant) request {
			return at("/v1/ota/flags/1/schedule")
		}}},
		borrowed: func(a, _ *tenant) []request {
			return []request{at("/v1/ota/flags/%d/schedule", a.scheduled().id("flagId"))}
		},
	},
	"POST /v1/ota/flags/{id}/schedule": {
		status: 201,
		request: func(p *tenant) request {
			return p.scheduledCall(p.flag().id("id"), time.Hour, object{"name": "Later"})
		},
		refusals: []refusal{
			{"there is no such record", 404, models.CodeNotFound, func(p *tenant) request {
				call := p.scheduledCall(p.flag().id("id"), time.Hour, nil)
				call.path = "/v1/ota/flags/1/schedule"
				return call
			}},
			{"the ETag is missing", 428, models.CodePreconditionNeeded, func(p *tenant) request {
				call := p.scheduledCall(p.flag().id("id"), time.Hour, nil)
				delete(call.header, "If-Match")
				return call
			}},
			{"the flag has changed", 412, models.CodePreconditionFailed, func(p *tenant) request {
				return p.scheduledCall(p.flag().id("id"), time.Hour, nil).with("If-Match", `"1-1"`)
			}},
			{"the time is in the past", 400, models.CodeInvalid, func(p *tenant) request {
				return p.scheduledCall(p.flag().id("id"), -time.Hour, nil)
			}},
			{"the time is too far away", 400, models.CodeInvalid, func(p *tenant) request {
				return p.scheduledCall(p.flag().id("id"), 2*models.MaxScheduleAhead, nil)
			}},
			{"the default is of another type", 400, models.CodeInvalid, func(p *tenant) request {
				return p.scheduledCall(p.flag().id("id"), time.Hour, object{"defaultValue": 7})
			}},
		},
		borrowed: func(a, _ *tenant) []request {
			return []request{a.scheduledCall(a.flag().id("id"), time.Hour, object{"name": "Later"})}
		},
	},
	"DELETE /v1/ota/flags/{id}/schedule/{scheduleId}": {
		status: 204,
		request: func(p *tenant) request {
			s := p.scheduled()
			return at("/v1/ota/flags/%d/schedule/%d", s.id("flagId"), s.id("id"))
		},
		refusals: []refusal{
			{"the flag has no such change", 404, models.CodeNotFound, func(p *tenant) request {
				return at("/v1/ota/flags/%d/schedule/1", p.flag().id("id"))
			}},
			{"the change has ended", 409, models.CodeInvalidTransition, func(p *tenant) request {
				s := p.scheduled()
				cancel := at("/v1/ota/flags/%d/schedule/%d", s.id("flagId"), s.id("id"))
				p.do(cancel.by(http.MethodDelete)).requireStatus(204)
				return cancel
			}},
		},
		borrowed: func(a, b *tenant) []request {
			s := a.scheduled()
			return []request{
				at("/v1/ota/flags/%d/schedule/%d", s.id("flagId"), s.id("id")),
				at("/v1/ota/flags/%d/schedule/%d", b.flag().id("id"), s.id("id")),
			}
		},
	},
	"DELETE /v1/ota/flags/{id}/rules/{ruleId}": {
		status: 204,
		request: func(p *tenant) request {
			flagID, id := p.rule()
			return at("/v1/ota/flags/%d/rules/%d", flagID, id)
		},
		refusals: []refusal{{"the flag has no such rule", 404, models.CodeNotFound, func(p *tenant) request {
			return at("/v1/ota/flags/%d/rules/1", p.flag().id("id"))
		}}},
		borrowed: func(a, b *tenant) []request {
			_, id := a.rule()
			return []request{at("/v1/ota/flags/%d/rules/%d", b.flag().id("id"), id)}
		},
	},
	"PATCH /v1/ota/flags/{id}/variations/{variationId}": {
		status: 200,
		request: func(p *tenant) request {
			f := p.flag()
			return to(object{"name": "Yes"}, "/v1/ota/flags/%d/variations/%d", f.id("id"), f.variation(0).id("id"))
		},
		refusals: []refusal{
			{"the flag has no such variation", 404, models.CodeNotFound, func(p *tenant) request {
				return to(object{"name": "Yes"}, "/v1/ota/flags/%d/variations/1", p.flag().id("id"))
			}},
			{"the value is none of the type", 400, models.CodeInvalid, func(p *tenant) request {
				f := p.flag()
				return to(object{"value": "maybe"}, "/v1/ota/flags/%d/variations/%d", f.id("id"), f.variation(0).id("id"))
			}},
		},
		borrowed: func(a, b *tenant) []request {
			return []request{to(object{"name": "Yes"}, "/v1/ota/flags/%d/variations/%d", b.flag().id("id"), a.flag().variation(0).id("id"))}
		},
	},
	"PATCH /v1/ota/flags/{id}/env/{channelName}": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"enabled": false}, "/v1/ota/flags/%d/env/production", p.flag().id("id"))
		},
		refusals: []refusal{{"there is no such channel", 404, models.CodeNotFound, func(p *tenant) request {
			return to(object{"enabled": false}, "/v1/ota/flags/%d/env/nowhere", p.flag().id("id"))
		}}},
		borrowed: func(a, b *tenant) []request {
			return []request{to(object{"enabled": false}, "/v1/ota/flags/%d/env/%s", b.flag().id("id"), a.channel())}
		},
	},
}

var segmentRows = map[string]row{
	"GET /v1/ota/segments": {status: 200, request: own},
	"POST /v1/ota/segments": {
		status:  201,
		request: func(p *tenant) request { return request{body: p.segmentBody()} },
		refusals: []refusal{
			{"the key is taken", 409, models.CodeAlreadyExists, func(p *tenant) request {
				body := p.segmentBody()
				body["key"] = p.segment()["key"]
				return request{body: body}
			}},
			{"there is no such operator", 400, models.CodeInvalid, func(*tenant) request {
				return request{body: object{"name": "x", "matchType": "all", "conditions": []object{
					{"attribute": "plan", "operator": "resembles", "valuesJson": []string{"pro"}},
				}}}
			}},
		},
	},
	"GET /v1/ota/segments/{id}": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/segments/%d", p.segment().id("id")) },
		refusals: []refusal{unknownRecord("/v1/ota/segments/1", nil)},
	},
	"PATCH /v1/ota/segments/{id}": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"matchType": "any"}, "/v1/ota/segments/%d", p.segment().id("id"))
		},
		refusals: []refusal{unknownRecord("/v1/ota/segments/1", object{"matchType": "any"})},
	},
	"DELETE /v1/ota/segments/{id}": {
		status:  204,
		request: func(p *tenant) request { return at("/v1/ota/segments/%d", p.segment().id("id")) },
		refusals: []refusal{
			unknownRecord("/v1/ota/segments/1", nil),
			{"a rule refers to it", 409, models.CodeInUse, func(p *tenant) request {
				s := p.segment()
				body := p.ruleBody()
				body["ruleType"], body["ruleConfig"] = "segment", object{"segmentKey": s["key"]}
				p.create(path("/v1/ota/flags/%d/rules", p.flag().id("id")), body)
				return at("/v1/ota/segments/%d", s.id("id"))
			}},
		},
	},
}
