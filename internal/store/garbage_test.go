package store_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/models"
)

// age makes a build old and returns it.
func (f *fixture) age(b models.Build, days int) models.Build {
	f.t.Helper()
	f.exec("UPDATE builds SET created_at = now() - make_interval(days => $1) WHERE id = $2", days, b.ID)
	return b
}

// deletedFor publishes the build and deletes the release so many days ago.
func (f *fixture) deletedFor(b models.Build, days int) models.Release {
	f.t.Helper()
	r := f.publish(func(p *models.Publish) { p.BuildID = b.ID })
	require.NoError(f.t, f.DeleteRelease(f.t.Context(), f.project.ID, alice, r.ID))
	f.exec("UPDATE releases SET deleted_at = now() - make_interval(days => $1) WHERE id = $2", days, r.ID)
	return r
}

func (f *fixture) collect(idle ...string) models.Garbage {
	f.t.Helper()
	preview, err := f.Garbage(f.t.Context(), f.project.ID, idle)
	require.NoError(f.t, err)
	g, err := f.CollectGarbage(f.t.Context(), f.project.ID, alice, idle)
	require.NoError(f.t, err)
	require.Equal(f.t, buildNumbers(preview.Builds), buildNumbers(g.Builds), "the preview told the truth")
	require.Equal(f.t, preview.Blobs, g.Blobs)
	require.Equal(f.t, preview.Bytes, g.Bytes)
	return g
}

func buildNumbers(builds []models.Build) []int64 {
	ids := []int64{}
	for _, b := range builds {
		ids = append(ids, b.ID)
	}
	return ids
}

// sweep removes what was given up and returns it.
func (f *fixture) sweep() (md5s []string) {
	f.t.Helper()
	var mu sync.Mutex
	_, err := f.RemoveBlobs(f.t.Context(), f.project.ID, func(_ context.Context, md5 string) error {
		mu.Lock()
		defer mu.Unlock()
		md5s = append(md5s, md5)
		return nil
	})
	require.NoError(f.t, err)
	slices.Sort(md5s)
	return md5s
}

func (f *fixture) hold(md5s ...string) models.BlobHold {
	f.t.Helper()
	hold, err := f.HoldBlobs(f.t.Context(), f.project.ID, md5s)
	require.NoError(f.t, err)
	return hold
}

func bundleOf(b models.Build) models.BuildAsset {
	return b.Assets[slices.IndexFunc(b.Assets, func(a models.BuildAsset) bool { return a.IsLaunchAsset })]
}

