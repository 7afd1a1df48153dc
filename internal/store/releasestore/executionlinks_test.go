package releasestore_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// relinked returns the outbox messages to workflows whose release links other flags.
func relinked(f *storetest.Fixture) (messages []models.RolloutRelinked) {
	f.T.Helper()
	for _, payload := range f.Outbox(models.OutboxRolloutRelinked) {
		var m models.RolloutRelinked
		require.NoError(f.T, json.Unmarshal([]byte(payload), &m))
		messages = append(messages, m)
	}
	return messages
}

// A rollout whose release lost a linked flag counts health from then on and restarts its stage, no matter who removed
// the flag or how.
func TestARolloutCountsAfreshWithoutAFlag(t *testing.T) {
	t.Parallel()
	for name, take := range map[string]func(*storetest.Fixture, models.RolloutExecution, models.Flag, models.Flag){
		"reverted manually": func(f *storetest.Fixture, e models.RolloutExecution, taken, _ models.Flag) {
			rollBack(f, e, models.ExecutionRollback{Scope: models.RollbackFlag, FlagID: &taken.ID})
		},
		"patched away": func(f *storetest.Fixture, e models.RolloutExecution, _, kept models.Flag) {
			f.MustPatch(e.UpdateID, models.ReleasePatch{LinkedFlags: &[]models.FlagLink{{FlagID: kept.ID, Enabled: true}}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			taken, kept := storetest.AddFlag(f, "checkout", storetest.Boolean), storetest.AddFlag(f, "dark", storetest.Boolean)
			r, e := f.MustRollOut(storetest.LinkFlags(models.FlagLink{FlagID: taken.ID, Enabled: true},
				models.FlagLink{FlagID: kept.ID, Enabled: true}))
			e = f.MustReach(e, 10)
			require.Nil(t, e.CountsSince)
			take(f, e, taken, kept)
			got := f.MustExecution(e.ID)
			require.NotNil(t, got.CountsSince)
			require.Equal(t, *got.CountsSince, got.StageStartedAt)
			require.True(t, got.StageStartedAt.After(e.StageStartedAt) || got.StageStartedAt.Equal(e.StageStartedAt))
			require.Equal(t, models.EventFlagsReverted, got.Timeline[len(got.Timeline)-1].Event)
			require.Equal(t, []models.RolloutRelinked{{WorkflowID: e.WorkflowID, LinkedFlags: 1, CountsSince: got.CountsSince}}, relinked(f))
			subject, err := f.RolloutSubject(t.Context(), f.Demo.ID, e.ID)
			require.NoError(t, err)
			require.Equal(t, got.CountsSince, subject.Execution.CountsSince)

			// A step that was decided earlier is not applied, however often it is tried.
			c := storetest.Next(e)
			c.Status, c.Revert = models.ExecutionRolledBack, true
			for range 2 {
				left := f.MustApply(c)
				require.Equal(t, e.Version, left.Version)
				require.Equal(t, models.ExecutionRunning, left.Status)
				require.Equal(t, got.CountsSince, left.CountsSince)
				require.Len(t, left.LinkedFlags, 1)
			}
			require.True(t, f.MustRelease(r.ID).IsEnabled)
			require.Equal(t, got, f.MustExecution(e.ID))
			require.Zero(t, f.Audited(1)[0].Details["reverted"])

			// A step that takes the change into account is applied.
			require.Equal(t, e.Version+1, f.MustApply(storetest.Next(got)).Version)
			require.Equal(t, got.CountsSince, f.MustExecution(e.ID).CountsSince, "and CountsSince stays")
		})
	}
}

func TestAFlagLinkedUnderARolloutLeavesItsCounts(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	r, e := f.MustRollOut()
	flag := storetest.AddFlag(f, "checkout", storetest.Boolean)
	f.MustPatch(r.ID, models.ReleasePatch{LinkedFlags: &[]models.FlagLink{{FlagID: flag.ID, Enabled: true}}})
	got := f.MustExecution(e.ID)
	require.Nil(t, got.CountsSince)
	require.Empty(t, got.Timeline)
	require.Equal(t, []models.RolloutRelinked{{WorkflowID: e.WorkflowID, LinkedFlags: 1}}, relinked(f))
	f.MustApply(storetest.Next(e))

	message := "hello"
	f.MustPatch(r.ID, models.ReleasePatch{ReleaseMessage: &message, LinkedFlags: &[]models.FlagLink{{FlagID: flag.ID, Enabled: true}}})
	require.Len(t, relinked(f), 1, "flags were neither linked nor unlinked")

	e = f.MustApply(func() models.ExecutionChange {
		c := storetest.Next(f.MustExecution(e.ID))
		c.Status = models.ExecutionCompleted
		return c
	}())
	f.MustPatch(r.ID, models.ReleasePatch{LinkedFlags: &[]models.FlagLink{}})
	require.Len(t, relinked(f), 1, "rollouts are not informed")
	require.Nil(t, f.MustExecution(e.ID).CountsSince)
}

// A graduated rollback whose flags are already gone is skipped and reports that.
func TestThereAreNoFlagsToTakeBackTwice(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	flag := storetest.AddFlag(f, "checkout", storetest.Boolean)
	_, e := f.MustRollOut(storetest.LinkFlags(models.FlagLink{FlagID: flag.ID, Enabled: true}))
	c := storetest.Next(e)
	c.DropFlags, c.StageStartedAt = true, time.Date(2026, 1, 2, 3, 4, 5, 678_900_999, time.UTC)
	c.Event = &models.RolloutEvent{Event: models.EventFlagsReverted}
	e = f.MustApply(c)
	since := *f.MustExecution(e.ID).CountsSince
	require.Equal(t, time.Date(2026, 1, 2, 3, 4, 5, 678_900_000, time.UTC), since, "unchanged from the workflow's value")
	require.Empty(t, relinked(f), "the workflow did it")

	again := storetest.Next(e)
	again.CountsSince, again.DropFlags = &c.StageStartedAt, true
	left := f.MustApply(again)
	require.Equal(t, e.Version, left.Version)
	require.Empty(t, left.LinkedFlags)
	require.Equal(t, since, *left.CountsSince)
	require.Len(t, f.MustExecution(e.ID).Timeline, 1)
}

// A release that is not served proves nothing, so disabling it pauses its rollout.
func TestDisablingAReleasePausesItsRollout(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	r, e := f.MustRollOut()
	f.MustPatch(r.ID, models.ReleasePatch{IsCritical: new(true)})
	require.Empty(t, f.Outbox(models.OutboxRolloutDisabled))
	require.False(t, f.MustExecution(e.ID).ReleaseDisabled)

	f.MustPatch(r.ID, models.ReleasePatch{IsEnabled: new(false)})
	told := f.Outbox(models.OutboxRolloutDisabled)
	require.Len(t, told, 1)
	var message models.RolloutDisabled
	require.NoError(t, json.Unmarshal([]byte(told[0]), &message))
	require.Equal(t, models.RolloutDisabled{
		WorkflowID: e.WorkflowID, ProjectID: f.Demo.ID, ReleaseID: r.ID, ReleaseMessage: r.ReleaseMessage, Actor: storetest.Alice,
	}, message)
	e = f.MustExecution(e.ID)
	require.True(t, e.ReleaseDisabled)
	for _, c := range []models.RolloutCommand{models.CommandResume, models.CommandAdvance} {
		storetest.RequireCode(t, models.CodeInvalidTransition, e.CheckRelease(c))
	}
	require.NoError(t, e.CheckRelease(models.CommandCancel))

	f.MustPatch(r.ID, models.ReleasePatch{IsEnabled: new(true)})
	f.MustPatch(f.MustPublish().ID, models.ReleasePatch{IsEnabled: new(false)})
	require.Len(t, f.Outbox(models.OutboxRolloutDisabled), 1, "it is enabled and has no rollout")
}
