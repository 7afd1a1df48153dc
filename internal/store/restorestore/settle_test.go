package restorestore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/store/restorestore"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// factsOf returns the facts of a restore three hours after its backup, in which everything that the fixture has done by now
// is part of the backup.
func factsOf(f *storetest.Fixture) restorestore.Facts {
	backedUpAt := f.Clock().Add(time.Second)
	return restorestore.Facts{Source: "/var/backups/waft/last-night", BackedUpAt: backedUpAt, RestoredAt: backedUpAt.Add(3 * time.Hour)}
}

func settle(f *storetest.Fixture, facts restorestore.Facts) (report restorestore.Report) {
	f.T.Helper()
	require.NoError(f.T, f.InTx(f.T.Context(), func(tx *gorm.DB) (err error) {
		report, err = restorestore.Settle(f.T.Context(), tx, facts)
		return err
	}))
	return report
}

func TestARunningRolloutIsPausedAndSaysWhy(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	r, e := f.MustRollOut()
	step := storetest.Next(f.MustReach(e, 10))
	step.RunID, step.Progress.Clock = "old-run", models.StageClock{}.Started(f.Clock().Add(-time.Hour))
	e = f.MustApply(step)
	f.MustExec("DELETE FROM outbox")
	facts := factsOf(f)

	report := settle(f, facts)
	paused := f.MustExecution(e.ID)
	require.Equal(t, models.ExecutionPaused, paused.Status)
	require.Equal(t, models.RestorePauseReason(facts.BackedUpAt), paused.Reason)
	require.Equal(t, paused.Reason, paused.Progress.PauseReason)
	require.Equal(t, models.WaitResume, paused.WaitingFor)
	require.NotNil(t, paused.PausedAt)
	require.Equal(t, e.StageIndex, paused.StageIndex)
	require.Equal(t, 10.0, f.MustRelease(r.ID).RolloutPercentage, "devices keep the release")
	require.Empty(t, paused.RunID, "a workflow may take over the row")
	require.Equal(t, time.Hour+facts.BackedUpAt.Sub(f.Clock()).Truncate(time.Hour),
		paused.Progress.Clock.Elapsed(facts.RestoredAt).Truncate(time.Hour),
		"the time after the backup does not count")
	last := paused.Timeline[len(paused.Timeline)-1]
	require.Equal(t, [2]string{string(models.EventPaused), paused.Reason}, [2]string{string(last.Event), last.Reason})
	require.Equal(t, []restorestore.PausedRollout{{Project: "demo", ID: e.ID, Release: r.Phrase(), Percentage: 10}}, report.Rollouts)

	starts := f.Outbox(models.OutboxRolloutStart)
	require.Len(t, starts, 1)
	require.Contains(t, starts[0], `"workflowId": "`+e.WorkflowID+`"`)
}

// A workflow begins the first stage of a new rollout even if the rollout is paused. After a restore, a person has to resume
// it first.
func TestARolloutThatHasNotBegunWaits(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	r, e := f.MustRollOut()
	require.Zero(t, e.Version)
	report := settle(f, factsOf(f))
	require.Len(t, report.Rollouts, 1)
	e = f.MustExecution(e.ID)
	require.Equal(t, models.ExecutionPaused, e.Status)
	require.Zero(t, f.MustRelease(r.ID).RolloutPercentage)
	require.NotNil(t, e.Schedule.StartAt)
	s := rollout.Loaded(models.RolloutSubject{Execution: e}, time.Now())
	require.False(t, s.AwaitsBegin())
	require.True(t, s.Execution.Progress.Scheduled)
}

// A rollout that a person paused stays paused for that person's reason, and its workflow starts. A rollout that has ended
// is left alone.
func TestOtherRolloutsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	_, ended := f.MustRollOut()
	step := storetest.Next(ended)
	step.Status, step.EndedAt = models.ExecutionCompleted, new(f.Clock())
	f.MustApply(step)
	ended = f.MustExecution(ended.ID)
	_, e := f.MustRollOut()
	step = storetest.Next(e)
	step.Status, step.PausedAt, step.WaitingFor = models.ExecutionPaused, new(f.Clock()), models.WaitResume
	step.Reason = "paused by ada@example.com"
	f.MustApply(step)
	e = f.MustExecution(e.ID)
	f.MustExec("DELETE FROM outbox")

	report := settle(f, factsOf(f))
	require.Empty(t, report.Rollouts)
	require.Equal(t, e, f.MustExecution(e.ID))
	require.Equal(t, ended, f.MustExecution(ended.ID))
	starts := f.Outbox(models.OutboxRolloutStart)
	require.Len(t, starts, 1)
	require.Contains(t, starts[0], `"workflowId": "`+e.WorkflowID+`"`)
}

