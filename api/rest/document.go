package rest

import (
	"cmp"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// Doc returns an operation's documentation. statuses lists the success status, unless it is the usual 200 or 204,
// then the error statuses that not every operation returns.
func Doc(tag, id, summary, description string, statuses ...int) huma.Operation {
	op := huma.Operation{OperationID: id, Tags: []string{tag}, Summary: summary, Description: description}
	if len(statuses) > 0 && statuses[0] < http.StatusMultipleChoices {
		op.DefaultStatus, statuses = statuses[0], statuses[1:]
	}
	op.Errors = statuses
	return op
}

// NoSecurity documents that a request works without a key and a session. Without a list, the document would leave that open.
func NoSecurity() []map[string][]string { return []map[string][]string{} }

// Content documents a body of one media type.
func Content(media string, schema *huma.Schema, example any) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{media: {Schema: schema, Example: example}}
}

// RecordContent documents a body that is a record of the named schema.
func RecordContent(media, schema string, example any) map[string]*huma.MediaType {
	return Content(media, &huma.Schema{Ref: "#/components/schemas/" + schema}, example)
}

// describe adds to an operation's documentation the parts that follow from its route.
func (m *Mux) describe(r Route, doc huma.Operation) huma.Operation {
	doc.Method, doc.Path = r.Method, r.Path
	doc.Extensions = map[string]any{"x-waft-access": string(r.Access)}
	// doc is shared by all APIs of the process, so slices and maps are copied.
	doc.Parameters, doc.Responses = slices.Clone(doc.Parameters), maps.Clone(doc.Responses)
	if doc.Responses == nil {
		doc.Responses = map[string]*huma.Response{}
	}
	// Every operation has rate limits, including the limit on unknown keys.
	statuses := append(slices.Clone(doc.Errors), http.StatusTooManyRequests)
	doc.Errors = nil
	switch r.Access {
	case Client:
		doc.Security = []map[string][]string{{"apiKey": {}}, {"apiKeyHeader": {}}}
		doc.Description += "\n\nAccess: a key of any role, which names the project."
	case Public:
		doc.Security = NoSecurity()
		statuses = append(statuses, http.StatusUnauthorized) // a key that is sent is checked
		if doc.RequestBody == nil {
			statuses = append(statuses, http.StatusBadRequest) // see refuseBody
		}
		if r.crossOrigin() {
			statuses = append(statuses, http.StatusServiceUnavailable) // while the project cannot be read
		}
	default:
		doc.Security = []map[string][]string{{"apiKey": {}}, {"session": {}}}
		if r.Access == Person {
			doc.Security = doc.Security[1:]
		}
		doc.Description += "\n\nAccess: " + string(r.Access) + "."
		statuses = append(statuses, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden,
			http.StatusServiceUnavailable)
		if r.Method != http.MethodGet && r.Method != http.MethodDelete {
			statuses = append(statuses, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
		}
		if strings.Contains(r.Path, "{") {
			statuses = append(statuses, http.StatusNotFound)
		}
		if r.Access.ofProject() {
			doc.Parameters = append(doc.Parameters, &huma.Param{
				Name: "X-Project", In: "header", Required: true, Description: "Slug of the project.",
				Schema: &huma.Schema{Type: huma.TypeString}, Example: ExampleSlug,
			})
		}
	}
	if strings.HasPrefix(r.Path, "/v1/auth/") {
		statuses = append(statuses, http.StatusBadRequest, http.StatusForbidden, http.StatusServiceUnavailable)
		if r.Access == Public {
			statuses = append(statuses, http.StatusTooManyRequests)
		}
		if r.Method == http.MethodPost {
			statuses = append(statuses, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
		}
	}
	if r.keyed() {
		doc.Parameters = append(doc.Parameters, idempotencyParam)
		statuses = append(statuses, http.StatusConflict)
	}
	documented := slices.ContainsFunc(doc.Parameters, func(p *huma.Param) bool { return p.Name == "id" })
	switch {
	case r.NeedsIfMatch:
		doc.Parameters = append(doc.Parameters, requiredIfMatchParam())
		statuses = append(statuses, http.StatusPreconditionFailed, http.StatusPreconditionRequired)
	case r.Conditional():
		doc.Parameters = append(doc.Parameters, ifMatchParam)
		statuses = append(statuses, http.StatusPreconditionFailed)
	}
	if r.ID != nil && !documented {
		doc.Parameters = append(doc.Parameters, r.ID.Param)
	}
	if r.Asks != "" {
		statuses = append(statuses, http.StatusConflict)
		doc.Responses[strconv.Itoa(http.StatusAccepted)] = &huma.Response{
			Description: "The call waits for approvals and has not changed anything.",
			Content:     RecordContent("application/json", "PendingApproval", m.guards.Pending),
		}
	}
	for _, status := range statuses {
		if name := strconv.Itoa(status); doc.Responses[name] == nil { // OFREP defines its own errors
			doc.Responses[name] = problemResponse(status, r)
		}
	}
	return doc
}

// problemResponse documents an error response by its status.
func problemResponse(status int, r Route) *huma.Response {
	at := slices.IndexFunc(documentedCodes, func(c models.ErrorCode) bool { return problemKinds[c].status == status })
	code := documentedCodes[at]
	return &huma.Response{
		Description: http.StatusText(status),
		Content: RecordContent("application/problem+json", "Problem", Problem{
			Type: "urn:waft:problem:" + string(code), Title: problemKinds[code].title, Status: status, Code: code,
			Detail: "…", Instance: r.Path, RequestID: ExampleUUID,
		}),
	}
}

// documentedCodes are the error codes that serve as examples for their status in the document.
var documentedCodes = []models.ErrorCode{
	models.CodeInvalid, models.CodeUnauthenticated, models.CodeForbidden, models.CodeNotFound, models.CodeInUse,
	models.CodeNotAcceptable, models.CodeTooLarge, models.CodeUnsupportedMedia, models.CodeRateLimited, models.CodeUnavailable,
	CodeNoSuchRange, models.CodePreconditionFailed, models.CodePreconditionNeeded,
}

// exampler is a body that provides its own example.
type exampler interface{ Example() any }

// addExamples adds the examples of the body types to the documentation. huma adds their schemas.
func addExamples[I, O any](op *huma.Operation) {
	if in, ok := reflect.TypeFor[I]().FieldByName("Body"); ok {
		op.RequestBody = &huma.RequestBody{Content: Content("application/json", nil, exampleOf(in.Type))}
	}
	if out, ok := reflect.TypeFor[O]().FieldByName("Body"); ok && out.Type.Kind() != reflect.Func {
		status := strconv.Itoa(cmp.Or(op.DefaultStatus, http.StatusOK))
		op.Responses[status] = &huma.Response{Content: Content("application/json", nil, exampleOf(out.Type))}
		if out.Type.Implements(reflect.TypeFor[versioned]()) {
			op.Responses[status].Headers = map[string]*huma.Param{headerETag: etagHeader}
		}
	}
}

// exampleOf returns nil for a type without an example.
func exampleOf(t reflect.Type) any {
	if t.Kind() == reflect.Pointer {
		return exampleOf(t.Elem())
	}
	if e, ok := reflect.Zero(t).Interface().(exampler); ok {
		return e.Example()
	}
	if t.Kind() == reflect.Slice {
		return []any{exampleOf(t.Elem())}
	}
	return nil
}

// SchemasOf returns the types of records.
func SchemasOf(records ...any) []reflect.Type {
	types := make([]reflect.Type, len(records))
	for i, r := range records {
		types[i] = reflect.TypeOf(r)
	}
	return types
}
