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

// Files records files that are uploaded alone, before the build that has them.
type Files interface {
	// FindFiles returns those of the files that the project has. The cleanup leaves them for models.FileLife.
	FindFiles(ctx context.Context, projectID int64, sha256s []string) ([]models.StoredFile, error)
	// FileProgress is not_found when nothing of the file has arrived. The cleanup leaves a whole one for models.FileLife.
	FileProgress(ctx context.Context, projectID int64, sha256 string) (models.FileProgress, error)
	// PartialFile is an attempt at a file of which exactly offset bytes have arrived, or not_found.
	PartialFile(ctx context.Context, projectID int64, sha256 string, sizeBytes, offset int64) (models.PartialFile, error)
	// BeginFile comes before the first part of an attempt is stored.
	BeginFile(ctx context.Context, projectID int64, sha256 string, sizeBytes int64) (models.PartialFile, error)
	// AddPart is invalid_transition when another request has continued or ended the attempt, and quota_exceeded.
	AddPart(ctx context.Context, p *models.PartialFile, part models.FilePart) error
	// AddFile returns the ids of the attempts whose parts are no longer needed.
	AddFile(ctx context.Context, projectID int64, n models.NewFile) (ended []int64, err error)
	// EndFile gives an attempt up.
	EndFile(ctx context.Context, projectID, id int64) error
}

// FileParts keeps the parts of partial files.
type FileParts interface {
	OpenParts(ctx context.Context, p models.PartialFile) io.ReadCloser
	RemovePart(ctx context.Context, projectID, partialID int64, part models.FilePart) error
	RemoveParts(ctx context.Context, projectID, partialID int64) error
	// Open is not_found when the project does not have the file.
	Open(ctx context.Context, projectID int64, md5 string) (*assets.Reader, error)
}

// Headers that say how much of a file has arrived.
const (
	headerUploadOffset   = "Upload-Offset"
	headerUploadLength   = "Upload-Length"
	headerUploadComplete = "Upload-Complete"
)

var checkFilesDoc = rest.Doc(TagBuilds, "checkFiles", "Find out which files an upload must send",
	"Answers which of the files this project has not stored. Those that it has are kept for a day, so that an upload can name "+
		"them. What other projects have plays no part. Send each missing file with PUT /v1/ota/builds/files/{sha256}, then upload "+
		"the build with files: [{path, sha256}] in place of parts.")

type checkedFile struct {
	SHA256    string `json:"sha256" doc:"SHA-256 of the file in base64url without padding, or in hex." example:"16j7swfXgJRpypq8sAguT41WUeRtPNt2LQLQvzfJ5ZI"`
	SizeBytes int64  `json:"sizeBytes" minimum:"0" doc:"Size of the file." example:"1048576"`
}

type checkFilesBody struct {
	Files []checkedFile `json:"files" nullable:"false" doc:"The files of an export; at most as many as a build may have."`
}

func (checkFilesBody) Example() any {
	return checkFilesBody{Files: []checkedFile{{exampleSHA256, 1048576}, {"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU", 0}}}
}

// exampleSHA256 is of the file in examples.
const exampleSHA256 = "16j7swfXgJRpypq8sAguT41WUeRtPNt2LQLQvzfJ5ZI"

// MissingFiles are files that an upload must send.
type MissingFiles struct {
	Missing []string `json:"missing" nullable:"false" doc:"The SHA-256 of each file to send, as the request has it, in its order and once."`
}

func (MissingFiles) Example() any { return MissingFiles{Missing: []string{exampleSHA256}} }

