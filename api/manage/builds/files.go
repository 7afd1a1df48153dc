package builds

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/models"
)

// Files records files that are uploaded one by one, ahead of the build that uses them.
type Files interface {
	// FindFiles returns the files that the project has stored, and keeps them from cleanup for models.FileLife.
	FindFiles(ctx context.Context, projectID int64, sha256s []string) ([]models.StoredFile, error)
	// FileProgress returns how much of the file has arrived, or not_found. It keeps a complete file from cleanup for
	// models.FileLife.
	FileProgress(ctx context.Context, projectID int64, sha256 string) (models.FileProgress, error)
	// PartialFile returns the attempt to send the file for which exactly offset bytes have arrived, or not_found.
	PartialFile(ctx context.Context, projectID int64, sha256 string, sizeBytes, offset int64) (models.PartialFile, error)
	// BeginFile records a new attempt, before its first part is stored.
	BeginFile(ctx context.Context, projectID int64, sha256 string, sizeBytes int64) (models.PartialFile, error)
	// AddPart fails with invalid_transition if another request has continued or ended the attempt, or with
	// quota_exceeded.
	AddPart(ctx context.Context, p *models.PartialFile, part models.FilePart) error
	// AddFile returns the IDs of the attempts whose parts are no longer needed.
	AddFile(ctx context.Context, projectID int64, n models.NewFile) (ended []int64, err error)
	// EndFile abandons an attempt.
	EndFile(ctx context.Context, projectID, id int64) error
}

// FileParts stores the parts of partial files.
type FileParts interface {
	OpenParts(ctx context.Context, p models.PartialFile) io.ReadCloser
	RemovePart(ctx context.Context, projectID, partialID int64, part models.FilePart) error
	RemoveParts(ctx context.Context, projectID, partialID int64) error
	// Open fails with not_found if the project does not have the file.
	Open(ctx context.Context, projectID int64, md5 string) (*assets.Reader, error)
}

// Headers that describe how much of a file has arrived.
const (
	headerUploadOffset   = "Upload-Offset"
	headerUploadLength   = "Upload-Length"
	headerUploadComplete = "Upload-Complete"
)

var checkFilesDoc = rest.Doc(TagBuilds, "checkFiles", "Find out which files an upload must send",
	"Returns the files in the request that this project has not stored. Waft keeps the stored files for a day so that an "+
		"upload can name them. Files of other projects are not considered. Send each missing file with PUT "+
		"/v1/ota/builds/files/{sha256}, then upload the build with files: [{path, sha256}] instead of parts.")

type checkedFile struct {
	SHA256    string `json:"sha256" doc:"SHA-256 of the file in base64url without padding, or in hex." example:"16j7swfXgJRpypq8sAguT41WUeRtPNt2LQLQvzfJ5ZI"`
	SizeBytes int64  `json:"sizeBytes" minimum:"0" doc:"Size of the file in bytes." example:"1048576"`
}

type checkFilesBody struct {
	Files []checkedFile `json:"files" nullable:"false" doc:"Files of an export, at most as many as a build may have."`
}

func (checkFilesBody) Example() any {
	return checkFilesBody{Files: []checkedFile{{exampleSHA256, 1048576}, {"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU", 0}}}
}

// exampleSHA256 is the SHA-256 of the file in examples.
const exampleSHA256 = "16j7swfXgJRpypq8sAguT41WUeRtPNt2LQLQvzfJ5ZI"

// MissingFiles lists the files that an upload must send.
type MissingFiles struct {
	Missing []string `json:"missing" nullable:"false" doc:"SHA-256 of each file to send, written and ordered as in the request, without repeats."`
}

func (MissingFiles) Example() any { return MissingFiles{Missing: []string{exampleSHA256}} }

