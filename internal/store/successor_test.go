package store_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// reverting is the last change of e: a rollback of its release.
func reverting(e models.RolloutExecution) models.ExecutionChange {
	c := next(e)
	c.Status, c.Revert, c.Reason = models.ExecutionRolledBack, true, "too many crashes"
	c.Event = &models.RolloutEvent{Event: models.EventRolledBack, Actor: "system", Reason: c.Reason, Percentage: e.Percentage}
	return c
}

// newest is the project's newest live release.
func (f *fixture) newest() models.Release {
	f.t.Helper()
	releases, err := f.ListReleases(f.t.Context(), f.project.ID, models.ReleaseFilter{}, models.Page{Limit: 1})
	require.NoError(f.t, err)
	require.NotEmpty(f.t, releases)
	return releases[0]
}

// revertAt rolls a new release out to a share and reverts it there.
func (f *fixture) revertAt(percentage float64) (bad models.Release) {
	f.t.Helper()
	bad, e := f.rollOut()
	f.apply(reverting(f.reach(e, percentage)))
	return bad
}

// requireSuccessor checks what every successor of bad is.
func requireSuccessor(t *testing.T, f *fixture, bad, r models.Release, percentage float64) {
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
		f := setup(t)
		f.publish()
		good := f.publish()
		f.publish(share(99))
		f.publish(disabled)
		deleted := f.publish()
		require.NoError(t, f.DeleteRelease(t.Context(), f.project.ID, alice, deleted.ID))
		f.publish(func(p *models.Publish) { p.BuildID = f.buildFor(models.Android, "a").ID })
		f.publish(func(p *models.Publish) { p.Channel = "staging" })

		bad, e := f.rollOut()
		e = f.reach(e, 25)
		f.requireBumped(true, func() { f.apply(reverting(e)) })

		r := f.newest()
		requireSuccessor(t, f, bad, r, 25)
		require.Equal(t, models.KindUpdate, r.Kind)
		require.Equal(t, good.ID, *r.RepublishedFromID)
		require.Equal(t, good.BuildID, r.BuildID)
		require.Equal(t, good.SizeBytes, r.SizeBytes)

		reverted := f.release(bad.ID)
		require.False(t, reverted.IsEnabled)
		require.Nil(t, reverted.RolloutExecutionID)

		entries := f.audited(3)
		require.Equal(t, "rollout.rolled_back", entries[0].Action)
		require.Equal(t, "update.patched", entries[1].Action)
		require.Equal(t, strconv.FormatInt(bad.ID, 10), entries[1].EntityID)
		require.Equal(t, "update.rollback", entries[2].Action)
		require.Equal(t, strconv.FormatInt(r.ID, 10), entries[2].EntityID)
		require.Equal(t, []any{float64(bad.ID)}, entries[2].Details["rolledBackUpdateIds"])
	})

	t.Run("goes to the embedded update when nothing came before", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		bad := f.revertAt(10)
		r := f.newest()
		requireSuccessor(t, f, bad, r, 10)
		require.Equal(t, models.KindRollbackToEmbedded, r.Kind)
		require.Nil(t, r.BuildID)
		require.Nil(t, r.RepublishedFromID)
	})

	t.Run("goes to the embedded update when the release before did", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.publish()
		_, e := f.rollOut()
		e = f.reach(e, 100) // without an end: the last stage is still watched
		f.exec("UPDATE releases SET is_enabled = false WHERE rollout_percentage = 100 AND id <> $1", e.UpdateID)
		f.apply(reverting(e))
		require.Equal(t, models.KindRollbackToEmbedded, f.newest().Kind)
		f.exec("UPDATE releases SET is_enabled = true WHERE id <> $1 AND kind = 'update'", e.UpdateID)

		bad := f.revertAt(40)
		r := f.newest()
		requireSuccessor(t, f, bad, r, 40)
		require.Equal(t, models.KindRollbackToEmbedded, r.Kind)
		require.Nil(t, r.BuildID)
	})

	t.Run("passes a reverted release over that reached some", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		good := f.publish()
		f.revertAt(60)
		bad := f.revertAt(30)
		r := f.newest()
		requireSuccessor(t, f, bad, r, 30)
		require.Equal(t, good.ID, *r.RepublishedFromID)
	})

	t.Run("reaches every device that ever could have got it", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		good := f.publish()
		bad := f.publish(share(70))
		e, err := f.StartRollout(t.Context(), f.project.ID, alice, f.policy().ID, bad.ID)
		require.NoError(t, err)
		e = f.reach(e, 10)
		f.apply(reverting(e))
		r := f.newest()
		requireSuccessor(t, f, bad, r, 70)
		require.Equal(t, good.ID, *r.RepublishedFromID)
	})
}

func TestRevertOfReleasesThatFewRun(t *testing.T) {
	t.Parallel()

	t.Run("publishes nothing when no device was reached", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.publish()
		bad, e := f.rollOut()
		f.apply(reverting(e))
		require.Equal(t, bad.ID, f.newest().ID)
		require.False(t, f.release(bad.ID).IsEnabled)
	})

	t.Run("publishes nothing when a newer release reaches everybody", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.publish()
		bad, e := f.rollOut()
		e = f.reach(e, 50)
		fix := f.publish()
		f.apply(reverting(e))
		require.Equal(t, fix.ID, f.newest().ID, "devices with the fix are not sent back")
		require.False(t, f.release(bad.ID).IsEnabled)
	})

	t.Run("publishes the successor of a release that was disabled by hand", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		bad, e := f.rollOut()
		e = f.reach(e, 10)
		f.patch(bad.ID, models.ReleasePatch{IsEnabled: new(false)})
		f.requireBumped(true, func() { f.apply(reverting(e)) })
		requireSuccessor(t, f, bad, f.newest(), 10)
	})

	t.Run("publishes the successor of a release that was deleted by hand", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		good := f.publish()
		bad, e := f.rollOut()
		e = f.reach(e, 10)
		f.exec("UPDATE releases SET deleted_at = now() WHERE id = $1", bad.ID)
		f.requireBumped(true, func() { f.apply(reverting(e)) })
		r := f.newest()
		requireSuccessor(t, f, bad, r, 10)
		require.Equal(t, good.ID, *r.RepublishedFromID)
	})

	t.Run("at 100 % ends older rollouts", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, older := f.rollOut()
		_, e := f.rollOut()
		e = f.reach(e, 100)
		f.exec("DELETE FROM outbox")
		f.apply(reverting(e))
		require.JSONEq(t, fmt.Sprintf(`[%q]`, older.WorkflowID), query[string](f,
			"SELECT jsonb_agg(payload->'workflowId')::text FROM outbox WHERE kind = $1", string(models.OutboxRolloutSuperseded))[0])
	})

	t.Run("is all or nothing", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		bad, e := f.rollOut()
		e = f.reach(e, 10)
		f.exec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`)
		f.exec(`CREATE TRIGGER refuse BEFORE INSERT ON releases FOR EACH ROW EXECUTE FUNCTION refuse()`)
		_, err := f.ApplyExecutionChange(t.Context(), reverting(e))
		requireCode(t, models.CodeInternal, err)
		require.Equal(t, e.Version, f.execution(e.ID).Version)
		require.True(t, f.release(bad.ID).IsEnabled)
		require.Empty(t, f.execution(e.ID).Timeline)
	})
}