func (h *Handlers) checkFiles(ctx context.Context, in *rest.BodyInput[checkFilesBody]) (*rest.Output[MissingFiles], error) {
	if len(in.Body.Files) > h.Limits.BuildFiles {
		return nil, rest.Invalid("files", "has %d files, a build has at most %d", len(in.Body.Files), h.Limits.BuildFiles)
	}
	var problems models.Problems
	names := make([]string, len(in.Body.Files))
	for i, f := range in.Body.Files {
		var ok bool
		if names[i], ok = models.ParseSHA256(f.SHA256); !ok {
			problems.Add(fmt.Sprintf("files[%d].sha256", i), badSHA256)
		}
		if f.SizeBytes > h.Limits.FileBytes {
			problems.Add(fmt.Sprintf("files[%d].sizeBytes", i), "is larger than the %d bytes that a file may have", h.Limits.FileBytes)
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
			problems.Add(fmt.Sprintf("files[%d].sizeBytes", i), "must be %d: that is the size of the stored file of this SHA-256", size)
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
	headerUploadOffset:   rest.AnswerHeader("How many bytes of the file have arrived; the next part begins there."),
	headerUploadLength:   rest.AnswerHeader("The size of the whole file."),
	headerUploadComplete: rest.AnswerHeader("?1 when the whole file is stored, else ?0."),
}

var fileHeadDoc = huma.Operation{
	OperationID: "headFile", Tags: []string{TagBuilds}, Summary: "Find out how much of a file has arrived",
	Description: "Whichever API process took it. A file that is stored as a whole is kept for a day from now on.",
	Errors:      []int{http.StatusNotFound}, Parameters: []*huma.Param{sha256Param},
	Responses: map[string]*huma.Response{"200": {Description: "Some of it has arrived.", Headers: uploadHeaders}},
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

// fileName is the SHA-256 in the path, in base64url.
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
	Description: "The body is the file, or with Content-Range a part of it. Bytes are stored as they arrive: after a cut connection HEAD says how far, and a PUT with Content-Range goes on from there, to any API process. A Content-Range that begins elsewhere is answered with 416, which says where to go on. One that begins with 0 begins anew. The SHA-256 is compared when the last byte arrives. A file that is not complete is kept for a day after its last part, a complete one that no build has for a day, too. What arrives counts against WAFT_QUOTA_BUILD_BYTES.",
	Parameters: []*huma.Param{sha256Param, {
		Name: "Content-Range", In: "header", Description: "Which bytes the body has, and how many the file has; absent for the whole file.",
		Schema: &huma.Schema{Type: huma.TypeString}, Example: "bytes 8388608-10485759/10485760",
	}},
	Errors: []int{http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusRequestedRangeNotSatisfiable},
	RequestBody: &huma.RequestBody{Required: true, Content: rest.Content("application/octet-stream",
		&huma.Schema{Type: huma.TypeString, Format: "binary"}, "the file's bytes")},
	Responses: map[string]*huma.Response{
		"200": {
			Description: "The part is stored, or the whole file was there already.", Headers: uploadHeaders,
			Content: rest.RecordContent("application/json", "FileUpload", FileUpload{}.Example()),
		},
		"201": {
			Description: "The whole file is stored.", Headers: uploadHeaders,
			Content: rest.RecordContent("application/json", "FileUpload", FileUpload{exampleSHA256, 1048576, 1048576, true}),
		},
	},
}

// FileUpload says how much of a file has arrived.
type FileUpload struct {
	SHA256        string `json:"sha256" doc:"SHA-256 of the file in base64url without padding."`
	SizeBytes     int64  `json:"sizeBytes" doc:"Size of the whole file."`
	ReceivedBytes int64  `json:"receivedBytes" doc:"How much has arrived; the next part begins there."`
	Complete      bool   `json:"complete" doc:"Whether the whole file is stored, and an upload may name it."`
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
		err = models.Errorf(models.CodeTooLarge, "the file is larger than the %d bytes that a file may have", h.Limits.FileBytes)
	}
	if err != nil {
		rest.Fail(c, err)
		return
	}
	r := fileReceiver{Handlers: h, projectID: rest.ProjectOf(c.Request.Context()), sha256: name, byteRange: at}
	// What has arrived is stored also when the client is gone.
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

// byteRange are the bytes from first to before end of a file of total bytes.
type byteRange struct{ first, end, total int64 }

// readRange says what of its file the body of a request is.
func readRange(r *http.Request) (at byteRange, err error) {
	length := r.ContentLength
	header := r.Header.Values("Content-Range")
	switch {
	case len(header) == 0 && length < 0:
		return at, rest.Invalid("Content-Length", "is required, or a Content-Range, so that the file's size is known")
	case len(header) == 0:
		return byteRange{0, length, length}, nil
	case len(header) > 1:
		return at, rest.Invalid("Content-Range", "is given twice")
	}
	at, ok := parseContentRange(header[0])
	if !ok {
		return at, rest.Invalid("Content-Range",
			"must be of the form bytes 0-1023/4096: the first byte, the last one, and the size of the whole file")
	}
	if length >= 0 && length != at.end-at.first {
		return at, rest.Invalid("Content-Length", "is %d, but the Content-Range has %d bytes", length, at.end-at.first)
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
