package api

import (
	"cmp"
	"maps"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/internal/base/version"
	"github.com/waft-ota/waft/models"
)

// Tags of the document, in the order in which it lists them.
const (
	tagDevices    = "Devices"
	tagProjects   = "Projects"
	tagSignIn     = "Signing in"
	tagMembers    = "Members"
	tagKeys       = "API keys"
	tagBuilds     = "Builds"
	tagUpdates    = "Updates"
	tagBranches   = "Branches"
	tagChannels   = "Channels"
	tagFlags      = "Feature flags"
	tagOFREP      = "OFREP"
	tagSegments   = "Segments"
	tagPolicies   = "Rollout policies"
	tagExecutions = "Rollout executions"
	tagApprovals  = "Approvals"
	tagOverrides  = "User overrides"
	tagContexts   = "Contexts"
	tagWebhooks   = "Webhooks"
	tagSigning    = "Code signing"
	tagAudit      = "Audit log"
	tagTelemetry  = "Telemetry"
	tagRetention  = "Retention"
	tagSystem     = "System"
)

const intro = "Waft delivers JavaScript bundles of mobile apps over the air: in stages, with automatic rollback.\n\n" +
	"Management calls take an API key as `Authorization: Bearer waft_…`, or a session's cookie, and the project's slug as `X-Project`. " +
	"Times are RFC 3339 in UTC with milliseconds. Percentages and rates are percent: 2.0 means 2 %. " +
	"Lists are newest first; when more follow, the header `Link: <…>; rel=\"next\"` has the path of the next page. " +
	"Errors are problem+json (RFC 9457); decide on their `code`. " +
	"A POST with an `Idempotency-Key` may be sent again: it gets the first answer, marked `Idempotency-Replayed: true`. " +
	"A change is answered once this server serves it to devices; `Waft-Served: pending` marks an answer that was sent " +
	"after 250 ms, before that. " +
	"A change of what devices of a protected channel get may be answered with 202 and an approval: then nothing has changed, " +
	"and the call is carried out when people have approved it."

func newDocument() *huma.OpenAPI {
	schemas := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	// Plain routes refer to these by name.
	for _, t := range []reflect.Type{
		reflect.TypeFor[Problem](), reflect.TypeFor[Liveness](), reflect.TypeFor[ReadyOrNot](),
		reflect.TypeFor[HealthReport](), reflect.TypeFor[EvaluationReport](), reflect.TypeFor[BuildForm](), reflect.TypeFor[NamedBuild](),
		reflect.TypeFor[FileUpload](),
		reflect.TypeFor[BulkEvaluation](), reflect.TypeFor[EvaluatedFlags](), reflect.TypeFor[OFREPRequest](), reflect.TypeFor[OFREPFlag](),
		reflect.TypeFor[OFREPFlags](), reflect.TypeFor[OFREPError](), reflect.TypeFor[PendingApproval](),
	} {
		schemas.Schema(t, true, "")
	}
	return &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Waft", Version: version.Number, Description: intro,
			License: &huma.License{Name: "Apache 2.0", URL: "https://www.apache.org/licenses/LICENSE-2.0"},
		},
		Tags: []*huma.Tag{
			{Name: tagDevices, Description: "What installed apps ask for and report. Public."},
			{Name: tagProjects, Description: "The tenants of an installation, managed with its root key."},
			{Name: tagSignIn, Description: "Accounts and sessions of people. A session takes the place of an API key in every management call."},
			{Name: tagMembers, Description: "The people of a project, their roles, and invitations."},
			{Name: tagKeys, Description: "Credentials of a project. A viewer reads, an editor also writes, an admin also manages keys. A client only evaluates flags over OFREP; its key may stand in a web page."},
			{Name: tagBuilds, Description: "Uploaded bundles and assets of one runtime version and platform."},
			{Name: tagUpdates, Description: "Releases: builds published to a branch."},
			{Name: tagBranches, Description: "Named, ordered lists of releases."},
			{Name: tagChannels, Description: "What devices connect to. A channel points to a branch."},
			{Name: tagFlags, Description: "Values that devices ask for by key, and the rules that decide them."},
			{Name: tagOFREP, Description: "Flag evaluation by the OpenFeature Remote Evaluation Protocol 0.3, for every OpenFeature client."},
			{Name: tagSegments, Description: "Named sets of contexts that the rules of flags refer to."},
			{Name: tagPolicies, Description: "Stages, thresholds and schedules for rollouts."},
			{Name: tagExecutions, Description: "Runs of a policy for one release."},
			{Name: tagApprovals, Description: "Calls about protected channels that wait until people approve them."},
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
			Schemas: schemas,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"apiKey":       {Type: "http", Scheme: "bearer", BearerFormat: "waft_<prefix>_<secret>"},
				"apiKeyHeader": {Type: "apiKey", In: "header", Name: "X-API-Key"},
				"session":      {Type: "apiKey", In: "cookie", Name: sessionCookie, Description: "Set by a login. On plain http to the server's own machine it is " + plainCookie + "."},
			},
		},
	}
}

// doc documents an operation. statuses are that of success, unless it is 200 or 204 as
// usual, and those of errors that not every operation answers.
func doc(tag, id, summary, description string, statuses ...int) huma.Operation {
	op := huma.Operation{OperationID: id, Tags: []string{tag}, Summary: summary, Description: description}
	if len(statuses) > 0 && statuses[0] < http.StatusMultipleChoices {
		op.DefaultStatus, statuses = statuses[0], statuses[1:]
	}
	op.Errors = statuses
	return op
}

// content documents a body of one media type.
func content(media string, schema *huma.Schema, example any) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{media: {Schema: schema, Example: example}}
}

