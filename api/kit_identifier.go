package api

import (
	"context"
	"slices"
	"strconv"

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

// byUUID is an identifier of records that have a UUID, which find looks up.
func byUUID(param *huma.Param, find func(context.Context, int64, uuid.UUID) (int64, error)) *identifier {
	return &identifier{findByUUID(find), param}
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

// resolve replaces another identifier in the path by the record's id. It runs after
// authorize, which finds the project.
func (i *identifier) resolve(c *gin.Context) {
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