func TestCollectGarbage(t *testing.T) {
	t.Parallel()

	t.Run("takes old builds that nobody needs, with the contents that only they have", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		unused := f.age(f.build("unused"), 91)
		long := f.age(f.build("deleted long ago"), 91)
		idle := f.deletedFor(long, 91)
		f.age(f.build("young enough"), 89)
		lately := f.age(f.build("deleted lately"), 200)
		f.deletedFor(lately, 89)
		run := f.age(f.build("still run"), 200)
		running := f.deletedFor(run, 150)
		live := f.age(f.build("live"), 400)
		f.publish(func(p *models.Publish) { p.BuildID = live.ID })
		disabledOne := f.age(f.build("disabled"), 400)
		f.publish(func(p *models.Publish) { p.BuildID = disabledOne.ID }, disabled)

		candidates, err := f.GarbageCandidates(t.Context(), f.project.ID)
		require.NoError(t, err)
		require.ElementsMatch(t, []string{idle.UpdateUUID.String(), running.UpdateUUID.String()}, candidates)
		g := f.collect(idle.UpdateUUID.String())
		require.Equal(t, []int64{unused.ID, long.ID}, buildNumbers(g.Builds))
		require.EqualValues(t, 2, g.Blobs, "the logo is of other builds, too")
		require.EqualValues(t, 200, g.Bytes)
		want := []string{bundleOf(unused).MD5, bundleOf(long).MD5}
		slices.Sort(want)
		require.Equal(t, want, f.sweep())
		require.Empty(t, f.sweep())

		entries := f.audited(3)
		require.Equal(t, "build.deleted", entries[0].Action)
		require.Equal(t, "build.deleted", entries[1].Action)
		require.Equal(t, "gc.run", entries[2].Action)
		_, err = f.Build(t.Context(), f.project.ID, unused.ID)
		requireCode(t, models.CodeNotFound, err)
		require.Empty(t, f.collect(idle.UpdateUUID.String()).Builds)
		require.Equal(t, "gc.run", f.audited(1)[0].Action, "a collection of nothing is no change")
	})

	t.Run("takes contents that no build has at once", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		b := f.build("gone")
		require.NoError(t, f.DeleteBuild(t.Context(), f.project.ID, alice, b.ID))
		require.EqualValues(t, 2, f.collect().Blobs)
		require.Len(t, f.sweep(), 2)
		require.Equal(t, 2, f.build("gone").NewAssetCount)
	})

	t.Run("goes by the project's retention", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		b := f.age(f.build("a"), 3000)
		set := func(days *int) {
			_, err := f.UpdateSettings(t.Context(), f.project.ID, alice, models.SettingsPatch{BuildRetentionDays: models.Nullable[int]{Set: true, Value: days}})
			require.NoError(t, err)
		}
		set(nil)
		require.Empty(t, f.collect().Builds)
		set(new(3001))
		require.Empty(t, f.collect().Builds)
		set(new(7))
		require.Equal(t, []int64{b.ID}, buildNumbers(f.collect().Builds))
	})

	t.Run("leaves what nobody was asked about", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		b := f.age(f.build("a"), 3000)
		first, second := f.deletedFor(b, 91), f.deletedFor(b, 91)
		require.Empty(t, f.collect().Builds)
		require.Empty(t, f.collect(first.UpdateUUID.String()).Builds, "a device may run the other one")
		require.Equal(t, []int64{b.ID}, buildNumbers(f.collect(first.UpdateUUID.String(), second.UpdateUUID.String()).Builds))
	})

	t.Run("serves the files of what it takes no longer", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.age(f.build("a"), 3000)
		f.requireBumped(true, func() { require.Len(t, f.collect().Builds, 1) })
	})

	t.Run("leaves other projects alone", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		b := f.age(f.build("a"), 3000)
		other := f.newProject("other")
		g, err := f.CollectGarbage(t.Context(), other.ID, alice, nil)
		require.NoError(t, err)
		require.Empty(t, g.Builds)
		_, err = f.Build(t.Context(), f.project.ID, b.ID)
		require.NoError(t, err)
	})
}

// TestVariantsAndPatchesGoWithTheirContent has a bundle with variants, a patch to it,
// one from it, and one that has nothing to do with it.
func TestVariantsAndPatchesGoWithTheirContent(t *testing.T) {
	t.Parallel()
	f := setup(t)
	n := newBuild(models.IOS, "going")
	gzip, brotli := int64(50), int64(40)
	n.Contents = map[string]models.NewContent{}
	for _, a := range n.Assets {
		n.Contents[a.MD5] = models.NewContent{Compress: a.IsLaunchAsset}
	}
	going, err := f.CreateBuild(t.Context(), f.project.ID, alice, n)
	require.NoError(t, err)
	require.NoError(t, f.FinishFiles(t.Context(), f.project.ID, []models.CompressedFile{{
		MD5: bundleOf(going).MD5, SHA256: bundleOf(going).SHA256, Variants: models.BlobVariants{GzipBytes: &gzip, BrotliBytes: &brotli},
	}}))
	require.Equal(t, []int64{50, 40}, query[int64](f, "SELECT unnest(ARRAY[gzip_bytes, brotli_bytes]) FROM blobs WHERE md5 = $1", bundleOf(going).MD5))
	stays, too := f.build("stays"), f.build("stays, too")
	for i, p := range [][2]models.Build{{stays, going}, {going, stays}, {stays, too}} {
		f.exec(`INSERT INTO patches SELECT $1, $2, $3, gen_random_uuid(), NULL, 'offered', '', $4, 'x', 100, 50, 1, now(), now()`,
			f.project.ID, bundleOf(p[1]).MD5, bundleOf(p[0]).MD5, i+1)
	}
	require.NoError(t, f.DeleteBuild(t.Context(), f.project.ID, alice, going.ID))
	g := f.collect()
	require.EqualValues(t, 1, g.Blobs)
	require.EqualValues(t, 100+50+40+1+2, g.Bytes)
	var removed [][2]string
	require.NoError(t, f.RemovePatches(t.Context(), f.project.ID, func(_ context.Context, target, base string) error {
		removed = append(removed, [2]string{base, target}) // one at a time would do
		return nil
	}))
	require.Len(t, removed, 2)
	require.Equal(t, []int64{3}, query[int64](f, "SELECT size_bytes FROM patches"))
	require.Equal(t, 1, f.build("going").NewAssetCount)
	require.Equal(t, []bool{true}, query[bool](f, "SELECT gzip_bytes IS NULL FROM blobs WHERE md5 = $1", bundleOf(going).MD5), "it has none any more")
}

