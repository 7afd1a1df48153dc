package releasestore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func rollBack(f *storetest.Fixture, e models.RolloutExecution, r models.ExecutionRollback) models.RolloutExecution {
	f.T.Helper()
	e, err := f.RollBackExecution(f.T.Context(), f.Demo.ID, storetest.Alice, e.ID, r)
	require.NoError(f.T, err)
	return e
}

func TestRollBackExecution(t *testing.T) {
	t.Parallel()

	t.Run("a flag is taken from the release and the rollout goes on", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		checkout, dark := storetest.AddFlag(f, "checkout", storetest.Boolean), storetest.AddFlag(f, "dark")
		r, e := f.MustRollOut(storetest.LinkFlags(models.FlagLink{FlagID: checkout.ID, Enabled: true}, models.FlagLink{FlagID: dark.ID}))
		var got models.RolloutExecution
		f.RequireBumped(true, func() {
			got = rollBack(f, e, models.ExecutionRollback{Scope: models.RollbackFlag, FlagID: &checkout.ID, Reason: "checkout hangs"})
		})
		require.Equal(t, models.ExecutionRunning, got.Status)
		require.Equal(t, e.Version, got.Version, "the workflow's next change must pass the fence")
		require.Len(t, got.LinkedFlags, 1)
		require.Equal(t, "dark", got.LinkedFlags[0].FlagKey)
		event := got.Timeline[len(got.Timeline)-1]
		require.Equal(t, models.EventFlagsReverted, event.Event)
		require.Equal(t, "checkout hangs", event.Reason)
		entry := f.Audited(1)[0]
		require.Equal(t, "update.patched", entry.Action)
		require.Equal(t, "checkout hangs", entry.Details["reason"])
		require.True(t, f.MustRelease(r.ID).IsEnabled)
		f.MustApply(storetest.Next(got))
	})

	t.Run("a flag that is not linked is refused", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, e := f.MustRollOut()
		flag := storetest.AddFlag(f, "checkout", storetest.Boolean)
		_, err := f.RollBackExecution(t.Context(), f.Demo.ID, storetest.Alice, e.ID,
			models.ExecutionRollback{Scope: models.RollbackFlag, FlagID: &flag.ID})
		storetest.RequireCode(t, models.CodeInvalid, err)
	})

	t.Run("a release is taken from the devices that got it", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		good := f.MustPublish()
		bad, e := f.MustRollOut()
		e = f.MustReach(e, 25)
		var got models.RolloutExecution
		f.RequireBumped(true, func() { got = rollBack(f, e, models.ExecutionRollback{Scope: models.RollbackRelease}) })
		require.Equal(t, models.ExecutionRolledBack, got.Status)
		require.NotNil(t, got.EndedAt)
		require.Equal(t, "rolled back by "+storetest.Alice.Shown(), got.Reason)
		require.False(t, f.MustRelease(bad.ID).IsEnabled)
		successor := newest(f)
		require.Equal(t, good.BuildID, successor.BuildID)
		require.InDelta(t, 25, successor.RolloutPercentage, 0)
		require.Equal(t, bad.ShareSalt, successor.ShareSalt)
		require.Len(t, f.Outbox(models.OutboxRolloutReverted), 1)

		// The step that the workflow was about to write is too late, and its result says so.
		require.Equal(t, models.ExecutionRolledBack, f.MustApply(storetest.Next(e)).Status)
		require.Equal(t, got, f.MustExecution(e.ID))
		_, err := f.RollBackExecution(t.Context(), f.Demo.ID, storetest.Alice, e.ID, models.ExecutionRollback{Scope: models.RollbackRelease})
		storetest.RequireCode(t, models.CodeInvalidTransition, err)
	})

	t.Run("a channel goes back to what everybody had", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		everybody := f.MustPublish()
		older, olderRun := f.MustRollOut()
		partial := f.MustPublish(storetest.Share(40))
		newer, newerRun := f.MustRollOut()
		olderRun, newerRun = f.MustReach(olderRun, 30), f.MustReach(newerRun, 10)
		android := f.MustPublish(func(p *models.Publish) { p.BuildID = f.MustBuildFor(models.Android, "droid").ID })

		got := rollBack(f, newerRun, models.ExecutionRollback{Scope: models.RollbackChannel, Reason: "all of it"})
		require.Equal(t, models.ExecutionRolledBack, got.Status)
		require.Equal(t, models.ExecutionRolledBack, f.MustExecution(olderRun.ID).Status)
		for _, r := range []models.Release{older, partial, newer} {
			require.False(t, f.MustRelease(r.ID).IsEnabled, "release %d", r.ID)
		}
		require.True(t, f.MustRelease(everybody.ID).IsEnabled)
		require.True(t, f.MustRelease(android.ID).IsEnabled, "it reaches everybody and is the last one of its platform")
		require.Len(t, f.Outbox(models.OutboxRolloutReverted), 2)
		enabled := true
		live, err := f.ListReleases(t.Context(), f.Demo.ID, models.ReleaseFilter{IsEnabled: &enabled, Platform: models.IOS}, models.Page{})
		require.NoError(t, err)
		for _, r := range live {
			require.Equal(t, everybody.BuildID, r.BuildID, "release %d", r.ID)
		}
	})

	t.Run("an ended rollout is not rolled back", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, e := f.MustRollOut()
		c := storetest.Next(e)
		c.Status = models.ExecutionCompleted
		f.MustApply(c)
		for _, scope := range []models.ExecutionRollbackScope{models.RollbackRelease, models.RollbackChannel} {
			_, err := f.RollBackExecution(t.Context(), f.Demo.ID, storetest.Alice, e.ID, models.ExecutionRollback{Scope: scope})
			storetest.RequireCode(t, models.CodeInvalidTransition, err)
		}
	})

	t.Run("another project's rollout is not there", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, e := f.MustRollOut()
		_, err := f.RollBackExecution(t.Context(), f.NewProject("other").ID, storetest.Alice, e.ID,
			models.ExecutionRollback{Scope: models.RollbackRelease})
		storetest.RequireCode(t, models.CodeNotFound, err)
	})
}

