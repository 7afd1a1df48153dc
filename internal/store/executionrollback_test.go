package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func (f *fixture) rollBack(e models.RolloutExecution, r models.ExecutionRollback) models.RolloutExecution {
	f.t.Helper()
	e, err := f.RollBackExecution(f.t.Context(), f.project.ID, alice, e.ID, r)
	require.NoError(f.t, err)
	return e
}

func TestRollBackExecution(t *testing.T) {
	t.Parallel()

	t.Run("a flag is taken from the release and the rollout goes on", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		checkout, dark := f.flag("checkout", boolean), f.flag("dark")
		r, e := f.rollOut(links(models.FlagLink{FlagID: checkout.ID, Enabled: true}, models.FlagLink{FlagID: dark.ID}))
		var got models.RolloutExecution
		f.requireBumped(true, func() {
			got = f.rollBack(e, models.ExecutionRollback{Scope: models.RollbackFlag, FlagID: &checkout.ID, Reason: "checkout hangs"})
		})
		require.Equal(t, models.ExecutionRunning, got.Status)
		require.Equal(t, e.Version, got.Version, "the workflow's next change must pass the fence")
		require.Len(t, got.LinkedFlags, 1)
		require.Equal(t, "dark", got.LinkedFlags[0].FlagKey)
		event := got.Timeline[len(got.Timeline)-1]
		require.Equal(t, models.EventFlagsReverted, event.Event)
		require.Equal(t, "checkout hangs", event.Reason)
		entry := f.audited(1)[0]
		require.Equal(t, "update.patched", entry.Action)
		require.Equal(t, "checkout hangs", entry.Details["reason"])
		require.True(t, f.release(r.ID).IsEnabled)
		f.apply(next(got))
	})

	t.Run("a flag that is not linked is refused", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, e := f.rollOut()
		flag := f.flag("checkout", boolean)
		_, err := f.RollBackExecution(t.Context(), f.project.ID, alice, e.ID, models.ExecutionRollback{Scope: models.RollbackFlag, FlagID: &flag.ID})
		requireCode(t, models.CodeInvalid, err)
	})

	t.Run("a release is taken from the devices that got it", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		good := f.publish()
		bad, e := f.rollOut()
		e = f.reach(e, 25)
		var got models.RolloutExecution
		f.requireBumped(true, func() { got = f.rollBack(e, models.ExecutionRollback{Scope: models.RollbackRelease}) })
		require.Equal(t, models.ExecutionRolledBack, got.Status)
		require.NotNil(t, got.EndedAt)
		require.Equal(t, "rolled back (release) by "+alice.Shown(), got.Reason)
		require.False(t, f.release(bad.ID).IsEnabled)
		successor := f.newest()
		require.Equal(t, good.BuildID, successor.BuildID)
		require.InDelta(t, 25, successor.RolloutPercentage, 0)
		require.Equal(t, bad.ShareSalt, successor.ShareSalt)
		require.Len(t, f.outbox(models.OutboxRolloutReverted), 1)

		// What the workflow was about to do comes too late, and it learns so.
		require.Equal(t, models.ExecutionRolledBack, f.apply(next(e)).Status)
		require.Equal(t, got, f.execution(e.ID))
		_, err := f.RollBackExecution(t.Context(), f.project.ID, alice, e.ID, models.ExecutionRollback{Scope: models.RollbackRelease})
		requireCode(t, models.CodeInvalidTransition, err)
	})

	t.Run("a channel goes back to what everybody had", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		everybody := f.publish()
		older, olderRun := f.rollOut()
		partial := f.publish(share(40))
		newer, newerRun := f.rollOut()
		olderRun, newerRun = f.reach(olderRun, 30), f.reach(newerRun, 10)
		android := f.publish(func(p *models.Publish) { p.BuildID = f.buildFor(models.Android, "droid").ID })

		got := f.rollBack(newerRun, models.ExecutionRollback{Scope: models.RollbackChannel, Reason: "all of it"})
		require.Equal(t, models.ExecutionRolledBack, got.Status)
		require.Equal(t, models.ExecutionRolledBack, f.execution(olderRun.ID).Status)
		for _, r := range []models.Release{older, partial, newer} {
			require.False(t, f.release(r.ID).IsEnabled, "release %d", r.ID)
		}
		require.True(t, f.release(everybody.ID).IsEnabled)
		require.True(t, f.release(android.ID).IsEnabled, "it reaches everybody and is the last one of its platform")
		require.Len(t, f.outbox(models.OutboxRolloutReverted), 2)
		enabled := true
		live, err := f.ListReleases(t.Context(), f.project.ID, models.ReleaseFilter{IsEnabled: &enabled, Platform: models.IOS}, models.Page{})
		require.NoError(t, err)
		for _, r := range live {
			require.Equal(t, everybody.BuildID, r.BuildID, "release %d", r.ID)
		}
	})

	t.Run("an ended rollout is not rolled back", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, e := f.rollOut()
		c := next(e)
		c.Status = models.ExecutionCompleted
		f.apply(c)
		for _, scope := range []models.ExecutionRollbackScope{models.RollbackRelease, models.RollbackChannel} {
			_, err := f.RollBackExecution(t.Context(), f.project.ID, alice, e.ID, models.ExecutionRollback{Scope: scope})
			requireCode(t, models.CodeInvalidTransition, err)
		}
	})

	t.Run("another project's rollout is not there", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, e := f.rollOut()
		_, err := f.RollBackExecution(t.Context(), f.newProject("other").ID, alice, e.ID, models.ExecutionRollback{Scope: models.RollbackRelease})
		requireCode(t, models.CodeNotFound, err)
	})
}

