package e2e

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"

	"github.com/waft-ota/waft/models"
)

// sha256Of returns the name of a content in uploads: its SHA-256 in base64url.
func sha256Of(content string) string {
	sum := sha256.Sum256([]byte(content))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// sending returns the request that uploads one file on its own.
func sending(content string) request {
	return to(content, "/v1/ota/builds/files/%s", sha256Of(content)).with("Content-Type", "application/octet-stream")
}

var fileRows = map[string]row{
	"POST /v1/ota/builds/check": {
		status: 200,
		request: func(p *tenant) request {
			return request{body: object{"files": []object{{"sha256": sha256Of(p.name()), "sizeBytes": 9}}}}
		},
		refusals: []refusal{
			{"it is no SHA-256", 400, models.CodeInvalid, func(*tenant) request {
				return to(object{"files": []object{{"sha256": "abc", "sizeBytes": 9}}}, "/v1/ota/builds/check")
			}},
			{"the file is too large", 400, models.CodeInvalid, func(*tenant) request {
				return to(object{"files": []object{{"sha256": sha256Of(""), "sizeBytes": 1 << 40}}}, "/v1/ota/builds/check")
			}},
		},
	},
	"HEAD /v1/ota/builds/files/{sha256}": {
		status: 200,
		request: func(p *tenant) request {
			content := p.name()
			sent := sending(content)
			sent.method = "PUT"
			p.do(sent).record(201)
			return at("/v1/ota/builds/files/%s", sha256Of(content))
		},
	},
	"PUT /v1/ota/builds/files/{sha256}": {
		status:  201,
		foreign: true,
		request: func(p *tenant) request { return sending(p.name()) },
		refusals: []refusal{
			{"it is no SHA-256", 400, models.CodeInvalid, func(*tenant) request { return to("x", "/v1/ota/builds/files/x") }},
			{"it is another file", 400, models.CodeInvalid, func(p *tenant) request {
				return to("content", "/v1/ota/builds/files/%s", sha256Of(p.name()))
			}},
			{"the range is no range", 400, models.CodeInvalid, func(p *tenant) request {
				return sending(p.name()).with("Content-Range", "bytes 0-*/9")
			}},
			{"the range does not follow what has arrived", 416, "range_not_satisfiable", func(p *tenant) request {
				content := p.name()
				return to(content[1:], "/v1/ota/builds/files/%s", hex.EncodeToString(make([]byte, 32))).with("Content-Range", "bytes 1-12/13")
			}},
		},
	},
}
