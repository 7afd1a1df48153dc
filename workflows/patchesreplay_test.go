package workflows_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/worker"

	"github.com/waft-ota/waft/workflows"
)

// Every history is recorded on the real Temporal, with a worker for each of the two task queues, and replayed immediately.
func TestRecordHistoriesOfPatches(t *testing.T) {
	t.Parallel()
	for name, planned := range map[string][]string{
		"every_outcome": {"same", "different", "gone", "broken"},
		"without_bases": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newFakePatches(planned...)
			history := w.performLive(t)
			require.Equal(t, planned, w.made)
			recordedPatches.check(t, name, history)
		})
	}
}

// performLive runs the workflow on the real Temporal, started twice.
func (w *fakePatches) performLive(t *testing.T) *historypb.History {
	t.Helper()
	tc, _ := dial(t)
	unique := uuid.NewString()
	main := worker.New(tc, unique, worker.Options{Identity: "test"})
	recordedPatches.register(main)
	patches := worker.New(tc, workflows.PatchesQueue(unique), worker.Options{Identity: "test", DisableWorkflowWorker: true})
	w.register(main, patches)
	startWorkers(t, main, patches)

	c := workflows.NewClient(tc, unique)
	b := patchBuild
	b.WorkflowID = "patches/demo/" + unique
	require.NoError(t, c.BuildPatches(t.Context(), b))
	require.NoError(t, c.BuildPatches(t.Context(), b), "again while it runs")
	awaitEnd(t, tc, b.WorkflowID, nil)
	require.NoError(t, c.BuildPatches(t.Context(), b), "again when it has ended")

	history := historyOf(t, tc, b.WorkflowID)
	last := history.GetEvents()[len(history.GetEvents())-1]
	require.Equal(t, enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED, last.GetEventType())
	return history
}