// atAssetsInsert is where an upload has not said what it needs but by its hold.
const atAssetsInsert = `INSERT INTO "build_assets"`

func (f *fixture) collecting(taken *models.Garbage) change {
	return func(s *store.Store) (err error) {
		*taken, err = s.CollectGarbage(f.t.Context(), f.project.ID, alice, nil)
		return err
	}
}

func TestACollectionAndAPublishAtOnce(t *testing.T) {
	t.Parallel()
	old := func(f *fixture) change {
		b := f.age(f.build("old"), 3000)
		return f.publishing(func(p *models.Publish) { p.BuildID = b.ID })
	}

	t.Run("the build that is collected cannot be published", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		publish := old(f)
		var taken models.Garbage
		collected, published := f.duel(atBuildDelete, f.collecting(&taken), publish)
		require.NoError(t, collected)
		require.Len(t, taken.Builds, 1)
		requireCode(t, models.CodeNotFound, published)
		f.requireInvariants()
	})

	t.Run("the build that is published is not collected", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		publish := old(f)
		var taken models.Garbage
		published, collected := f.duel(atReleaseInsert, publish, f.collecting(&taken))
		require.NoError(t, published)
		require.NoError(t, collected)
		require.Empty(t, taken.Builds)
		require.Zero(t, taken.Blobs)
		f.requireInvariants()
	})
}

func TestACollectionAndAnUploadAtOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	n := newBuild(models.IOS, "again")
	first := f.build("again")
	require.NoError(t, f.DeleteBuild(t.Context(), f.project.ID, alice, first.ID))
	n.HoldID = f.hold(n.Assets[0].MD5, n.Assets[1].MD5).ID
	var again models.Build
	var taken models.Garbage
	uploaded, collected := f.duel(atAssetsInsert, func(s *store.Store) (err error) {
		again, err = s.CreateBuild(t.Context(), f.project.ID, alice, n)
		return err
	}, f.collecting(&taken))
	require.NoError(t, uploaded)
	require.NoError(t, collected)
	require.Zero(t, taken.Blobs)
	require.Zero(t, taken.Pending)
	require.Equal(t, []int64{2}, query[int64](f, "SELECT count(*) FROM blobs JOIN build_assets USING (project_id, md5) WHERE build_id = $1", again.ID))
	f.requireInvariants()
}

