package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
)

// tree returns the document as a client sees it.
func tree(t *testing.T, document []byte, err error) map[string]any {
	t.Helper()
	require.NoError(t, err)
	var out map[string]any
	require.NoError(t, json.Unmarshal(document, &out))
	return out
}

func TestEveryRouteIsInTheDocument(t *testing.T) {
	t.Parallel()
	document, err := OpenAPI()
	doc := tree(t, document, err)
	require.Equal(t, "3.1.0", doc["openapi"])
	operations := 0
	for _, item := range doc["paths"].(map[string]any) {
		operations += len(item.(map[string]any))
	}
	rows := table(t)
	require.Len(t, rows, operations)
	tags := map[string]bool{}
	for _, tag := range doc["tags"].([]any) {
		tags[tag.(map[string]any)["name"].(string)] = true
	}
	for _, r := range rows {
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			item, ok := doc["paths"].(map[string]any)[r.Path].(map[string]any)
			require.True(t, ok)
			op, ok := item[strings.ToLower(r.Method)].(map[string]any)
			require.True(t, ok)
			require.NotEmpty(t, op["operationId"])
			require.NotEmpty(t, op["summary"])
			require.NotEmpty(t, op["description"])
			require.Len(t, op["tags"], 1)
			require.Contains(t, tags, op["tags"].([]any)[0])
			require.Equal(t, r.Access == rest.Public, len(op["security"].([]any)) == 0)
			for _, name := range strings.Split(r.Path, "/") {
				if param, ok := strings.CutPrefix(name, "{"); ok {
					require.Contains(t, fmt.Sprint(op["parameters"]), "name:"+strings.TrimSuffix(param, "}"))
				}
			}
			for status, answer := range op["responses"].(map[string]any) {
				for media, content := range contentOf(answer) {
					require.NotNil(t, content["example"], "%s %s", status, media)
				}
			}
			for media, content := range contentOf(op["requestBody"]) {
				require.NotNil(t, content["example"], media)
			}
		})
	}
}

func contentOf(holder any) map[string]map[string]any {
	out := map[string]map[string]any{}
	object, ok := holder.(map[string]any)
	if !ok {
		return out
	}
	media, _ := object["content"].(map[string]any)
	for name, content := range media {
		out[name] = content.(map[string]any)
	}
	return out
}

// Every example matches its schema.
func TestExamplesHoldByTheirSchemas(t *testing.T) {
	t.Parallel()
	m := documentedRoutes(t)
	document := m.API.OpenAPI()
	check := func(where string, mode huma.ValidateMode, content map[string]*huma.MediaType) {
		media := content["application/json"]
		if media == nil {
			return
		}
		data, err := json.Marshal(media.Example)
		require.NoError(t, err)
		var value any
		require.NoError(t, json.Unmarshal(data, &value))
		var result huma.ValidateResult
		media.Schema.PrecomputeMessages()
		huma.Validate(document.Components.Schemas, media.Schema, huma.NewPathBuffer(nil, 0), mode, value, &result)
		require.Empty(t, result.Errors, "%s: %s", where, data)
	}
	for path, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil {
				continue
			}
			if op.RequestBody != nil {
				check(path+" request", huma.ModeWriteToServer, op.RequestBody.Content)
			}
			for status, answer := range op.Responses {
				check(path+" "+status, huma.ModeReadFromServer, answer.Content)
			}
		}
	}
}

// The API accepts every request that the document shows as an example.
func TestExamplesOfRequestsAreAccepted(t *testing.T) {
	t.Parallel()
	m := documentedRoutes(t)
	shared := newTestAPI(t, func(d *parts) { d.ByMail = true })
	for _, r := range m.Rows {
		op := documented(m.API.OpenAPI(), r)
		if op.RequestBody == nil || op.RequestBody.Content["application/json"] == nil {
			continue
		}
		t.Run(op.OperationID, func(t *testing.T) {
			w := shared.in(t)
			call := callOn(r)
			call.body, call.key = op.RequestBody.Content["application/json"].Example, w.rootKey
			call.header["Content-Type"] = "application/json"
			switch r.Access {
			case rest.Public:
				call.anonymous = true
			case rest.Person:
				call.session = w.owner
			default:
			}
			answer := w.do(call)
			switch op.OperationID {
			case "putCodeSigning": // the document has no private key
				require.Equal(t, http.StatusBadRequest, answer.Code)
			case "finishPasskeyRegistration": // the browser has not begun a registration
				require.Equal(t, http.StatusBadRequest, answer.Code)
			case "finishPasskeyLogin", "exchangeToken", "pollTerminalLogin": // the document does not have a signed response, token or secret
				require.Equal(t, http.StatusUnauthorized, answer.Code)
			case "linkIdentity", "patchErrorGroup": // the fixture has no identity provider and no error groups
				require.Equal(t, http.StatusNotFound, answer.Code)
			case "uploadBuild": // the fake has no files that an upload could name
				require.Contains(t, answer.Body.String(), `"code":"files_missing"`)
			case "resumeRolloutExecution", "previewResumeRolloutExecution": // the fake's rollout is running
				require.Equal(t, http.StatusConflict, answer.Code)
			default:
				require.Less(t, answer.Code, 300, answer.Body.String())
			}
		})
	}
}

