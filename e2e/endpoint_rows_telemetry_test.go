package e2e

import "github.com/waft-ota/waft/models"

// badQuery is the refusal of a query parameter that is none.
func badQuery(why, path string) refusal {
	return refusal{why, 400, models.CodeInvalid, func(*tenant) request { return at("%s", path) }}
}

func evaluationReport(slug string) object {
	return object{"projectSlug": slug, "channel": "production", "evaluations": []object{{"flagKey": "unknown", "value": true, "count": 1}}}
}

var telemetryRows = map[string]row{
	"GET /v1/ota/stream": {status: 200, request: own},
	"GET /v1/ota/overview": {
		status:  200,
		request: func(p *tenant) request { p.served(); return request{} },
	},
	"GET /v1/ota/devices": {
		status: 200, request: own,
		refusals: []refusal{
			badQuery("the update is no UUID", "/v1/ota/devices?updateUuid=7"),
			badQuery("the page is too large", "/v1/ota/devices?limit=201"),
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
	"GET /v1/ota/telemetry/refused": {status: 200, request: own},
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
