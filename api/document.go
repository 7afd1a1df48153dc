package api

import (
	"cmp"
	"path"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/base/version"
)

const intro = "Waft delivers JavaScript bundles of mobile apps over the air: in stages, with automatic " +
	"rollback.\n\nManagement calls take an API key as `Authorization: Bearer waft_…`, or a session's cookie, and the " +
	"project's slug as `X-Project`. Times are RFC 3339 in UTC with milliseconds. Percentages and rates are percent: 2.0 means " +
	"2%. Lists are newest first, or in the order of `sort=`: a field of the record, with a leading `-` for descending order. " +
	"If there are more records, the header `Link: <…>; rel=\"next\"` has the path of the next page. `count=true` returns the " +
	"number of records on all pages as `X-Total-Count`. Errors are problem+json (RFC 9457); base decisions on their `code`. A POST with an `Idempotency-Key` may be sent " +
	"again: it gets the first response, marked `Idempotency-Replayed: true`. The response to a change is sent once this " +
	"server serves the change to devices. `Waft-Served: pending` marks a response that was sent before that: after 250 ms, " +
	"or for an upload, because devices get a build when it is published. A " +
	"change of what devices of a protected channel get may return 202 and an approval. It is then applied once enough people " +
	"have approved it."

// newDocument returns the document before the routes of the nouns are added.
func newDocument(nouns []noun) *huma.OpenAPI {
	schemas := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	schemas.Schema(reflect.TypeFor[rest.Problem](), true, "") // plain routes refer to it by name
	return &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Waft", Version: version.Number, Description: intro,
			Contact: &huma.Contact{Name: "Waft", URL: "https://github.com/waft-ota/waft"},
			License: &huma.License{Name: "Apache 2.0", URL: "https://www.apache.org/licenses/LICENSE-2.0"},
		},
		Servers: []*huma.Server{{URL: "/", Description: "The installation that serves this document."}},
		Tags:    tagsOf(nouns),
		Components: &huma.Components{
			Schemas: schemas,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"apiKey":       {Type: "http", Scheme: "bearer", BearerFormat: "waft_<prefix>_<secret>"},
				"apiKeyHeader": {Type: "apiKey", In: "header", Name: "X-API-Key"},
				"session": {Type: "apiKey", In: "cookie", Name: access.SessionCookie,
					Description: "Set by a sign-in. On plain http to the server's own machine, the name is " + access.PlainCookie + "."},
			},
		},
	}
}

const tagSystem = "System"

// tagsOf returns the tags of the nouns and of the probes, ordered by their places.
func tagsOf(nouns []noun) []*huma.Tag {
	tags := []rest.Tag{{Place: 230, Name: tagSystem, Description: "Endpoints for operators."}}
	for _, n := range nouns {
		tags = append(tags, n.Tags()...)
	}
	slices.SortFunc(tags, func(a, b rest.Tag) int { return cmp.Compare(a.Place, b.Place) })
	documented := make([]*huma.Tag, len(tags))
	for i, t := range tags {
		documented[i] = &huma.Tag{Name: t.Name, Description: t.Description}
	}
	return documented
}

// openRecords permits unknown fields in records that occur only in responses, so that a new field does not break
// clients that validate. In requests, an unknown field is an error.
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

// nullableEnums adds null to the values of each property that is one of several values or null, because a validator
// checks both the type and the values. huma has checked requests for null before it compares values.
func nullableEnums(document *huma.OpenAPI) {
	for _, schema := range document.Components.Schemas.Map() {
		for _, property := range schema.Properties {
			if property.Nullable && len(property.Enum) > 0 {
				property.Enum = append(slices.Clip(property.Enum), nil)
			}
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
