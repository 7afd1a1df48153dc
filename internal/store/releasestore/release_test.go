package releasestore_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestListReleases(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	production := f.MustPublish()
	staging := f.MustPublish(func(p *models.Publish) { p.Channel = "staging" })
	android := f.MustPublish(storetest.Disabled, func(p *models.Publish) { p.BuildID = f.MustBuildFor(models.Android, "a").ID })
	direct := f.MustPublish(func(p *models.Publish) { p.Channel, p.Branch = "", "staging" })
	gone := f.MustPublish()
	require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, gone.ID))

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
		"several together":    {models.ReleaseFilter{Platform: models.IOS, Branch: "production"}, models.Page{}, []int64{production.ID}},
		"the first page":      {models.ReleaseFilter{}, models.Page{Limit: 2}, []int64{direct.ID, android.ID}},
		"the page after it":   {models.ReleaseFilter{}, models.Page{Limit: 2, Before: android.ID}, []int64{staging.ID, production.ID}},
		"the end of a filter": {models.ReleaseFilter{Branch: "staging"}, models.Page{Before: staging.ID}, []int64{}},
	} {
		t.Run(name, func(t *testing.T) {
			releases, err := f.ListReleases(t.Context(), f.Demo.ID, tc.filter, tc.page)
			require.NoError(t, err)
			require.Equal(t, tc.want, ids(releases))
		})
	}
}

// A copy of a release, and a release of a second upload of the same files, do not differ from it.
func TestReleasesWithOtherFiles(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	of := func(content string, change func(*models.NewBuild)) models.Release {
		n := storetest.NewBuild(models.IOS, content)
		change(&n)
		b, err := f.CreateBuild(t.Context(), f.Demo.ID, storetest.Alice, n)
		require.NoError(t, err)
		return f.MustPublish(func(p *models.Publish) { p.BuildID = b.ID })
	}
	same := func(*models.NewBuild) {}
	other := of("other", same)
	configured := of("good", func(n *models.NewBuild) { n.ClientConfig = []byte(`{"name": "other"}`) })
	renamed := of("good", func(n *models.NewBuild) { n.Assets[0].Path = "assets/icon.png" })
	good, again := of("good", same), of("good", same)
	copied := f.MustPublish(func(p *models.Publish) { p.BuildID = *good.BuildID })
	embedded := rollback(f, toEmbedded())
	for than, want := range map[int64][]int64{
		good.ID:     {embedded.ID, renamed.ID, configured.ID, other.ID},
		copied.ID:   {embedded.ID, renamed.ID, configured.ID, other.ID},
		other.ID:    {embedded.ID, copied.ID, again.ID, good.ID, renamed.ID, configured.ID},
		embedded.ID: {copied.ID, again.ID, good.ID, renamed.ID, configured.ID, other.ID},
		1:           {},
	} {
		got, err := f.ListReleases(t.Context(), f.Demo.ID, models.ReleaseFilter{OtherFilesThan: than}, models.Page{})
		require.NoError(t, err)
		require.Equal(t, want, ids(got))
	}
	got, err := f.ListReleases(t.Context(), f.NewProject("elsewhere").ID, models.ReleaseFilter{OtherFilesThan: good.ID}, models.Page{})
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestReleaseOfAnotherProjectIsNotFound(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	_, err := f.Release(t.Context(), f.NewProject("other").ID, f.MustPublish().ID)
	storetest.RequireCode(t, models.CodeNotFound, err)
}

func TestUpdateRelease(t *testing.T) {
	t.Parallel()

	t.Run("changes what is set, zero values included", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish(func(p *models.Publish) { p.IsCritical = true })
		f.RequireBumped(true, func() {
			f.MustPatch(r.ID, models.ReleasePatch{IsEnabled: new(false), IsCritical: new(false), RolloutPercentage: new(0.0),
				ReleaseMessage: new("")})
		})
		got := f.MustRelease(r.ID)
		require.False(t, got.IsEnabled)
		require.False(t, got.IsCritical)
		require.Zero(t, got.RolloutPercentage)
		require.Empty(t, got.ReleaseMessage)
		require.InDelta(t, 100, got.ReachedPercentage, 0)
		require.Equal(t, r.CreatedAt, got.CreatedAt, "the commit time never changes")

		entry := f.Audited(1)[0]
		require.Equal(t, "update.patched", entry.Action)
		require.Equal(t, map[string]any{"before": 100.0, "after": 0.0}, entry.Details["rolloutPercentage"])

		f.MustPatch(r.ID, models.ReleasePatch{ReleaseMessage: new("hi")})
		require.False(t, f.MustRelease(r.ID).IsEnabled, "absent fields keep their values")
	})

	t.Run("keeps the greatest share that devices got", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish(storetest.Share(20))
		reached := func(want float64, patch models.ReleasePatch) {
			t.Helper()
			require.InDelta(t, want, f.MustPatch(r.ID, patch).ReachedPercentage, 0)
			require.InDelta(t, want, f.MustRelease(r.ID).ReachedPercentage, 0)
		}
		reached(30, models.ReleasePatch{RolloutPercentage: new(30.0)})
		reached(30, models.ReleasePatch{RolloutPercentage: new(5.0)})
		reached(30, models.ReleasePatch{IsEnabled: new(false)})
		reached(30, models.ReleasePatch{RolloutPercentage: new(60.0)})
		reached(60, models.ReleasePatch{IsEnabled: new(true)})
	})

	t.Run("writes nothing when nothing changes", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish()
		f.RequireBumped(false, func() {
			require.Equal(t, r, f.MustPatch(r.ID, models.ReleasePatch{IsEnabled: new(true)}))
		})
		require.Equal(t, "build.published", f.Audited(1)[0].Action)
	})

	t.Run("refuses a share while a rollout is open, but not the rest", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r, _ := f.MustRollOut()
		_, err := f.UpdateRelease(t.Context(), f.Demo.ID, storetest.Alice, r.ID, models.ReleasePatch{RolloutPercentage: new(50.0)})
		storetest.RequireCode(t, models.CodeRolloutInProgress, err)
		f.MustPatch(r.ID, models.ReleasePatch{IsEnabled: new(false), ReleaseMessage: new("wait")})
	})

	t.Run("refuses a share out of range", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.UpdateRelease(t.Context(), f.Demo.ID, storetest.Alice, f.MustPublish().ID, models.ReleasePatch{RolloutPercentage: new(-1.0)})
		storetest.RequireField(t, "rolloutPercentage", err)
	})

	t.Run("refuses a release that does not exist", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.UpdateRelease(t.Context(), f.Demo.ID, storetest.Alice, 1<<40, models.ReleasePatch{})
		storetest.RequireCode(t, models.CodeNotFound, err)
	})
}

