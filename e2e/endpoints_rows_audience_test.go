package e2e

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net/http"
	"sync"
	"time"

	"github.com/waft-ota/waft/models"
)

func (p *tenant) override() int64 {
	p.t.Helper()
	return p.create("/v1/ota/user-overrides", p.overrideBody()).id("id")
}

func (p *tenant) overrideBody() object {
	return object{"userId": p.name(), "branchName": "staging", "note": p.marker}
}

func (p *tenant) contextBody() object {
	return object{"kind": "user", "targetingKey": p.name(), "name": p.marker, "attributes": object{"plan": "pro"}}
}

func (p *tenant) context() int64 {
	p.t.Helper()
	return p.create("/v1/ota/contexts", p.contextBody()).id("id")
}

// webhookBody returns a webhook to this machine, an address to which Waft refuses to send.
func (p *tenant) webhookBody() object {
	return object{"url": "http://127.0.0.1:9/hook", "events": []string{"build.published"}, "description": p.marker}
}

func (p *tenant) webhook() int64 {
	p.t.Helper()
	return p.create("/v1/ota/webhooks", p.webhookBody()).id("id")
}

// delivered creates a webhook with a delivery and returns their IDs.
func (p *tenant) delivered() []any {
	p.t.Helper()
	hook := p.webhook()
	return []any{hook, p.create(path("/v1/ota/webhooks/%d/test", hook), nil).id("id")}
}

var overrideRows = map[string]row{
	"GET /v1/ota/user-overrides": {status: 200, request: own},
	"POST /v1/ota/user-overrides": {
		status:  201,
		request: func(p *tenant) request { return request{body: p.overrideBody()} },
		refusals: []refusal{
			{"the user has one", 409, models.CodeAlreadyExists, func(p *tenant) request {
				body := p.overrideBody()
				p.create("/v1/ota/user-overrides", body)
				return request{body: body}
			}},
			{"there is no such branch", 404, models.CodeNotFound, func(p *tenant) request {
				return request{body: object{"userId": p.name(), "branchName": "nowhere"}}
			}},
			{"the user is missing", 400, models.CodeInvalid, func(*tenant) request { return request{body: object{"branchName": "staging"}} }},
		},
		borrowed: func(a, b *tenant) []request {
			return []request{{body: object{"userId": b.name(), "branchName": a.branch()}}}
		},
	},
	"DELETE /v1/ota/user-overrides/{id}": {
		status:   204,
		request:  func(p *tenant) request { return at("/v1/ota/user-overrides/%d", p.override()) },
		refusals: []refusal{unknownRecord("/v1/ota/user-overrides/1", nil)},
	},
}

var contextRows = map[string]row{
	"GET /v1/ota/contexts": {
		status:  200,
		request: func(*tenant) request { return at("/v1/ota/contexts?kind=user&search=pro") },
		refusals: []refusal{{"the kind is none", 400, models.CodeInvalid, func(*tenant) request {
			return at("/v1/ota/contexts?kind=planet")
		}}},
	},
	"POST /v1/ota/contexts": {
		status:  201,
		request: func(p *tenant) request { return request{body: p.contextBody()} },
		refusals: []refusal{{"the kind is none", 400, models.CodeInvalid, func(*tenant) request {
			return request{body: object{"kind": "planet", "targetingKey": "x"}}
		}}},
	},
	"GET /v1/ota/contexts/kinds":      {status: 200, request: own},
	"GET /v1/ota/contexts/attributes": {status: 200, request: own},
	"GET /v1/ota/contexts/{id}": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/contexts/%d", p.context()) },
		refusals: []refusal{unknownRecord("/v1/ota/contexts/1", nil)},
	},
	"DELETE /v1/ota/contexts/{id}": {
		status:   204,
		request:  func(p *tenant) request { return at("/v1/ota/contexts/%d", p.context()) },
		refusals: []refusal{unknownRecord("/v1/ota/contexts/1", nil)},
	},
}