func TestARestoreIsSettledOnce(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	f.MustRollOut()
	facts := factsOf(f)
	report := settle(f, facts)
	version, outbox := f.Version(), storetest.Query[int64](f, "SELECT count(*) FROM outbox")
	again := settle(f, facts)
	require.Equal(t, report.String(), again.String())
	require.Equal(t, report, again)
	require.Equal(t, version, f.Version())
	require.Equal(t, outbox, storetest.Query[int64](f, "SELECT count(*) FROM outbox"))

	facts.RestoredAt = facts.RestoredAt.Add(time.Minute)
	require.Empty(t, settle(f, facts).Rollouts, "another restore of the same backup finds the rollout paused")
	require.Greater(t, f.Version(), version)
	require.Len(t, storetest.Query[string](f, "SELECT source FROM restores"), 2)
}

func TestARestoreBeforeItsBackupIsRefused(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	facts := factsOf(f)
	facts.RestoredAt = facts.BackedUpAt.Add(-time.Second)
	err := f.InTx(t.Context(), func(tx *gorm.DB) error {
		_, err := restorestore.Settle(t.Context(), tx, facts)
		return err
	})
	require.ErrorContains(t, err, "set the clock of this machine right")
	require.Empty(t, storetest.Query[string](f, "SELECT source FROM restores"))
}

func TestEveryProjectHasTheEvent(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	f.NewProject("other")
	f.MustRollOut()
	facts := factsOf(f)
	report := settle(f, facts)
	require.Equal(t, []string{"demo", "other"}, report.Projects)
	entry := f.Audited(1)[0]
	require.Equal(t, "project.restored", entry.Action)
	require.Equal(t, models.ActorSystem, entry.ActorType)
	require.EqualValues(t, 1, entry.Details["rollouts"])
	require.Equal(t, facts.BackedUpAt.Format(time.RFC3339Nano), entry.Details["backedUpAt"])
	require.Equal(t, []int64{2}, storetest.Query[int64](f, "SELECT count(*) FROM audit_log WHERE action = 'project.restored'"))
	for _, restored := range storetest.Query[time.Time](f, "SELECT restored_at FROM projects") {
		require.True(t, facts.RestoredAt.Equal(restored), "%s", restored)
	}
}

func TestARestoreIsShownForAWeek(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	f.MustRollOut()
	facts := factsOf(f)
	facts.RestoredAt = f.Clock().Add(time.Hour - models.RestoreShownFor)
	facts.BackedUpAt = facts.RestoredAt.Add(-time.Hour)
	settle(f, facts)
	shown := func() *models.RestoredProject {
		found, err := f.Attention(t.Context(), f.Demo.ID, storetest.Alice)
		require.NoError(t, err)
		return found.Restore
	}
	restore := shown()
	require.NotNil(t, restore)
	require.EqualValues(t, 1, restore.PausedRollouts)
	require.Equal(t, facts.BackedUpAt.Format(time.RFC3339), restore.BackedUpAt.Format(time.RFC3339))
	f.MustExec("UPDATE projects SET restored_at = restored_at - interval '2 hours', backed_up_at = backed_up_at - interval '2 hours'")
	require.Nil(t, shown())
}

// A rollout that a restore paused counts until somebody resumes it, even after another restore. A rollout that a person paused does not.
func TestRolloutsOfAnEarlierRestoreCount(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	_, e := f.MustRollOut()
	facts := factsOf(f)
	facts.RestoredAt = f.Clock().Add(2 * time.Second)
	settle(f, facts)
	_, byPerson := f.MustRollOut()
	step := storetest.Next(byPerson)
	step.Status, step.PausedAt, step.WaitingFor = models.ExecutionPaused, new(f.Clock()), models.WaitResume
	step.Reason, step.Progress.PauseReason = "a look at the crashes", "a look at the crashes"
	f.MustApply(step)
	facts = restorestore.Facts{Source: "the next night", BackedUpAt: facts.RestoredAt, RestoredAt: facts.RestoredAt.Add(time.Second)}
	require.Empty(t, settle(f, facts).Rollouts)
	found, err := f.Attention(t.Context(), f.Demo.ID, storetest.Alice)
	require.NoError(t, err)
	require.Equal(t, facts.BackedUpAt.Format(time.RFC3339), found.Restore.BackedUpAt.Format(time.RFC3339))
	require.EqualValues(t, 1, found.Restore.PausedRollouts)
	require.True(t, f.MustExecution(e.ID).Progress.Restored)
}