func TestDroppingFlagsKeepsTheRelease(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	checkout := storetest.AddFlag(f, "checkout", storetest.Boolean)
	r, e := f.MustRollOut(storetest.LinkFlags(models.FlagLink{FlagID: checkout.ID, Enabled: true}))
	subject, err := f.RolloutSubject(t.Context(), f.Demo.ID, e.ID)
	require.NoError(t, err)
	require.Equal(t, 1, subject.LinkedFlags)

	c := storetest.Next(e)
	c.Event = &models.RolloutEvent{Event: models.EventStarted}
	e = f.MustApply(c)
	c = storetest.Next(e)
	c.DropFlags, c.Reason = true, "linked flags taken back"
	c.Event = &models.RolloutEvent{Event: models.EventFlagsReverted, Reason: c.Reason}
	f.RequireBumped(true, func() { f.MustApply(c) })
	require.Empty(t, f.MustRelease(r.ID).LinkedFlags)
	require.True(t, f.MustRelease(r.ID).IsEnabled)
	require.Equal(t, "update.patched", f.Audited(1)[0].Action)
	subject, err = f.RolloutSubject(t.Context(), f.Demo.ID, e.ID)
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
			", when the policy's freeze window ends; the start time " + tomorrowAt(6).Format(format) + " is inside the window"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			schedule := models.Schedule{
				StartAt: &tc.at, TimeZone: "Europe/Berlin", FreezeWindows: []models.FreezeWindow{{From: "18:00", To: "08:00"}},
			}
			policy := f.MustPolicy(func(n *models.NewRolloutPolicy) { n.Schedule = schedule })
			require.Equal(t, schedule, policy.Schedule)
			r := f.MustPublish(storetest.WithPolicy(policy.ID))
			require.Zero(t, r.RolloutPercentage)
			e := f.MustExecution(*r.RolloutExecutionID)
			require.Equal(t, schedule, e.Schedule)
			require.Equal(t, models.WaitDuration, e.WaitingFor)
			require.Equal(t, tc.reason, e.Reason)
		})
	}
}
