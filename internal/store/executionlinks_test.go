package store_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// relinked are the messages to workflows whose release links other flags.
func (f *fixture) relinked() (messages []models.RolloutRelinked) {
	f.t.Helper()
	for _, payload := range f.outbox(models.OutboxRolloutRelinked) {
		var m models.RolloutRelinked
		require.NoError(f.t, json.Unmarshal([]byte(payload), &m))
		messages = append(messages, m)
	}
	return messages
}

// A rollout whose release lost a linked flag counts health from then on, and its stage
// begins again, whoever took the flag and however.
func TestARolloutCountsAfreshWithoutAFlag(t *testing.T) {
	t.Parallel()
	for name, take := range map[string]func(*fixture, models.RolloutExecution, models.Flag, models.Flag){
		"taken back by hand": func(f *fixture, e models.RolloutExecution, taken, _ models.Flag) {
			f.rollBack(e, models.ExecutionRollback{Scope: models.RollbackFlag, FlagID: &taken.ID})
		},
		"patched away": func(f *fixture, e models.RolloutExecution, _, kept models.Flag) {
			f.patch(e.UpdateID, models.ReleasePatch{LinkedFlags: &[]models.FlagLink{{FlagID: kept.ID, Enabled: true}}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			taken, kept := f.flag("checkout", boolean), f.flag("dark", boolean)
			r, e := f.rollOut(links(models.FlagLink{FlagID: taken.ID, Enabled: true}, models.FlagLink{FlagID: kept.ID, Enabled: true}))
			e = f.reach(e, 10)
			require.Nil(t, e.CountsSince)
			take(f, e, taken, kept)
			got := f.execution(e.ID)
			require.NotNil(t, got.CountsSince)
			require.Equal(t, *got.CountsSince, got.StageStartedAt)
			require.True(t, got.StageStartedAt.After(e.StageStartedAt) || got.StageStartedAt.Equal(e.StageStartedAt))
			require.Equal(t, models.EventFlagsReverted, got.Timeline[len(got.Timeline)-1].Event)
			require.Equal(t, []models.RolloutRelinked{{WorkflowID: e.WorkflowID, LinkedFlags: 1, CountsSince: got.CountsSince}}, f.relinked())
			subject, err := f.RolloutSubject(t.Context(), f.project.ID, e.ID)
			require.NoError(t, err)
			require.Equal(t, got.CountsSince, subject.Execution.CountsSince)

			// A step that was decided before does not happen, however often it is tried.
			c := next(e)
			c.Status, c.Revert = models.ExecutionRolledBack, true
			for range 2 {
				left := f.apply(c)
				require.Equal(t, e.Version, left.Version)
				require.Equal(t, models.ExecutionRunning, left.Status)
				require.Equal(t, got.CountsSince, left.CountsSince)
				require.Len(t, left.LinkedFlags, 1)
			}
			require.True(t, f.release(r.ID).IsEnabled)
			require.Equal(t, got, f.execution(e.ID))
			require.Zero(t, f.audited(1)[0].Details["reverted"])

			// One that knows does.
			require.Equal(t, e.Version+1, f.apply(next(got)).Version)
			require.Equal(t, got.CountsSince, f.execution(e.ID).CountsSince, "and what counts stays")
		})
	}
}

func TestAFlagLinkedUnderARolloutLeavesItsCounts(t *testing.T) {
	t.Parallel()
	f := setup(t)
	r, e := f.rollOut()
	flag := f.flag("checkout", boolean)
	f.patch(r.ID, models.ReleasePatch{LinkedFlags: &[]models.FlagLink{{FlagID: flag.ID, Enabled: true}}})
	got := f.execution(e.ID)
	require.Nil(t, got.CountsSince)
	require.Empty(t, got.Timeline)
	require.Equal(t, []models.RolloutRelinked{{WorkflowID: e.WorkflowID, LinkedFlags: 1}}, f.relinked())
	f.apply(next(e))

	message := "hello"
	f.patch(r.ID, models.ReleasePatch{ReleaseMessage: &message, LinkedFlags: &[]models.FlagLink{{FlagID: flag.ID, Enabled: true}}})
	require.Len(t, f.relinked(), 1, "nothing was linked or unlinked")

	e = f.apply(func() models.ExecutionChange {
		c := next(f.execution(e.ID))
		c.Status = models.ExecutionCompleted
		return c
	}())
	f.patch(r.ID, models.ReleasePatch{LinkedFlags: &[]models.FlagLink{}})
	require.Len(t, f.relinked(), 1, "no rollout is to hear of it")
	require.Nil(t, f.execution(e.ID).CountsSince)
}

// A graduated rollback that finds its flags gone is left out, and says so.
func TestThereAreNoFlagsToTakeBackTwice(t *testing.T) {
	t.Parallel()
	f := setup(t)
	flag := f.flag("checkout", boolean)
	_, e := f.rollOut(links(models.FlagLink{FlagID: flag.ID, Enabled: true}))
	c := next(e)
	c.DropFlags, c.StageStartedAt = true, time.Date(2026, 1, 2, 3, 4, 5, 678_900_999, time.UTC)
	c.Event = &models.RolloutEvent{Event: models.EventFlagsReverted}
	e = f.apply(c)
	since := *f.execution(e.ID).CountsSince
	require.Equal(t, time.Date(2026, 1, 2, 3, 4, 5, 678_900_000, time.UTC), since, "not after what the workflow knows")
	require.Empty(t, f.relinked(), "the workflow did it")

	again := next(e)
	again.CountsSince, again.DropFlags = &c.StageStartedAt, true
	left := f.apply(again)
	require.Equal(t, e.Version, left.Version)
	require.Empty(t, left.LinkedFlags)
	require.Equal(t, since, *left.CountsSince)
	require.Len(t, f.execution(e.ID).Timeline, 1)
}

// A release that nobody is served proves nothing: whoever disables it pauses its
// rollout.
func TestDisablingAReleasePausesItsRollout(t *testing.T) {
	t.Parallel()
	f := setup(t)
	r, e := f.rollOut()
	f.patch(r.ID, models.ReleasePatch{IsCritical: new(true)})
	require.Empty(t, f.outbox(models.OutboxRolloutDisabled))
	require.False(t, f.execution(e.ID).ReleaseDisabled)

	f.patch(r.ID, models.ReleasePatch{IsEnabled: new(false)})
	told := f.outbox(models.OutboxRolloutDisabled)
	require.Len(t, told, 1)
	var message models.RolloutDisabled
	require.NoError(t, json.Unmarshal([]byte(told[0]), &message))
	require.Equal(t, models.RolloutDisabled{WorkflowID: e.WorkflowID, ProjectID: f.project.ID, ReleaseID: r.ID, Actor: alice}, message)
	e = f.execution(e.ID)
	require.True(t, e.ReleaseDisabled)
	for _, c := range []models.RolloutCommand{models.CommandResume, models.CommandAdvance} {
		requireCode(t, models.CodeInvalidTransition, e.CheckRelease(c))
	}
	require.NoError(t, e.CheckRelease(models.CommandCancel))

	f.patch(r.ID, models.ReleasePatch{IsEnabled: new(true)})
	f.patch(f.publish().ID, models.ReleasePatch{IsEnabled: new(false)})
	require.Len(t, f.outbox(models.OutboxRolloutDisabled), 1, "enabled, and of no rollout")
}
