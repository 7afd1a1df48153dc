package client

import (
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"os"
	"path/filepath"
)

// Upload is what goes with an export when it is uploaded.
type Upload struct {
	RuntimeVersion string
	Message        string
	GitCommitHash  string
	GitBranch      string
	// EmbeddedUpdateID is the id of the update inside a binary, when the export is that
	// update: then the build is not published, and devices that run it get patches.
	EmbeddedUpdateID string
}

// UploadExport makes a build of an export. Its files are streamed: memory stays
// flat whatever their size.
func (w *Waft) UploadExport(ctx context.Context, e Export, u Upload) (*Build, error) {
	read, write := io.Pipe()
	form := multipart.NewWriter(write)
	go func() {
		err := e.writeForm(form, u)
		if err == nil {
			// A form that broke off must not be closed: the server would take what there
			// is for all of it.
			err = form.Close()
		}
		write.CloseWithError(err)
	}()
	res, err := w.UploadBuildWithBodyWithResponse(ctx, &UploadBuildParams{}, form.FormDataContentType(), read)
	// Ends the writer when the server answered before it had read everything.
	_ = read.Close() // never fails
	if err != nil {
		return nil, fmt.Errorf("uploading %s for %s: %w", e.Dir, e.Platform, err)
	}
	return expect(res.JSON201, res.HTTPResponse)
}

// writeForm writes the fields, then the documents that say what the files are,
// then the files.
func (e Export) writeForm(form *multipart.Writer, u Upload) error {
	for _, field := range []struct{ name, value string }{
		{"platform", string(e.Platform)}, {"runtimeVersion", u.RuntimeVersion}, {"message", u.Message},
		{"gitCommitHash", u.GitCommitHash}, {"gitBranch", u.GitBranch},
		{"embeddedUpdateId", u.EmbeddedUpdateID},
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
	for _, name := range e.Files {
		if err := e.writeFile(form, "assets", name); err != nil {
			return err
		}
	}
	for _, name := range e.SourceMaps {
		if err := e.writeFile(form, "sourcemap", name); err != nil {
			return err
		}
	}
	return nil
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
