package workflows_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/temporalproto"
	"go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// record makes TestRecordHistories write its histories to testdata/replay (make record-histories). Record from released code,
// before you change a workflow: histories recorded by the code under test would not prove anything. Existing files are not
// overwritten, because they represent rollouts that may still be under way.
var record = flag.Bool("record", false, "write the recorded histories to testdata/replay")

const replayFolder = "testdata/replay"

// The replay test is only useful if it fails when it should.
func TestAHistoryThatTheCodeDoesNotFollowFailsToReplay(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(replayFolder, "completed.json"))
	require.NoError(t, err)
	changed := bytes.ReplaceAll(text, []byte(workflows.ActivityObserveRelease), []byte("SomethingElse"))
	history, err := client.HistoryFromJSON(bytes.NewReader(changed), client.HistoryJSONOptions{})
	require.NoError(t, err)
	require.Error(t, recordedRollouts.replayer().ReplayWorkflowHistory(quiet{}, history))
}

// recordings are rollouts on the real Temporal that together cover every branch of the workflow.
var recordings = map[string]func(*testing.T) *live{
	"completed": func(t *testing.T) *live {
		l := newLive(t, seconds(), rollingBack)
		l.report(10, 0)
		l.begin(t)
		return l
	},
	"rolled_back": func(t *testing.T) *live {
		l := newLive(t, slow(), rollingBack)
		l.begin(t)
		l.report(200, 30)
		require.NoError(t, l.rollouts.Wake(t.Context(), l.start.WorkflowID))
		return l
	},
	"paused_advanced_resumed_cancelled": func(t *testing.T) *live {
		l := newLive(t, slow(), rollingBack)
		l.begin(t)
		for _, c := range []models.RolloutCommand{models.CommandPause, models.CommandAdvance, models.CommandResume, models.CommandCancel} {
			require.NoError(t, l.command(t, c))
		}
		return l
	},
	"gated_then_superseded": func(t *testing.T) *live {
		l := newLive(t, slow(), gating)
		l.report(200, 30)
		l.begin(t)
		require.NoError(t, l.rollouts.Wake(t.Context(), l.start.WorkflowID))
		l.awaitRow(t, func(e models.RolloutExecution) bool { return e.WaitingFor == models.WaitThreshold })
		require.NoError(t, l.rollouts.Superseded(t.Context(), models.RolloutSuperseded{WorkflowID: l.start.WorkflowID, ByReleaseID: 1077}))
		return l
	},
	"blind_for_a_while": func(t *testing.T) *live {
		l := newLive(t, seconds(), rollingBack)
		l.set(func(w *fakeRollout) { w.blind = true })
		l.begin(t)
		l.awaitRow(t, func(e models.RolloutExecution) bool { return e.WaitingFor == models.WaitData })
		l.set(func(w *fakeRollout) { w.blind = false })
		l.report(10, 0)
		require.NoError(t, l.rollouts.Wake(t.Context(), l.start.WorkflowID))
		return l
	},
	"paused_then_rolled_back": func(t *testing.T) *live {
		l := newLive(t, slow(), rollingBack)
		l.begin(t)
		require.NoError(t, l.command(t, models.CommandPause))
		l.report(200, 30)
		require.NoError(t, l.rollouts.Wake(t.Context(), l.start.WorkflowID))
		return l
	},
	"cancelled_in_temporal": func(t *testing.T) *live {
		l := newLive(t, slow(), rollingBack)
		l.begin(t)
		require.NoError(t, l.temporal.CancelWorkflow(t.Context(), l.start.WorkflowID, ""))
		return l
	},
	"continued": func(t *testing.T) *live { return continuedWith(t, seconds()) },
}

// seconds returns a policy whose stages take about a second.
func seconds() []models.Stage {
	return []models.Stage{
		{Percentage: 10, MinDevices: 1, MinDurationMinutes: 1.0 / 60},
		{Percentage: 100, MinDevices: 1, MinDurationMinutes: 1.0 / 60},
	}
}

func TestRecordHistories(t *testing.T) {
	t.Parallel()
	for name, perform := range recordings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := perform(t)
			l.await(t)
			recordedRollouts.check(t, name, historyOf(t, l.temporal, l.start.WorkflowID))
		})
	}
}

// anonymous removes the name of the recording machine from a history.
func anonymous(h *historypb.History) *historypb.History {
	for _, e := range h.GetEvents() {
		if q := e.GetWorkflowTaskScheduledEventAttributes().GetTaskQueue(); q.GetKind() == enumspb.TASK_QUEUE_KIND_STICKY {
			q.Name = "sticky"
		}
	}
	return h
}

func asJSON(t *testing.T, h *historypb.History) []byte {
	t.Helper()
	text, err := temporalproto.CustomJSONMarshalOptions{}.Marshal(h)
	require.NoError(t, err)
	// protojson varies its spaces on purpose; files in a repository should be stable.
	var indented bytes.Buffer
	require.NoError(t, json.Indent(&indented, text, "", " "))
	indented.WriteByte('\n')
	return indented.Bytes()
}
