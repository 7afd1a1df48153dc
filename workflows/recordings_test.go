package workflows_test

import (
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

func init() { maps.Copy(recordings, policyRecordings) }

// policyRecordings cover the features of policies other than stages and thresholds.
var policyRecordings = map[string]func(*testing.T) *live{
	"flags_reverted_then_rolled_back": func(t *testing.T) *live {
		l := newLive(t, slow(), graduated)
		l.set(linksFlags)
		l.begin(t)
		l.report(200, 30)
		require.NoError(t, l.rollouts.Wake(t.Context(), l.start.WorkflowID))
		l.awaitRow(t, func(models.RolloutExecution) bool { return l.dropped() })
		l.report(100, 20)
		require.NoError(t, l.rollouts.Wake(t.Context(), l.start.WorkflowID))
		return l
	},
	"worse_than_the_control": func(t *testing.T) *live {
		l := newLive(t, slow(), beside)
		l.begin(t)
		l.set(func(fake *fakeRollout) {
			fake.health = models.ReleaseHealth{Devices: 500, Compared: models.ComparedHealth{
				Inside:  models.GroupHealth{Devices: 500, ErroredDevices: 60, CrashedDevices: 60},
				Outside: models.GroupHealth{Devices: 4500, ErroredDevices: 20, CrashedDevices: 20},
			}}
		})
		require.NoError(t, l.rollouts.Wake(t.Context(), l.start.WorkflowID))
		return l
	},
	"scheduled_paused_resumed_begun": func(t *testing.T) *live {
		l := newLive(t, seconds(), rollingBack)
		l.report(10, 0)
		l.set(func(fake *fakeRollout) {
			at := time.Now().UTC().Add(2 * time.Second)
			fake.subject.Execution.Schedule = models.Schedule{StartAt: &at}
		})
		l.work(t)
		require.NoError(t, l.rollouts.StartRollout(t.Context(), l.start))
		require.NoError(t, l.command(t, models.CommandPause))
		require.NoError(t, l.command(t, models.CommandResume))
		return l
	},
	"frozen_then_advanced_by_hand": func(t *testing.T) *live {
		l := newLive(t, seconds(), rollingBack)
		l.report(10, 0)
		l.set(func(fake *fakeRollout) {
			fake.subject.Execution.Schedule = models.Schedule{FreezeWindows: []models.FreezeWindow{{From: "00:00", To: "00:00"}}}
		})
		l.begin(t)
		l.awaitRow(t, func(e models.RolloutExecution) bool { return l.frozen() })
		require.NoError(t, l.command(t, models.CommandAdvance))
		return l
	},
	"frozen_at_its_start_then_begun_by_hand": func(t *testing.T) *live {
		l := newLive(t, seconds(), rollingBack)
		l.report(10, 0)
		l.set(func(fake *fakeRollout) {
			at := time.Now().UTC().Add(time.Second)
			fake.subject.Execution.Schedule = models.Schedule{
				StartAt: &at, FreezeWindows: []models.FreezeWindow{{From: "00:00", To: "00:00"}},
			}
		})
		l.work(t)
		require.NoError(t, l.rollouts.StartRollout(t.Context(), l.start))
		l.awaitSideEffect(t)
		require.NoError(t, l.command(t, models.CommandAdvance))
		require.NoError(t, l.command(t, models.CommandCancel))
		return l
	},
	"flag_unlinked_by_hand": func(t *testing.T) *live {
		l := newLive(t, slow(), graduated)
		l.set(linksTwoFlags)
		l.begin(t)
		l.report(200, 3)
		require.NoError(t, l.rollouts.Wake(t.Context(), l.start.WorkflowID))
		l.awaitRow(t, func(e models.RolloutExecution) bool { return e.WaitingFor == models.WaitThreshold })
		l.unlinkNow(t, 0)
		l.awaitRow(t, func(e models.RolloutExecution) bool { return e.WaitingFor == models.WaitDuration })
		l.report(100, 20)
		require.NoError(t, l.rollouts.Wake(t.Context(), l.start.WorkflowID))
		return l
	},
	"flag_unlinked_unheard": func(t *testing.T) *live {
		l := newLive(t, slow(), graduated)
		l.set(linksFlags)
		l.begin(t)
		l.set(func(fake *fakeRollout) { fake.unlink(0, time.Now().UTC()) })
		require.NoError(t, l.command(t, models.CommandPause))
		require.NoError(t, l.command(t, models.CommandCancel))
		return l
	},
	"spike_in_batches": func(t *testing.T) *live {
		l := newLive(t, slow(), rollingBack)
		l.begin(t)
		for _, crashed := range []int64{1, 1, 2, 2, 60} {
			l.report(200, crashed)
			looks := l.observations()
			require.NoError(t, l.rollouts.Wake(t.Context(), l.start.WorkflowID))
			require.Eventually(t, func() bool { return l.observations() > looks }, patience, time.Millisecond)
		}
		return l
	},
	"commands_sent_again": func(t *testing.T) *live {
		l := continuedWith(t, slow(), workflows.AnsweredCommand{UpdateID: "advance/once", At: time.Now().UTC()})
		for _, c := range []models.RolloutCommand{models.CommandAdvance, models.CommandPause, models.CommandPause, models.CommandCancel} {
			in := models.CommandInput{Actor: alice, RequestID: "once", Revert: true}
			require.NoError(t, l.rollouts.Command(t.Context(), l.start.WorkflowID, c, in))
		}
		return l
	},
	"reverted_by_hand": func(t *testing.T) *live {
		l := newLive(t, slow(), rollingBack)
		l.begin(t)
		l.set(func(fake *fakeRollout) {
			row := &fake.subject.Execution
			row.Version++
			row.Status, row.Reason = models.ExecutionRolledBack, "rolled back (release) by alice"
		})
		require.NoError(t, l.rollouts.Reverted(t.Context(), models.RolloutReverted{WorkflowID: l.start.WorkflowID}))
		return l
	},
}

// awaitSideEffect waits until the history contains a side effect.
func (l *live) awaitSideEffect(t *testing.T) {
	t.Helper()
	events := l.temporal.GetWorkflowHistory(t.Context(), l.start.WorkflowID, "", true, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		if event.GetMarkerRecordedEventAttributes().GetMarkerName() == "SideEffect" {
			return
		}
	}
	require.Fail(t, "the rollout ended without a side effect")
}

// unlinkNow reverts linked flags of the release in the store, and signals the rollout.
func (l *live) unlinkNow(t *testing.T, left int) {
	t.Helper()
	now := time.Now().UTC()
	l.set(func(fake *fakeRollout) { fake.unlink(left, now) })
	relinked := models.RolloutRelinked{WorkflowID: l.start.WorkflowID, LinkedFlags: left, CountsSince: &now}
	require.NoError(t, l.rollouts.Relinked(t.Context(), relinked))
}

// dropped reports whether the workflow has reverted the flags, and frozen whether it has recorded a hold.
func (fake *fakeRollout) dropped() bool { return fake.wrote(models.EventFlagsReverted) }
func (fake *fakeRollout) frozen() bool  { return fake.wrote(models.EventHeld) }

func (fake *fakeRollout) wrote(kind models.RolloutEventKind) bool {
	for _, c := range fake.written() {
		if c.Event != nil && c.Event.Event == kind {
			return true
		}
	}
	return false
}
