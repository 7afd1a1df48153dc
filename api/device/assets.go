package device

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/internal/base/qvalue"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// Assets opens files of builds.
type Assets interface {
	// OpenVariant opens the project's file with the given MD5 in an encoding, or returns not_found.
	OpenVariant(ctx context.Context, projectID int64, md5 string, e models.Encoding) (*assets.Reader, error)
	// SignedURL returns a URL of the bucket for the file, valid for life.
	SignedURL(ctx context.Context, projectID int64, md5 string, e models.Encoding, contentType string, life time.Duration) (string, error)
}

var assetDoc = huma.Operation{
	OperationID: "getAsset", Tags: []string{tagDevices}, Summary: "Download a file of a build",
	Description: "The file with an MD5 never changes, so it may be cached forever. It is compressed with Brotli or gzip if " +
		"`Accept-Encoding` permits that and the compressed file is smaller. A launch asset may come as a patch. Ranges refer " +
		"to the uncompressed file, or to the variant that `If-Range` names. The project is required because two projects may " +
		"have different files with the same MD5. Downloads of a launch asset are recorded and rate limited if they name the " +
		"device (`EAS-Client-ID`) and the update (`Expo-Requested-Update-ID`). Depending on the server's configuration, the " +
		"response may be 302 with a URL of the bucket that is valid for some minutes.",
	Errors: []int{
		http.StatusBadRequest, http.StatusNotFound, http.StatusRequestedRangeNotSatisfiable, http.StatusTooManyRequests, http.StatusServiceUnavailable,
	},
	Parameters: append(slices.Clone(assetParams), patchParams...),
	Responses: map[string]*huma.Response{
		"200": {
			Description: "The file.",
			Headers: map[string]*huma.Param{
				"ETag": rest.AnswerHeader("SHA-256 of the file in base64url, followed by the encoding if the file is compressed."),
				"Cache-Control": rest.AnswerHeader("public, max-age=31536000, immutable; max-age=60 while the compressed " +
					"variants of a new file are being created."),
				"Content-Encoding": rest.AnswerHeader("`br` or `gzip`, if the file is compressed."),
				"Vary":             rest.AnswerHeader("Accept-Encoding; if there are patches, also A-IM and Expo-Current-Update-ID."),
			},
			Content: rest.Content("application/octet-stream", &huma.Schema{Type: huma.TypeString, Format: "binary"}, "the file's bytes"),
		},
		"206": {Description: "The requested part of the file."},
		"226": {Description: "A patch in the format of bsdiff 4 from the launch asset that the device runs. It is returned " +
			"for requests for a launch asset with `A-IM: bsdiff` and `Expo-Current-Update-ID`. The response has `IM: bsdiff`, " +
			"and the ID in `Expo-Base-Update-ID`."},
		"302": {Description: "The file is in the bucket; the URL in Location is valid for some minutes."},
		"304": {Description: "The client has the current file."},
	},
}

var assetHeadDoc = huma.Operation{
	OperationID: "headAsset", Tags: []string{tagDevices}, Summary: "Get the headers of a file of a build",
	Description: "Returns the headers of a download without the file.",
	Errors:      []int{http.StatusBadRequest, http.StatusNotFound, http.StatusServiceUnavailable}, Parameters: assetParams,
	Responses: map[string]*huma.Response{"200": {Description: "The file exists."}},
}

var assetParams = []*huma.Param{
	{
		Name: "md5", In: "path", Required: true, Description: "MD5 of the file in lower-case hex.",
		Schema: &huma.Schema{Type: huma.TypeString}, Example: rest.ExampleMD5,
	},
	{
		Name: "project", In: "query", Required: true, Description: "Slug or UUID of the project.",
		Schema: &huma.Schema{Type: huma.TypeString}, Example: rest.ExampleSlug,
	},
}

// Header values of every file. Apps contain HTML and SVG files, whose scripts must not run in a browser with the
// origin of the API.
const (
	immutable = "public, max-age=31536000, immutable"
	// unsettled is for a file whose compressed variants are still being created, so that caches do not keep the large
	// response.
	unsettled = "public, max-age=60"
	inert     = "default-src 'none'; sandbox"
)

