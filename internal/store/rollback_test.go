package store_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func toEmbedded() models.Rollback {
	return models.Rollback{Channel: "production", Platform: models.IOS, RuntimeVersion: "1.0.0"}
}

func backTo(id int64) models.Rollback {
	n := toEmbedded()
	n.ToUpdateID = &id
	return n
}

func (f *fixture) rollback(n models.Rollback) models.Release {
	f.t.Helper()
	r, err := f.Rollback(f.t.Context(), f.project.ID, alice, n)
	require.NoError(f.t, err)
	return r
}

func TestRollback(t *testing.T) {
	t.Parallel()

	t.Run("goes back to a release for everybody and disables what is newer", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		first, good := f.publish(), f.publish()
		bad, worse := f.publish(), f.publish(share(30))
		android := f.publish(func(p *models.Publish) { p.BuildID = f.buildFor(models.Android, "a").ID })
		staging := f.publish(func(p *models.Publish) { p.Channel = "staging" })
		var r models.Release
		f.requireBumped(true, func() { r = f.rollback(backTo(good.ID)) })

		require.Equal(t, r.UpdateUUID, f.newest().UpdateUUID)
		require.Equal(t, models.KindUpdate, r.Kind)
		require.Equal(t, good.ID, *r.RepublishedFromID)
		require.Equal(t, good.BuildID, r.BuildID)
		require.True(t, r.IsEnabled)
		require.InDelta(t, 100, r.RolloutPercentage, 0)
		require.Equal(t, models.ReleaseSalt(r.GroupID), r.ShareSalt)
		require.Equal(t, "production", *r.Channel)
		require.Equal(t, []int64{bad.ID, worse.ID}, r.RolledBackUpdateIDs)
		for id, enabled := range map[int64]bool{
			first.ID: true, good.ID: true, bad.ID: false, worse.ID: false, android.ID: true, staging.ID: true,
		} {
			require.Equal(t, enabled, f.release(id).IsEnabled, "release %d", id)
		}
		entries := f.audited(3)
		for i, id := range []int64{bad.ID, worse.ID} {
			disabled := entries[i]
			require.Equal(t, "update.patched", disabled.Action)
			require.Equal(t, strconv.FormatInt(id, 10), disabled.EntityID)
			require.Equal(t, alice.ID, disabled.ActorID)
			require.Equal(t, map[string]any{"before": true, "after": false}, disabled.Details["isEnabled"])
		}
		entry := entries[2]
		require.Equal(t, "update.rollback", entry.Action)
		require.Equal(t, strconv.FormatInt(r.ID, 10), entry.EntityID)
		require.Equal(t, []any{float64(bad.ID), float64(worse.ID)}, entry.Details["rolledBackUpdateIds"])
	})

	t.Run("goes back to the embedded update, twice, and forward again", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		a, b := f.publish(), f.publish()
		once := f.rollback(toEmbedded())
		require.Equal(t, models.KindRollbackToEmbedded, once.Kind)
		require.Nil(t, once.BuildID)
		require.Equal(t, []int64{a.ID, b.ID}, once.RolledBackUpdateIDs)
		twice := f.rollback(toEmbedded())
		require.True(t, twice.CreatedAt.After(once.CreatedAt))
		require.Equal(t, []int64{once.ID}, twice.RolledBackUpdateIDs)
		forward := f.rollback(backTo(b.ID))
		require.Equal(t, b.BuildID, forward.BuildID)
		require.True(t, forward.IsEnabled, "though the release it repeats is not")
		require.Equal(t, []int64{twice.ID}, forward.RolledBackUpdateIDs)
	})

	t.Run("needs nothing to take back", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		require.Empty(t, f.rollback(toEmbedded()).RolledBackUpdateIDs)
		r := f.publish()
		require.Empty(t, f.rollback(backTo(r.ID)).RolledBackUpdateIDs)
	})

	t.Run("ends the rollouts of what it takes back, and supersedes older ones", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		good, older := f.rollOut()
		bad, running := f.rollOut()
		off, paused := f.rollOut()
		running = f.reach(running, 10)
		c := next(paused)
		c.Status, c.PausedAt, c.WaitingFor = models.ExecutionPaused, new(f.newest().CreatedAt), models.WaitResume
		f.apply(c)
		f.patch(off.ID, models.ReleasePatch{IsEnabled: new(false)})

		r := f.rollback(backTo(good.ID))
		require.Equal(t, []int64{bad.ID, off.ID}, r.RolledBackUpdateIDs)
		for _, id := range []int64{running.ID, paused.ID} {
			e := f.execution(id)
			require.Equal(t, models.ExecutionRolledBack, e.Status)
			require.NotNil(t, e.EndedAt)
			require.Nil(t, e.PausedAt)
			require.Empty(t, e.WaitingFor)
			require.Contains(t, e.Reason, strconv.FormatInt(r.ID, 10))
			event := e.Timeline[len(e.Timeline)-1]
			require.Equal(t, models.EventRolledBack, event.Event)
			require.Equal(t, alice.Name, event.Actor)
		}
		require.True(t, f.execution(older.ID).Status.Open(), "its workflow ends it")
		require.Nil(t, f.release(bad.ID).RolloutExecutionID)
		require.Equal(t, "rollout.rolled_back", f.audited(1)[0].Action)

		told := query[string](f, "SELECT payload->>'workflowId' FROM outbox WHERE kind = $1 ORDER BY id", string(models.OutboxRolloutReverted))
		require.Equal(t, []string{running.WorkflowID, paused.WorkflowID}, told)
		told = query[string](f, "SELECT payload->>'workflowId' FROM outbox WHERE kind = $1", string(models.OutboxRolloutSuperseded))
		require.Equal(t, []string{older.WorkflowID}, told)

		c = next(running) // what its workflow wrote without knowing
		c.Percentage = 50
		require.Equal(t, models.ExecutionRolledBack, f.apply(c).Status)
		require.InDelta(t, 10, f.release(bad.ID).RolloutPercentage, 0)
		c.Seq++
		_, err := f.ApplyExecutionChange(t.Context(), c)
		requireCode(t, models.CodeInvalidTransition, err)
	})

	t.Run("refuses a release that is not one of the stream", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		staging := f.publish(func(p *models.Publish) { p.Channel = "staging" })
		android := f.publish(func(p *models.Publish) { p.BuildID = f.buildFor(models.Android, "a").ID })
		embedded := f.rollback(toEmbedded())
		gone := f.publish()
		require.NoError(t, f.DeleteRelease(t.Context(), f.project.ID, alice, gone.ID))
		foreign := f.newProject("other")
		for name, n := range map[string]models.Rollback{
			"another branch": backTo(staging.ID), "another platform": backTo(android.ID), "a rollback": backTo(embedded.ID),
			"another runtime version": {Channel: "staging", Platform: models.IOS, RuntimeVersion: "2", ToUpdateID: &staging.ID},
		} {
			_, err := f.Rollback(t.Context(), f.project.ID, alice, n)
			require.Error(t, err, name)
			requireField(t, "rollbackToUpdateId", err)
		}
		_, err := f.Rollback(t.Context(), f.project.ID, alice, backTo(gone.ID))
		requireCode(t, models.CodeNotFound, err)
		_, err = f.Rollback(t.Context(), foreign.ID, alice, backTo(staging.ID))
		requireCode(t, models.CodeNotFound, err)
		_, err = f.Rollback(t.Context(), f.project.ID, alice, models.Rollback{Channel: "nobody", Platform: models.IOS, RuntimeVersion: "1"})
		requireCode(t, models.CodeNotFound, err)
	})
}
