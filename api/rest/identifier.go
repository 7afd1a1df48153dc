package rest

import (
	"context"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

// Identifier is an alternative to a record's ID in a path.
type Identifier struct {
	// Find returns the ID of the project's record with that identifier. It returns 0 if the text cannot be such an
	// identifier, and not_found if the project does not have such a record.
	Find func(ctx context.Context, projectID int64, text string) (int64, error)
	// Param documents the path parameter.
	Param *huma.Param
}

// IdentifierParam documents an ID in a path that may also have another form. Requests are validated against the
// numeric form alone, because Identifier.resolve runs first.
func IdentifierParam(description string, other *huma.Schema) *huma.Param {
	return &huma.Param{
		Name: "id", In: "path", Required: true, Description: description,
		Schema: &huma.Schema{
			AnyOf: []*huma.Schema{{Type: huma.TypeInteger, Format: "int64", Minimum: new(1.0)}, other},
			// The generated client takes only the numeric ID.
			Extensions: map[string]any{"x-go-type": "int64"},
		},
	}
}

// ByUUID returns an identifier for records that have a UUID, which find looks up.
func ByUUID(param *huma.Param, find func(context.Context, int64, uuid.UUID) (int64, error)) *Identifier {
	return &Identifier{findByUUID(find), param}
}

func findByUUID(find func(context.Context, int64, uuid.UUID) (int64, error)) func(context.Context, int64, string) (int64, error) {
	return func(ctx context.Context, projectID int64, text string) (int64, error) {
		id := ParsedUUID(text)
		if id == nil || len(text) != len(ExampleUUID) { // only the form with hyphens is accepted
			return 0, nil
		}
		return find(ctx, projectID, *id)
	}
}

// resolve replaces another identifier in the path with the record's ID. It runs after authorize, which finds the
// project.
func (i *Identifier) resolve(c *gin.Context) {
	at := slices.IndexFunc(c.Params, func(p gin.Param) bool { return p.Key == "id" })
	text := c.Params[at].Value
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return
	}
	ctx := c.Request.Context()
	id, err := i.Find(ctx, ProjectOf(ctx), text)
	if err != nil {
		Fail(c, err)
		return
	}
	if id != 0 { // otherwise the handler rejects the text, like any invalid ID
		c.Params[at].Value = strconv.FormatInt(id, 10)
	}
}
