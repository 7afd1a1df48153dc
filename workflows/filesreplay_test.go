package workflows_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// Every history is recorded on the real Temporal, with a worker for each of the two task queues, and replayed immediately.
func TestRecordHistoriesOfFiles(t *testing.T) {
	t.Parallel()
	more := func(n int) models.CompressedFiles { return models.CompressedFiles{Files: 2, More: n < 3} }
	for name, pass := range map[string]func(n int, tell func() error) (models.CompressedFiles, error){
		"in_three_passes": func(n int, _ func() error) (models.CompressedFiles, error) { return more(n), nil },
		"told_of_more": func(n int, tell func() error) (models.CompressedFiles, error) {
			if n == 1 {
				return models.CompressedFiles{Files: 1}, tell()
			}
			return models.CompressedFiles{}, nil
		},
		"tried_again": func(n int, _ func() error) (models.CompressedFiles, error) {
			if n == 1 {
				return models.CompressedFiles{}, models.Unavailable("the asset store", nil)
			}
			return more(n), nil
		},
		"deleted_with_its_project": func(int, func() error) (models.CompressedFiles, error) {
			return models.CompressedFiles{}, temporal.NewNonRetryableApplicationError("there is no such project", string(models.CodeNotFound), nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			recordedFiles.check(t, name, compressLive(t, pass))
		})
	}
}

// compressLive runs the workflow on the real Temporal. pass is the n-th call of the activity, from 1. tell signals that there
// are more files.
func compressLive(t *testing.T, pass func(n int, tell func() error) (models.CompressedFiles, error)) *historypb.History {
	t.Helper()
	tc, _ := dial(t)
	unique := uuid.NewString()
	c := workflows.NewClient(tc, unique)
	f := models.FilesToCompress{ProjectID: 7, WorkflowID: "files/demo/" + unique, Summary: "demo: compressed variants of files"}
	main := worker.New(tc, unique, worker.Options{Identity: "test"})
	recordedFiles.register(main)
	files := worker.New(tc, workflows.FilesQueue(unique), worker.Options{Identity: "test", DisableWorkflowWorker: true})
	var passes atomic.Int64
	files.RegisterActivityWithOptions(func(ctx context.Context, _ models.FilesToCompress) (models.CompressedFiles, error) {
		return pass(int(passes.Add(1)), func() error { return c.CompressFiles(ctx, f) })
	}, activity.RegisterOptions{Name: workflows.ActivityCompressFiles})
	startWorkers(t, main, files)

	require.NoError(t, c.CompressFiles(t.Context(), f))
	awaitEnd(t, tc, f.WorkflowID, nil)
	return historyOf(t, tc, f.WorkflowID)
}
