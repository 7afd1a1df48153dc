package api

import (
	"context"
	"io"
	"strings"

	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/models"
)

// fakeFiles is a Files and a FileParts of a project without files.
type fakeFiles struct {
	// stored are the files of the project.
	stored []models.StoredFile
}

func (f *fakeFiles) FindFiles(context.Context, int64, []string) ([]models.StoredFile, error) {
	return f.stored, nil
}

func (*fakeFiles) FileProgress(context.Context, int64, string) (p models.FileProgress, err error) {
	return p, models.Errorf(models.CodeNotFound, "there is no such file")
}

func (*fakeFiles) PartialFile(context.Context, int64, string, int64, int64) (p models.PartialFile, err error) {
	return p, models.Errorf(models.CodeNotFound, "there is no such file")
}

func (*fakeFiles) BeginFile(_ context.Context, projectID int64, sha256 string, sizeBytes int64) (models.PartialFile, error) {
	return models.PartialFile{ID: 1, ProjectID: projectID, SHA256: sha256, SizeBytes: sizeBytes}, nil
}

func (*fakeFiles) AddPart(_ context.Context, p *models.PartialFile, part models.FilePart) error {
	p.Parts, p.ReceivedBytes = append(p.Parts, part), p.ReceivedBytes+part.SizeBytes
	return nil
}

func (*fakeFiles) AddFile(context.Context, int64, models.NewFile) ([]int64, error) { return nil, nil }
func (*fakeFiles) EndFile(context.Context, int64, int64) error                     { return nil }

func (*fakeFiles) OpenParts(context.Context, models.PartialFile) io.ReadCloser {
	return io.NopCloser(strings.NewReader(""))
}
func (*fakeFiles) RemovePart(context.Context, int64, int64, models.FilePart) error { return nil }
func (*fakeFiles) RemoveParts(context.Context, int64, int64) error                 { return nil }

func (*fakeFiles) Open(context.Context, int64, string) (*assets.Reader, error) {
	return nil, models.Errorf(models.CodeNotFound, "there is no such file")
}
