package releasestore_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
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

func rollback(f *storetest.Fixture, n models.Rollback) models.Release {
	f.T.Helper()
	r, err := f.Rollback(f.T.Context(), f.Demo.ID, storetest.Alice, n)
	require.NoError(f.T, err)
	return r
}

func TestRollback(t *testing.T) {
	t.Parallel()

	t.Run("goes back to a release for everybody and disables what is newer", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		first, good := f.MustPublish(), f.MustPublish()
		bad, worse := f.MustPublish(), f.MustPublish(storetest.Share(30))
		android := f.MustPublish(func(p *models.Publish) { p.BuildID = f.MustBuildFor(models.Android, "a").ID })
		staging := f.MustPublish(func(p *models.Publish) { p.Channel = "staging" })
		var r models.Release
		f.RequireBumped(true, func() { r = rollback(f, backTo(good.ID)) })

		require.Equal(t, r.UpdateUUID, newest(f).UpdateUUID)
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
			require.Equal(t, enabled, f.MustRelease(id).IsEnabled, "release %d", id)
		}
		entries := f.Audited(3)
		for i, id := range []int64{bad.ID, worse.ID} {
			disabled := entries[i]
			require.Equal(t, "update.patched", disabled.Action)
			require.Equal(t, strconv.FormatInt(id, 10), disabled.EntityID)
			require.Equal(t, storetest.Alice.ID, disabled.ActorID)
			require.Equal(t, map[string]any{"before": true, "after": false}, disabled.Details["isEnabled"])
		}
		entry := entries[2]
		require.Equal(t, "update.rollback", entry.Action)
		require.Equal(t, strconv.FormatInt(r.ID, 10), entry.EntityID)
		require.Equal(t, []any{float64(bad.ID), float64(worse.ID)}, entry.Details["rolledBackUpdateIds"])
	})

	t.Run("goes back to the embedded update, twice, and forward again", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		a, b := f.MustPublish(), f.MustPublish()
		once := rollback(f, toEmbedded())
		require.Equal(t, models.KindRollbackToEmbedded, once.Kind)
		require.Nil(t, once.BuildID)
		require.Equal(t, []int64{a.ID, b.ID}, once.RolledBackUpdateIDs)
		twice := rollback(f, toEmbedded())
		require.True(t, twice.CreatedAt.After(once.CreatedAt))
		require.Equal(t, []int64{once.ID}, twice.RolledBackUpdateIDs)
		again := backTo(b.ID)
		again.AllowDisabled = true
		forward := rollback(f, again)
		require.Equal(t, b.BuildID, forward.BuildID)
		require.True(t, forward.IsEnabled, "although the release that it repeats is disabled")
		require.Equal(t, []int64{twice.ID}, forward.RolledBackUpdateIDs)
	})

	t.Run("rolls several platforms back in one transaction", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		onAndroid := func(p *models.Publish) { p.BuildID = f.MustBuildFor(models.Android, "a").ID }
		good, goodAndroid := f.MustPublish(), f.MustPublish(onAndroid)
		bad, badAndroid := f.MustPublish(), f.MustPublish(onAndroid)
		n := backTo(good.ID)
		n.Others = []models.RollbackPart{{Platform: models.Android, RuntimeVersion: "1.0.0", ToUpdateID: &goodAndroid.ID}}
		n.Reason = "checkout crashes"
		var r models.Release
		f.RequireBumped(true, func() { r = rollback(f, n) })
		other := newest(f)
		require.Equal(t, models.Android, other.Platform)
		require.Equal(t, r.GroupID, other.GroupID)
		require.Equal(t, good.ID, *r.RepublishedFromID)
		require.Equal(t, goodAndroid.ID, *other.RepublishedFromID)
		for _, id := range []int64{bad.ID, badAndroid.ID} {
			d := f.MustRelease(id).Disabling
			require.Equal(t, storetest.Alice.Name, d.Name)
			require.Contains(t, d.Reason, "checkout crashes")
		}
		for _, entry := range f.Audited(4) {
			require.Contains(t, entry.Details["reason"], "checkout crashes", entry.Action)
		}

		n.Others[0].ToUpdateID = &bad.ID
		_, err := f.Rollback(t.Context(), f.Demo.ID, storetest.Alice, n)
		storetest.RequireField(t, "others[0].rollbackToUpdateId", err)
		n.Others[0] = n.Parts()[0]
		_, err = f.Rollback(t.Context(), f.Demo.ID, storetest.Alice, n)
		storetest.RequireField(t, "others[0].platform", err)
		require.Equal(t, other.ID, newest(f).ID, "neither platform is rolled back")
	})

	t.Run("refuses a disabled release, whoever disabled it, unless that is allowed", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		byRollback, older := f.MustPublish(), f.MustPublish(storetest.Disabled)
		rollback(f, toEmbedded())
		byHand := f.MustPublish()
		f.MustPatch(byHand.ID, models.ReleasePatch{IsEnabled: new(false), Reason: "wrong colours"})
		byRollout := revertAt(f, 10)
		for id, want := range map[int64]models.Disabling{
			byRollback.ID: {Type: storetest.Alice.Type, ID: storetest.Alice.ID, Name: storetest.Alice.Name, Reason: "rolled back to "},
			older.ID:      {Type: storetest.Alice.Type, ID: storetest.Alice.ID, Name: storetest.Alice.Name},
			byHand.ID:     {Type: storetest.Alice.Type, ID: storetest.Alice.ID, Name: storetest.Alice.Name, Reason: "wrong colours"},
			byRollout.ID:  {Type: f.Audited(1)[0].ActorType, ID: f.Audited(1)[0].ActorID, Name: f.Audited(1)[0].ActorName, Reason: "too many crashes"},
		} {
			_, err := f.Rollback(t.Context(), f.Demo.ID, storetest.Alice, backTo(id))
			storetest.RequireCode(t, models.CodeGoalDisabled, err)
			var refused *models.Error
			require.ErrorAs(t, err, &refused)
			require.Equal(t, id, refused.Goal.UpdateID)
			require.False(t, refused.Goal.IsEnabled)
			got := *refused.Goal.Disabling
			require.Contains(t, got.Reason, want.Reason)
			require.Equal(t, []any{want.Type, want.ID, want.Name}, []any{got.Type, got.ID, got.Name})
			require.Equal(t, got, *f.MustRelease(id).Disabling)
		}
		n := backTo(byHand.ID)
		n.AllowDisabled = true
		r := rollback(f, n)
		require.Equal(t, byHand.ID, *r.RepublishedFromID)
		require.Equal(t, true, f.Audited(1)[0].Details["allowDisabled"])
		rollback(f, backTo(r.ID)) // the goal is the enabled copy, although the release that it repeats is disabled

		f.MustPatch(byHand.ID, models.ReleasePatch{IsEnabled: new(true)})
		require.Nil(t, f.MustRelease(byHand.ID).Disabling)
		rollback(f, backTo(byHand.ID))
	})

	t.Run("works even if there is nothing to roll back", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		require.Empty(t, rollback(f, toEmbedded()).RolledBackUpdateIDs)
		r := f.MustPublish()
		require.Empty(t, rollback(f, backTo(r.ID)).RolledBackUpdateIDs)
	})

	t.Run("ends the rollouts of the releases that it rolls back, and supersedes older ones", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		good, older := f.MustRollOut()
		bad, running := f.MustRollOut()
		off, paused := f.MustRollOut()
		running = f.MustReach(running, 10)
		c := storetest.Next(paused)
		c.Status, c.PausedAt, c.WaitingFor = models.ExecutionPaused, new(newest(f).CreatedAt), models.WaitResume
		f.MustApply(c)
		f.MustPatch(off.ID, models.ReleasePatch{IsEnabled: new(false)})

		r := rollback(f, backTo(good.ID))
		require.Equal(t, []int64{bad.ID, off.ID}, r.RolledBackUpdateIDs)
		for _, id := range []int64{running.ID, paused.ID} {
			e := f.MustExecution(id)
			require.Equal(t, models.ExecutionRolledBack, e.Status)
			require.NotNil(t, e.EndedAt)
			require.Nil(t, e.PausedAt)
			require.Empty(t, e.WaitingFor)
			require.Equal(t, "rolled back manually to "+good.Phrase(), e.Reason)
			event := e.Timeline[len(e.Timeline)-1]
			require.Equal(t, models.EventRolledBack, event.Event)
			require.Equal(t, storetest.Alice.Name, event.Actor)
		}
		require.True(t, f.MustExecution(older.ID).Status.Open(), "its workflow will end it")
		require.Nil(t, f.MustRelease(bad.ID).RolloutExecutionID)
		require.Equal(t, "rollout.rolled_back", f.Audited(1)[0].Action)

		told := storetest.Query[string](f, "SELECT payload->>'workflowId' FROM outbox WHERE kind = $1 ORDER BY id",
			string(models.OutboxRolloutReverted))
		require.Equal(t, []string{running.WorkflowID, paused.WorkflowID}, told)
		told = storetest.Query[string](f, "SELECT payload->>'workflowId' FROM outbox WHERE kind = $1", string(models.OutboxRolloutSuperseded))
		require.Equal(t, []string{older.WorkflowID}, told)

		c = storetest.Next(running) // a step that its workflow wrote before it was informed
		c.Percentage = 50
		require.Equal(t, models.ExecutionRolledBack, f.MustApply(c).Status)
		require.InDelta(t, 10, f.MustRelease(bad.ID).RolloutPercentage, 0)
		c.Seq++
		_, err := f.ApplyExecutionChange(t.Context(), c)
		storetest.RequireCode(t, models.CodeInvalidTransition, err)
	})

	t.Run("refuses a release of another target", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		staging := f.MustPublish(func(p *models.Publish) { p.Channel = "staging" })
		android := f.MustPublish(func(p *models.Publish) { p.BuildID = f.MustBuildFor(models.Android, "a").ID })
		embedded := rollback(f, toEmbedded())
		gone := f.MustPublish()
		require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, gone.ID))
		foreign := f.NewProject("other")
		for name, n := range map[string]models.Rollback{
			"another branch": backTo(staging.ID), "another platform": backTo(android.ID), "a rollback": backTo(embedded.ID),
			"another runtime version": {Channel: "staging", Platform: models.IOS, RuntimeVersion: "2", ToUpdateID: &staging.ID},
		} {
			_, err := f.Rollback(t.Context(), f.Demo.ID, storetest.Alice, n)
			require.Error(t, err, name)
			storetest.RequireField(t, "rollbackToUpdateId", err)
		}
		_, err := f.Rollback(t.Context(), f.Demo.ID, storetest.Alice, backTo(gone.ID))
		storetest.RequireCode(t, models.CodeNotFound, err)
		_, err = f.Rollback(t.Context(), foreign.ID, storetest.Alice, backTo(staging.ID))
		storetest.RequireCode(t, models.CodeNotFound, err)
		_, err = f.Rollback(t.Context(), f.Demo.ID, storetest.Alice,
			models.Rollback{Channel: "nobody", Platform: models.IOS, RuntimeVersion: "1"})
		storetest.RequireCode(t, models.CodeNotFound, err)
	})
}
