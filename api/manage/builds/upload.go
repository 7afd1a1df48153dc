package builds

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/models"
)

// Stager receives uploaded files before the build is created.
type Stager interface {
	// Stage reads r to its end into a temporary file, which is kept or discarded later. It returns too_large for more
	// than limit bytes.
	Stage(ctx context.Context, r io.Reader, limit int64) (*assets.Staged, error)
}

// Blobs lists the files in the asset bucket.
type Blobs interface {
	// HoldBlobs returns the files with the given MD5s that the project has. It keeps all of the MD5s from cleanup
	// until their build is created.
	HoldBlobs(ctx context.Context, projectID int64, md5s []string) (models.BlobHold, error)
	// CheckSpace returns quota_exceeded if the project may not store that many more bytes.
	CheckSpace(ctx context.Context, projectID, bytes int64) error
}

const (
	// uploadOverhead is the number of bytes allowed for headers and fields.
	uploadOverhead = 32 << 20
	// keepTogether is the number of files that are stored at the same time.
	keepTogether = 8
)

var uploadBuildDoc = huma.Operation{
	OperationID: "uploadBuild", Tags: []string{TagBuilds}, Summary: "Upload a build",
	Description: "A multipart form. Files are parts named `assets` whose filename is the path inside the export. The launch " +
		"asset is the part named `bundle`, else the file that Expo's metadata.json names, else the single file under " +
		"_expo/static/js/<platform>/, else the single .hbc, .jsbundle, .bundle or .js file. Fields and files may come in any " +
		"order. An interrupted upload is discarded completely. The field `files` names files that are already stored (see " +
		"checkFiles and putFile), as a JSON list of {path, sha256}, instead of sending them as parts. If one of them is not " +
		"stored, the upload fails with files_missing. An upload without parts may be JSON. Waft compresses new files after " +
		"the upload.",
	Errors:      []int{http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType},
	RequestBody: &huma.RequestBody{Required: true, Content: uploadForms()},
	Responses: map[string]*huma.Response{"201": {
		Description: "The build.", Content: rest.RecordContent("application/json", "Build", Build{}.Example()),
	}},
}

func uploadForms() map[string]*huma.MediaType {
	forms := rest.RecordContent("multipart/form-data", "BuildForm", map[string]any{
		"platform": "ios", "runtimeVersion": "1.4.0", "message": "Fix the checkout button",
		"assets": []string{"_expo/static/js/ios/entry.hbc", "assets/9e107d9d372bb6826bd81d3542a419d6"},
	})
	maps.Copy(forms, rest.RecordContent("application/json", "NamedBuild", NamedBuild{}.Example()))
	return forms
}

func (h *Handlers) uploadBuild(c *gin.Context) {
	limit := h.Limits.BuildBytes + uploadOverhead
	if c.Request.ContentLength > limit {
		rest.Fail(c, models.Errorf(models.CodeTooLarge, "the upload is larger than %d bytes", limit))
		return
	}
	var parts *formParts // nil for JSON
	if media, _, _ := mime.ParseMediaType(c.GetHeader("Content-Type")); media != "application/json" {
		var err error
		if parts, err = newFormParts(c.Request, http.MaxBytesReader(c.Writer, c.Request.Body, limit)); err != nil {
			rest.Fail(c, err)
			return
		}
	}
	if _, err := rest.IdempotencyKey(c); err != nil {
		rest.Fail(c, err) // fails before the form is read
		return
	}
	if err := h.receiveBuild(c, parts); err != nil {
		rest.Fail(c, err)
	}
}

// receiveBuild reads the form, stores its files, creates the build and sends it as the response. It always deletes
// the staged files.
func (h *Handlers) receiveBuild(c *gin.Context, parts *formParts) (err error) {
	ctx := c.Request.Context()
	u := uploadForm{
		stager: h.Stager, limits: h.Limits, fields: map[string]string{}, byPath: map[string]uploadFile{},
	}
	defer func() {
		if discarded := u.discard(); err == nil && discarded != nil {
			// The build exists. Only its temporary files could not be deleted.
			rest.CallOf(ctx).Failure = discarded
		}
	}()
	if parts == nil {
		err = u.readJSON(http.MaxBytesReader(c.Writer, c.Request.Body, uploadOverhead))
	} else {
		err = u.read(ctx, parts)
	}
	if err != nil {
		return err
	}
	if err := u.described().ValidateFields(); err != nil { // checked before the files are looked up
		return err
	}
	if err := u.resolve(ctx, rest.ProjectOf(ctx), h.Files, h.FileParts); err != nil {
		return err
	}
	n, err := u.build()
	if err != nil {
		return err
	}
	asked, err := buildFingerprint(n)
	if err != nil || (rest.KeyedRequests{Answers: h.Idempotency}).Replay(c, asked) {
		return err
	}
	if err := h.checkSourceMap(ctx, u.chosenMap); err != nil {
		return err
	}
	if err := h.keepFiles(ctx, &u, &n); err != nil {
		return err
	}
	(rest.KeyedRequests{Answers: h.Idempotency}).Run(c, asked, h.Idempotency.AnswerOnce, func(c *gin.Context) {
		ctx := c.Request.Context()
		build, err := h.Builds.CreateBuild(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), n)
		if err != nil {
			rest.Fail(c, err)
			return
		}
		c.Header(rest.HeaderServed, rest.ServedPending)
		c.JSON(http.StatusCreated, BuildRecord(build))
	})
	return nil
}

// buildFingerprint returns the SHA-256 of the uploaded build. It does not hash the form's bytes, because a repeated
// form has another boundary.
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

// keepFiles stores the files that the project does not have, and sets the hold and the contents in n. Files are
// stored under their MD5, so two different files with the same MD5 are an error.
func (h *Handlers) keepFiles(ctx context.Context, u *uploadForm, n *models.NewBuild) error {
	projectID := rest.ProjectOf(ctx)
	files := n.Assets
	if m := n.SourceMap; m != nil {
		files = append(slices.Clip(files), models.BuildAsset{
			Path: partSourceMap, MD5: m.MD5, SHA256: m.SHA256, SizeBytes: m.SizeBytes, ContentType: assets.SourceMapContentType,
		})
	}
	n.Contents = u.contents(*n)
	if len(u.staged) == 0 {
		return nil // resolve has found all files, which keeps them from cleanup
	}
	md5s := make([]string, len(files))
	for i, f := range files {
		md5s[i] = f.MD5
	}
	hold, err := h.Blobs.HoldBlobs(ctx, projectID, md5s)
	if err != nil {
		return err
	}
	n.HoldID = hold.ID
	fresh, err := freshFiles(files, hold.Known)
	if err != nil {
		return err
	}
	if len(fresh) > 0 { // CreateBuild checks the quota again, including what other uploads added in between
		var bytes int64
		for _, f := range fresh {
			bytes += f.SizeBytes
		}
		if err := h.Blobs.CheckSpace(ctx, projectID, bytes); err != nil {
			return err
		}
	}
	keeping, ctx := errgroup.WithContext(ctx)
	keeping.SetLimit(keepTogether)
	for _, f := range fresh {
		keeping.Go(func() error {
			staged := u.withMD5(f.MD5)
			if staged == nil { // deleted after it was found
				var missing models.Problems
				missing.Add(partFiles, "%s is no longer stored", f.SHA256)
				return filesMissing(missing)
			}
			return staged.Keep(ctx, projectID, f.ContentType)
		})
	}
	return keeping.Wait()
}

// freshFiles returns the files that are not held, one per content. If several files have the same content, it returns
// the launch asset, because that has the right content type.
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