func TestReachingEverybodyEndsOlderRollouts(t *testing.T) {
	t.Parallel()

	// superseded returns the outbox messages that tell workflows to end, each with the release that supersedes theirs.
	superseded := func(f *storetest.Fixture) []models.RolloutSuperseded {
		told := []models.RolloutSuperseded{}
		for _, payload := range f.Outbox(models.OutboxRolloutSuperseded) {
			var s models.RolloutSuperseded
			require.NoError(f.T, json.Unmarshal([]byte(payload), &s))
			told = append(told, s)
		}
		return told
	}

	endedBy := func(r models.Release, older models.RolloutExecution) []models.RolloutSuperseded {
		return []models.RolloutSuperseded{{WorkflowID: older.WorkflowID, ByReleaseID: r.ID, ReleaseMessage: r.ReleaseMessage}}
	}

	t.Run("by a publish", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, older := f.MustRollOut()
		r := f.MustPublish()
		require.Equal(t, endedBy(r, older), superseded(f))
	})

	t.Run("by a patch of its share", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, older := f.MustRollOut()
		r := f.MustPublish(storetest.Share(50))
		require.Empty(t, superseded(f), "half of the devices still get the older one")
		f.MustPatch(r.ID, models.ReleasePatch{RolloutPercentage: new(100.0)})
		require.Equal(t, endedBy(r, older), superseded(f))
		f.MustPatch(r.ID, models.ReleasePatch{IsCritical: new(true)})
		require.Len(t, superseded(f), 1, "the workflow is told once")
	})

	t.Run("by being enabled", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustRollOut()
		r := f.MustPublish(storetest.Disabled)
		require.Empty(t, superseded(f))
		f.MustPatch(r.ID, models.ReleasePatch{IsEnabled: new(true)})
		require.Len(t, superseded(f), 1)
	})

	t.Run("by a rollout, which does not end itself", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, older := f.MustRollOut()
		r, e := f.MustRollOut()
		require.Empty(t, superseded(f))
		f.MustReach(e, 100)
		require.Equal(t, endedBy(r, older), superseded(f))
	})

	t.Run("and no others", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		first := f.MustPublish(storetest.Share(10))
		_, finished := f.MustRollOut()
		c := storetest.Next(finished)
		c.Status = models.ExecutionCancelled
		f.MustApply(c)
		f.MustRollOut(func(p *models.Publish) { p.Channel = "staging" })
		f.MustRollOut(func(p *models.Publish) { p.BuildID = f.MustBuildFor(models.Android, "a").ID })
		newRuntime := storetest.NewBuild(models.IOS, "r")
		newRuntime.RuntimeVersion = "2.0.0"
		b, err := f.CreateBuild(t.Context(), f.Demo.ID, storetest.Alice, newRuntime)
		require.NoError(t, err)
		f.MustRollOut(func(p *models.Publish) { p.BuildID = b.ID })
		f.MustRollOut() // newer than first

		f.MustPatch(first.ID, models.ReleasePatch{RolloutPercentage: new(100.0)})
		require.Empty(t, superseded(f))
	})
}

func TestDeleteRelease(t *testing.T) {
	t.Parallel()

	t.Run("hides it and keeps its history", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish()
		f.RequireBumped(true, func() {
			require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, r.ID))
		})
		require.Equal(t, "update.deleted", f.Audited(1)[0].Action)
		_, err := f.Release(t.Context(), f.Demo.ID, r.ID)
		storetest.RequireCode(t, models.CodeNotFound, err)
		storetest.RequireCode(t, models.CodeNotFound, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, r.ID))
		require.Equal(t, []int64{1}, storetest.Query[int64](f, "SELECT count(*) FROM releases WHERE id = $1", r.ID))
	})

	t.Run("refuses while a rollout is open", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r, e := f.MustRollOut()
		storetest.RequireCode(t, models.CodeRolloutInProgress, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, r.ID))
		c := storetest.Next(e)
		c.Status = models.ExecutionCancelled
		f.MustApply(c)
		require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, r.ID))
	})
}
