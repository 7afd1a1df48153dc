package workflows_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	sdkpb "go.temporal.io/api/sdk/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// slow returns a policy whose first stage takes longer than any test.
func slow() []models.Stage {
	return []models.Stage{{Percentage: 10, MinDurationMinutes: 60}, {Percentage: 100, MinDurationMinutes: 60}}
}

func requireCode(t *testing.T, err error, code models.ErrorCode, message string) {
	t.Helper()
	var domain *models.Error
	require.ErrorAs(t, err, &domain)
	require.Equal(t, code, domain.Code, "%v", err)
	require.Equal(t, message, domain.Message)
}

func TestARolloutGoesThroughItsStagesOnTime(t *testing.T) {
	t.Parallel()
	l := newLive(t, []models.Stage{
		{Percentage: 10, MinDevices: 1, MinDurationMinutes: 0.5 / 60},
		{Percentage: 100, MinDevices: 1, MinDurationMinutes: 1.0 / 60},
	}, rollingBack)
	l.report(10, 0)
	l.begin(t)
	result := l.await(t)
	require.Equal(t, models.ExecutionCompleted, result.Status)
	var at []time.Time
	for _, c := range l.written() {
		if c.Event != nil {
			at = append(at, c.Event.At)
		}
	}
	require.Len(t, at, 3)
	require.GreaterOrEqual(t, at[1].Sub(at[0]), 500*time.Millisecond)
	require.GreaterOrEqual(t, at[2].Sub(at[1]), time.Second)
}

func TestStartingARolloutAgainIsHarmless(t *testing.T) {
	t.Parallel()
	l := newLive(t, slow(), rollingBack)
	l.begin(t)
	require.NoError(t, l.rollouts.StartRollout(t.Context(), l.start), "while it runs")
	require.NoError(t, l.command(t, models.CommandCancel))
	l.await(t)
	writes := len(l.written())
	require.NoError(t, l.rollouts.StartRollout(t.Context(), l.start), "after its end")
	l.await(t)
	require.Len(t, l.written(), writes)
}

func TestACommandHasTakenEffectWhenItAnswers(t *testing.T) {
	t.Parallel()
	l := newLive(t, slow(), rollingBack)
	l.begin(t)
	for _, step := range []struct {
		command models.RolloutCommand
		status  models.ExecutionStatus
		share   float64
	}{
		{models.CommandPause, models.ExecutionPaused, 10},
		{models.CommandAdvance, models.ExecutionPaused, 100},
		{models.CommandResume, models.ExecutionRunning, 100},
		{models.CommandAdvance, models.ExecutionCompleted, 100},
	} {
		require.NoError(t, l.command(t, step.command))
		row := l.row()
		require.Equal(t, step.status, row.Status, step.command)
		require.InDelta(t, step.share, row.Percentage, 0, step.command)
	}
}

func TestARefusedCommandLeavesNoTrace(t *testing.T) {
	t.Parallel()
	l := newLive(t, slow(), rollingBack)
	l.begin(t)
	require.NoError(t, l.command(t, models.CommandPause))
	requireCode(t, l.command(t, models.CommandPause), models.CodeInvalidTransition, "cannot pause a rollout that is paused")
	require.NoError(t, l.command(t, models.CommandResume))
	requireCode(t, l.command(t, models.CommandResume), models.CodeInvalidTransition, "cannot resume a rollout that is running")
	require.NoError(t, l.command(t, models.CommandCancel))
	l.await(t)
	accepted := 0
	for events := l.temporal.GetWorkflowHistory(t.Context(), l.start.WorkflowID, "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT); events.HasNext(); {
		event, err := events.Next()
		require.NoError(t, err)
		if event.GetEventType() == enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED {
			accepted++
		}
	}
	require.Equal(t, 3, accepted)
}

func TestACancelKeepsTheReleaseWhenToldTo(t *testing.T) {
	t.Parallel()
	for name, revert := range map[string]bool{"reverting": true, "keeping": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLive(t, slow(), rollingBack)
			l.begin(t)
			in := models.CommandInput{Actor: alice, Reason: "enough", Revert: revert}
			require.NoError(t, l.rollouts.Command(t.Context(), l.start.WorkflowID, models.CommandCancel, in))
			changes := l.written()
			require.Equal(t, revert, changes[len(changes)-1].Revert)
			require.Equal(t, "enough", l.await(t).Reason)
		})
	}
}

func TestACommandSentAgainIsTheSameCommand(t *testing.T) {
	t.Parallel()
	l := newLive(t, slow(), rollingBack)
	l.begin(t)
	in := models.CommandInput{Actor: alice, RequestID: "req-7"}
	for range 2 {
		require.NoError(t, l.rollouts.Command(t.Context(), l.start.WorkflowID, models.CommandPause, in))
	}
	require.NoError(t, l.rollouts.Command(t.Context(), l.start.WorkflowID, models.CommandResume, in), "another command under the same request id")
	require.Equal(t, models.ExecutionRunning, l.row().Status)
}

