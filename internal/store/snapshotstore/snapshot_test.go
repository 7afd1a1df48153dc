package snapshotstore_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestSnapshot(t *testing.T) {
	t.Parallel()

	t.Run("holds what decides what devices are served", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		shared := f.MustBuild("shared")
		live := f.MustPublish(func(p *models.Publish) { p.BuildID = shared.ID })
		again := f.MustPublish(func(p *models.Publish) { p.BuildID, p.Channel = shared.ID, "staging" })
		off := f.MustPublish(storetest.Disabled)
		gone := f.MustPublish()
		require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, gone.ID))
		rolling, e := f.MustRollOut()
		_, ended := f.MustRollOut()
		c := storetest.Next(ended)
		c.Status = models.ExecutionCancelled
		f.MustApply(c)
		unpublished := f.MustBuild("unpublished")
		deleted, err := f.Build(t.Context(), f.Demo.ID, *gone.BuildID)
		require.NoError(t, err)
		_, err = f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: "old"})
		require.NoError(t, err)
		require.NoError(t, f.DeleteBranch(t.Context(), f.Demo.ID, storetest.Alice, "old"))
		f.NewProject("other")

		snapshot, err := f.Snapshot(t.Context(), f.Demo.ID)
		require.NoError(t, err)

		require.Equal(t, f.Version(), snapshot.Project.SnapshotVersion)
		require.Equal(t, "demo", snapshot.Project.Slug)
		require.Len(t, snapshot.Branches, 2)
		require.Len(t, snapshot.Channels, 2)
		require.Equal(t, "production", snapshot.Channels[0].BranchName)
		require.Equal(t, []int64{ended.UpdateID, rolling.ID, gone.ID, off.ID, again.ID, live.ID}, releaseIDs(snapshot.Releases))
		require.NotNil(t, snapshot.Releases[2].DeletedAt)
		require.Equal(t, "staging", snapshot.Releases[4].BranchName)
		require.Equal(t, map[int64]string{rolling.ID: e.WorkflowID}, snapshot.RolloutWorkflows)

		require.Len(t, snapshot.Builds, 3, "the builds of releases that devices may be served")
		require.Equal(t, shared.Assets, snapshot.Builds[shared.ID].Assets)
		require.Len(t, snapshot.Builds[*rolling.BuildID].Assets, 2)
		for _, id := range []int64{*off.BuildID, *gone.BuildID} {
			require.NotContains(t, snapshot.Builds, id)
		}
		for _, content := range []models.Build{unpublished, {Assets: deleted.Assets}} { // files of every build are included
			b, ok := snapshot.Blobs.Get(content.Assets[1].MD5)
			require.True(t, ok)
			require.Equal(t, models.Blob{
				MD5: content.Assets[1].MD5, SHA256: content.Assets[1].SHA256, SizeBytes: 100, ContentType: "application/javascript",
			}, b)
		}
	})

	t.Run("of a new project is empty, not missing", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		snapshot, err := f.Snapshot(t.Context(), f.Demo.ID)
		require.NoError(t, err)
		require.Empty(t, snapshot.Releases)
		require.NotNil(t, snapshot.Builds)
		require.NotNil(t, snapshot.RolloutWorkflows)
	})

	t.Run("keeps the newest 50 deleted releases", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish()
		storetest.SeedReleases(f, r, 60)
		f.MustExec("UPDATE releases SET deleted_at = now() WHERE id <> $1", r.ID)
		snapshot, err := f.Snapshot(t.Context(), f.Demo.ID)
		require.NoError(t, err)
		require.Len(t, snapshot.Releases, 51)
		newest := storetest.Query[int64](f, "SELECT max(id) FROM releases")[0]
		require.Equal(t, newest, snapshot.Releases[0].ID)
		require.Equal(t, r.ID, snapshot.Releases[50].ID)
	})

	t.Run("refuses a project that does not exist", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.Snapshot(t.Context(), 1<<40)
		storetest.RequireCode(t, models.CodeNotFound, err)
	})
}

func releaseIDs(releases []*models.Release) (ids []int64) {
	for _, r := range releases {
		ids = append(ids, r.ID)
	}
	return ids
}

func TestSnapshotOf10000Releases(t *testing.T) {
	t.Parallel()
	var queries atomic.Int64
	f := storetest.Setup(t, storetest.CountQueries(&queries))
	r := f.MustPublish()

	small := queries.Load()
	_, err := f.Snapshot(t.Context(), f.Demo.ID)
	require.NoError(t, err)
	small = queries.Load() - small

	storetest.SeedReleases(f, r, 9999)
	large := queries.Load()
	snapshot, err := f.Snapshot(t.Context(), f.Demo.ID)
	require.NoError(t, err)
	large = queries.Load() - large

	require.Equal(t, small, large, "the number of queries does not grow")
	require.Len(t, snapshot.Releases, 10_000)
	require.Len(t, snapshot.Builds, 1, "the build of the newest release, which every device gets")
	for i, r := range snapshot.Releases {
		if i > 0 {
			require.True(t, r.CreatedAt.Before(snapshot.Releases[i-1].CreatedAt), "newest first")
		}
	}
}

func TestSnapshotVersions(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	other := f.NewProject("other")
	versions, err := f.SnapshotVersions(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[int64]int64{f.Demo.ID: 1, other.ID: 1}, versions)
	f.MustPublish()
	versions, err = f.SnapshotVersions(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[int64]int64{f.Demo.ID: 3, other.ID: 1}, versions, "an upload and a publish")
}

// Projects that are read together have the same snapshots as projects that are read alone.
func TestSnapshotsOfManyProjects(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	first, second := f.Demo, f.NewProject("second")
	empty := f.NewProject("empty")
	for _, p := range []models.Project{first, second} {
		f.Demo = p
		f.MustPublish(func(p *models.Publish) { p.BuildID = f.MustBuild("a bundle of " + f.Demo.Slug).ID })
		gone := f.MustPublish()
		require.NoError(t, f.DeleteRelease(t.Context(), p.ID, storetest.Alice, gone.ID))
		f.MustRollOut()
		storetest.AddOverride(f, "user of "+p.Slug, "staging")
		storetest.AddFlag(f, "boolean-"+p.Slug)
	}
	together, err := f.Snapshots(t.Context(), empty.ID, second.ID, first.ID, 1<<40)
	require.NoError(t, err)
	require.Len(t, together, 3)
	for _, s := range together {
		alone, err := f.Snapshot(t.Context(), s.Project.ID)
		require.NoError(t, err)
		alone.Cursor = s.Cursor
		require.Equal(t, alone, s)
		require.Equal(t, s.Project.ID == empty.ID, len(s.Releases) == 0)
		for _, r := range s.Releases {
			require.Equal(t, s.Project.ID, r.ProjectID)
		}
		for _, b := range s.Builds {
			require.Equal(t, s.Project.ID, b.ProjectID)
		}
	}
	_, err = f.Snapshot(t.Context(), 1<<40)
	storetest.RequireCode(t, models.CodeNotFound, err)
}