func (h *Handlers) getAsset(c *gin.Context) {
	snapshot, meta, err := h.findAsset(c)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	launch := h.launchOf(c, snapshot, meta.MD5)
	if err := h.limitLaunch(c, &launch); err != nil {
		rest.Fail(c, err)
		return
	}
	// A patch is for one device, so it is not compressed, cached or redirected.
	if h.servePatch(c, snapshot, meta) {
		h.noteLaunch(c, &launch, models.ExposurePatch)
		return
	}
	c.Writer.Header().Set("Vary", varyOf(snapshot, meta.MD5))
	ignoreForeignRange(c.Request)
	encoding := chooseEncoding(c.Request, meta.Blob)
	if h.AssetRedirect > 0 && c.Request.Method == http.MethodGet {
		h.noteLaunch(c, &launch, models.ExposureAsset)
		h.redirectToBucket(c, meta, encoding)
		return
	}
	file, encoding, err := h.openAsset(c.Request.Context(), meta, encoding)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	defer func() { _ = file.Close() }() // it was only read
	h.noteLaunch(c, &launch, models.ExposureAsset)
	header := c.Writer.Header()
	header.Set("Content-Type", meta.ContentType)
	header.Set("Cache-Control", immutable)
	if meta.VariantsPending {
		header.Set("Cache-Control", unsettled)
	}
	header.Set("ETag", etag(meta.SHA256, encoding))
	header.Set("Content-Security-Policy", inert)
	if encoding != models.Identity {
		header.Set("Content-Encoding", string(encoding))
		// ServeContent omits Content-Length for a compressed whole file.
		header.Set("Content-Length", strconv.FormatInt(file.Size(), 10))
	}
	if c.Request.Method == http.MethodHead {
		c.Request.Header.Del("Range") // Range is defined only for GET
	}
	answer := rangeAnswer{ResponseWriter: c.Writer}
	http.ServeContent(&answer, c.Request, "", time.Time{}, file)
	if answer.badRange {
		header.Del("Content-Type") // net/http has set the type of its own text
		rest.Fail(c, models.Errorf(rest.CodeNoSuchRange, "the requested Range is outside the file, which has %d bytes", file.Size()))
	}
}

// rangeAnswer drops net/http's response to a bad Range, which is not problem+json.
type rangeAnswer struct {
	http.ResponseWriter
	badRange bool
}

func (a *rangeAnswer) WriteHeader(status int) {
	if a.badRange = status == http.StatusRequestedRangeNotSatisfiable; !a.badRange {
		a.ResponseWriter.WriteHeader(status)
	}
}

func (a *rangeAnswer) Write(p []byte) (int, error) {
	if a.badRange {
		return len(p), nil
	}
	return a.ResponseWriter.Write(p)
}

// ignoreForeignRange removes a Range in other units than bytes, as RFC 9110, section 14.2, requires. net/http would
// return an error for it.
func ignoreForeignRange(r *http.Request) {
	if unit, _, _ := strings.Cut(r.Header.Get("Range"), "="); unit != "bytes" {
		r.Header.Del("Range")
	}
}

// chooseEncoding returns the encoding of the response. A Range refers to a compressed variant only if If-Range names
// that variant. Without If-Range it refers to the file itself, because HTTP libraries add Accept-Encoding on their
// own.
func chooseEncoding(r *http.Request, b models.Blob) models.Encoding {
	e := readAcceptEncoding(r.Header.Values("Accept-Encoding")).choose(b)
	if r.Header.Get("Range") != "" && r.Header.Get("If-Range") != etag(b.SHA256, e) {
		return models.Identity
	}
	return e
}

// etag returns a strong ETag, which differs for each encoding because the bytes differ.
func etag(version string, e models.Encoding) string {
	if e == models.Identity {
		return `"` + version + `"`
	}
	return `"` + version + "-" + string(e) + `"`
}

