package filestore_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// sweep removes the files that cleanup gave up, and returns their MD5 sums.
func sweep(f *storetest.Fixture) (md5s []string) {
	f.T.Helper()
	var mu sync.Mutex
	_, err := f.RemoveBlobs(f.T.Context(), f.Demo.ID, func(_ context.Context, md5 string) error {
		mu.Lock()
		defer mu.Unlock()
		md5s = append(md5s, md5)
		return nil
	})
	require.NoError(f.T, err)
	slices.Sort(md5s)
	return md5s
}

func hold(f *storetest.Fixture, md5s ...string) models.BlobHold {
	f.T.Helper()
	hold, err := f.HoldBlobs(f.T.Context(), f.Demo.ID, md5s)
	require.NoError(f.T, err)
	return hold
}

func TestCollectGarbage(t *testing.T) {
	t.Parallel()

	t.Run("takes old builds that nobody needs, with the contents that only they have", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		unused := storetest.MakeOld(f, f.MustBuild("unused"), 91)
		long := storetest.MakeOld(f, f.MustBuild("deleted long ago"), 91)
		idle := storetest.DeletedFor(f, long, 91)
		storetest.MakeOld(f, f.MustBuild("young enough"), 89)
		lately := storetest.MakeOld(f, f.MustBuild("deleted lately"), 200)
		storetest.DeletedFor(f, lately, 89)
		run := storetest.MakeOld(f, f.MustBuild("still run"), 200)
		running := storetest.DeletedFor(f, run, 150)
		live := storetest.MakeOld(f, f.MustBuild("live"), 400)
		f.MustPublish(func(p *models.Publish) { p.BuildID = live.ID })
		disabledOne := storetest.MakeOld(f, f.MustBuild("disabled"), 400)
		f.MustPublish(func(p *models.Publish) { p.BuildID = disabledOne.ID }, storetest.Disabled)

		candidates, err := f.GarbageCandidates(t.Context(), f.Demo.ID)
		require.NoError(t, err)
		require.ElementsMatch(t, []string{idle.UpdateUUID.String(), running.UpdateUUID.String()}, candidates)
		g := storetest.CollectGarbage(f, idle.UpdateUUID.String())
		require.Equal(t, []int64{unused.ID, long.ID}, storetest.BuildNumbers(g.Builds))
		require.EqualValues(t, 2, g.Blobs, "the logo belongs to other builds, too")
		require.EqualValues(t, 200, g.Bytes)
		want := []string{storetest.BundleOf(unused).MD5, storetest.BundleOf(long).MD5}
		slices.Sort(want)
		require.Equal(t, want, sweep(f))
		require.Empty(t, sweep(f))

		entries := f.Audited(3)
		require.Equal(t, "build.deleted", entries[0].Action)
		require.Equal(t, "build.deleted", entries[1].Action)
		require.Equal(t, "gc.run", entries[2].Action)
		_, err = f.Build(t.Context(), f.Demo.ID, unused.ID)
		storetest.RequireCode(t, models.CodeNotFound, err)
		require.Empty(t, storetest.CollectGarbage(f, idle.UpdateUUID.String()).Builds)
		require.Equal(t, "gc.run", f.Audited(1)[0].Action, "a cleanup without garbage is not recorded")
	})

	t.Run("deletes files without a build immediately", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		b := f.MustBuild("gone")
		require.NoError(t, f.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, b.ID))
		require.EqualValues(t, 2, storetest.CollectGarbage(f).Blobs)
		require.Len(t, sweep(f), 2)
		require.Equal(t, 2, f.MustBuild("gone").NewAssetCount)
	})

	t.Run("goes by the project's retention", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		b := storetest.MakeOld(f, f.MustBuild("a"), 3000)
		set := func(days *int) {
			_, err := f.UpdateSettings(t.Context(), f.Demo.ID, storetest.Alice,
				models.SettingsPatch{BuildRetentionDays: models.Nullable[int]{Set: true, Value: days}})
			require.NoError(t, err)
		}
		set(nil)
		require.Empty(t, storetest.CollectGarbage(f).Builds)
		set(new(3001))
		require.Empty(t, storetest.CollectGarbage(f).Builds)
		set(new(7))
		require.Equal(t, []int64{b.ID}, storetest.BuildNumbers(storetest.CollectGarbage(f).Builds))
	})

	t.Run("keeps builds whose devices were not checked", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		b := storetest.MakeOld(f, f.MustBuild("a"), 3000)
		first, second := storetest.DeletedFor(f, b, 91), storetest.DeletedFor(f, b, 91)
		require.Empty(t, storetest.CollectGarbage(f).Builds)
		require.Empty(t, storetest.CollectGarbage(f, first.UpdateUUID.String()).Builds, "a device may run the other release")
		require.Equal(t, []int64{b.ID}, storetest.BuildNumbers(storetest.CollectGarbage(f, first.UpdateUUID.String(),
			second.UpdateUUID.String()).Builds))
	})

	t.Run("serves the files of what it takes no longer", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		storetest.MakeOld(f, f.MustBuild("a"), 3000)
		f.RequireBumped(true, func() { require.Len(t, storetest.CollectGarbage(f).Builds, 1) })
	})

	t.Run("leaves other projects alone", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		b := storetest.MakeOld(f, f.MustBuild("a"), 3000)
		other := f.NewProject("other")
		g, err := f.CollectGarbage(t.Context(), other.ID, storetest.Alice, nil)
		require.NoError(t, err)
		require.Empty(t, g.Builds)
		_, err = f.Build(t.Context(), f.Demo.ID, b.ID)
		require.NoError(t, err)
	})
}