func TestACommandToARolloutThatIsNotThere(t *testing.T) {
	t.Parallel()
	t.Run("never started", func(t *testing.T) {
		t.Parallel()
		l := newLive(t, slow(), rollingBack)
		l.rollouts.WithTimeouts(patience, patience, 200*time.Millisecond)
		requireCode(t, l.command(t, models.CommandPause), models.CodeNotFound, "the rollout has not been started")
	})
	t.Run("ended", func(t *testing.T) {
		t.Parallel()
		l := newLive(t, slow(), rollingBack)
		l.begin(t)
		require.NoError(t, l.command(t, models.CommandCancel))
		l.await(t)
		requireCode(t, l.command(t, models.CommandPause), models.CodeInvalidTransition, "cannot pause this rollout: it has ended")
	})
	t.Run("about to be started", func(t *testing.T) {
		t.Parallel()
		l := newLive(t, slow(), rollingBack)
		l.work(t)
		l.rollouts.WithTimeouts(patience, patience, patience)
		answer := make(chan error, 1)
		go func() { answer <- l.command(t, models.CommandPause) }()
		require.NoError(t, l.rollouts.StartRollout(t.Context(), l.start))
		require.NoError(t, <-answer)
		require.Equal(t, models.ExecutionPaused, l.row().Status)
	})
}

func TestACommandWithoutAWorkerIsUnavailableAndNeverCarriedOutLater(t *testing.T) {
	t.Parallel()
	l := newLive(t, slow(), rollingBack)
	require.NoError(t, l.rollouts.StartRollout(t.Context(), l.start))
	l.rollouts.WithTimeouts(300*time.Millisecond, time.Millisecond, 0)
	requireCode(t, l.command(t, models.CommandCancel), models.CodeUnavailable,
		"the rollout did not respond in time. If the command has not taken effect by now, it never will. "+
			"Retry it, with the same Idempotency-Key if you sent one")

	l.work(t)
	l.awaitRow(t, func(e models.RolloutExecution) bool { return e.Version > 0 })
	l.rollouts.WithTimeouts(patience, patience, 0)
	require.NoError(t, l.command(t, models.CommandPause), "it runs on")
	require.Equal(t, models.ExecutionPaused, l.row().Status)
}

func TestSignalsReachARollout(t *testing.T) {
	t.Parallel()
	l := newLive(t, slow(), rollingBack)
	l.begin(t)
	l.report(100, 50)
	require.NoError(t, l.rollouts.Wake(t.Context(), l.start.WorkflowID))
	require.Equal(t, models.ExecutionRolledBack, l.await(t).Status)
	require.NoError(t, l.rollouts.Wake(t.Context(), l.start.WorkflowID), "an ended rollout is not an error")
	require.NoError(t, l.rollouts.Superseded(t.Context(), models.RolloutSuperseded{WorkflowID: l.start.WorkflowID, ByReleaseID: 5}))
	require.NoError(t, l.rollouts.Wake(t.Context(), l.start.WorkflowID+"/unknown"), "nor is an unknown one")
}

func TestASupersededRolloutEndsWithoutARevert(t *testing.T) {
	t.Parallel()
	l := newLive(t, slow(), rollingBack)
	l.begin(t)
	require.NoError(t, l.rollouts.Superseded(t.Context(), models.RolloutSuperseded{WorkflowID: l.start.WorkflowID, ByReleaseID: 1077}))
	result := l.await(t)
	require.Equal(t, models.ExecutionCancelled, result.Status)
	require.Equal(t, "superseded by release 1077", result.Reason)
	changes := l.written()
	require.False(t, changes[len(changes)-1].Revert)
}

func TestPeopleCanReadARolloutInTemporal(t *testing.T) {
	t.Parallel()
	l := newLive(t, slow(), rollingBack)
	l.subject.Execution.ReleaseMessage = "Faster start"
	l.begin(t)
	require.NoError(t, l.command(t, models.CommandAdvance))
	require.NoError(t, l.command(t, models.CommandPause))
	value, err := l.temporal.QueryWorkflow(t.Context(), l.start.WorkflowID, "", "__temporal_workflow_metadata")
	require.NoError(t, err)
	var metadata sdkpb.WorkflowMetadata
	require.NoError(t, value.Get(&metadata))
	require.Contains(t, metadata.GetCurrentDetails(), "of release “Faster start” (#1042), ios 1.0.0\n")
	described, err := l.temporal.DescribeWorkflowExecution(t.Context(), l.start.WorkflowID, "")
	require.NoError(t, err)
	var summary string
	require.NoError(t, converter.GetDefaultDataConverter().FromPayload(described.GetExecutionConfig().GetUserMetadata().GetSummary(), &summary))
	require.Equal(t, "demo: release 1042 ios 1.0.0", summary)
	attributes := map[string]any{}
	for name, payload := range described.GetWorkflowExecutionInfo().GetSearchAttributes().GetIndexedFields() {
		var value any
		require.NoError(t, converter.GetDefaultDataConverter().FromPayload(payload, &value))
		attributes[name] = value
	}
	require.Subset(t, attributes, map[string]any{"WaftProject": "demo", "WaftRelease": 1042.0, "WaftStage": 2.0, "WaftStatus": "paused"})
}

func TestTemporalAwayIsUnavailable(t *testing.T) {
	t.Parallel()
	tc, err := client.NewLazyClient(client.Options{HostPort: "127.0.0.1:1", Logger: quiet{}})
	require.NoError(t, err)
	t.Cleanup(tc.Close)
	c := workflows.NewClient(tc, "queue").WithTimeouts(time.Second, time.Second, time.Second)
	for name, err := range map[string]error{
		"command": c.Command(t.Context(), "rollout/demo/1", models.CommandPause, models.CommandInput{}),
		"start":   c.StartRollout(t.Context(), models.RolloutStart{WorkflowID: "rollout/demo/1"}),
		"signal":  c.Wake(t.Context(), "rollout/demo/1"),
	} {
		require.Equal(t, models.CodeUnavailable, models.CodeOf(err), "%s: %v", name, err)
	}
}
