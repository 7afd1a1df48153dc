package workflows_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/workflows"
)

// recorded is a workflow with recorded histories.
type recorded struct {
	name string
	run  any
	// folder contains the histories; see record.
	folder string
}

var (
	recordedRollouts   = recorded{workflows.WorkflowRollout, workflows.Rollout, replayFolder}
	recordedApprovals  = recorded{workflows.WorkflowApproval, workflows.Approval, replayFolder + "/approvals"}
	recordedDeliveries = recorded{workflows.WorkflowDeliver, workflows.DeliverWebhook, replayFolder + "/deliveries"}
	recordedFiles      = recorded{workflows.WorkflowCompressFiles, workflows.CompressFiles, replayFolder + "/files"}
	recordedPatches    = recorded{workflows.WorkflowBuildPatches, workflows.BuildPatches, replayFolder + "/patches"}
	recordedSchedules  = recorded{workflows.WorkflowFlagSchedule, workflows.FlagSchedule, replayFolder + "/schedules"}
	recordedMails      = recorded{workflows.WorkflowSendMail, workflows.SendMail, replayFolder + "/mails"}
)

// This version must continue the workflows that a released version began.
func TestReplayOfRecordedHistories(t *testing.T) {
	t.Parallel()
	for _, w := range []recorded{recordedRollouts, recordedApprovals, recordedDeliveries, recordedFiles, recordedPatches, recordedSchedules, recordedMails} {
		files, err := filepath.Glob(filepath.Join(w.folder, "*.json"))
		require.NoError(t, err)
		require.NotEmpty(t, files, "no histories of %s to replay: make record-histories", w.name)
		for _, file := range files {
			t.Run(w.name+"/"+filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				require.NoError(t, w.replayer().ReplayWorkflowHistoryFromJSONFile(quiet{}, file))
			})
		}
	}
}

func (w recorded) replayer() worker.WorkflowReplayer {
	r := worker.NewWorkflowReplayer()
	w.register(r)
	return r
}

func (w recorded) register(r worker.WorkflowRegistry) {
	r.RegisterWorkflowWithOptions(w.run, workflow.RegisterOptions{Name: w.name})
}

// check replays a history that was just recorded, to find code that does not follow its own history. With -record, it stores the
// history.
func (w recorded) check(t *testing.T, name string, history *historypb.History) {
	t.Helper()
	history = anonymous(history)
	require.NoError(t, w.replayer().ReplayWorkflowHistory(quiet{}, history))
	if *record {
		keepHistory(t, filepath.Join(w.folder, name+".json"), asJSON(t, history))
	}
}

// dial returns a client of the real Temporal, and the namespace of the test.
func dial(t *testing.T) (tc client.Client, namespace string) {
	t.Helper()
	address, namespace := enginetest.Temporal(t)
	tc, err := client.Dial(client.Options{HostPort: address, Namespace: namespace, Identity: "test", Logger: quiet{}})
	require.NoError(t, err, "Temporal at TEMPORAL_ADDRESS is not reachable")
	t.Cleanup(tc.Close)
	return tc, namespace
}

// startWorkers starts workers that poll until the test ends.
func startWorkers(t *testing.T, all ...worker.Worker) {
	t.Helper()
	for _, one := range all {
		require.NoError(t, one.Start())
		t.Cleanup(one.Stop)
	}
}

// awaitEnd waits for a workflow and reads its result, unless the target is nil.
func awaitEnd(t *testing.T, tc client.Client, id string, result any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	require.NoError(t, tc.GetWorkflow(ctx, id, "").Get(ctx, result))
}

// awaitTimer waits until a workflow has started a timer.
func awaitTimer(t *testing.T, tc client.Client, id string) {
	t.Helper()
	require.Eventually(t, func() bool {
		for _, e := range historyOf(t, tc, id).GetEvents() {
			if e.GetEventType() == enumspb.EVENT_TYPE_TIMER_STARTED {
				return true
			}
		}
		return false
	}, patience, 10*time.Millisecond)
}

func historyOf(t *testing.T, tc client.Client, id string) *historypb.History {
	t.Helper()
	history := &historypb.History{}
	events := tc.GetWorkflowHistory(t.Context(), id, "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		history.Events = append(history.Events, event)
	}
	return history
}
