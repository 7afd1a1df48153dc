package e2e

import (
	"net/http"
	"strings"

	"github.com/waft-ota/waft/models"
)

// badQuery returns the refusal of a path with an invalid query parameter.
func badQuery(why, path string) refusal {
	return refusal{why, 400, models.CodeInvalid, func(*tenant) request { return at("%s", path) }}
}

func evaluationReport(slug string) object {
	return object{"projectSlug": slug, "channel": "production", "evaluations": []object{{"flagKey": "unknown", "value": true, "count": 1}}}
}

// crash reports a crash, and returns its event once it appears in the list.
func (p *tenant) crash() (event object) {
	p.t.Helper()
	body := object{
		"projectSlug": p.known(), "deviceId": "crashed-" + p.marker, "platform": "ios", "runtimeVersion": "1.0.0", "events": []object{{
			"type": "crash", "count": 1, "errorName": "RangeError", "message": p.marker, "isFatal": true,
			"stackTrace": "RangeError: " + p.marker + "\n    at render (address at main.jsbundle:1:4711)",
		}},
	}
	p.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: body}).requireStatus(http.StatusNoContent)
	eventually(p.t, func() bool {
		events := p.do(at("/v1/ota/observe/events?type=crash&deviceId=%s", "crashed-"+p.marker)).list()
		if len(events) > 0 {
			event = events[0]
		}
		return len(events) > 0
	})
	return event
}

