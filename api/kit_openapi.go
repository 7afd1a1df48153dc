package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/internal/version"
	"github.com/waft-ota/waft/models"
)

// Tags of the document, in the order in which it lists them.
const (
	tagDevices    = "Devices"
	tagProjects   = "Projects"
	tagKeys       = "API keys"
	tagBuilds     = "Builds"
	tagUpdates    = "Updates"
	tagBranches   = "Branches"
	tagChannels   = "Channels"
	tagFlags      = "Feature flags"
	tagSegments   = "Segments"
	tagPolicies   = "Rollout policies"
	tagExecutions = "Rollout executions"
	tagOverrides  = "User overrides"
	tagContexts   = "Contexts"
	tagWebhooks   = "Webhooks"
	tagSigning    = "Code signing"
	tagAudit      = "Audit log"
	tagTelemetry  = "Telemetry"
	tagRetention  = "Retention"
	tagSystem     = "System"
)

const intro = `Waft delivers JavaScript bundles of mobile apps over the air: in stages, with automatic rollback.

Management calls take an API key as ` + "`Authorization: Bearer waft_…`" + ` and the project's slug as ` + "`X-Project`" + `. Times are RFC 3339 in UTC with milliseconds. Percentages and rates are percent: 2.0 means 2 %. Lists are newest first; when more follow, the header ` + "`Link: <…>; rel=\"next\"`" + ` has the path of the next page. Errors are problem+json (RFC 9457); decide on their ` + "`code`" + `. A POST with an ` + "`Idempotency-Key`" + ` may be sent again: it gets the first answer, marked ` + "`Idempotency-Replayed: true`" + `. A change is answered once this server serves it to devices; an answer with ` + "`Waft-Served: pending`" + ` came before that, since it took longer than 250 ms.`

// OpenAPI is the OpenAPI 3.1 document of the whole interface, as indented JSON.
// It needs no engines.
func OpenAPI() ([]byte, error) {
	document, err := offline()
	if err != nil {
		return nil, err
	}
	return indented(json.Marshal(document))
}

// OpenAPI30 is the same document as OpenAPI 3.0.3, for generators that know no
// newer one.
func OpenAPI30() ([]byte, error) {
	document, err := offline()
	if err != nil {
		return nil, err
	}
	return indented(downgraded(document))
}

// offline builds the document from the route table alone.
func offline() (*huma.OpenAPI, error) {
	m, err := build(Deps{})
	if err != nil {
		return nil, err
	}
	return m.api.OpenAPI(), nil
}

func indented(document []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, fmt.Errorf("rendering the OpenAPI document: %w", err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, document, "", "  "); err != nil {
		return nil, fmt.Errorf("rendering the OpenAPI document: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func newDocument() *huma.OpenAPI {
	return &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Waft", Version: version.Number, Description: intro,
			License: &huma.License{Name: "Apache 2.0", URL: "https://www.apache.org/licenses/LICENSE-2.0"},
		},
		Tags: []*huma.Tag{
			{Name: tagDevices, Description: "What installed apps ask for and report. Public."},
			{Name: tagProjects, Description: "The tenants of an installation, managed with its root key."},
			{Name: tagKeys, Description: "Credentials of a project. A viewer reads, an editor also writes, an admin also manages keys."},
			{Name: tagBuilds, Description: "Uploaded bundles and assets of one runtime version and platform."},
			{Name: tagUpdates, Description: "Releases: builds published to a branch."},
			{Name: tagBranches, Description: "Named, ordered lists of releases."},
			{Name: tagChannels, Description: "What devices connect to. A channel points to a branch."},
			{Name: tagFlags, Description: "Values that devices ask for by key, and the rules that decide them."},
			{Name: tagSegments, Description: "Named sets of contexts that the rules of flags refer to."},
			{Name: tagPolicies, Description: "Stages, thresholds and schedules for rollouts."},
			{Name: tagExecutions, Description: "Runs of a policy for one release."},
			{Name: tagOverrides, Description: "Rules that serve a user from a given branch."},
			{Name: tagContexts, Description: "Users, devices and other subjects that flags are evaluated for."},
			{Name: tagWebhooks, Description: "URLs that get messages about changes, as Standard Webhooks."},
			{Name: tagSigning, Description: "The key that signs manifests."},
			{Name: tagAudit, Description: "All changes to a project, with their actors."},
			{Name: tagTelemetry, Description: "Adoption, errors and crashes of devices."},
			{Name: tagRetention, Description: "Retention settings, cleanup, and deletion of device data."},
			{Name: tagSystem, Description: "For operators."},
		},
		Components: &huma.Components{
			Schemas: huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer),
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"apiKey": {Type: "http", Scheme: "bearer", BearerFormat: "waft_<prefix>_<secret>"},
			},
		},
	}
}

