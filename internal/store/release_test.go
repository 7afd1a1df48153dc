package store_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestListReleases(t *testing.T) {
	t.Parallel()
	f := setup(t)
	production := f.publish()
	staging := f.publish(func(p *models.Publish) { p.Channel = "staging" })
	android := f.publish(disabled, func(p *models.Publish) { p.BuildID = f.buildFor(models.Android, "a").ID })
	direct := f.publish(func(p *models.Publish) { p.Channel, p.Branch = "", "staging" })
	gone := f.publish()
	require.NoError(t, f.DeleteRelease(t.Context(), f.project.ID, alice, gone.ID))

	for name, tc := range map[string]struct {
		filter models.ReleaseFilter
		page   models.Page
		want   []int64
	}{
		"everything":          {models.ReleaseFilter{}, models.Page{}, []int64{direct.ID, android.ID, staging.ID, production.ID}},
		"a channel":           {models.ReleaseFilter{Channel: "staging"}, models.Page{}, []int64{staging.ID}},
		"a branch":            {models.ReleaseFilter{Branch: "staging"}, models.Page{}, []int64{direct.ID, staging.ID}},
		"a platform":          {models.ReleaseFilter{Platform: models.Android}, models.Page{}, []int64{android.ID}},
		"a runtime version":   {models.ReleaseFilter{RuntimeVersion: "2.0.0"}, models.Page{}, []int64{}},
		"a group":             {models.ReleaseFilter{GroupID: &staging.GroupID}, models.Page{}, []int64{staging.ID}},
		"an unknown group":    {models.ReleaseFilter{GroupID: new(uuid.New())}, models.Page{}, []int64{}},
		"disabled ones":       {models.ReleaseFilter{IsEnabled: new(false)}, models.Page{}, []int64{android.ID}},
		"several at once":     {models.ReleaseFilter{Platform: models.IOS, Branch: "production"}, models.Page{}, []int64{production.ID}},
		"the first page":      {models.ReleaseFilter{}, models.Page{Limit: 2}, []int64{direct.ID, android.ID}},
		"the page after it":   {models.ReleaseFilter{}, models.Page{Limit: 2, Before: android.ID}, []int64{staging.ID, production.ID}},
		"the end of a filter": {models.ReleaseFilter{Branch: "staging"}, models.Page{Before: staging.ID}, []int64{}},
	} {
		t.Run(name, func(t *testing.T) {
			releases, err := f.ListReleases(t.Context(), f.project.ID, tc.filter, tc.page)
			require.NoError(t, err)
			require.Equal(t, tc.want, ids(releases))
		})
	}
}

func TestReleaseOfAnotherProjectIsNotFound(t *testing.T) {
	t.Parallel()
	f := setup(t)
	_, err := f.Release(t.Context(), f.newProject("other").ID, f.publish().ID)
	requireCode(t, models.CodeNotFound, err)
}

func TestUpdateRelease(t *testing.T) {
	t.Parallel()

	t.Run("changes what is set, zero values included", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r := f.publish(func(p *models.Publish) { p.IsCritical = true })
		f.requireBumped(true, func() {
			f.patch(r.ID, models.ReleasePatch{IsEnabled: new(false), IsCritical: new(false), RolloutPercentage: new(0.0), ReleaseMessage: new("")})
		})
		got := f.release(r.ID)
		require.False(t, got.IsEnabled)
		require.False(t, got.IsCritical)
		require.Zero(t, got.RolloutPercentage)
		require.Empty(t, got.ReleaseMessage)
		require.InDelta(t, 100, got.ReachedPercentage, 0)
		require.Equal(t, r.CreatedAt, got.CreatedAt, "the commit time never moves")

		entry := f.audited(1)[0]
		require.Equal(t, "update.patched", entry.Action)
		require.Equal(t, map[string]any{"before": 100.0, "after": 0.0}, entry.Details["rolloutPercentage"])

		f.patch(r.ID, models.ReleasePatch{ReleaseMessage: new("hi")})
		require.False(t, f.release(r.ID).IsEnabled, "what is absent stays")
	})

	t.Run("keeps the greatest share that devices got", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r := f.publish(share(20))
		reached := func(want float64, patch models.ReleasePatch) {
			t.Helper()
			require.InDelta(t, want, f.patch(r.ID, patch).ReachedPercentage, 0)
			require.InDelta(t, want, f.release(r.ID).ReachedPercentage, 0)
		}
		reached(30, models.ReleasePatch{RolloutPercentage: new(30.0)})
		reached(30, models.ReleasePatch{RolloutPercentage: new(5.0)})
		reached(30, models.ReleasePatch{IsEnabled: new(false)})
		reached(30, models.ReleasePatch{RolloutPercentage: new(60.0)})
		reached(60, models.ReleasePatch{IsEnabled: new(true)})
	})

	t.Run("writes nothing when nothing changes", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r := f.publish()
		f.requireBumped(false, func() {
			require.Equal(t, r, f.patch(r.ID, models.ReleasePatch{IsEnabled: new(true)}))
		})
		require.Equal(t, "build.published", f.audited(1)[0].Action)
	})

	t.Run("refuses a share while a rollout is open, but not the rest", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r, _ := f.rollOut()
		_, err := f.UpdateRelease(t.Context(), f.project.ID, alice, r.ID, models.ReleasePatch{RolloutPercentage: new(50.0)})
		requireCode(t, models.CodeRolloutInProgress, err)
		f.patch(r.ID, models.ReleasePatch{IsEnabled: new(false), ReleaseMessage: new("wait")})
	})

	t.Run("refuses a share out of range", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, err := f.UpdateRelease(t.Context(), f.project.ID, alice, f.publish().ID, models.ReleasePatch{RolloutPercentage: new(-1.0)})
		requireField(t, "rolloutPercentage", err)
	})

	t.Run("refuses a release that does not exist", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, err := f.UpdateRelease(t.Context(), f.project.ID, alice, 1<<40, models.ReleasePatch{})
		requireCode(t, models.CodeNotFound, err)
	})
}

