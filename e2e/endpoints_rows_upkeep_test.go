package e2e

import (
	"net/http"
	"strings"

	"github.com/waft-ota/waft/models"
)

var upkeepRows = map[string]row{
	"GET /v1/ota/audit-log": {
		status: 200, request: own,
		refusals: []refusal{{"the limit is above the highest", 400, models.CodeInvalid, func(*tenant) request {
			return at("/v1/ota/audit-log?limit=201")
		}}},
	},
	"GET /v1/ota/settings": {status: 200, request: own},
	"PATCH /v1/ota/settings": {
		status:  200,
		request: func(*tenant) request { return request{body: object{"buildRetentionDays": 30}} },
		refusals: []refusal{{"the days are none", 400, models.CodeInvalid, func(*tenant) request {
			return request{body: object{"buildRetentionDays": 0}}
		}}, {"a network is none", 400, models.CodeInvalid, func(*tenant) request {
			return request{body: object{"trustedNetworks": []string{"203.0.113.7"}}}
		}}},
	},
	"GET /v1/ota/gc":  {status: 200, request: own},
	"POST /v1/ota/gc": {status: 200, request: own},
	"DELETE /v1/ota/devices/{deviceId}/data": {
		status: 204, foreign: true,
		request: func(*tenant) request { return at("/v1/ota/devices/%s/data", "device-of-nobody") },
		refusals: []refusal{{"no device has such an id", 404, models.CodeNotFound, func(*tenant) request {
			return at("/v1/ota/devices/%s/data", strings.Repeat("x", 257))
		}}},
	},
	"GET /v1/ota/emergency-stop": {status: 200, request: own},
	"POST /v1/ota/emergency-stop": {
		status:  200,
		request: func(p *tenant) request { return request{body: object{"reason": p.marker}} },
		refusals: []refusal{{"the reason is missing", 400, models.CodeInvalid, func(*tenant) request {
			return request{body: object{"reason": ""}}
		}}},
	},
	"DELETE /v1/ota/emergency-stop": {
		status: 204,
		request: func(p *tenant) request {
			p.stop(p.marker)
			p.do(to(object{"isPaused": false}, "/v1/ota/channels/production").by(http.MethodPatch)).record(200) // later rows need the channel
			return own(p)
		},
	},
}