func TestAnUploadKeepsItsContentsFromCollection(t *testing.T) {
	t.Parallel()

	t.Run("while it stores them", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		b := f.build("again")
		require.NoError(t, f.DeleteBuild(t.Context(), f.project.ID, alice, b.ID))
		hold := f.hold(b.Assets[0].MD5, b.Assets[1].MD5)
		require.Len(t, hold.Known, 2, "so it does not store them")
		require.Zero(t, f.collect().Blobs)
		n := newBuild(models.IOS, "again")
		n.HoldID = hold.ID
		_, err := f.CreateBuild(t.Context(), f.project.ID, alice, n)
		require.NoError(t, err)
		require.Zero(t, f.collect().Blobs)
		_, err = f.CreateBuild(t.Context(), f.project.ID, alice, n)
		requireCode(t, models.CodeUnavailable, err)
	})

	t.Run("when they are given up already", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		b := f.build("again")
		require.NoError(t, f.DeleteBuild(t.Context(), f.project.ID, alice, b.ID))
		require.EqualValues(t, 2, f.collect().Blobs)
		hold := f.hold(bundleOf(b).MD5)
		require.Empty(t, hold.Known, "so it stores them")
		require.Len(t, f.sweep(), 1, "what it needs stays")
	})

	t.Run("by waiting for the one that is being removed", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		b := f.build("again")
		require.NoError(t, f.DeleteBuild(t.Context(), f.project.ID, alice, b.ID))
		f.collect()
		removing, goOn := make(chan struct{}), make(chan struct{})
		var once sync.Once
		swept := make(chan error, 1)
		go func() {
			_, err := f.RemoveBlobs(context.WithoutCancel(t.Context()), f.project.ID, func(context.Context, string) error {
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
			hold, err = f.HoldBlobs(context.WithoutCancel(t.Context()), f.project.ID, []string{bundleOf(b).MD5})
		}()
		f.awaitLock(held)
		select {
		case <-held:
			require.Fail(t, "the upload did not wait")
		default:
		}
		_, publishing := f.UpdateSettings(t.Context(), f.project.ID, alice, models.SettingsPatch{})
		require.NoError(t, publishing, "nobody else waits for the asset store")
		close(goOn)
		require.NoError(t, <-swept)
		<-held
		require.NoError(t, err)
		require.Empty(t, hold.Known)
	})

	t.Run("unless it took too long", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		n := newBuild(models.IOS, "slow")
		n.HoldID = f.hold(n.Assets[0].MD5, n.Assets[1].MD5).ID
		require.Zero(t, f.collect().Pending)
		f.exec("UPDATE blob_holds SET expires_at = now()")
		_, err := f.CreateBuild(t.Context(), f.project.ID, alice, n)
		requireCode(t, models.CodeUnavailable, err)
		require.EqualValues(t, 2, f.collect().Pending, "what it left in the asset store goes")
		require.Len(t, f.sweep(), 2)
		require.Zero(t, f.collect().Pending)
	})

	t.Run("and what another build has stays when an upload fails", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		b := f.build("kept")
		f.hold(bundleOf(b).MD5)
		f.exec("UPDATE blob_holds SET expires_at = now()")
		require.Zero(t, f.collect().Pending)
	})
}

func TestRemoveBlobsCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	f := setup(t)
	b := f.build("gone")
	require.NoError(t, f.DeleteBuild(t.Context(), f.project.ID, alice, b.ID))
	f.collect()
	away := errors.New("the bucket is away")
	_, err := f.RemoveBlobs(t.Context(), f.project.ID, func(context.Context, string) error { return away })
	require.ErrorIs(t, err, away)
	require.EqualValues(t, 2, f.collect().Pending)
	require.Len(t, f.sweep(), 2)
}

func TestSettings(t *testing.T) {
	t.Parallel()
	f := setup(t)
	s, err := f.Settings(t.Context(), f.project.ID)
	require.NoError(t, err)
	require.Equal(t, models.DefaultBuildRetentionDays, *s.BuildRetentionDays)
	patch := models.SettingsPatch{BuildRetentionDays: models.Nullable[int]{Set: true, Value: new(30)}}
	f.requireBumped(false, func() { s, err = f.UpdateSettings(t.Context(), f.project.ID, alice, patch) })
	require.NoError(t, err)
	require.Equal(t, 30, *s.BuildRetentionDays)
	entry := f.audited(1)[0]
	require.Equal(t, "project.updated", entry.Action)
	require.Equal(t, map[string]any{"before": 90.0, "after": 30.0}, entry.Details["buildRetentionDays"])
	patch.BuildRetentionDays.Value = new(0)
	_, err = f.UpdateSettings(t.Context(), f.project.ID, alice, patch)
	requireField(t, "buildRetentionDays", err)
	require.Equal(t, models.DefaultBuildRetentionDays, *f.newProject("other").BuildRetentionDays)
}