// TestVariantsAndPatchesGoWithTheirContent uses a bundle with variants, a patch to it, a patch from it, and an
// unrelated patch.
func TestVariantsAndPatchesGoWithTheirContent(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	n := storetest.NewBuild(models.IOS, "going")
	gzip, brotli := int64(50), int64(40)
	n.Contents = map[string]models.NewContent{}
	for _, a := range n.Assets {
		n.Contents[a.MD5] = models.NewContent{Compress: a.IsLaunchAsset}
	}
	going, err := f.CreateBuild(t.Context(), f.Demo.ID, storetest.Alice, n)
	require.NoError(t, err)
	require.NoError(t, f.FinishFiles(t.Context(), f.Demo.ID, []models.CompressedFile{{
		MD5: storetest.BundleOf(going).MD5, SHA256: storetest.BundleOf(going).SHA256, Variants: models.BlobVariants{GzipBytes: &gzip,
			BrotliBytes: &brotli},
	}}))
	require.Equal(t, []int64{50, 40}, storetest.Query[int64](f, "SELECT unnest(ARRAY[gzip_bytes, brotli_bytes]) FROM blobs WHERE md5 = $1",
		storetest.BundleOf(going).MD5))
	stays, too := f.MustBuild("stays"), f.MustBuild("stays, too")
	for i, p := range [][2]models.Build{{stays, going}, {going, stays}, {stays, too}} {
		f.MustExec(`INSERT INTO patches SELECT $1, $2, $3, gen_random_uuid(), NULL, 'offered', '', $4, 'x', 100, 50, 1, now(), now()`,
			f.Demo.ID, storetest.BundleOf(p[1]).MD5, storetest.BundleOf(p[0]).MD5, i+1)
	}
	require.NoError(t, f.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, going.ID))
	g := storetest.CollectGarbage(f)
	require.EqualValues(t, 1, g.Blobs)
	require.EqualValues(t, 100+50+40+1+2, g.Bytes)
	var removed [][2]string
	require.NoError(t, f.RemovePatches(t.Context(), f.Demo.ID, func(_ context.Context, target, base string) error {
		removed = append(removed, [2]string{base, target}) // one at a time would do
		return nil
	}))
	require.Len(t, removed, 2)
	require.Equal(t, []int64{3}, storetest.Query[int64](f, "SELECT size_bytes FROM patches"))
	require.Equal(t, 1, f.MustBuild("going").NewAssetCount)
	require.Equal(t, []bool{true}, storetest.Query[bool](f, "SELECT gzip_bytes IS NULL FROM blobs WHERE md5 = $1",
		storetest.BundleOf(going).MD5), "it has none any more")
}

