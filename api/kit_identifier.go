package api

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

// identifier is another name that a path may have in place of a record's id.
type identifier struct {
	// find returns the id of the project's record with that name. It returns 0 when the
	// text cannot be such a name, and not_found when the project has no such record.
	find func(ctx context.Context, projectID int64, text string) (int64, error)
	// param documents the id.
	param *huma.Param
}

var (
	updateParam    = identifierParam("Id or updateUuid of the release.", UUID("").Schema(nil))
	buildParam     = identifierParam("Id or uuid of the build.", UUID("").Schema(nil))
	executionParam = identifierParam("Id of the rollout, or its workflowId; write a slash in that as %2F.",
		&huma.Schema{Type: huma.TypeString, Examples: []any{"rollout/demo/21"}})
)

// identifierParam documents an id in a path that may also have another form. Requests
// are validated against the id alone, because identifier.resolve comes first.
func identifierParam(description string, other *huma.Schema) *huma.Param {
	return &huma.Param{
		Name: "id", In: "path", Required: true, Description: description,
		Schema: &huma.Schema{
			AnyOf: []*huma.Schema{{Type: huma.TypeInteger, Format: "int64", Minimum: new(1.0)}, other},
			// The generated client takes the id.
			Extensions: map[string]any{"x-go-type": "int64"},
		},
	}
}

// identifiers are by the path of the records.
func (h *handlers) identifiers() map[string]identifier {
	return map[string]identifier{
		"/v1/ota/updates": {findByUUID(func(ctx context.Context, p int64, id uuid.UUID) (int64, error) {
			return h.Releases.UpdateID(ctx, p, id)
		}), updateParam},
		"/v1/ota/builds": {findByUUID(func(ctx context.Context, p int64, id uuid.UUID) (int64, error) {
			return h.Builds.BuildID(ctx, p, id)
		}), buildParam},
		"/v1/ota/rollout-executions": {func(ctx context.Context, p int64, text string) (int64, error) {
			if !strings.Contains(text, "/") { // every workflow id has one
				return 0, nil
			}
			return h.Executions.ExecutionID(ctx, p, text)
		}, executionParam},
	}
}

func findByUUID(find func(context.Context, int64, uuid.UUID) (int64, error)) func(context.Context, int64, string) (int64, error) {
	return func(ctx context.Context, projectID int64, text string) (int64, error) {
		id := parsedUUID(text)
		if id == nil || len(text) != len(exampleUUID) { // records have only the form with hyphens
			return 0, nil
		}
		return find(ctx, projectID, *id)
	}
}

// identifier returns what may stand for {id} in the path of a route.
func (m *mux) identifier(r route) (identifier, bool) {
	records, _, _ := strings.Cut(r.path, "/{id}")
	i, ok := m.identifiers[records]
	return i, ok && records != r.path
}

// resolve replaces another identifier in the path by the record's id. It runs after
// authorize, which finds the project.
func (i identifier) resolve(c *gin.Context) {
	at := slices.IndexFunc(c.Params, func(p gin.Param) bool { return p.Key == "id" })
	text := c.Params[at].Value
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return
	}
	ctx := c.Request.Context()
	id, err := i.find(ctx, projectOf(ctx), text)
	if err != nil {
		fail(c, err)
		return
	}
	if id != 0 { // otherwise the handler rejects the text, as for any record
		c.Params[at].Value = strconv.FormatInt(id, 10)
	}
}
