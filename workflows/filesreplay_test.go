package workflows_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/internal/enginetest"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// filesReplayFolder has the histories of CompressFiles; see record.
const filesReplayFolder = replayFolder + "/files"

func filesReplayer() worker.WorkflowReplayer {
	r := worker.NewWorkflowReplayer()
	r.RegisterWorkflowWithOptions(workflows.CompressFiles, workflow.RegisterOptions{Name: workflows.WorkflowCompressFiles})
	return r
}

func TestReplayOfRecordedFileHistories(t *testing.T) {
	t.Parallel()
	replayHistories(t, filesReplayFolder, filesReplayer)
}

// Every recording is made on the real Temporal, with a worker for each of the two task queues, and replayed at once.
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
			history := anonymous(compressLive(t, pass))
			require.NoError(t, filesReplayer().ReplayWorkflowHistory(quiet{}, history))
			if *record {
				keepHistory(t, filepath.Join(filesReplayFolder, name+".json"), asJSON(t, history))
			}
		})
	}
}

// compressLive runs the workflow on the real Temporal. pass is what the activity does the n-th time, from 1; tell says that
// there are more files.
func compressLive(t *testing.T, pass func(n int, tell func() error) (models.CompressedFiles, error)) *historypb.History {
	t.Helper()
	address, namespace := enginetest.Temporal(t)
	tc, err := client.Dial(client.Options{HostPort: address, Namespace: namespace, Identity: "test", Logger: quiet{}})
	require.NoError(t, err, "Temporal at TEMPORAL_ADDRESS is not reachable")
	t.Cleanup(tc.Close)
	unique := uuid.NewString()
	c := workflows.NewClient(tc, unique)
	f := models.FilesToCompress{ProjectID: 7, WorkflowID: "files/demo/" + unique, Summary: "demo: compressed variants of files"}
	main := worker.New(tc, unique, worker.Options{Identity: "test"})
	main.RegisterWorkflowWithOptions(workflows.CompressFiles, workflow.RegisterOptions{Name: workflows.WorkflowCompressFiles})
	files := worker.New(tc, workflows.FilesQueue(unique), worker.Options{Identity: "test", DisableWorkflowWorker: true})
	var passes atomic.Int64
	files.RegisterActivityWithOptions(func(ctx context.Context, _ models.FilesToCompress) (models.CompressedFiles, error) {
		return pass(int(passes.Add(1)), func() error { return c.CompressFiles(ctx, f) })
	}, activity.RegisterOptions{Name: workflows.ActivityCompressFiles})
	for _, one := range []worker.Worker{main, files} {
		require.NoError(t, one.Start())
		t.Cleanup(one.Stop)
	}

	require.NoError(t, c.CompressFiles(t.Context(), f))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	require.NoError(t, tc.GetWorkflow(ctx, f.WorkflowID, "").Get(ctx, nil))
	history := &historypb.History{}
	events := tc.GetWorkflowHistory(t.Context(), f.WorkflowID, "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		history.Events = append(history.Events, event)
	}
	return history
}