// describe completes an operation's documentation with what its row says.
// doc.Errors are the statuses of errors that it may answer besides those of every
// management call.
func describe(r route, doc huma.Operation) huma.Operation {
	doc.Method, doc.Path = r.method, r.path
	// doc is shared by every API of the process, so what it points to is copied.
	doc.Parameters, doc.Responses = slices.Clone(doc.Parameters), maps.Clone(doc.Responses)
	if doc.Responses == nil {
		doc.Responses = map[string]*huma.Response{}
	}
	doc.Extensions = map[string]any{"x-waft-access": string(r.access)}
	statuses := slices.Clone(doc.Errors)
	doc.Errors = nil
	if r.access == public {
		statuses = append(statuses, http.StatusUnauthorized) // a key that is sent is checked
	} else if r.method != get && r.method != remove {
		statuses = append(statuses, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	if r.access != public {
		doc.Security = []map[string][]string{{"apiKey": {}}}
		doc.Description += "\n\nFor: " + string(r.access) + "."
		statuses = append(statuses, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden,
			http.StatusServiceUnavailable)
	}
	if r.access != public && r.access != root {
		doc.Parameters = append(doc.Parameters, &huma.Param{
			Name: "X-Project", In: "header", Required: true, Description: "Slug of the project.",
			Schema: &huma.Schema{Type: huma.TypeString}, Example: exampleSlug,
		})
	}
	if r.access != public && strings.Contains(r.path, "{") {
		statuses = append(statuses, http.StatusNotFound)
	}
	if r.keyed() {
		doc.Parameters = append(doc.Parameters, idempotencyParam)
		statuses = append(statuses, http.StatusConflict)
	}
	for _, status := range statuses {
		doc.Responses[strconv.Itoa(status)] = problemResponse(status, r)
	}
	return doc
}

// problemResponse documents an error answer by its status.
func problemResponse(status int, r route) *huma.Response {
	var sample Problem
	for _, code := range documentedCodes {
		kind := problemKinds[code]
		if kind.status == status {
			sample = Problem{
				Type: "urn:waft:problem:" + string(code), Title: kind.title, Status: status, Code: code,
				Detail: "…", Instance: r.path, RequestID: exampleUUID,
			}
			break
		}
	}
	return &huma.Response{
		Description: http.StatusText(status),
		Content: map[string]*huma.MediaType{"application/problem+json": {
			Schema:  &huma.Schema{Ref: "#/components/schemas/Problem"},
			Example: sample,
		}},
	}
}

// documentedCodes are the codes that stand for their status in the document.
var documentedCodes = []models.ErrorCode{
	models.CodeInvalid, models.CodeUnauthenticated, models.CodeForbidden, models.CodeNotFound, models.CodeInUse,
	models.CodeNotAcceptable, models.CodeTooLarge, models.CodeUnsupportedMedia, models.CodeRateLimited, models.CodeUnavailable,
	codeNoSuchRange,
}

// documented finds a route's operation in the document.
func documented(document *huma.OpenAPI, r route) *huma.Operation {
	item := document.Paths[r.path]
	if item == nil {
		return nil
	}
	return map[string]*huma.Operation{
		http.MethodGet: item.Get, http.MethodHead: item.Head, http.MethodPost: item.Post, http.MethodPut: item.Put,
		http.MethodPatch: item.Patch, http.MethodDelete: item.Delete,
	}[r.method]
}

// exampler is a body that can show itself filled in.
type exampler interface{ example() any }

// addExamples puts the examples of a huma operation's body types beside their
// schemas.
func addExamples[I, O any](op *huma.Operation) {
	if in, ok := reflect.TypeFor[I]().FieldByName("Body"); ok {
		op.RequestBody.Content["application/json"].Example = exampleOf(in.Type)
	}
	if out, ok := reflect.TypeFor[O]().FieldByName("Body"); ok {
		op.Responses[strconv.Itoa(op.DefaultStatus)].Content["application/json"].Example = exampleOf(out.Type)
	}
}

// exampleOf is nil for a type without an example.
func exampleOf(t reflect.Type) any {
	if t.Kind() == reflect.Pointer {
		return exampleOf(t.Elem())
	}
	if e, ok := reflect.Zero(t).Interface().(exampler); ok {
		return e.example()
	}
	if t.Kind() == reflect.Slice {
		return []any{exampleOf(t.Elem())}
	}
	return nil
}

// downgraded renders the document as OpenAPI 3.0.3.
func downgraded(document *huma.OpenAPI) ([]byte, error) {
	old, err := document.Downgrade()
	if err != nil {
		return nil, err
	}
	var tree any
	if err := json.Unmarshal(old, &tree); err != nil {
		return nil, err
	}
	nullableReferences(tree)
	return json.Marshal(tree)
}

// nullableReferences rewrites what huma's own downgrade leaves of 3.1: 3.0 knows no
// type null, so "this record or null" becomes a nullable wrapper around the reference.
func nullableReferences(node any) {
	switch value := node.(type) {
	case map[string]any:
		if either, ok := value["anyOf"].([]any); ok && len(either) == 2 {
			if other, ok := either[1].(map[string]any); ok && other["type"] == "null" {
				delete(value, "anyOf")
				value["allOf"], value["nullable"] = either[:1], true
			}
		}
		if anything, ok := value["additionalProperties"].(map[string]any); ok && len(anything) == 0 {
			value["additionalProperties"] = true // to 3.0, {} is anything but null
		}
		if value["format"] == "binary" {
			delete(value, "contentMediaType") // new in 3.1, and says the same
		}
		for _, child := range value {
			nullableReferences(child)
		}
	case []any:
		for _, child := range value {
			nullableReferences(child)
		}
	}
}

// registerProblem makes the error answer known to the document, which refers to
// it by name.
func registerProblem(document *huma.OpenAPI) {
	document.Components.Schemas.Schema(reflect.TypeFor[Problem](), true, "")
}

// openRecords lets what is only answered have fields that the document does not
// name, so that adding one breaks no client that checks. What is sent stays
// closed: an unknown field is an error there.
func openRecords(document *huma.OpenAPI) {
	sent := map[string]bool{}
	for _, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Post, item.Put, item.Patch} {
			if op == nil || op.RequestBody == nil {
				continue
			}
			for _, media := range op.RequestBody.Content {
				markReferences(document.Components.Schemas, media.Schema, sent)
			}
		}
	}
	for name, schema := range document.Components.Schemas.Map() {
		if !sent[name] && schema.AdditionalProperties == false {
			schema.AdditionalProperties = nil
		}
	}
}

// markReferences notes the names of the schemas that s is made of.
func markReferences(schemas huma.Registry, s *huma.Schema, names map[string]bool) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		name := path.Base(s.Ref)
		if names[name] {
			return
		}
		names[name] = true
		s = schemas.SchemaFromRef(s.Ref)
	}
	markReferences(schemas, s.Items, names)
	for _, property := range s.Properties {
		markReferences(schemas, property, names)
	}
}