func TestTheOlderDocumentKnowsNoNullType(t *testing.T) {
	t.Parallel()
	document, err := OpenAPI30()
	doc := tree(t, document, err)
	require.Equal(t, "3.0.3", doc["openapi"])
	require.NotContains(t, string(document), `"null"`)
	schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
	execution := schemas["RolloutExecution"].(map[string]any)["properties"].(map[string]any)
	health := execution["health"].(map[string]any)
	require.Equal(t, true, health["nullable"])
	require.Equal(t, "object", health["type"], "validators ignore nullable without a type")
	require.Equal(t, []any{map[string]any{"$ref": "#/components/schemas/Health"}}, health["allOf"])
	require.Equal(t, true, execution["pausedAt"].(map[string]any)["nullable"])
	waiting := execution["waitingFor"].(map[string]any)
	require.Equal(t, "string", waiting["type"])
	require.Contains(t, waiting["enum"], nil)
	votes := schemas["Health"].(map[string]any)["properties"].(map[string]any)["votes"].(map[string]any)
	require.NotContains(t, votes, "$ref", "a reference has no description beside it")
	require.NotContains(t, schemas["Flag"].(map[string]any)["properties"].(map[string]any)["defaultValue"], "nullable")
}

// Validators would apply the schema of the record to such a null.
func TestTheOlderDocumentShowsNoNullRecord(t *testing.T) {
	t.Parallel()
	document, err := OpenAPI30()
	paths := tree(t, document, err)["paths"].(map[string]any)
	content := func(path, status string) map[string]any {
		get := paths[path].(map[string]any)["get"].(map[string]any)
		return contentOf(get["responses"].(map[string]any)[status])["application/json"]
	}
	require.NotContains(t, content("/v1/ota/updates", "200"), "example")
	require.Contains(t, content("/v1/ota/rollout-policies", "200"), "example")
}

func TestTheDocumentNamesNullAmongTheValuesOfANullableField(t *testing.T) {
	t.Parallel()
	document, err := OpenAPI()
	doc := tree(t, document, err)
	require.NotContains(t, string(document), `"nullable"`, "3.1 has a type null")
	incident := doc["components"].(map[string]any)["schemas"].(map[string]any)["Incident"].(map[string]any)["properties"].(map[string]any)
	require.Contains(t, incident["resolution"].(map[string]any)["enum"], nil)
	require.NotEmpty(t, doc["servers"])
	for name, hook := range doc["webhooks"].(map[string]any) {
		require.Empty(t, hook.(map[string]any)["post"].(map[string]any)["security"], name)
		require.Contains(t, hook.(map[string]any)["post"], "security", name)
	}
}

func TestTheDocumentIsServedAsPrinted(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	want, err := OpenAPI()
	require.NoError(t, err)
	answer := w.do(request{method: get, path: "/openapi.json", anonymous: true})
	require.Equal(t, 200, answer.Code)
	require.Equal(t, "application/openapi+json", answer.Header().Get("Content-Type"))
	require.JSONEq(t, string(want), answer.Body.String())
}

// The document is the same every time, so that a generated client changes only when the interface does.
func TestTheDocumentIsStable(t *testing.T) {
	t.Parallel()
	first, err := OpenAPI()
	require.NoError(t, err)
	for range 3 {
		again, err := OpenAPI()
		require.NoError(t, err)
		require.Equal(t, string(first), string(again))
	}
}

func TestRecordsMayGrowAndRequestsMayNot(t *testing.T) {
	t.Parallel()
	document, err := OpenAPI()
	doc := tree(t, document, err)
	schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
	require.NotContains(t, schemas["Update"], "additionalProperties")
	require.NotContains(t, schemas["Problem"], "additionalProperties")
	require.Equal(t, false, schemas["CreateChannelBody"].(map[string]any)["additionalProperties"])
	require.Equal(t, false, schemas["Stage"].(map[string]any)["additionalProperties"])
}