// atAssetsInsert is the point in an upload at which only its hold protects the files that it needs.
const atAssetsInsert = `INSERT INTO "build_assets"`

func collecting(f *storetest.Fixture, taken *models.Garbage) storetest.Step {
	return func(s *store.Store) (err error) {
		*taken, err = s.CollectGarbage(f.T.Context(), f.Demo.ID, storetest.Alice, nil)
		return err
	}
}

func TestACollectionAndAPublishAtOnce(t *testing.T) {
	t.Parallel()
	old := func(f *storetest.Fixture) storetest.Step {
		b := storetest.MakeOld(f, f.MustBuild("old"), 3000)
		return storetest.Publishing(f, func(p *models.Publish) { p.BuildID = b.ID })
	}

	t.Run("the build that is collected cannot be published", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		publish := old(f)
		var taken models.Garbage
		collected, published := storetest.Duel(f, storetest.AtBuildDelete, collecting(f, &taken), publish)
		require.NoError(t, collected)
		require.Len(t, taken.Builds, 1)
		storetest.RequireCode(t, models.CodeNotFound, published)
		storetest.RequireInvariants(f)
	})

	t.Run("the build that is published is not collected", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		publish := old(f)
		var taken models.Garbage
		published, collected := storetest.Duel(f, storetest.AtReleaseInsert, publish, collecting(f, &taken))
		require.NoError(t, published)
		require.NoError(t, collected)
		require.Empty(t, taken.Builds)
		require.Zero(t, taken.Blobs)
		storetest.RequireInvariants(f)
	})
}

func TestACollectionAndAnUploadAtOnce(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	n := storetest.NewBuild(models.IOS, "again")
	first := f.MustBuild("again")
	require.NoError(t, f.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, first.ID))
	n.HoldID = hold(f, n.Assets[0].MD5, n.Assets[1].MD5).ID
	var again models.Build
	var taken models.Garbage
	uploaded, collected := storetest.Duel(f, atAssetsInsert, func(s *store.Store) (err error) {
		again, err = s.CreateBuild(t.Context(), f.Demo.ID, storetest.Alice, n)
		return err
	}, collecting(f, &taken))
	require.NoError(t, uploaded)
	require.NoError(t, collected)
	require.Zero(t, taken.Blobs)
	require.Zero(t, taken.Pending)
	require.Equal(t, []int64{2}, storetest.Query[int64](f,
		"SELECT count(*) FROM blobs JOIN build_assets USING (project_id, md5) WHERE build_id = $1", again.ID))
	storetest.RequireInvariants(f)
}

