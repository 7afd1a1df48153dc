package api

import (
	"path"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/base/version"
)

// Tags of the document, in the order in which it lists them.

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
	schemas.Schema(reflect.TypeFor[rest.Problem](), true, "") // plain routes refer to it by name
	return &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Waft", Version: version.Number, Description: intro,
			License: &huma.License{Name: "Apache 2.0", URL: "https://www.apache.org/licenses/LICENSE-2.0"},
		},
		Tags: []*huma.Tag{
			{Name: rest.TagDevices, Description: "What installed apps ask for and report. Public."},
			{Name: rest.TagProjects, Description: "The tenants of an installation, managed with its root key."},
			{Name: rest.TagSignIn, Description: "Accounts and sessions of people. A session takes the place of an API key in every management call."},
			{Name: rest.TagMembers, Description: "The people of a project, their roles, and invitations."},
			{Name: rest.TagKeys, Description: "Credentials of a project. A viewer reads, an editor also writes, an admin also manages keys. A client only evaluates flags over OFREP; its key may stand in a web page."},
			{Name: rest.TagBuilds, Description: "Uploaded bundles and assets of one runtime version and platform."},
			{Name: rest.TagUpdates, Description: "Releases: builds published to a branch."},
			{Name: rest.TagBranches, Description: "Named, ordered lists of releases."},
			{Name: rest.TagChannels, Description: "What devices connect to. A channel points to a branch."},
			{Name: rest.TagFlags, Description: "Values that devices ask for by key, and the rules that decide them."},
			{Name: rest.TagOFREP, Description: "Flag evaluation by the OpenFeature Remote Evaluation Protocol 0.3, for every OpenFeature client."},
			{Name: rest.TagSegments, Description: "Named sets of contexts that the rules of flags refer to."},
			{Name: rest.TagPolicies, Description: "Stages, thresholds and schedules for rollouts."},
			{Name: rest.TagExecutions, Description: "Runs of a policy for one release."},
			{Name: rest.TagApprovals, Description: "Calls about protected channels that wait until people approve them."},
			{Name: rest.TagOverrides, Description: "Rules that serve a user from a given branch."},
			{Name: rest.TagContexts, Description: "Users, devices and other subjects that flags are evaluated for."},
			{Name: rest.TagWebhooks, Description: "URLs that get messages about changes, as Standard Webhooks."},
			{Name: rest.TagSigning, Description: "The key that signs manifests."},
			{Name: rest.TagAudit, Description: "All changes to a project, with their actors."},
			{Name: rest.TagTelemetry, Description: "Adoption, errors and crashes of devices."},
			{Name: rest.TagRetention, Description: "Retention settings, cleanup, and deletion of device data."},
			{Name: rest.TagSystem, Description: "For operators."},
		},
		Components: &huma.Components{
			Schemas: schemas,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"apiKey":       {Type: "http", Scheme: "bearer", BearerFormat: "waft_<prefix>_<secret>"},
				"apiKeyHeader": {Type: "apiKey", In: "header", Name: "X-API-Key"},
				"session": {Type: "apiKey", In: "cookie", Name: access.SessionCookie,
					Description: "Set by a login. On plain http to the server's own machine it is " + access.PlainCookie + "."},
			},
		},
	}
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
