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

// identifier is what may stand in the place of a record's id in a path.
type identifier struct {
	// find returns the id of the project's record that the text names. It returns 0
	// without an error when the text is no such identifier at all, and not_found when
	// the project has no such record.
	find   func(ctx context.Context, projectID int64, text string) (int64, error)
	schema *huma.Schema
	doc    string
}

// identifiers are by the path of the records, without their ids. Records of other
// kinds have an id only.
type identifiers map[string]identifier

func (d Deps) identifiers() identifiers {
	return identifiers{
		"/v1/ota/updates": {
			find: byUUID(func(ctx context.Context, p int64, id uuid.UUID) (int64, error) {
				return d.Releases.UpdateID(ctx, p, id)
			}),
			schema: uuidSchema, doc: "Id or updateUuid of the release.",
		},
		"/v1/ota/builds": {
			find:   byUUID(func(ctx context.Context, p int64, id uuid.UUID) (int64, error) { return d.Builds.BuildID(ctx, p, id) }),
			schema: uuidSchema, doc: "Id or uuid of the build.",
		},
		"/v1/ota/rollout-executions": {
			find: func(ctx context.Context, p int64, text string) (int64, error) {
				if !strings.Contains(text, "/") { // every workflow id has some
					return 0, nil
				}
				return d.Executions.ExecutionID(ctx, p, text)
			},
			schema: &huma.Schema{Type: huma.TypeString, Examples: []any{"rollout/demo/21"}},
			doc:    "Id of the rollout, or its workflowId; write a slash in that as %2F.",
		},
	}
}

var uuidSchema = &huma.Schema{Type: huma.TypeString, Format: "uuid"}

// byUUID makes find of what finds a record by its UUID.
func byUUID(find func(ctx context.Context, projectID int64, id uuid.UUID) (int64, error)) func(context.Context, int64, string) (int64, error) {
	return func(ctx context.Context, projectID int64, text string) (int64, error) {
		if len(text) != len(exampleUUID) { // other spellings than this one stand in no record
			return 0, nil
		}
		if id := parsedUUID(text); id != nil {
			return find(ctx, projectID, *id)
		}
		return 0, nil
	}
}

// of returns what may stand for {id} in the path of a route.
func (ids identifiers) of(r route) (identifier, bool) {
	records, _, ok := strings.Cut(r.path, "/{id}")
	found, known := ids[records]
	return found, ok && known
}

// resolve puts the id of the record in the place of its other identifier in the
// path, so that nothing behind it knows of any but the id. It stands behind the
// gate, which knows the project.
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
	if id != 0 { // else the handler refuses the text, as it does for every kind of record
		c.Params[at].Value = strconv.FormatInt(id, 10)
	}
}

// document says in the operations of the routes what may stand for {id}. Requests
// are still held against the schema of the id, which is all that handlers see.
func (ids identifiers) document(document *huma.OpenAPI, routes []route) {
	one := 1.0
	for _, r := range routes {
		i, ok := ids.of(r)
		if !ok {
			continue
		}
		op := documented(document, r)
		at := slices.IndexFunc(op.Parameters, func(p *huma.Param) bool { return p.Name == "id" && p.In == "path" })
		param := *op.Parameters[at]
		param.Description = i.doc
		param.Schema = &huma.Schema{
			AnyOf: []*huma.Schema{{Type: huma.TypeInteger, Format: "int64", Minimum: &one}, i.schema},
			// The client made from the document takes the id.
			Extensions: map[string]any{"x-go-type": "int64"},
		}
		op.Parameters[at] = &param
	}
}
