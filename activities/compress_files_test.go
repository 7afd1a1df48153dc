package activities_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"github.com/waft-ota/waft/activities"
	"github.com/waft-ota/waft/models"
)

// pendingStore is a FileStore and a Compressor. Its files are named by their MD5.
type pendingStore struct {
	pending  []string
	finished []models.CompressedFile
	ended    []int64
	// failing contains the errors of Compress.
	failing map[string]error
}

func (s *pendingStore) PendingFiles(context.Context, int64) (p models.PendingFiles, _ error) {
	p.HoldID = 9
	for _, name := range s.pending {
		p.Files = append(p.Files, models.PendingFile{MD5: name, SHA256: "sum of " + name})
	}
	return p, nil
}

func (s *pendingStore) FinishFiles(_ context.Context, _ int64, files []models.CompressedFile) error {
	s.finished = append(s.finished, files...)
	return nil
}

func (s *pendingStore) EndHold(_ context.Context, _, holdID int64) error {
	s.ended = append(s.ended, holdID)
	return nil
}

func (s *pendingStore) Compress(_ context.Context, _ int64, f models.PendingFile) (models.BlobVariants, error) {
	return models.BlobVariants{GzipBytes: new(int64(7))}, s.failing[f.MD5]
}

func (s *pendingStore) pass(t *testing.T) (pass models.CompressedFiles, err error) {
	t.Helper()
	env := (&testsuite.WorkflowTestSuite{}).NewTestActivityEnvironment()
	a := &activities.Activities{FileStore: s, Compressor: s}
	env.RegisterActivity(a.CompressFiles)
	value, err := env.ExecuteActivity(a.CompressFiles, models.FilesToCompress{ProjectID: 7})
	if err == nil {
		require.NoError(t, value.Get(&pass))
	}
	return pass, err
}

func names(files []models.CompressedFile) (md5s []string) {
	for _, f := range files {
		md5s = append(md5s, f.MD5)
	}
	return md5s
}

func TestCompressFiles(t *testing.T) {
	t.Parallel()
	t.Run("records every file and ends the hold", func(t *testing.T) {
		t.Parallel()
		s := &pendingStore{pending: []string{"a", "b", "c"}}
		pass, err := s.pass(t)
		require.NoError(t, err)
		require.Equal(t, models.CompressedFiles{Files: 3}, pass)
		require.Equal(t, []string{"a", "b", "c"}, names(s.finished))
		require.Equal(t, "sum of a", s.finished[0].SHA256)
		require.Equal(t, []int64{9}, s.ended)
	})
	t.Run("keeps finished files if the asset bucket becomes unavailable", func(t *testing.T) {
		t.Parallel()
		away := models.Unavailable("the asset bucket", errors.New("away"))
		s := &pendingStore{pending: []string{"a", "b", "c"}, failing: map[string]error{"c": away}}
		_, err := s.pass(t)
		require.ErrorContains(t, err, "the asset bucket")
		require.Equal(t, []string{"a", "b"}, names(s.finished))
		require.Equal(t, []int64{9}, s.ended)
	})
	t.Run("does not wait for a file that is lost", func(t *testing.T) {
		t.Parallel()
		s := &pendingStore{pending: []string{"a", "b"}, failing: map[string]error{"a": models.Errorf(models.CodeNotFound, "gone")}}
		pass, err := s.pass(t)
		require.NoError(t, err)
		require.Equal(t, 2, pass.Files)
	})
}