func TestDroppingFlagsKeepsTheRelease(t *testing.T) {
	t.Parallel()
	f := setup(t)
	checkout := f.flag("checkout", boolean)
	r, e := f.rollOut(links(models.FlagLink{FlagID: checkout.ID, Enabled: true}))
	subject, err := f.RolloutSubject(t.Context(), f.project.ID, e.ID)
	require.NoError(t, err)
	require.Equal(t, 1, subject.LinkedFlags)

	c := next(e)
	c.Event = &models.RolloutEvent{Event: models.EventStarted}
	e = f.apply(c)
	c = next(e)
	c.DropFlags, c.Reason = true, "linked flags taken back"
	c.Event = &models.RolloutEvent{Event: models.EventFlagsReverted, Reason: c.Reason}
	f.requireBumped(true, func() { f.apply(c) })
	require.Empty(t, f.release(r.ID).LinkedFlags)
	require.True(t, f.release(r.ID).IsEnabled)
	require.Equal(t, "update.patched", f.audited(1)[0].Action)
	subject, err = f.RolloutSubject(t.Context(), f.project.ID, e.ID)
	require.NoError(t, err)
	require.Zero(t, subject.LinkedFlags)
}

func TestARolloutKeepsTheScheduleOfItsPolicy(t *testing.T) {
	t.Parallel()
	const format = "2006-01-02 15:04:05 UTC"
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	year, month, day := time.Now().In(berlin).Date()
	tomorrowAt := func(hour int) time.Time { return time.Date(year, month, day+1, hour, 0, 0, 0, berlin).UTC() }
	for name, tc := range map[string]struct {
		at     time.Time
		reason string
	}{
		"at noon": {tomorrowAt(12), "begins at " + tomorrowAt(12).Format(format)},
		"in a freeze": {tomorrowAt(6), "begins at " + tomorrowAt(8).Format(format) +
			", when the policy's freeze ends; its start at " + tomorrowAt(6).Format(format) + " is in it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			schedule := models.Schedule{
				StartAt: &tc.at, TimeZone: "Europe/Berlin", FreezeWindows: []models.FreezeWindow{{From: "18:00", To: "08:00"}},
			}
			policy := f.policy(func(n *models.NewRolloutPolicy) { n.Schedule = schedule })
			require.Equal(t, schedule, policy.Schedule)
			r := f.publish(withPolicy(policy.ID))
			require.Zero(t, r.RolloutPercentage)
			e := f.execution(*r.RolloutExecutionID)
			require.Equal(t, schedule, e.Schedule)
			require.Equal(t, models.WaitDuration, e.WaitingFor)
			require.Equal(t, tc.reason, e.Reason)
		})
	}
}