var webhookRows = map[string]row{
	"GET /v1/ota/webhooks": {status: 200, request: own},
	"POST /v1/ota/webhooks": {
		status:  201,
		request: func(p *tenant) request { return request{body: p.webhookBody()} },
		refusals: []refusal{
			{"there is no such event", 400, models.CodeInvalid, func(*tenant) request {
				return request{body: object{"url": "https://example.com/hook", "events": []string{"build.sung"}}}
			}},
			{"the URL is none", 400, models.CodeInvalid, func(*tenant) request {
				return request{body: object{"url": "nowhere", "events": []string{"*"}}}
			}},
		},
	},
	"GET /v1/ota/webhooks/events": {status: 200, request: own},
	"POST /v1/ota/webhooks/{id}/recover": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"since": "2026-01-01T00:00:00Z"}, "/v1/ota/webhooks/%d/recover", p.webhook())
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/webhooks/1/recover", object{"since": "2026-01-01T00:00:00Z"}),
			{"the time is none", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"since": "yesterday"}, "/v1/ota/webhooks/%d/recover", p.webhook())
			}},
			{"the webhook is disabled", 409, models.CodeInvalidTransition, func(p *tenant) request {
				hook := p.webhook()
				p.setActive(hook, false)
				return to(object{"since": "2026-01-01T00:00:00Z"}, "/v1/ota/webhooks/%d/recover", hook)
			}},
		},
	},
	"GET /v1/ota/webhooks/{id}": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/webhooks/%d", p.webhook()) },
		refusals: []refusal{unknownRecord("/v1/ota/webhooks/1", nil)},
	},
	"PATCH /v1/ota/webhooks/{id}": {
		status:   200,
		request:  func(p *tenant) request { return to(object{"isActive": false}, "/v1/ota/webhooks/%d", p.webhook()) },
		refusals: []refusal{unknownRecord("/v1/ota/webhooks/1", object{"isActive": false})},
	},
	"DELETE /v1/ota/webhooks/{id}": {
		status:   204,
		request:  func(p *tenant) request { return at("/v1/ota/webhooks/%d", p.webhook()) },
		refusals: []refusal{unknownRecord("/v1/ota/webhooks/1", nil)},
	},
	"POST /v1/ota/webhooks/{id}/rotate-secret": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/webhooks/%d/rotate-secret", p.webhook()) },
		refusals: []refusal{unknownRecord("/v1/ota/webhooks/1/rotate-secret", nil)},
	},
	"GET /v1/ota/webhooks/{id}/deliveries": {
		status:   200,
		request:  func(p *tenant) request { return at("/v1/ota/webhooks/%d/deliveries", p.webhook()) },
		refusals: []refusal{unknownRecord("/v1/ota/webhooks/1/deliveries", nil)},
	},
	"POST /v1/ota/webhooks/{id}/test": {
		status:  201,
		request: func(p *tenant) request { return at("/v1/ota/webhooks/%d/test", p.webhook()) },
		refusals: []refusal{
			unknownRecord("/v1/ota/webhooks/1/test", nil),
			{"the webhook is disabled", 409, models.CodeInvalidTransition, func(p *tenant) request {
				hook := p.webhook()
				p.setActive(hook, false)
				return at("/v1/ota/webhooks/%d/test", hook)
			}},
		},
	},
	"POST /v1/ota/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
		status:  201,
		request: func(p *tenant) request { return at("/v1/ota/webhooks/%d/deliveries/%d/redeliver", p.delivered()...) },
		refusals: []refusal{
			unknownRecord("/v1/ota/webhooks/1/deliveries/1/redeliver", nil),
			{"the delivery is of another webhook", 404, models.CodeNotFound, func(p *tenant) request {
				return at("/v1/ota/webhooks/%d/deliveries/%d/redeliver", p.webhook(), p.delivered()[1])
			}},
			{"the webhook is disabled", 409, models.CodeInvalidTransition, func(p *tenant) request {
				of := p.delivered()
				p.setActive(of[0].(int64), false)
				return at("/v1/ota/webhooks/%d/deliveries/%d/redeliver", of...)
			}},
		},
		borrowed: func(a, b *tenant) []request {
			return []request{at("/v1/ota/webhooks/%d/deliveries/%d/redeliver", b.webhook(), a.delivered()[1])}
		},
	},
}

// signingBody returns a key and its certificate. All tests share them, because creating a key takes long.
var signingBody = sync.OnceValue(func() object {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "e2e"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err)
	}
	private := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	return object{
		"privateKeyPem": string(private), "keyId": "main",
		"certificatePem": string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
	}
})

// signed sets a signing key for the tenant.
func signed(p *tenant) request {
	p.t.Helper()
	p.do(request{method: http.MethodPut, path: "/v1/ota/code-signing", body: signingBody()}).record(200)
	return request{}
}

var signingRows = map[string]row{
	"GET /v1/ota/code-signing": {status: 200, request: signed},
	"PUT /v1/ota/code-signing": {
		status:  200,
		request: func(*tenant) request { return request{body: signingBody()} },
		refusals: []refusal{{"the key is none", 400, models.CodeInvalid, func(*tenant) request {
			return request{body: object{"privateKeyPem": "x", "certificatePem": "y"}}
		}}},
	},
	"DELETE /v1/ota/code-signing": {status: 204, request: signed},
}