var telemetryRows = map[string]row{
	"GET /v1/ota/stream": {status: 200, request: own},
	"GET /v1/ota/attention": {
		status: 200,
		request: func(p *tenant) request {
			p.stop(p.marker)
			p.do(to(object{"isPaused": false}, "/v1/ota/channels/production").by(http.MethodPatch)).record(200) // later rows need the channel
			return own(p)
		},
	},
	"GET /v1/ota/overview": {
		status:  200,
		request: func(p *tenant) request { p.release(); return request{} },
	},
	"GET /v1/ota/devices": {
		status: 200, request: own,
		refusals: []refusal{
			badQuery("the update is no UUID", "/v1/ota/devices?updateUuid=7"),
			badQuery("the page is too large", "/v1/ota/devices?limit=201"),
			badQuery("there is no such order", "/v1/ota/devices?sort=name"),
			badQuery("the cursor is none", "/v1/ota/devices?cursor=1"),
		},
	},
	"GET /v1/ota/devices/{deviceId}": {
		status: 200,
		request: func(p *tenant) request {
			p.known()
			p.tells("known", "production", nil, "app_launch")
			p.eventually(func() bool { return p.device("known").status == 200 })
			return at("/v1/ota/devices/known")
		},
		refusals: []refusal{unknownRecord("/v1/ota/devices/nobody", nil)},
	},
	"GET /v1/ota/rollout-executions/{id}/looks": {
		status:  200,
		request: func(p *tenant) request { return at("/v1/ota/rollout-executions/%d/looks", p.execution().id("id")) },
		refusals: []refusal{
			unknownRecord("/v1/ota/rollout-executions/1/looks", nil),
			badQuery("nothing is wanted", "/v1/ota/rollout-executions/1/looks?limit=0"),
		},
	},
	"POST /v1/ota/segments/estimate": {
		status: 200,
		request: func(p *tenant) request {
			body := p.segmentBody()
			return request{body: object{"matchType": body["matchType"], "conditions": body["conditions"]}}
		},
		refusals: []refusal{{"there is no such operator", 400, models.CodeInvalid, func(*tenant) request {
			return request{body: object{"matchType": "all", "conditions": []object{{"attribute": "plan", "operator": "is", "valuesJson": []string{"a"}}}}}
		}}},
	},
	"POST /v1/ota/rollout-policies/preview": {
		status:  200,
		request: func(p *tenant) request { return request{body: p.policyBody()} },
		refusals: []refusal{{"the last stage is not for everybody", 400, models.CodeInvalid, func(*tenant) request {
			return request{body: object{"stages": []object{{"percentage": 10}}}}
		}}},
	},
	"GET /v1/ota/insights/adoption": {
		status: 200, request: own,
		refusals: []refusal{
			badQuery("there is no such window", "/v1/ota/insights/adoption?days=8"),
			badQuery("the window is no number", "/v1/ota/insights/adoption?days=week"),
		},
	},
	"GET /v1/ota/insights/releases": {
		status:  200,
		request: func(p *tenant) request { return at("/v1/ota/insights/releases?updateIds=%d", p.release().id("id")) },
		refusals: []refusal{
			badQuery("no release is named", "/v1/ota/insights/releases"),
			badQuery("a release is not a number", "/v1/ota/insights/releases?updateIds=1,two"),
			badQuery("the ID of a release is too large", "/v1/ota/insights/releases?updateIds=9223372036854775808"),
			badQuery("there are too many releases", "/v1/ota/insights/releases?updateIds=1"+strings.Repeat(",1", 250)),
		},
	},
	"GET /v1/ota/telemetry/timeseries": {
		status: 200, request: own,
		refusals: []refusal{
			badQuery("there is no such period", "/v1/ota/telemetry/timeseries?period=2h"),
			badQuery("there is no such platform", "/v1/ota/telemetry/timeseries?platform=windows"),
			badQuery("the update is no UUID", "/v1/ota/telemetry/timeseries?updateUuid=7"),
		},
	},
	"GET /v1/ota/telemetry/flag-impacts": {
		status: 200, request: own,
		refusals: []refusal{badQuery("the window is too long", "/v1/ota/telemetry/flag-impacts?days=91")},
	},
	"GET /v1/ota/telemetry/events": {
		status: 200, request: own,
		refusals: []refusal{
			badQuery("there is no such type", "/v1/ota/telemetry/events?type=perf_sample"),
			badQuery("the page is too large", "/v1/ota/telemetry/events?limit=201"),
			badQuery("the cursor is none", "/v1/ota/telemetry/events?cursor=1"),
			badQuery("events are sorted by their time only", "/v1/ota/telemetry/events?sort=name"),
		},
	},
	"GET /v1/ota/observe/events": {
		status: 200, request: own,
		refusals: []refusal{
			badQuery("launches are not observed", "/v1/ota/observe/events?type=app_launch"),
			badQuery("pages are counted from 1", "/v1/ota/observe/events?page=0"),
			badQuery("pages have one size", "/v1/ota/observe/events?limit=10"),
		},
	},
	"GET /v1/ota/observe/events/{eventId}": {
		status: 200,
		request: func(p *tenant) request {
			return at("/v1/ota/observe/events/%s", p.crash()["id"])
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/observe/events/8f14e45f-ceea-467f-a0e6-2f1c9a806f0e-0", nil),
			unknownRecord("/v1/ota/observe/events/7", nil),
		},
	},
	"GET /v1/ota/observe/groups": {
		status: 200, request: own,
		refusals: []refusal{
			badQuery("a group is of errors or crashes", "/v1/ota/observe/groups?type=custom"),
			badQuery("there is no such state", "/v1/ota/observe/groups?state=old"),
			badQuery("there is no such status", "/v1/ota/observe/groups?status=new"),
			badQuery("the assignee is no ID", "/v1/ota/observe/groups?assignee=ada"),
			badQuery("there is no such order", "/v1/ota/observe/groups?sort=name"),
			badQuery("the window is turned around", "/v1/ota/observe/groups?from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z"),
			badQuery("the window is too long", "/v1/ota/observe/groups?from=2020-11-02T00:00:00Z"),
			badQuery("the cursor is none", "/v1/ota/observe/groups?cursor=1"),
		},
	},
	"GET /v1/ota/observe/groups/{fingerprint}": {
		status: 200,
		request: func(p *tenant) request {
			return at("/v1/ota/observe/groups/%s", p.crash()["fingerprint"])
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/observe/groups/0123456789abcdef", nil),
			unknownRecord("/v1/ota/observe/groups/x", nil),
		},
	},
	"PATCH /v1/ota/observe/groups/{fingerprint}": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"resolved": true, "note": p.marker}, "/v1/ota/observe/groups/%s", p.crash()["fingerprint"])
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/observe/groups/0123456789abcdef", object{"resolved": true}),
			unknownRecord("/v1/ota/observe/groups/x", object{"resolved": true}),
			{"the assignee is no member", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"assigneeId": 1}, "/v1/ota/observe/groups/%s", p.crash()["fingerprint"])
			}},
			{"null for what is never null", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"resolved": nil}, "/v1/ota/observe/groups/%s", p.crash()["fingerprint"])
			}},
			{"the group of many causes", 400, models.CodeInvalid, func(*tenant) request {
				return to(object{"resolved": true}, "/v1/ota/observe/groups/ffffffffffffffff")
			}},
		},
	},
	"GET /v1/ota/telemetry/refused": {status: 200, request: own},
	"GET /v1/ota/telemetry/incidents/{id}": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/telemetry/incidents/%d", p.incident()) },
		refusals: []refusal{unknownRecord("/v1/ota/telemetry/incidents/1", nil)},
	},
	"PATCH /v1/ota/telemetry/incidents/{id}": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"acknowledged": true, "note": p.marker}, "/v1/ota/telemetry/incidents/%d", p.incident())
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/telemetry/incidents/1", object{"acknowledged": true}),
			{"null for what is never null", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"acknowledged": nil}, "/v1/ota/telemetry/incidents/%d", p.incident())
			}},
			{"a status other than closed", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"status": "resolved"}, "/v1/ota/telemetry/incidents/%d", p.incident())
			}},
		},
	},
	"GET /v1/ota/telemetry/incidents": {
		status: 200, request: own,
		refusals: []refusal{badQuery("there is no such status", "/v1/ota/telemetry/incidents?status=new")},
	},
	"GET /v1/ota/flags/{id}/evaluations": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/flags/%d/evaluations", p.flag().id("id")) },
		refusals: []refusal{unknownRecord("/v1/ota/flags/1/evaluations", nil)},
	},
	"GET /v1/ota/flags/{id}/health": {
		status:  200,
		request: func(p *tenant) request { return at("/v1/ota/flags/%d/health", p.flag().id("id")) },
		refusals: []refusal{
			unknownRecord("/v1/ota/flags/1/health", nil),
			{"the window is empty", 400, models.CodeInvalid, func(p *tenant) request {
				return at("/v1/ota/flags/%d/health?days=0", p.flag().id("id"))
			}},
		},
	},
	"POST /v1/ota/flag-evaluations": {
		status:  204,
		request: func(p *tenant) request { return request{body: evaluationReport(p.known())} },
		refusals: []refusal{
			{"it is not JSON", 400, models.CodeInvalid, func(*tenant) request {
				return request{body: "not json"}.with("Authorization", "")
			}},
			{"there is no such project", 404, models.CodeNotFound, func(*tenant) request {
				return request{body: evaluationReport("nowhere")}.with("Authorization", "")
			}},
			{"it is too large", 413, models.CodeTooLarge, func(*tenant) request {
				return request{body: string(make([]byte, 512<<10+1))}.with("Authorization", "")
			}},
			{"it is XML", 415, models.CodeUnsupportedMedia, func(*tenant) request {
				return request{body: "<xml/>"}.with("Content-Type", "application/xml").with("Authorization", "")
			}},
		},
	},
}
