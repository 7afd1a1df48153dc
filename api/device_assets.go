package api

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/internal/delivery"
	"github.com/waft-ota/waft/models"
)

// Assets opens files of builds.
type Assets interface {
	// OpenVariant reads the file with the given MD5 of the project in an encoding, or
	// answers not_found.
	OpenVariant(ctx context.Context, projectID int64, md5 string, e models.Encoding) (*assets.Reader, error)
	// SignedURL is where the bucket itself serves the file for so long.
	SignedURL(ctx context.Context, projectID int64, md5 string, e models.Encoding, contentType string, life time.Duration) (string, error)
}

type fileHandlers struct {
	snapshots Snapshots
	assets    Assets
	patches   PatchFiles
	// redirect is how long a URL of the bucket lives that devices are sent to; 0 when
	// they get files from here.
	redirect time.Duration
	serves   serveBook
}

var assetDoc = huma.Operation{
	OperationID: "getAsset", Tags: []string{tagDevices}, Summary: "Download a file of a build",
	Description: "What lies at an MD5 never changes, so it may be cached for ever. It comes in Brotli or gzip when `Accept-Encoding` allows it and it is smaller that way. A launch asset may come as a patch. Ranges are served, of the file as it is, or of the variant that `If-Range` names. Without a project all are searched. A server that is set to do so answers 302 to a URL of the bucket, which lives for some minutes.",
	Errors:      []int{http.StatusNotFound, http.StatusRequestedRangeNotSatisfiable, http.StatusServiceUnavailable},
	Parameters:  append(slices.Clone(assetParams), patchParams...),
	Responses: map[string]*huma.Response{
		"200": {
			Description: "The file.",
			Headers: map[string]*huma.Param{
				"ETag":             {Schema: &huma.Schema{Type: huma.TypeString}, Description: "SHA-256 of the file in base64url; of a compressed variant with the encoding behind it."},
				"Cache-Control":    {Schema: &huma.Schema{Type: huma.TypeString}, Description: "public, max-age=31536000, immutable."},
				"Content-Encoding": {Schema: &huma.Schema{Type: huma.TypeString}, Description: "br or gzip, when the file comes in it."},
				"Vary":             {Schema: &huma.Schema{Type: huma.TypeString}, Description: "Accept-Encoding; where there are patches also A-IM and Expo-Current-Update-ID."},
			},
			Content: map[string]*huma.MediaType{"application/octet-stream": {
				Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}, Example: "the file's bytes",
			}},
		},
		"206": {Description: "The part of the file that was asked for."},
		"226": {Description: "A patch in the format of bsdiff 4, which makes the file of the one that the device runs. To requests for a launch asset with `A-IM: bsdiff` and `Expo-Current-Update-ID`; the answer has `IM: bsdiff` and the id in `Expo-Base-Update-ID`."},
		"302": {Description: "The bucket has the file at Location, for some minutes."},
		"304": {Description: "The caller has the file."},
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

// Header values of every file. Apps bring pages and drawings with scripts in them,
// which must not run in a browser under the name of the API.
const (
	immutable = "public, max-age=31536000, immutable"
	inert     = "default-src 'none'; sandbox"
)

// serve answers with a file of a build.
func (h fileHandlers) serve(c *gin.Context) {
	snapshot, meta, ok := h.find(c.Query("project"), c.Param("md5"))
	if !ok {
		fail(c, models.Errorf(models.CodeNotFound, "there is no such asset"))
		return
	}
	// A patch comes before anything else: it is for one device and is neither encoded
	// nor cached nor redirected.
	if h.servePatch(c, snapshot, meta) {
		h.serves.file(snapshot, c.Request, meta.MD5, models.ExposurePatch)
		return
	}
	c.Writer.Header().Set("Vary", varyOf(snapshot, meta.MD5))
	ignoreForeignRange(c.Request)
	encoding := chooseEncoding(c.Request, meta.Blob)
	if h.redirect > 0 && c.Request.Method == http.MethodGet {
		h.serves.file(snapshot, c.Request, meta.MD5, models.ExposureAsset)
		h.sendAway(c, meta, encoding)
		return
	}
	file, encoding, err := h.open(c.Request.Context(), meta, encoding)
	if err != nil {
		fail(c, err)
		return
	}
	defer func() { _ = file.Close() }() // it was only read
	h.serves.file(snapshot, c.Request, meta.MD5, models.ExposureAsset)
	header := c.Writer.Header()
	header.Set("Content-Type", meta.ContentType)
	header.Set("Cache-Control", immutable)
	header.Set("ETag", etag(meta.Blob, encoding))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", inert)
	if encoding != models.Identity {
		header.Set("Content-Encoding", string(encoding))
		// ServeContent leaves it out of an encoded answer unless it is a part.
		header.Set("Content-Length", strconv.FormatInt(file.Size(), 10))
	}
	if c.Request.Method == http.MethodHead {
		c.Request.Header.Del("Range") // which means nothing but for GET
	}
	answer := rangeAnswer{ResponseWriter: c.Writer}
	http.ServeContent(&answer, c.Request, "", time.Time{}, file)
	if answer.refused {
		header.Del("Content-Type") // net/http's own
		fail(c, models.Errorf(codeNoSuchRange, "the file has %d bytes, of which none is in the Range that was asked for", file.Size()))
	}
}

// rangeAnswer leaves out how net/http refuses a Range, which is not how errors are
// answered here.
type rangeAnswer struct {
	http.ResponseWriter
	refused bool
}

func (a *rangeAnswer) WriteHeader(status int) {
	if a.refused = status == http.StatusRequestedRangeNotSatisfiable; !a.refused {
		a.ResponseWriter.WriteHeader(status)
	}
}

func (a *rangeAnswer) Write(p []byte) (int, error) {
	if a.refused {
		return len(p), nil
	}
	return a.ResponseWriter.Write(p)
}

// ignoreForeignRange forgets a Range in other units than bytes, as RFC 9110, section
// 14.2, asks for; net/http refuses it.
func ignoreForeignRange(r *http.Request) {
	if unit, _, _ := strings.Cut(r.Header.Get("Range"), "="); unit != "bytes" {
		r.Header.Del("Range")
	}
}

// chooseEncoding is the encoding in which the request is answered. A part of a
// compressed variant is of use only to a client that has the rest of it and says so
// with If-Range; others ask for parts of the file itself, whatever their HTTP
// library puts into Accept-Encoding.
func chooseEncoding(r *http.Request, b models.Blob) models.Encoding {
	e := readAcceptEncoding(r.Header.Values("Accept-Encoding")).choose(b)
	if r.Header.Get("Range") != "" && r.Header.Get("If-Range") != etag(b, e) {
		return models.Identity
	}
	return e
}

// etag is strong: it differs for each encoding, since the bytes do.
func etag(b models.Blob, e models.Encoding) string {
	if e == models.Identity {
		return `"` + b.SHA256 + `"`
	}
	return `"` + b.SHA256 + "-" + string(e) + `"`
}

// open opens the file in the encoding, or as it is when the bucket has lost the
// variant, and says which it is.
func (h fileHandlers) open(ctx context.Context, meta delivery.AssetMeta, e models.Encoding) (*assets.Reader, models.Encoding, error) {
	file, err := h.assets.OpenVariant(ctx, meta.ProjectID, meta.MD5, e)
	if e != models.Identity && models.CodeOf(err) == models.CodeNotFound {
		e = models.Identity
		file, err = h.assets.OpenVariant(ctx, meta.ProjectID, meta.MD5, e)
	}
	return file, e, err
}

// sendAway answers with a URL of the bucket. The answer is for this client: its URL
// ends soon, and is of the one encoding.
func (h fileHandlers) sendAway(c *gin.Context, meta delivery.AssetMeta, e models.Encoding) {
	location, err := h.assets.SignedURL(c.Request.Context(), meta.ProjectID, meta.MD5, e, meta.ContentType, h.redirect)
	if err != nil {
		fail(c, err)
		return
	}
	header := c.Writer.Header()
	header.Set("Cache-Control", "private, no-store")
	header.Set("Location", location)
	c.Status(http.StatusFound)
}

// find looks the file up in one project, or in all of them: whoever knows the
// MD5 of a file that is delivered to devices may have it.
func (h fileHandlers) find(project, md5 string) (*delivery.Snapshot, delivery.AssetMeta, bool) {
	if project != "" {
		if s, ok := h.snapshots.Project(project); ok {
			meta, ok := s.Asset(md5)
			return s, meta, ok
		}
		return nil, delivery.AssetMeta{}, false
	}
	for _, s := range h.snapshots.All() {
		if meta, ok := s.Asset(md5); ok {
			return s, meta, true
		}
	}
	return nil, delivery.AssetMeta{}, false
}