// recordContent documents a body that is a record of the named schema.
func recordContent(media, schema string, example any) map[string]*huma.MediaType {
	return content(media, &huma.Schema{Ref: "#/components/schemas/" + schema}, example)
}

// describe adds to an operation's documentation what follows from its route.
func (m *mux) describe(r route, doc huma.Operation) huma.Operation {
	doc.Method, doc.Path = r.method, r.path
	doc.Extensions = map[string]any{"x-waft-access": string(r.access)}
	// doc is shared by all APIs of the process, so slices and maps are copied.
	doc.Parameters, doc.Responses = slices.Clone(doc.Parameters), maps.Clone(doc.Responses)
	if doc.Responses == nil {
		doc.Responses = map[string]*huma.Response{}
	}
	// Above the rate limits, those of unknown keys among them.
	statuses := append(slices.Clone(doc.Errors), http.StatusTooManyRequests)
	doc.Errors = nil
	switch r.access {
	case client:
		doc.Security = []map[string][]string{{"apiKey": {}}, {"apiKeyHeader": {}}}
		doc.Description += "\n\nFor: a key of any role, which names the project."
	case public:
		statuses = append(statuses, http.StatusUnauthorized) // a key is checked if there is one
		if r.crossOrigin() {
			statuses = append(statuses, http.StatusServiceUnavailable) // while the project cannot be read
		}
	default:
		doc.Security = []map[string][]string{{"apiKey": {}}, {"session": {}}}
		if r.access == person {
			doc.Security = doc.Security[1:]
		}
		doc.Description += "\n\nFor: " + string(r.access) + "."
		statuses = append(statuses, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden,
			http.StatusServiceUnavailable)
		if r.method != get && r.method != remove {
			statuses = append(statuses, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
		}
		if strings.Contains(r.path, "{") {
			statuses = append(statuses, http.StatusNotFound)
		}
		if r.access.ofProject() {
			doc.Parameters = append(doc.Parameters, &huma.Param{
				Name: "X-Project", In: "header", Required: true, Description: "Slug of the project.",
				Schema: &huma.Schema{Type: huma.TypeString}, Example: exampleSlug,
			})
		}
	}
	if strings.HasPrefix(r.path, "/v1/auth/") {
		statuses = append(statuses, http.StatusBadRequest, http.StatusForbidden, http.StatusServiceUnavailable)
		if r.access == public {
			statuses = append(statuses, http.StatusTooManyRequests)
		}
		if r.method == post {
			statuses = append(statuses, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
		}
	}
	if r.keyed() {
		doc.Parameters = append(doc.Parameters, idempotencyParam)
		statuses = append(statuses, http.StatusConflict)
	}
	documented := slices.ContainsFunc(doc.Parameters, func(p *huma.Param) bool { return p.Name == "id" })
	if r.conditional() {
		doc.Parameters = append(doc.Parameters, ifMatchParam)
		statuses = append(statuses, http.StatusPreconditionFailed)
	}
	if i, ok := m.identifier(r); ok && !documented {
		doc.Parameters = append(doc.Parameters, i.param)
	}
	if doc.Metadata[metaAsking] == true {
		statuses = append(statuses, http.StatusConflict)
		doc.Responses[strconv.Itoa(http.StatusAccepted)] = &huma.Response{
			Description: "The call waits for approvals. Nothing has changed.",
			Content:     recordContent("application/json", "PendingApproval", PendingApproval{}.example()),
		}
	}
	for _, status := range statuses {
		if name := strconv.Itoa(status); doc.Responses[name] == nil { // OFREP has errors of its own
			doc.Responses[name] = problemResponse(status, r)
		}
	}
	return doc
}

// problemResponse documents an error answer by its status.
func problemResponse(status int, r route) *huma.Response {
	at := slices.IndexFunc(documentedCodes, func(c models.ErrorCode) bool { return problemKinds[c].status == status })
	code := documentedCodes[at]
	return &huma.Response{
		Description: http.StatusText(status),
		Content: recordContent("application/problem+json", "Problem", Problem{
			Type: "urn:waft:problem:" + string(code), Title: problemKinds[code].title, Status: status, Code: code,
			Detail: "…", Instance: r.path, RequestID: exampleUUID,
		}),
	}
}

// documentedCodes are the examples of their status in the document.
var documentedCodes = []models.ErrorCode{
	models.CodeInvalid, models.CodeUnauthenticated, models.CodeForbidden, models.CodeNotFound, models.CodeInUse,
	models.CodeNotAcceptable, models.CodeTooLarge, models.CodeUnsupportedMedia, models.CodeRateLimited, models.CodeUnavailable,
	codeNoSuchRange, models.CodePreconditionFailed,
}

// exampler is a body with an example of itself.
type exampler interface{ example() any }

// addExamples puts the examples of the body types into the documentation. huma adds their
// schemas.
func addExamples[I, O any](op *huma.Operation) {
	if in, ok := reflect.TypeFor[I]().FieldByName("Body"); ok {
		op.RequestBody = &huma.RequestBody{Content: content("application/json", nil, exampleOf(in.Type))}
	}
	if out, ok := reflect.TypeFor[O]().FieldByName("Body"); ok && out.Type.Kind() != reflect.Func {
		status := strconv.Itoa(cmp.Or(op.DefaultStatus, http.StatusOK))
		op.Responses[status] = &huma.Response{Content: content("application/json", nil, exampleOf(out.Type))}
		if out.Type.Implements(reflect.TypeFor[versioned]()) {
			op.Responses[status].Headers = map[string]*huma.Param{headerETag: etagHeader}
		}
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

// openRecords permits unknown fields in records that are only in answers, so that a new
// field breaks no client that validates. In requests an unknown field is an error.
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

// markReferences collects the names of the schemas that s refers to.
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