// openAsset opens the file in the encoding, and returns that. If the bucket does not have this variant, it opens the
// uncompressed file.
func (h *Handlers) openAsset(ctx context.Context, meta delivery.AssetMeta, e models.Encoding) (*assets.Reader, models.Encoding, error) {
	file, err := h.Assets.OpenVariant(ctx, meta.ProjectID, meta.MD5, e)
	if e != models.Identity && models.CodeOf(err) == models.CodeNotFound {
		e = models.Identity
		file, err = h.Assets.OpenVariant(ctx, meta.ProjectID, meta.MD5, e)
	}
	return file, e, err
}

// redirectToBucket responds with a URL of the bucket. The response is for this client only, because the URL expires
// and has one encoding.
func (h *Handlers) redirectToBucket(c *gin.Context, meta delivery.AssetMeta, e models.Encoding) {
	location, err := h.Assets.SignedURL(c.Request.Context(), meta.ProjectID, meta.MD5, e, meta.ContentType, h.AssetRedirect)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	header := c.Writer.Header()
	header.Set("Cache-Control", "private, no-store")
	header.Set("Location", location)
	c.Status(http.StatusFound)
}

// findAsset finds the file in the project that the query names. A default project does not exist, because two projects may
// have different files with the same MD5.
func (h *Handlers) findAsset(c *gin.Context) (*delivery.Snapshot, delivery.AssetMeta, error) {
	project := c.Query("project")
	if project == "" {
		var missing models.Problems
		missing.Add("project", "must name the project, by slug or UUID, as the URLs in manifests do")
		return nil, delivery.AssetMeta{}, missing.Err()
	}
	s, err := h.Snapshots.Project(project)
	if err == nil {
		if meta, ok := s.Asset(c.Param("md5")); ok {
			return s, meta, nil
		}
	}
	if models.CodeOf(err) == models.CodeUnavailable {
		return nil, delivery.AssetMeta{}, err
	}
	return nil, delivery.AssetMeta{}, models.Errorf(models.CodeNotFound, "the asset does not exist in this project")
}

// encodingWeights holds the weights in Accept-Encoding (RFC 9110, section 12.5.3) by the name of the coding in lower
// case.
type encodingWeights map[string]float64

// unlisted is the weight of the uncompressed file if the client does not list it. It is lower than every listed
// weight.
const unlisted = 0.0001

const (
	identityCoding = "identity"
	anyCoding      = "*"
)

// readAcceptEncoding returns the weights in Accept-Encoding. It ignores malformed elements, such as elements with
// parameters.
func readAcceptEncoding(values []string) encodingWeights {
	weights := encodingWeights{}
	for _, value := range values {
		for e := range qvalue.Elements(value) {
			if !e.Parameterized {
				weights[e.Name] = e.Weight
			}
		}
	}
	return weights
}

// of returns the weight of an encoding; 0 means that it must not be sent.
func (w encodingWeights) of(e models.Encoding) float64 {
	name := string(e)
	if e == models.Identity {
		name = identityCoding
	}
	if weight, listed := w[name]; listed {
		return weight
	}
	if weight, listed := w[anyCoding]; listed {
		return weight
	}
	if e == models.Identity {
		return unlisted
	}
	return 0
}

// encodings are the encodings in which some content is available, with its size in bytes in each.
type encodings interface {
	Size(e models.Encoding) (size int64, ok bool)
}

// choose returns the encoding with the greatest weight. If several have that weight, it returns the smallest one. It
// returns Identity if the client does not accept any.
func (w encodingWeights) choose(from encodings) models.Encoding {
	best, bestWeight := models.Identity, w.of(models.Identity)
	bestSize, _ := from.Size(models.Identity)
	for _, e := range models.CompressedEncodings {
		weight := w.of(e)
		if weight == 0 || weight < bestWeight {
			continue
		}
		size, there := from.Size(e)
		if !there || weight == bestWeight && size >= bestSize {
			continue
		}
		best, bestWeight, bestSize = e, weight, size
	}
	return best
}
