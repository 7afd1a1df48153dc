package api

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/models"
)

// Stager receives uploaded files before the build is created.
type Stager interface {
	// Stage reads r to its end, at most limit bytes of it (too_large beyond), and
	// holds the bytes outside of memory until they are kept or discarded.
	Stage(ctx context.Context, r io.Reader, limit int64) (*assets.Staged, error)
}

// Blobs knows what the asset store holds.
type Blobs interface {
	// HoldBlobs says which of the files with the given MD5s the project holds, and
	// keeps all of them from garbage collection until their build is made.
	HoldBlobs(ctx context.Context, projectID int64, md5s []string) (models.BlobHold, error)
}

const (
	// uploadStallTime is how long an upload may stand still.
	uploadStallTime = time.Minute
	// uploadOverhead is what the parts' headers and fields may add to the files.
	uploadOverhead = 32 << 20
	// keepTogether is how many files are put into the store at a time.
	keepTogether = 8
)

var uploadBuildDoc = huma.Operation{
	OperationID: "uploadBuild", Tags: []string{tagBuilds}, Summary: "Upload a build",
	Description: "A multipart form. Files are parts named `assets` whose filename is the path inside the export. The launch asset is the part named `bundle`, else the file that Expo's metadata.json names, else the single file under _expo/static/js/<platform>/, else the single .hbc, .jsbundle, .bundle or .js file. Fields and files may come in any order, and an upload that is cut off leaves nothing behind.",
	Errors:      []int{http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType},
	RequestBody: &huma.RequestBody{Required: true, Content: recordContent("multipart/form-data", "BuildForm", map[string]any{
		"platform": "ios", "runtimeVersion": "1.4.0", "message": "Fix the checkout button",
		"assets": []string{"_expo/static/js/ios/entry.hbc", "assets/9e107d9d372bb6826bd81d3542a419d6"},
	})},
	Responses: map[string]*huma.Response{"201": {
		Description: "The build.", Content: recordContent("application/json", "Build", Build{}.example()),
	}},
}

func (h *handlers) uploadBuild(c *gin.Context) {
	limit := h.Limits.BuildBytes + uploadOverhead
	if c.Request.ContentLength > limit {
		fail(c, models.Errorf(models.CodeTooLarge, "the upload is larger than %d bytes", limit))
		return
	}
	parts, err := newFormParts(c.Request, http.MaxBytesReader(c.Writer, c.Request.Body, limit))
	if err != nil {
		fail(c, err)
		return
	}
	if _, err := idempotencyKey(c); err != nil {
		fail(c, err) // before many bytes are read in vain
		return
	}
	if err := h.receiveBuild(c, parts); err != nil {
		fail(c, err)
	}
}

// receive reads the form, keeps its files, makes the build of them and answers
// with it. Whatever happens, no file stays on hold.
func (h *handlers) receiveBuild(c *gin.Context, parts *formParts) (err error) {
	ctx := c.Request.Context()
	u := uploadForm{
		stager: h.Stager, limits: h.Limits, fields: map[string]string{}, byPath: map[string]*assets.Staged{},
	}
	defer func() {
		if discarded := u.discard(); err == nil && discarded != nil {
			// The build is there; only the space of its temporary files is not free.
			callOf(ctx).failure = discarded
		}
	}()
	if err := u.read(ctx, parts); err != nil {
		return err
	}
	n, err := u.build()
	if err != nil {
		return err
	}
	asked, err := buildFingerprint(n)
	if err != nil || h.keyed.replay(c, asked) {
		return err
	}
	if err := h.keepFiles(ctx, &u, &n); err != nil {
		return err
	}
	h.keyed.run(c, asked, h.Idempotency.AnswerOnce, func(c *gin.Context) {
		ctx := c.Request.Context()
		build, err := h.Builds.CreateBuild(ctx, projectOf(ctx), actorOf(ctx), n)
		if err != nil {
			fail(c, err)
			return
		}
		c.JSON(http.StatusCreated, buildRecord(build))
	})
	return nil
}

// buildFingerprint is the SHA-256 of what an upload asks for. The form's own bytes
// would not do: whoever sends it again uses another boundary.
func buildFingerprint(n models.NewBuild) ([]byte, error) {
	n.Assets = slices.SortedFunc(slices.Values(n.Assets), func(a, b models.BuildAsset) int {
		return cmp.Compare(a.Path, b.Path)
	})
	if len(n.ClientConfig) == 0 {
		n.ClientConfig = nil
	}
	described, err := json.Marshal(n)
	if err != nil {
		return nil, fmt.Errorf("fingerprint of an upload: %w", err)
	}
	sum := sha256.Sum256(described)
	return sum[:], nil
}

// keep puts those files of the build into the project's store that it does not
// hold yet, and notes in n the hold and the variants. A file is named by its MD5, so
// two different ones of the same MD5 are refused. The build is to be made soon.
func (h *handlers) keepFiles(ctx context.Context, u *uploadForm, n *models.NewBuild) error {
	projectID := projectOf(ctx)
	md5s := make([]string, len(n.Assets))
	for i, f := range n.Assets {
		md5s[i] = f.MD5
	}
	hold, err := h.Blobs.HoldBlobs(ctx, projectID, md5s)
	if err != nil {
		return err
	}
	n.HoldID = hold.ID
	fresh, err := freshFiles(n.Assets, hold.Known)
	if err != nil {
		return err
	}
	n.Variants = make(map[string]models.BlobVariants, len(fresh))
	var mu sync.Mutex
	keeping, ctx := errgroup.WithContext(ctx)
	keeping.SetLimit(keepTogether)
	for _, f := range fresh {
		keeping.Go(func() error {
			variants, err := u.byPath[f.Path].Keep(ctx, projectID, f.ContentType)
			mu.Lock()
			defer mu.Unlock()
			n.Variants[f.MD5] = variants
			return err
		})
	}
	return keeping.Wait()
}

// freshFiles are those of the files that are not known yet, each content once: as
// what the build launches if it does, since that says what it is.
func freshFiles(files []models.BuildAsset, held map[string]string) (fresh []models.BuildAsset, err error) {
	known := make(map[string]string, len(held)+len(files))
	maps.Copy(known, held)
	var problems models.Problems
	for _, f := range files {
		switch sha256, there := known[f.MD5]; {
		case !there:
			known[f.MD5] = f.SHA256
			fresh = append(fresh, f)
		case sha256 != f.SHA256:
			problems.Add("assets", "%s has the MD5 of another file; change a byte of it", f.Path)
		case f.IsLaunchAsset:
			if i := slices.IndexFunc(fresh, func(o models.BuildAsset) bool { return o.MD5 == f.MD5 }); i >= 0 {
				fresh[i] = f
			}
		}
	}
	return fresh, problems.Err()
}