func TestReachingEverybodyEndsOlderRollouts(t *testing.T) {
	t.Parallel()

	// superseded are the workflows told to end, and by which release.
	superseded := func(f *fixture) []models.RolloutSuperseded {
		told := []models.RolloutSuperseded{}
		for _, payload := range f.outbox(models.OutboxRolloutSuperseded) {
			var s models.RolloutSuperseded
			require.NoError(f.t, json.Unmarshal([]byte(payload), &s))
			told = append(told, s)
		}
		return told
	}

	t.Run("by a publish", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, older := f.rollOut()
		r := f.publish()
		require.Equal(t, []models.RolloutSuperseded{{WorkflowID: older.WorkflowID, ByReleaseID: r.ID}}, superseded(f))
	})

	t.Run("by a patch of its share", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, older := f.rollOut()
		r := f.publish(share(50))
		require.Empty(t, superseded(f), "half of the devices still get the older one")
		f.patch(r.ID, models.ReleasePatch{RolloutPercentage: new(100.0)})
		require.Equal(t, []models.RolloutSuperseded{{WorkflowID: older.WorkflowID, ByReleaseID: r.ID}}, superseded(f))
		f.patch(r.ID, models.ReleasePatch{IsCritical: new(true)})
		require.Len(t, superseded(f), 1, "it is told once")
	})

	t.Run("by being enabled", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.rollOut()
		r := f.publish(disabled)
		require.Empty(t, superseded(f))
		f.patch(r.ID, models.ReleasePatch{IsEnabled: new(true)})
		require.Len(t, superseded(f), 1)
	})

	t.Run("by a rollout, which does not end itself", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, older := f.rollOut()
		r, e := f.rollOut()
		require.Empty(t, superseded(f))
		f.reach(e, 100)
		require.Equal(t, []models.RolloutSuperseded{{WorkflowID: older.WorkflowID, ByReleaseID: r.ID}}, superseded(f))
	})

	t.Run("and no others", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		first := f.publish(share(10))
		_, finished := f.rollOut()
		c := next(finished)
		c.Status = models.ExecutionCancelled
		f.apply(c)
		f.rollOut(func(p *models.Publish) { p.Channel = "staging" })
		f.rollOut(func(p *models.Publish) { p.BuildID = f.buildFor(models.Android, "a").ID })
		newRuntime := newBuild(models.IOS, "r")
		newRuntime.RuntimeVersion = "2.0.0"
		b, err := f.CreateBuild(t.Context(), f.project.ID, alice, newRuntime)
		require.NoError(t, err)
		f.rollOut(func(p *models.Publish) { p.BuildID = b.ID })
		f.rollOut() // newer than first

		f.patch(first.ID, models.ReleasePatch{RolloutPercentage: new(100.0)})
		require.Empty(t, superseded(f))
	})
}

func TestDeleteRelease(t *testing.T) {
	t.Parallel()

	t.Run("hides it and keeps its history", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r := f.publish()
		f.requireBumped(true, func() {
			require.NoError(t, f.DeleteRelease(t.Context(), f.project.ID, alice, r.ID))
		})
		require.Equal(t, "update.deleted", f.audited(1)[0].Action)
		_, err := f.Release(t.Context(), f.project.ID, r.ID)
		requireCode(t, models.CodeNotFound, err)
		requireCode(t, models.CodeNotFound, f.DeleteRelease(t.Context(), f.project.ID, alice, r.ID))
		require.Equal(t, []int64{1}, query[int64](f, "SELECT count(*) FROM releases WHERE id = $1", r.ID))
	})

	t.Run("refuses while a rollout is open", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r, e := f.rollOut()
		requireCode(t, models.CodeRolloutInProgress, f.DeleteRelease(t.Context(), f.project.ID, alice, r.ID))
		c := next(e)
		c.Status = models.ExecutionCancelled
		f.apply(c)
		require.NoError(t, f.DeleteRelease(t.Context(), f.project.ID, alice, r.ID))
	})
}
