package workflows_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/internal/enginetest"
	"github.com/waft-ota/waft/workflows"
)

// patchesReplayFolder has the histories of BuildPatches; see record.
const patchesReplayFolder = replayFolder + "/patches"

func patchesReplayer() worker.WorkflowReplayer {
	r := worker.NewWorkflowReplayer()
	r.RegisterWorkflowWithOptions(workflows.BuildPatches, workflow.RegisterOptions{Name: workflows.WorkflowBuildPatches})
	return r
}

func TestReplayOfRecordedPatchHistories(t *testing.T) {
	t.Parallel()
	replayHistories(t, patchesReplayFolder, patchesReplayer)
}

// Every recording is made on the real Temporal, with a worker for each of the two
// task queues, and replayed at once.
func TestRecordHistoriesOfPatches(t *testing.T) {
	t.Parallel()
	for name, planned := range map[string][]string{
		"every_outcome": {"same", "different", "gone", "broken"},
		"without_bases": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newFakePatches(planned...)
			history := anonymous(w.performLive(t))
			require.Equal(t, planned, w.made)
			require.NoError(t, patchesReplayer().ReplayWorkflowHistory(quiet{}, history))
			if *record {
				keepHistory(t, filepath.Join(patchesReplayFolder, name+".json"), asJSON(t, history))
			}
		})
	}
}

// performLive runs the workflow on the real Temporal, started twice.
func (w *fakePatches) performLive(t *testing.T) *historypb.History {
	t.Helper()
	address, namespace := enginetest.Temporal(t)
	tc, err := client.Dial(client.Options{HostPort: address, Namespace: namespace, Identity: "test", Logger: quiet{}})
	require.NoError(t, err, "Temporal at TEMPORAL_ADDRESS is not reachable")
	t.Cleanup(tc.Close)
	unique := uuid.NewString()
	main := worker.New(tc, unique, worker.Options{Identity: "test"})
	main.RegisterWorkflowWithOptions(workflows.BuildPatches, workflow.RegisterOptions{Name: workflows.WorkflowBuildPatches})
	patches := worker.New(tc, workflows.PatchesQueue(unique), worker.Options{Identity: "test", DisableWorkflowWorker: true})
	w.register(main, patches)
	for _, one := range []worker.Worker{main, patches} {
		require.NoError(t, one.Start())
		t.Cleanup(one.Stop)
	}

	c := workflows.NewClient(tc, unique)
	b := patchBuild
	b.WorkflowID = "patches/demo/" + unique
	require.NoError(t, c.BuildPatches(t.Context(), b))
	require.NoError(t, c.BuildPatches(t.Context(), b), "again while it runs")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	require.NoError(t, tc.GetWorkflow(ctx, b.WorkflowID, "").Get(ctx, nil))
	require.NoError(t, c.BuildPatches(t.Context(), b), "again when it has ended")

	history := &historypb.History{}
	events := tc.GetWorkflowHistory(t.Context(), b.WorkflowID, "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		history.Events = append(history.Events, event)
	}
	last := history.GetEvents()[len(history.GetEvents())-1]
	require.Equal(t, enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED, last.GetEventType())
	return history
}
