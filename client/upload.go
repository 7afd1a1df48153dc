package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Upload contains the options for uploading an export.
type Upload struct {
	RuntimeVersion string
	Message        string
	GitCommitHash  string
	GitBranch      string
	GitAuthor      string
	// EmbeddedUpdateID is the id of the update inside a binary, when the export is that
	// update: then the build is not published, and devices that run it get patches.
	EmbeddedUpdateID string
	// Sent is called with what had to be sent of an export, unless it is nil.
	Sent func(Transfer)
}

// UploadExport creates a build from an export. It sends only the files that the project does not have, and resumes a file after a
// broken connection. It uses constant memory, whatever the size of the files.
func (w *Waft) UploadExport(ctx context.Context, e Export, u Upload) (*Build, error) {
	build, err := w.uploadExport(ctx, e, u)
	if err != nil {
		return nil, fmt.Errorf("uploading %s for %s: %w", e.Dir, e.Platform, err)
	}
	return build, nil
}

func (w *Waft) uploadExport(ctx context.Context, e Export, u Upload) (*Build, error) {
	names := slices.Concat(e.Files, e.namedMaps())
	files := make([]exportFile, len(names))
	list := make([]NamedFile, len(names))
	for i, name := range names {
		f, err := e.hashFile(name)
		if err != nil {
			return nil, err
		}
		files[i], list[i] = f, NamedFile{Path: name, Sha256: f.sha256}
	}
	transfer, err := w.sendMissing(ctx, files)
	if err != nil {
		return nil, err
	}
	if u.Sent != nil {
		u.Sent(transfer)
	}
	var body bytes.Buffer // of names and documents
	form := multipart.NewWriter(&body)
	if err := e.writeForm(form, u, list); err != nil {
		return nil, err
	}
	res, err := w.UploadBuildWithBodyWithResponse(ctx, &UploadBuildParams{}, form.FormDataContentType(), &body)
	if err != nil {
		return nil, err
	}
	return expect(res.JSON201, res.HTTPResponse)
}

// namedMaps returns the source maps that the server recognises by name. Without a metadata.json, the server would treat the source
// map of a file that cannot be the bundle as a file of the app.
func (e Export) namedMaps() []string {
	if e.HasMetadata {
		return e.SourceMaps
	}
	return slices.DeleteFunc(slices.Clone(e.SourceMaps), func(name string) bool {
		bundle := strings.TrimSuffix(name, mapExtension)
		return !strings.HasPrefix(bundle, "_expo/static/js/") && !slices.Contains([]string{".hbc", ".jsbundle", ".bundle", ".js"}, path.Ext(bundle))
	})
}

// writeForm writes the fields, the documents that describe the files, and the names of the files.
func (e Export) writeForm(form *multipart.Writer, u Upload, files []NamedFile) error {
	list, err := json.Marshal(files)
	if err != nil {
		return err
	}
	for _, field := range []struct{ name, value string }{
		{"platform", string(e.Platform)}, {"runtimeVersion", u.RuntimeVersion}, {"message", u.Message},
		{"gitCommitHash", u.GitCommitHash}, {"gitBranch", u.GitBranch}, {"gitAuthor", u.GitAuthor},
		{"embeddedUpdateId", u.EmbeddedUpdateID}, {"files", string(list)},
	} {
		if field.value == "" {
			continue
		}
		if err := form.WriteField(field.name, field.value); err != nil {
			return err
		}
	}
	for _, document := range []struct {
		part, name string
		there      bool
	}{{"metadata", metadataFile, e.HasMetadata}, {"expoConfig", configFile, e.HasConfig}} {
		if !document.there {
			continue
		}
		if err := e.writeFile(form, document.part, document.name); err != nil {
			return err
		}
	}
	return form.Close()
}

func (e Export) writeFile(form *multipart.Writer, part, name string) error {
	file, err := os.Open(filepath.Join(e.Dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	defer file.Close()
	to, err := form.CreateFormFile(part, name)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, file)
	return err
}
