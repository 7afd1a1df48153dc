package releasestore_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// reverting returns a step that ends e by rolling back its release.
func reverting(e models.RolloutExecution) models.ExecutionChange {
	c := storetest.Next(e)
	c.Status, c.Revert, c.Reason = models.ExecutionRolledBack, true, "too many crashes"
	c.Event = &models.RolloutEvent{Event: models.EventRolledBack, Actor: "system", Reason: c.Reason, Percentage: e.Percentage}
	return c
}

// newest returns the project's newest live release.
func newest(f *storetest.Fixture) models.Release {
	f.T.Helper()
	releases, err := f.ListReleases(f.T.Context(), f.Demo.ID, models.ReleaseFilter{}, models.Page{Limit: 1})
	require.NoError(f.T, err)
	require.NotEmpty(f.T, releases)
	return releases[0]
}

// revertAt rolls a new release out to a percentage of devices and rolls it back there.
func revertAt(f *storetest.Fixture, percentage float64) (bad models.Release) {
	f.T.Helper()
	bad, e := f.MustRollOut()
	f.MustApply(reverting(f.MustReach(e, percentage)))
	return bad
}

// onAndroid returns a change for MustPublish that publishes a build for Android.
func onAndroid(f *storetest.Fixture) func(*models.Publish) {
	return func(p *models.Publish) { p.BuildID = f.MustBuildFor(models.Android, "android").ID }
}

// requireSuccessor checks the properties that every successor of bad has.
func requireSuccessor(t *testing.T, f *storetest.Fixture, bad, r models.Release, percentage float64) {
	t.Helper()
	require.Greater(t, r.ID, bad.ID)
	require.True(t, r.CreatedAt.After(bad.CreatedAt))
	require.True(t, r.IsEnabled)
	require.InDelta(t, percentage, r.RolloutPercentage, 0)
	require.Equal(t, bad.ShareSalt, r.ShareSalt)
	require.NotEqual(t, bad.GroupID, r.GroupID)
	require.NotEqual(t, bad.UpdateUUID, r.UpdateUUID)
	require.Equal(t, bad.BranchName, r.BranchName)
	require.Equal(t, bad.Channel, r.Channel)
	require.Equal(t, bad.Platform, r.Platform)
	require.Equal(t, bad.RuntimeVersion, r.RuntimeVersion)
	require.Equal(t, []int64{bad.ID}, r.RolledBackUpdateIDs)
	require.Nil(t, r.RolloutExecutionID)
}

func TestRevert(t *testing.T) {
	t.Parallel()

	t.Run("republishes the release before, for the devices that were reached", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustPublish()
		good := f.MustPublish()
		f.MustPublish(storetest.Share(99))
		f.MustPublish(storetest.Disabled)
		deleted := f.MustPublish()
		require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, deleted.ID))
		f.MustPublish(func(p *models.Publish) { p.BuildID = f.MustBuildFor(models.Android, "a").ID })
		f.MustPublish(func(p *models.Publish) { p.Channel = "staging" })

		bad, e := f.MustRollOut()
		e = f.MustReach(e, 25)
		f.RequireBumped(true, func() { f.MustApply(reverting(e)) })

		r := newest(f)
		requireSuccessor(t, f, bad, r, 25)
		require.Equal(t, models.KindUpdate, r.Kind)
		require.Equal(t, good.ID, *r.RepublishedFromID)
		require.Equal(t, good.BuildID, r.BuildID)
		require.Equal(t, good.SizeBytes, r.SizeBytes)

		reverted := f.MustRelease(bad.ID)
		require.False(t, reverted.IsEnabled)
		require.Nil(t, reverted.RolloutExecutionID)

		entries := f.Audited(3)
		require.Equal(t, "rollout.rolled_back", entries[0].Action)
		require.Equal(t, "update.patched", entries[1].Action)
		require.Equal(t, strconv.FormatInt(bad.ID, 10), entries[1].EntityID)
		require.Equal(t, "update.rollback", entries[2].Action)
		require.Equal(t, strconv.FormatInt(r.ID, 10), entries[2].EntityID)
		require.Equal(t, []any{float64(bad.ID)}, entries[2].Details["rolledBackUpdateIds"])
	})

	t.Run("goes to the embedded update when nothing came before", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		bad := revertAt(f, 10)
		r := newest(f)
		requireSuccessor(t, f, bad, r, 10)
		require.Equal(t, models.KindRollbackToEmbedded, r.Kind)
		require.Nil(t, r.BuildID)
		require.Nil(t, r.RepublishedFromID)
	})

	t.Run("goes to the embedded update when the release before did", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustPublish()
		_, e := f.MustRollOut()
		e = f.MustReach(e, 100) // the rollout does not end: the last stage is still watched
		f.MustExec("UPDATE releases SET is_enabled = false WHERE rollout_percentage = 100 AND id <> $1", e.UpdateID)
		f.MustApply(reverting(e))
		require.Equal(t, models.KindRollbackToEmbedded, newest(f).Kind)
		f.MustExec("UPDATE releases SET is_enabled = true WHERE id <> $1 AND kind = 'update'", e.UpdateID)

		bad := revertAt(f, 40)
		r := newest(f)
		requireSuccessor(t, f, bad, r, 40)
		require.Equal(t, models.KindRollbackToEmbedded, r.Kind)
		require.Nil(t, r.BuildID)
	})

	t.Run("passes a reverted release over that reached some", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		good := f.MustPublish()
		revertAt(f, 60)
		bad := revertAt(f, 30)
		r := newest(f)
		requireSuccessor(t, f, bad, r, 30)
		require.Equal(t, good.ID, *r.RepublishedFromID)
	})

	t.Run("reaches every device that ever could have got it", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		good := f.MustPublish()
		bad := f.MustPublish(storetest.Share(70))
		e, err := f.StartRollout(t.Context(), f.Demo.ID, storetest.Alice, f.MustPolicy().ID, bad.ID)
		require.NoError(t, err)
		e = f.MustReach(e, 10)
		f.MustApply(reverting(e))
		r := newest(f)
		requireSuccessor(t, f, bad, r, 70)
		require.Equal(t, good.ID, *r.RepublishedFromID)
	})
}

