package builds

import (
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/models"
)

// SourceMaps reads source maps.
type SourceMaps interface {
	// Check reads a source map to its end. For an invalid one it returns CodeInvalid, for the field sourcemap.
	Check(ctx context.Context, r io.Reader) error
	// Forget is called after a source map was added to a build of the project, or deleted.
	Forget(projectID int64)
}

// SourceMapStore records the source map of each build.
type SourceMapStore interface {
	PutSourceMap(ctx context.Context, projectID int64, actor models.Actor, buildID int64, n models.NewSourceMap) (models.Build, error)
	DeleteSourceMap(ctx context.Context, projectID int64, actor models.Actor, buildID int64) error
}

var putSourceMapDoc = huma.Operation{
	OperationID: "putSourceMap", Tags: []string{TagBuilds}, Summary: "Add a source map to a build",
	Description: "The body is the source map of the build's launch asset, as application/octet-stream or application/json, or " +
		"as the part `sourcemap` of a multipart form. It must have version 3; an index map with sections is accepted too. " +
		"`expo export --dump-sourcemap` writes one next to the bundle. It replaces the build's current source map. Devices " +
		"never receive it. Stacks are shown with it immediately, and new events are grouped by it.",
	Parameters: []*huma.Param{{
		Name: "id", In: "path", Required: true, Description: buildParam.Description, Schema: buildParam.Schema, Example: 12,
	}},
	Errors: []int{http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType},
	RequestBody: &huma.RequestBody{Required: true, Content: rest.Content("application/octet-stream",
		&huma.Schema{Type: huma.TypeString, Format: "binary"}, `{"version":3,"sources":["/src/cart.js"],"names":[],"mappings":"AAAA"}`)},
	Responses: map[string]*huma.Response{"200": {
		Description: "The build.", Content: rest.RecordContent("application/json", "Build", Build{}.Example()),
	}},
}

var deleteSourceMapDoc = rest.Doc(TagBuilds, "deleteSourceMap", "Delete the source map of a build",
	"Stacks of later reports are shown and grouped by the positions in the bundle. The next cleanup deletes the file.")

func (h *Handlers) deleteSourceMap(ctx context.Context, in *rest.IDInput) (*struct{}, error) {
	err := h.SourceMapStore.DeleteSourceMap(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.ID)
	if err == nil {
		h.SourceMaps.Forget(rest.ProjectOf(ctx))
	}
	return nil, err
}

func (h *Handlers) putSourceMap(c *gin.Context) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id < 1 {
		rest.Fail(c, models.Errorf(models.CodeNotFound, "this build does not exist: the ID in the path must be a number"))
		return
	}
	build, err := h.receiveSourceMap(c, id)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	c.JSON(http.StatusOK, BuildRecord(build))
}

// receiveSourceMap reads and stores the source map of a build.
func (h *Handlers) receiveSourceMap(c *gin.Context, buildID int64) (b models.Build, err error) {
	ctx := c.Request.Context()
	if _, err := h.Builds.Build(ctx, rest.ProjectOf(ctx), buildID); err != nil { // checked before the body is read
		return b, err
	}
	staged, err := h.stageSourceMap(c)
	if err != nil {
		return b, err
	}
	defer func() { rest.CallOf(ctx).Failure = cmp.Or(rest.CallOf(ctx).Failure, staged.Discard()) }()
	if err := h.checkSourceMap(ctx, staged); err != nil {
		return b, err
	}
	n := models.NewSourceMap{MD5: staged.MD5(), SHA256: staged.SHA256(), SizeBytes: staged.Size()}
	hold, err := h.Blobs.HoldBlobs(ctx, rest.ProjectOf(ctx), []string{n.MD5})
	if err != nil {
		return b, err
	}
	n.HoldID = hold.ID
	if hold.Known[n.MD5] == "" {
		if err := h.Blobs.CheckSpace(ctx, rest.ProjectOf(ctx), n.SizeBytes); err != nil {
			return b, err
		}
		if err := staged.Keep(ctx, rest.ProjectOf(ctx), assets.SourceMapContentType); err != nil {
			return b, err
		}
	}
	if b, err = h.SourceMapStore.PutSourceMap(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), buildID, n); err == nil {
		h.SourceMaps.Forget(rest.ProjectOf(ctx))
	}
	return b, err
}

// stageSourceMap writes the source map of the request's body to local disk.
func (h *Handlers) stageSourceMap(c *gin.Context) (*assets.Staged, error) {
	limit := h.Limits.SourceMapBytes
	tooLarge := models.Errorf(models.CodeTooLarge, "the source map is larger than %d bytes", limit)
	if c.Request.ContentLength > limit+uploadOverhead {
		return nil, tooLarge
	}
	body := http.MaxBytesReader(c.Writer, c.Request.Body, limit+uploadOverhead)
	var from io.Reader = body
	media, _, err := mime.ParseMediaType(c.GetHeader("Content-Type"))
	switch {
	case err == nil && media == "multipart/form-data":
		parts, err := newFormParts(c.Request, body)
		if err != nil {
			return nil, err
		}
		part, more, err := parts.next()
		switch {
		case err != nil:
			return nil, err
		case !more:
			return nil, rest.Invalid(partSourceMap, "is required: send the source map as a part of this name")
		case part.name != partSourceMap:
			return nil, rest.Invalid(part.name, "is not a known field; send the source map as the part %s", partSourceMap)
		}
		from = part
	case c.GetHeader("Content-Type") != "" && (err != nil || media != "application/json" && media != "application/octet-stream"):
		return nil, models.Errorf(models.CodeUnsupportedMedia, "the body must be the source map as application/octet-stream or application/json, or multipart/form-data")
	}
	staged, err := h.Stager.Stage(c.Request.Context(), from, limit)
	var tooMany *http.MaxBytesError
	switch {
	case models.CodeOf(err) == models.CodeTooLarge, errors.As(err, &tooMany):
		return nil, tooLarge
	case err != nil && models.CodeOf(err) != models.CodeUnavailable:
		return nil, rest.Unreadable(err)
	}
	return staged, err
}

// checkSourceMap reads an uploaded source map, if there is one.
func (h *Handlers) checkSourceMap(ctx context.Context, staged uploadFile) (err error) {
	if staged == nil {
		return nil
	}
	r, err := staged.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return h.SourceMaps.Check(ctx, r)
}
