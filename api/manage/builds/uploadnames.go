package builds

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/models"
)

// uploadFile is a file of an upload. It either came with the upload or is only named by it.
type uploadFile interface {
	assets.File
	Open() (io.ReadCloser, error)
}

// namedFile is a stored file that an upload names.
type namedFile struct {
	file models.StoredFile
	open func() (io.ReadCloser, error)
}

func (f namedFile) MD5() string                  { return f.file.MD5 }
func (f namedFile) SHA256() string               { return f.file.SHA256 }
func (f namedFile) Size() int64                  { return f.file.SizeBytes }
func (f namedFile) Sniffed() string              { return f.file.SniffedType }
func (f namedFile) Open() (io.ReadCloser, error) { return f.open() }

// readAll returns a file's content, or CodeTooLarge for more than limit bytes.
func readAll(f uploadFile, limit int64) (content []byte, err error) {
	if f.Size() > limit {
		return nil, models.Errorf(models.CodeTooLarge, "the file is larger than the limit of %d bytes", limit)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return io.ReadAll(io.LimitReader(r, limit))
}

// NamedFile is a file of an upload that is stored already.
type NamedFile struct {
	Path          string `json:"path" doc:"Path inside the export." example:"_expo/static/js/ios/entry.hbc"`
	SHA256        string `json:"sha256" doc:"SHA-256 of the file in base64url without padding, or in hex." example:"16j7swfXgJRpypq8sAguT41WUeRtPNt2LQLQvzfJ5ZI"`
	IsLaunchAsset bool   `json:"isLaunchAsset,omitempty" doc:"Whether the file is the bundle that the app starts, unless another rule decides it."`
}

// partFiles is the field that names stored files.
const partFiles = "files"

// resolve finds the files that the form names, and adds them to its parts.
func (u *uploadForm) resolve(ctx context.Context, projectID int64, files Files, stored FileParts) error {
	text, given := u.fields[partFiles]
	if !given {
		return nil
	}
	var names []NamedFile
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&names); err != nil || decoder.More() {
		return rest.Invalid(partFiles, "must be a JSON list such as [{\"path\": \"index.hbc\", \"sha256\": \"…\"}]: %v", err)
	}
	if len(u.parts)+len(names) > u.limits.BuildFiles {
		return models.Errorf(models.CodeTooLarge, "a build has at most %d files", u.limits.BuildFiles)
	}
	sha256s, err := u.checkNames(names)
	if err != nil {
		return err
	}
	found, err := files.FindFiles(ctx, projectID, sha256s)
	if err != nil {
		return err
	}
	bySHA256 := make(map[string]models.StoredFile, len(found))
	for _, f := range found {
		bySHA256[f.SHA256] = f
	}
	var missing models.Problems
	for i, name := range names {
		f, there := bySHA256[sha256s[i]]
		if !there {
			addMissing(&missing, i, name.SHA256)
			continue
		}
		file := namedFile{f, func() (io.ReadCloser, error) { return stored.Open(ctx, projectID, f.MD5) }}
		u.size += f.SizeBytes
		u.byPath[name.Path] = file
		u.parts = append(u.parts, assets.Part{Path: name.Path, IsBundle: name.IsLaunchAsset, File: file})
	}
	if len(missing) > 0 {
		return filesMissing(missing)
	}
	if u.size > u.limits.BuildBytes {
		return models.Errorf(models.CodeTooLarge, "the files of the build are larger than %d bytes in total", u.limits.BuildBytes)
	}
	return nil
}

// checkNames returns the SHA-256 of each named file in base64url.
func (u *uploadForm) checkNames(names []NamedFile) ([]string, error) {
	var p models.Problems
	seen := make(map[string]bool, len(names))
	sha256s := make([]string, len(names))
	for i, name := range names {
		field := fmt.Sprintf("%s[%d]", partFiles, i)
		switch err := models.CheckAssetPath(name.Path); {
		case err != nil:
			p.Add(field+".path", "%v", err)
		case !utf8.ValidString(name.Path):
			p.Add(field+".path", "is not valid UTF-8")
		case u.byPath[name.Path] != nil || seen[name.Path]:
			p.Add(field+".path", "the path %q is given twice", name.Path)
		}
		seen[name.Path] = true
		var ok bool
		if sha256s[i], ok = models.ParseSHA256(name.SHA256); !ok {
			p.Add(field+".sha256", badSHA256)
		}
	}
	return sha256s, p.Err()
}

// maxMissing is the maximum number of missing files that an error names. The endpoint checkFiles returns all of
// them.
const maxMissing = 100

func addMissing(p *models.Problems, i int, sha256 string) {
	if len(*p) < maxMissing {
		p.Add(fmt.Sprintf("%s[%d].sha256", partFiles, i), "the file %s is not stored: send it with PUT /v1/ota/builds/files/%s", sha256, sha256)
	}
}

// filesMissing returns the error for an upload that names files that are not stored.
func filesMissing(missing models.Problems) error {
	e := models.Errorf(models.CodeFilesMissing, "the upload names files that are not stored; get their list from POST "+
		"/v1/ota/builds/check, send them and upload again")
	e.Fields = missing
	return e
}

// readJSON reads an upload whose files are all stored, from a JSON object with the fields of the form.
func (u *uploadForm) readJSON(r io.Reader) error {
	var fields map[string]json.RawMessage
	body, err := io.ReadAll(r)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return models.Errorf(models.CodeTooLarge, "the body is larger than %d bytes", tooLarge.Limit)
	case err != nil:
		return rest.Unreadable(err)
	}
	if err := json.Unmarshal(body, &fields); err != nil || fields == nil {
		return models.Errorf(models.CodeInvalid, "the body must be a JSON object")
	}
	var p models.Problems
	for name, raw := range fields {
		limit, known := formFields[name]
		var text string
		isText := json.Unmarshal(raw, &text) == nil
		switch {
		case !known:
			p.Add(name, "is not a known field of an upload")
		case string(raw) == "null":
		case isText && name != partFiles:
			u.fields[name] = text
		case limit > maxFormField && (raw[0] == '{' || raw[0] == '['): // a JSON document
			u.fields[name] = string(raw)
		case name == partFiles:
			p.Add(name, "must be a list of {path, sha256}")
		default:
			p.Add(name, "must be a string")
		}
		if int64(len(u.fields[name])) > limit && known {
			p.Add(name, "is larger than %d bytes", limit)
		}
	}
	return p.Err()
}