func TestRevertOfReleasesThatFewRun(t *testing.T) {
	t.Parallel()

	t.Run("publishes nothing when no device was reached", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustPublish()
		bad, e := f.MustRollOut()
		f.MustApply(reverting(e))
		require.Equal(t, bad.ID, newest(f).ID)
		require.False(t, f.MustRelease(bad.ID).IsEnabled)
	})

	t.Run("publishes nothing when a newer release reaches everybody", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustPublish()
		bad, e := f.MustRollOut()
		e = f.MustReach(e, 50)
		fix := f.MustPublish()
		f.MustApply(reverting(e))
		require.Equal(t, fix.ID, newest(f).ID, "devices with the fix are not sent back")
		require.False(t, f.MustRelease(bad.ID).IsEnabled)
	})

	t.Run("publishes the successor of a release that was disabled manually", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		bad, e := f.MustRollOut()
		e = f.MustReach(e, 10)
		f.MustPatch(bad.ID, models.ReleasePatch{IsEnabled: new(false)})
		f.RequireBumped(true, func() { f.MustApply(reverting(e)) })
		requireSuccessor(t, f, bad, newest(f), 10)
	})

	t.Run("publishes the successor of a release that was deleted manually", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		good := f.MustPublish()
		bad, e := f.MustRollOut()
		e = f.MustReach(e, 10)
		f.MustExec("UPDATE releases SET deleted_at = now() WHERE id = $1", bad.ID)
		f.RequireBumped(true, func() { f.MustApply(reverting(e)) })
		r := newest(f)
		requireSuccessor(t, f, bad, r, 10)
		require.Equal(t, good.ID, *r.RepublishedFromID)
	})

	t.Run("joins the group of the successor of the other platform", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustPublish()
		f.MustPublish(onAndroid(f))
		apart := revertAt(f, 10) // another publish
		ios, iosRun := f.MustRollOut()
		inGroup := func(p *models.Publish) { p.GroupID = &ios.GroupID }
		android, androidRun := f.MustRollOut(onAndroid(f), inGroup)

		iosRun = f.MustApply(reverting(f.MustReach(iosRun, 10)))
		first := newest(f)
		f.MustApply(reverting(f.MustReach(androidRun, 25)))
		second := newest(f)
		requireSuccessor(t, f, ios, first, 10)
		requireSuccessor(t, f, android, second, 25)
		require.NotEqual(t, ios.GroupID, first.GroupID)
		require.NotEqual(t, f.MustRelease(apart.ID).GroupID, first.GroupID)
		require.Equal(t, first.GroupID, second.GroupID)

		// The group has a release for each platform now, so the next successors have another group.
		for _, r := range []models.Release{ios, android} {
			f.MustPatch(r.ID, models.ReleasePatch{IsEnabled: new(true)})
			e, err := f.StartRollout(t.Context(), f.Demo.ID, storetest.Alice, *iosRun.PolicyID, r.ID)
			require.NoError(t, err)
			f.MustApply(reverting(f.MustReach(e, 30)))
		}
		both, err := f.ListReleases(t.Context(), f.Demo.ID, models.ReleaseFilter{}, models.Page{Limit: 2})
		require.NoError(t, err)
		require.Equal(t, both[0].GroupID, both[1].GroupID)
		require.NotEqual(t, first.GroupID, both[0].GroupID)
		storetest.RequireInvariants(f)
	})

	t.Run("at 100 % ends older rollouts", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, older := f.MustRollOut()
		_, e := f.MustRollOut()
		e = f.MustReach(e, 100)
		f.MustExec("DELETE FROM outbox")
		f.MustApply(reverting(e))
		require.JSONEq(t, fmt.Sprintf(`[%q]`, older.WorkflowID), storetest.Query[string](f,
			"SELECT jsonb_agg(payload->'workflowId')::text FROM outbox WHERE kind = $1", string(models.OutboxRolloutSuperseded))[0])
	})

	t.Run("is all or nothing", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		bad, e := f.MustRollOut()
		e = f.MustReach(e, 10)
		f.MustExec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`)
		f.MustExec(`CREATE TRIGGER refuse BEFORE INSERT ON releases FOR EACH ROW EXECUTE FUNCTION refuse()`)
		_, err := f.ApplyExecutionChange(t.Context(), reverting(e))
		storetest.RequireCode(t, models.CodeInternal, err)
		require.Equal(t, e.Version, f.MustExecution(e.ID).Version)
		require.True(t, f.MustRelease(bad.ID).IsEnabled)
		require.Empty(t, f.MustExecution(e.ID).Timeline)
	})
}
