package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"path"
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
	// Sent is called with what had to be sent, unless it is nil.
	Sent func(Transfer)
	// Sending is called with the files that have to be sent before the first of them is, unless it is nil.
	Sending func([]FileProgress)
	// Progress is called while a file is sent, unless it is nil. It may be called by several goroutines.
	Progress func(FileProgress)
}

// FileProgress is how much of a file the server has been sent.
type FileProgress struct {
	Name string
	// In bytes.
	Sent, Size int64
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
	prepared, err := prepare(ctx, []Export{e})
	if err != nil {
		return nil, err
	}
	files, err := w.checkFiles(ctx, prepared)
	if err != nil {
		return nil, err
	}
	if err := w.sendMissing(ctx, files, u, nil); err != nil {
		return nil, err
	}
	return w.createBuild(ctx, prepared[0], u, nil)
}

// createBuild creates a build of an export whose files the project has.
func (w *Waft) createBuild(ctx context.Context, e preparedExport, u Upload, key *string) (*Build, error) {
	var body bytes.Buffer // of names and documents
	form := multipart.NewWriter(&body)
	if err := e.writeForm(form, u); err != nil {
		return nil, err
	}
	res, err := w.UploadBuildWithBodyWithResponse(ctx, &UploadBuildParams{IdempotencyKey: key}, form.FormDataContentType(), &body)
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
func (e preparedExport) writeForm(form *multipart.Writer, u Upload) error {
	list, err := json.Marshal(e.names())
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
		content    []byte
	}{{"metadata", metadataFile, e.metadata}, {"expoConfig", configFile, e.config}} {
		if document.content == nil {
			continue
		}
		to, err := form.CreateFormFile(document.part, document.name)
		if err != nil {
			return err
		}
		if _, err := to.Write(document.content); err != nil {
			return err
		}
	}
	return form.Close()
}