func (h *Handlers) checkFiles(ctx context.Context, in *rest.BodyInput[checkFilesBody]) (*rest.Output[MissingFiles], error) {
	if len(in.Body.Files) > h.Limits.BuildFiles {
		return nil, rest.Invalid("files", "has %d files, but a build can have at most %d", len(in.Body.Files), h.Limits.BuildFiles)
	}
	var problems models.Problems
	names := make([]string, len(in.Body.Files))
	for i, f := range in.Body.Files {
		var ok bool
		if names[i], ok = models.ParseSHA256(f.SHA256); !ok {
			problems.Add(fmt.Sprintf("files[%d].sha256", i), badSHA256)
		}
		if f.SizeBytes > h.Limits.FileBytes {
			problems.Add(fmt.Sprintf("files[%d].sizeBytes", i), "exceeds the maximum file size of %d bytes", h.Limits.FileBytes)
		}
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	found, err := h.Files.FindFiles(ctx, rest.ProjectOf(ctx), names)
	if err != nil {
		return nil, err
	}
	sizes := make(map[string]int64, len(found))
	for _, f := range found {
		sizes[f.SHA256] = f.SizeBytes
	}
	missing, told := MissingFiles{Missing: []string{}}, map[string]bool{}
	for i, name := range names {
		size, stored := sizes[name]
		if stored && size != in.Body.Files[i].SizeBytes {
			problems.Add(fmt.Sprintf("files[%d].sizeBytes", i), "must be %d, the size of the stored file with this SHA-256", size)
		}
		if !stored && !told[name] {
			told[name] = true
			missing.Missing = append(missing.Missing, in.Body.Files[i].SHA256)
		}
	}
	return &rest.Output[MissingFiles]{Body: missing}, problems.Err()
}

const badSHA256 = "must be the file's SHA-256 in base64url without padding (43 characters) or in hex (64)"

var sha256Param = &huma.Param{
	Name: "sha256", In: "path", Required: true, Description: "SHA-256 of the whole file in base64url without padding, or in hex.",
	Schema: &huma.Schema{Type: huma.TypeString}, Example: exampleSHA256,
}

var uploadHeaders = map[string]*huma.Param{
	headerUploadOffset:   rest.AnswerHeader("Number of bytes of the file that have arrived; the next part begins at this offset."),
	headerUploadLength:   rest.AnswerHeader("Size of the whole file."),
	headerUploadComplete: rest.AnswerHeader("`?1` if the whole file is stored, otherwise `?0`."),
}

var fileHeadDoc = huma.Operation{
	OperationID: "headFile", Tags: []string{TagBuilds}, Summary: "Find out how much of a file has arrived",
	Description: "Counts all parts, including parts that other API processes received. A file that is completely stored is " +
		"kept for a day from now.",
	Errors: []int{http.StatusNotFound}, Parameters: []*huma.Param{sha256Param},
	Responses: map[string]*huma.Response{"200": {Description: "At least a part of the file has arrived.", Headers: uploadHeaders}},
}

func (h *Handlers) headFile(c *gin.Context) {
	ctx := c.Request.Context()
	name, err := fileName(c)
	if err == nil {
		var p models.FileProgress
		if p, err = h.Files.FileProgress(ctx, rest.ProjectOf(ctx), name); err == nil {
			setProgress(c, p)
			c.Status(http.StatusOK)
			return
		}
	}
	rest.Fail(c, err)
}

// fileName returns the SHA-256 in the path, in base64url.
func fileName(c *gin.Context) (string, error) {
	name, ok := models.ParseSHA256(c.Param("sha256"))
	if !ok {
		return "", rest.Invalid("sha256", badSHA256)
	}
	return name, nil
}

func setProgress(c *gin.Context, p models.FileProgress) {
	c.Header("Cache-Control", "no-store")
	c.Header(headerUploadOffset, strconv.FormatInt(p.ReceivedBytes, 10))
	c.Header(headerUploadLength, strconv.FormatInt(p.SizeBytes, 10))
	complete := "?0"
	if p.Complete {
		complete = "?1"
	}
	c.Header(headerUploadComplete, complete)
}

var putFileDoc = huma.Operation{
	OperationID: "putFile", Tags: []string{TagBuilds}, Summary: "Send a file before the build that has it",
	Description: "The body is the whole file, or a part of it with Content-Range. Waft stores bytes as they arrive. If the " +
		"connection breaks, HEAD returns the offset, and a PUT with Content-Range to any API process continues from there. A " +
		"Content-Range that begins at another offset gets 416, whose headers have the right one. A Content-Range that begins " +
		"at 0 starts again. Waft compares the SHA-256 when the last byte arrives. It keeps an incomplete file for a day after " +
		"its last part, and a complete file for a day unless a build uses it. Received bytes count against " +
		"WAFT_QUOTA_BUILD_BYTES.",
	Parameters: []*huma.Param{sha256Param, {
		Name: "Content-Range", In: "header",
		Description: "Range of bytes in the body, and the size of the file; absent if the body is the whole file.",
		Schema:      &huma.Schema{Type: huma.TypeString}, Example: "bytes 8388608-10485759/10485760",
	}},
	Errors: []int{http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusRequestedRangeNotSatisfiable},
	RequestBody: &huma.RequestBody{Required: true, Content: rest.Content("application/octet-stream",
		&huma.Schema{Type: huma.TypeString, Format: "binary"}, "the file's bytes")},
	Responses: map[string]*huma.Response{
		"200": {
			Description: "The part is stored, or the whole file was already stored.", Headers: uploadHeaders,
			Content: rest.RecordContent("application/json", "FileUpload", FileUpload{}.Example()),
		},
		"201": {
			Description: "The whole file is stored.", Headers: uploadHeaders,
			Content: rest.RecordContent("application/json", "FileUpload", FileUpload{exampleSHA256, 1048576, 1048576, true}),
		},
	},
}

// FileUpload is the progress of a file's upload.
type FileUpload struct {
	SHA256        string `json:"sha256" doc:"SHA-256 of the file in base64url without padding."`
	SizeBytes     int64  `json:"sizeBytes" doc:"Size of the whole file."`
	ReceivedBytes int64  `json:"receivedBytes" doc:"Number of bytes that have arrived; the next part begins at this offset."`
	Complete      bool   `json:"complete" doc:"Whether the whole file is stored, so that an upload may name it."`
}

func (FileUpload) Example() any {
	return FileUpload{SHA256: exampleSHA256, SizeBytes: 10485760, ReceivedBytes: 8388608}
}

func (h *Handlers) putFile(c *gin.Context) {
	name, err := fileName(c)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	at, err := readRange(c.Request)
	if err == nil && at.total > h.Limits.FileBytes {
		err = models.Errorf(models.CodeTooLarge, "the file exceeds the maximum file size of %d bytes", h.Limits.FileBytes)
	}
	if err != nil {
		rest.Fail(c, err)
		return
	}
	r := fileReceiver{Handlers: h, projectID: rest.ProjectOf(c.Request.Context()), sha256: name, byteRange: at}
	// Received bytes are stored even if the client has disconnected.
	progress, created, err := r.receive(context.WithoutCancel(c.Request.Context()), c.Request.Body)
	rest.CallOf(c.Request.Context()).Failure = r.discard()
	if err != nil {
		if models.CodeOf(err) == rest.CodeNoSuchRange {
			setProgress(c, progress)
			c.Header("Content-Range", fmt.Sprintf("bytes */%d", at.total))
		}
		rest.Fail(c, err)
		return
	}
	setProgress(c, progress)
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	c.JSON(status, FileUpload{name, progress.SizeBytes, progress.ReceivedBytes, progress.Complete})
}

// byteRange is the part of a file of total bytes from first up to, but not including, end.
type byteRange struct{ first, end, total int64 }

// readRange returns the range of the file that the body of a request contains.
func readRange(r *http.Request) (at byteRange, err error) {
	length := r.ContentLength
	header := r.Header.Values("Content-Range")
	switch {
	case len(header) == 0 && length < 0:
		return at, rest.Invalid("Content-Length", "is required unless there is a Content-Range: one of them must give the file's size")
	case len(header) == 0:
		return byteRange{0, length, length}, nil
	case len(header) > 1:
		return at, rest.Invalid("Content-Range", "is given twice")
	}
	at, ok := parseContentRange(header[0])
	if !ok {
		return at, rest.Invalid("Content-Range",
			"must have the form bytes 0-1023/4096: the first byte, the last byte and the size of the whole file")
	}
	if length >= 0 && length != at.end-at.first {
		return at, rest.Invalid("Content-Length", "is %d, but Content-Range has %d bytes", length, at.end-at.first)
	}
	return at, nil
}

func parseContentRange(text string) (at byteRange, ok bool) {
	text, ok = strings.CutPrefix(text, "bytes ")
	span, total, slash := strings.Cut(text, "/")
	first, last, dash := strings.Cut(span, "-")
	if !ok || !slash || !dash {
		return at, false
	}
	numbers := make([]int64, 0, 3)
	for _, digits := range []string{first, last, total} {
		n, err := strconv.ParseUint(digits, 10, 62)
		if err != nil {
			return at, false
		}
		numbers = append(numbers, int64(n))
	}
	at = byteRange{numbers[0], numbers[1] + 1, numbers[2]}
	return at, slices.IsSorted([]int64{at.first, at.end - 1, at.total - 1})
}