func TestAnUploadKeepsItsContentsFromCollection(t *testing.T) {
	t.Parallel()

	t.Run("while it stores them", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		b := f.MustBuild("again")
		require.NoError(t, f.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, b.ID))
		hold := hold(f, b.Assets[0].MD5, b.Assets[1].MD5)
		require.Len(t, hold.Known, 2, "so the upload does not store them")
		require.Zero(t, storetest.CollectGarbage(f).Blobs)
		n := storetest.NewBuild(models.IOS, "again")
		n.HoldID = hold.ID
		_, err := f.CreateBuild(t.Context(), f.Demo.ID, storetest.Alice, n)
		require.NoError(t, err)
		require.Zero(t, storetest.CollectGarbage(f).Blobs)
		_, err = f.CreateBuild(t.Context(), f.Demo.ID, storetest.Alice, n)
		storetest.RequireCode(t, models.CodeUnavailable, err)
	})

	t.Run("when they are given up already", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		b := f.MustBuild("again")
		require.NoError(t, f.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, b.ID))
		require.EqualValues(t, 2, storetest.CollectGarbage(f).Blobs)
		hold := hold(f, storetest.BundleOf(b).MD5)
		require.Empty(t, hold.Known, "so the upload stores them")
		require.Len(t, sweep(f), 1, "files that the upload needs stay")
	})

	t.Run("by waiting for the one that is being removed", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		b := f.MustBuild("again")
		require.NoError(t, f.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, b.ID))
		storetest.CollectGarbage(f)
		removing, goOn := make(chan struct{}), make(chan struct{})
		var once sync.Once
		swept := make(chan error, 1)
		go func() {
			_, err := f.RemoveBlobs(context.WithoutCancel(t.Context()), f.Demo.ID, func(context.Context, string) error {
				once.Do(func() { close(removing) })
				<-goOn
				return nil
			})
			swept <- err
		}()
		<-removing
		held := make(chan struct{})
		var hold models.BlobHold
		var err error
		go func() {
			defer close(held)
			hold, err = f.HoldBlobs(context.WithoutCancel(t.Context()), f.Demo.ID, []string{storetest.BundleOf(b).MD5})
		}()
		storetest.AwaitLock(f, held)
		select {
		case <-held:
			require.Fail(t, "the upload did not wait")
		default:
		}
		_, publishing := f.UpdateSettings(t.Context(), f.Demo.ID, storetest.Alice, models.SettingsPatch{})
		require.NoError(t, publishing, "others do not wait for the asset bucket")
		close(goOn)
		require.NoError(t, <-swept)
		<-held
		require.NoError(t, err)
		require.Empty(t, hold.Known)
	})

	t.Run("unless it took too long", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		n := storetest.NewBuild(models.IOS, "slow")
		n.HoldID = hold(f, n.Assets[0].MD5, n.Assets[1].MD5).ID
		require.Zero(t, storetest.CollectGarbage(f).Pending)
		f.MustExec("UPDATE blob_holds SET expires_at = now()")
		_, err := f.CreateBuild(t.Context(), f.Demo.ID, storetest.Alice, n)
		storetest.RequireCode(t, models.CodeUnavailable, err)
		require.EqualValues(t, 2, storetest.CollectGarbage(f).Pending, "files that it left in the asset bucket are deleted")
		require.Len(t, sweep(f), 2)
		require.Zero(t, storetest.CollectGarbage(f).Pending)
	})

	t.Run("and what another build has stays when an upload fails", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		b := f.MustBuild("kept")
		hold(f, storetest.BundleOf(b).MD5)
		f.MustExec("UPDATE blob_holds SET expires_at = now()")
		require.Zero(t, storetest.CollectGarbage(f).Pending)
	})
}

func TestRemoveBlobsCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	b := f.MustBuild("gone")
	require.NoError(t, f.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, b.ID))
	storetest.CollectGarbage(f)
	away := errors.New("the bucket is away")
	_, err := f.RemoveBlobs(t.Context(), f.Demo.ID, func(context.Context, string) error { return away })
	require.ErrorIs(t, err, away)
	require.EqualValues(t, 2, storetest.CollectGarbage(f).Pending)
	require.Len(t, sweep(f), 2)
}

func TestSettings(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	s, err := f.Settings(t.Context(), f.Demo.ID)
	require.NoError(t, err)
	require.Equal(t, models.DefaultBuildRetentionDays, *s.BuildRetentionDays)
	patch := models.SettingsPatch{BuildRetentionDays: models.Nullable[int]{Set: true, Value: new(30)}}
	f.RequireBumped(false, func() { s, err = f.UpdateSettings(t.Context(), f.Demo.ID, storetest.Alice, patch) })
	require.NoError(t, err)
	require.Equal(t, 30, *s.BuildRetentionDays)
	entry := f.Audited(1)[0]
	require.Equal(t, "project.updated", entry.Action)
	require.Equal(t, map[string]any{"before": 90.0, "after": 30.0}, entry.Details["buildRetentionDays"])
	patch.BuildRetentionDays.Value = new(0)
	_, err = f.UpdateSettings(t.Context(), f.Demo.ID, storetest.Alice, patch)
	storetest.RequireField(t, "buildRetentionDays", err)
	require.Equal(t, models.DefaultBuildRetentionDays, *f.NewProject("other").BuildRetentionDays)
}
