package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/assets"
	"github.com/waft-ota/waft/delivery"
	"github.com/waft-ota/waft/models"
)

// Assets opens files of builds.
type Assets interface {
	// Open reads the file with the given MD5 of the project, or answers not_found.
	Open(ctx context.Context, projectID int64, md5 string) (*assets.Reader, error)
}

type fileHandlers struct {
	snapshots Snapshots
	assets    Assets
}

var assetDoc = huma.Operation{
	OperationID: "getAsset", Tags: []string{tagDevices}, Summary: "Download a file of a build",
	Description: "What lies at an MD5 never changes, so it may be cached for ever. Ranges are served. Without a project all are searched.",
	Errors:      []int{http.StatusNotFound, http.StatusServiceUnavailable},
	Parameters:  assetParams,
	Responses: map[string]*huma.Response{
		"200": {
			Description: "The file.",
			Headers: map[string]*huma.Param{
				"ETag":          {Schema: &huma.Schema{Type: huma.TypeString}, Description: "SHA-256 of the file in base64url."},
				"Cache-Control": {Schema: &huma.Schema{Type: huma.TypeString}, Description: "public, max-age=31536000, immutable."},
			},
			Content: map[string]*huma.MediaType{"application/octet-stream": {
				Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}, Example: "the file's bytes",
			}},
		},
		"206": {Description: "The part of the file that was asked for."},
		"304": {Description: "The caller has the file."},
		"416": {Description: "The file has no such part."},
	},
}

var assetHeadDoc = huma.Operation{
	OperationID: "headAsset", Tags: []string{tagDevices}, Summary: "Look at a file of a build",
	Description: "The headers of a download without the file.",
	Errors:      []int{http.StatusNotFound, http.StatusServiceUnavailable}, Parameters: assetParams,
	Responses: map[string]*huma.Response{"200": {Description: "The file is there."}},
}

var assetParams = []*huma.Param{
	{
		Name: "md5", In: "path", Required: true, Description: "MD5 of the file in lower-case hex.",
		Schema: &huma.Schema{Type: huma.TypeString}, Example: exampleMD5,
	},
	deviceParam("query", "project", "Slug or UUID of the project.", exampleSlug),
}

// Header values of every file.
const immutable = "public, max-age=31536000, immutable"

func (h fileHandlers) serve(c *gin.Context) {
	md5 := c.Param("md5")
	meta, ok := h.find(c.Query("project"), md5)
	if !ok {
		fail(c, models.Errorf(models.CodeNotFound, "there is no such asset"))
		return
	}
	file, err := h.assets.Open(c.Request.Context(), meta.ProjectID, md5)
	if err != nil {
		fail(c, err)
		return
	}
	defer func() { _ = file.Close() }() // it was only read
	header := c.Writer.Header()
	header.Set("Content-Type", meta.ContentType)
	header.Set("Cache-Control", immutable)
	header.Set("ETag", `"`+meta.SHA256+`"`)
	header.Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(c.Writer, c.Request, "", time.Time{}, file)
}

// find looks the file up in one project, or in all of them: whoever knows the
// MD5 of a file that is delivered to devices may have it.
func (h fileHandlers) find(project, md5 string) (delivery.AssetMeta, bool) {
	if project != "" {
		if s, ok := h.snapshots.Project(project); ok {
			return s.Asset(md5)
		}
		return delivery.AssetMeta{}, false
	}
	for _, s := range h.snapshots.All() {
		if meta, ok := s.Asset(md5); ok {
			return meta, true
		}
	}
	return delivery.AssetMeta{}, false
}
