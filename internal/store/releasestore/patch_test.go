package releasestore_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

const embeddedID = "0b7c1a52-5b0e-4c39-9a53-0d5a3a5f7d10"

// embedded uploads the embedded update of a binary.
func embedded(f *storetest.Fixture, content, id string) (models.Build, error) {
	f.T.Helper()
	n := storetest.NewBuild(models.IOS, content)
	n.EmbeddedUpdateID = id
	return f.CreateBuild(f.T.Context(), f.Demo.ID, storetest.Alice, n)
}

func candidates(f *storetest.Fixture, r models.Release) models.PatchCandidates {
	f.T.Helper()
	c, err := f.PatchCandidates(f.T.Context(), f.Demo.ID, r.ID)
	require.NoError(f.T, err)
	return c
}

// plan plans patches to the release's bundle from the bundles of the bases.
func plan(f *storetest.Fixture, target models.Release, bases ...models.PatchBase) []models.PatchJob {
	f.T.Helper()
	jobs, err := f.BeginPatches(f.T.Context(), f.Demo.ID, candidates(f, target).TargetMD5, bases)
	require.NoError(f.T, err)
	return jobs
}

func finish(f *storetest.Fixture, j models.PatchJob, o models.PatchOutcome) {
	f.T.Helper()
	require.NoError(f.T, f.FinishPatch(f.T.Context(), j, o))
}

func patches(f *storetest.Fixture, r models.Release) []models.Patch {
	f.T.Helper()
	patches, err := f.ReleasePatches(f.T.Context(), f.Demo.ID, r.ID)
	require.NoError(f.T, err)
	return patches
}

func offeredPatches(f *storetest.Fixture) []models.OfferedPatch {
	f.T.Helper()
	s, err := f.Snapshot(f.T.Context(), f.Demo.ID)
	require.NoError(f.T, err)
	return s.Patches
}

var offered = models.PatchOutcome{Status: models.PatchOffered, SizeBytes: 12, SHA256: "s", DurationMillis: 34}

func publishBuild(b models.Build) func(*models.Publish) {
	return func(p *models.Publish) { p.BuildID = b.ID }
}

func TestEveryPublishHasItsPatchesMade(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	r := f.MustPublish()
	again, err := f.Republish(t.Context(), f.Demo.ID, storetest.Alice, r.ID, models.Republish{})
	require.NoError(t, err)
	_, err = f.Rollback(t.Context(), f.Demo.ID, storetest.Alice, models.Rollback{Channel: "production", Platform: models.IOS,
		RuntimeVersion: "1.0.0"})
	require.NoError(t, err)
	_, err = f.Publish(t.Context(), f.Demo.ID, storetest.Alice, models.Publish{BuildID: 1, Channel: "production"})
	require.Error(t, err)

	asked := storetest.Query[string](f, "SELECT payload->>'workflowId' FROM outbox WHERE kind = $1 ORDER BY id",
		string(models.OutboxPatchesBuild))
	require.Equal(t, []string{storetest.PatchesWorkflow(r), storetest.PatchesWorkflow(again.Updates[0])}, asked,
		"neither for the rollback to the embedded update nor for the failed publish")
	require.Equal(t, []int64{r.ID}, storetest.Query[int64](f,
		"SELECT (payload->>'releaseId')::bigint FROM outbox WHERE kind = $1 ORDER BY id LIMIT 1", string(models.OutboxPatchesBuild)))
}

func TestPatchCandidates(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	oldest := f.MustPublish()
	off := f.MustPublish(storetest.Disabled)
	elsewhere := f.MustPublish(func(p *models.Publish) { p.Channel = "staging" })
	deleted := f.MustPublish()
	require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, deleted.ID))
	f.MustPublish(publishBuild(f.MustBuildFor(models.Android, "other platform")))
	binary, err := embedded(f, "binary", embeddedID)
	require.NoError(t, err)
	bundle := f.MustBuild("target")
	target := f.MustPublish(publishBuild(bundle))

	c := candidates(f, target)
	require.Equal(t, storetest.BundleOf(bundle).MD5, c.TargetMD5)
	require.Equal(t, []models.PatchBase{{UpdateUUID: uuid.MustParse(embeddedID), MD5: storetest.BundleOf(binary).MD5}}, c.Embedded)
	found := map[int64]bool{}
	order := []int64{}
	for _, b := range c.Releases {
		order = append(order, *b.ReleaseID)
		found[*b.ReleaseID] = b.OnBranch
	}
	require.Equal(t, []int64{deleted.ID, elsewhere.ID, off.ID, oldest.ID}, order, "newest first")
	require.Equal(t, map[int64]bool{deleted.ID: false, elsewhere.ID: false, off.ID: false, oldest.ID: true}, found)
	require.Equal(t, oldest.UpdateUUID, c.Releases[3].UpdateUUID)

	_, err = f.PatchCandidates(t.Context(), f.Demo.ID, deleted.ID)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	_, err = f.PatchCandidates(t.Context(), f.NewProject("other").ID, target.ID)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}

func TestPatches(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	first, second := f.MustPublish(), f.MustPublish()
	bases := candidates(f, second).Releases
	require.Len(t, bases, 1)

	jobs := plan(f, second, bases...)
	require.Len(t, jobs, 1)
	require.Equal(t, bases[0].MD5, jobs[0].BaseMD5)
	require.Equal(t, []int64{100, 100, 100}, []int64{jobs[0].TargetBytes, jobs[0].BaseBytes, jobs[0].CompressedBytes})
	require.NotEmpty(t, jobs[0].BaseSHA256)
	require.NotEqual(t, jobs[0].BaseSHA256, jobs[0].TargetSHA256)
	require.Equal(t, jobs, plan(f, second, bases...), "it is planned again and still pending")
	pending := patches(f, second)
	require.Len(t, pending, 1)
	require.Equal(t, models.PatchPending, pending[0].Status)
	require.Equal(t, first.ID, *pending[0].BaseReleaseID)
	require.Empty(t, offeredPatches(f))

	f.RequireBumped(true, func() { finish(f, jobs[0], offered) })
	f.RequireBumped(false, func() { finish(f, jobs[0], models.PatchOutcome{Status: models.PatchSkipped, Reason: "late"}) })
	made := patches(f, second)[0]
	require.Equal(t, models.PatchOffered, made.Status)
	require.Equal(t, []int64{12, 100, 100, 34}, []int64{made.SizeBytes, made.FullBytes, made.CompressedBytes, made.DurationMillis})
	require.Empty(t, plan(f, second, bases...), "the patch exists")
	require.Equal(t, []models.OfferedPatch{{
		TargetMD5: jobs[0].TargetMD5, BaseMD5: jobs[0].BaseMD5, SizeBytes: 12, BaseUpdate: first.UpdateUUID,
	}}, offeredPatches(f))
	require.Empty(t, patches(f, first))
	require.Empty(t, plan(f, second, models.PatchBase{MD5: jobs[0].TargetMD5}, models.PatchBase{MD5: "none"}),
		"neither the target itself nor a missing file")
}

func TestSkippedPatchesAreNotServed(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	f.MustPublish()
	r := f.MustPublish()
	job := plan(f, r, candidates(f, r).Releases...)[0]
	f.RequireBumped(false, func() {
		finish(f, job, models.PatchOutcome{Status: models.PatchSkipped, Reason: "too large", SizeBytes: 99})
	})
	require.Empty(t, offeredPatches(f))
	require.Equal(t, "too large", patches(f, r)[0].Reason)
	require.Empty(t, plan(f, r, candidates(f, r).Releases...), "it would be skipped again")
}

func TestPatchesAreForEveryUpdateWithTheBasesBundle(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	bundle := f.MustBuild("base")
	first := f.MustPublish(publishBuild(bundle))
	again := f.MustPublish(publishBuild(bundle))
	target := f.MustPublish()
	finish(f, plan(f, target, candidates(f, target).Releases...)[0], offered)
	later := f.MustPublish(func(p *models.Publish) { p.BuildID, p.Channel = bundle.ID, "staging" })
	_, err := embedded(f, "base", embeddedID)
	require.NoError(t, err)

	running := []string{}
	for _, p := range offeredPatches(f) {
		running = append(running, p.BaseUpdate.String())
	}
	require.ElementsMatch(t, []string{
		first.UpdateUUID.String(), again.UpdateUUID.String(), later.UpdateUUID.String(), embeddedID,
	}, running)

	// A release that is no longer served does not need a patch.
	f.MustPublish()
	require.Empty(t, offeredPatches(f))
}

func TestEmbeddedBuilds(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	android := f.MustPublish(publishBuild(f.MustBuildFor(models.Android, "a")))
	older, newest := f.MustPublish(), f.MustPublish()
	staging := f.MustPublish(func(p *models.Publish) { p.Channel = "staging" })
	f.MustExec("DELETE FROM outbox")

	var b models.Build
	f.RequireBumped(true, func() {
		var err error
		b, err = embedded(f, "binary", embeddedID)
		require.NoError(t, err)
	})
	require.Equal(t, embeddedID, b.EmbeddedUpdateID.String())
	require.Equal(t, embeddedID, f.Audited(1)[0].Details["embeddedUpdateId"])
	asked := storetest.Query[string](f, "SELECT payload->>'workflowId' FROM outbox WHERE kind = $1 ORDER BY id",
		string(models.OutboxPatchesBuild))
	suffix := fmt.Sprintf("/%d", b.ID)
	require.ElementsMatch(t, []string{storetest.PatchesWorkflow(newest) + suffix, storetest.PatchesWorkflow(staging) + suffix}, asked,
		"releases that devices are served, but neither %d nor %d of another platform", older.ID, android.ID)

	_, err := embedded(f, "another", embeddedID)
	require.Equal(t, models.CodeAlreadyExists, models.CodeOf(err), "an ID names one embedded update")
	_, err = embedded(f, "another", "nonsense")
	require.Equal(t, models.CodeInvalid, models.CodeOf(err))
	_, err = f.Publish(t.Context(), f.Demo.ID, storetest.Alice, models.Publish{BuildID: b.ID, Channel: "production"})
	require.Equal(t, models.CodeInvalidTransition, models.CodeOf(err))
}

func TestGarbageAndPatches(t *testing.T) {
	t.Parallel()

	removed := func(f *storetest.Fixture) (names []string) {
		require.NoError(f.T, f.RemovePatches(f.T.Context(), f.Demo.ID, func(_ context.Context, target, base string) error {
			names = append(names, target+"-"+base)
			return nil
		}))
		return names
	}

	t.Run("a patch goes with its base", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		bundle := f.MustBuild("base")
		base := storetest.DeletedFor(f, storetest.MakeOld(f, bundle, 200), 100)
		target := f.MustPublish()
		skipped := storetest.DeletedFor(f, storetest.MakeOld(f, f.MustBuild("skipped"), 200), 100)
		jobs := plan(f, target, candidates(f, target).Releases...)
		require.Len(t, jobs, 2)
		for _, j := range jobs {
			if j.BaseMD5 == storetest.BundleOf(bundle).MD5 {
				finish(f, j, offered)
			} else {
				finish(f, j, models.PatchOutcome{Status: models.PatchSkipped, Reason: "no"})
			}
		}
		require.Empty(t, removed(f))
		require.Empty(t, storetest.CollectGarbage(f).Builds, "devices run them")
		require.Len(t, patches(f, target), 2)
		require.Len(t, storetest.CollectGarbage(f, base.UpdateUUID.String(), skipped.UpdateUUID.String()).Builds, 2)
		require.Empty(t, patches(f, target))
		require.Empty(t, offeredPatches(f))
		require.Equal(t, []string{jobs[0].TargetMD5 + "-" + storetest.BundleOf(bundle).MD5}, removed(f), "a skipped patch has no object")
		require.Empty(t, removed(f))
	})

	t.Run("a patch whose base is deleted while it is being created is removed", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		base := storetest.DeletedFor(f, storetest.MakeOld(f, f.MustBuild("base"), 200), 100)
		target := f.MustPublish()
		job := plan(f, target, candidates(f, target).Releases...)[0]
		require.Len(t, storetest.CollectGarbage(f, base.UpdateUUID.String()).Builds, 1)
		require.Len(t, removed(f), 1, "it may already be stored")
		err := f.FinishPatch(t.Context(), job, offered)
		require.Equal(t, models.CodeNotFound, models.CodeOf(err))
		require.Len(t, removed(f), 1)
	})

	t.Run("a patch that is planned again is not removed", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		base := storetest.DeletedFor(f, storetest.MakeOld(f, f.MustBuild("base"), 200), 100)
		target := f.MustPublish()
		plan(f, target, candidates(f, target).Releases...)
		require.Len(t, storetest.CollectGarbage(f, base.UpdateUUID.String()).Builds, 1)
		f.MustPublish(publishBuild(f.MustBuild("base")))
		require.Len(t, plan(f, target, candidates(f, target).Releases...), 1)
		require.Empty(t, removed(f))
	})

	t.Run("the bundle of a binary stays while there are releases for it", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		b, err := embedded(f, "binary", embeddedID)
		require.NoError(t, err)
		f.MustExec("UPDATE projects SET build_retention_days = 1")
		storetest.MakeOld(f, b, 89)
		require.Empty(t, storetest.CollectGarbage(f).Builds, "a binary is installed long after it was built")
		storetest.MakeOld(f, b, 91)
		r := f.MustPublish()
		require.Empty(t, storetest.CollectGarbage(f).Builds)
		require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, r.ID))
		require.Equal(t, []int64{b.ID}, slices.DeleteFunc(storetest.BuildNumbers(storetest.CollectGarbage(f).Builds),
			func(id int64) bool { return id == *r.BuildID }))
	})
}

func TestDeletingAProjectDeletesItsPatches(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	f.MustPublish()
	r := f.MustPublish()
	finish(f, plan(f, r, candidates(f, r).Releases...)[0], offered)
	require.NoError(t, f.DeleteProject(t.Context(), storetest.Alice, "demo"))
	require.Equal(t, []int64{0}, storetest.Query[int64](f, "SELECT count(*) FROM patches"))
	require.Equal(t, []int64{0}, storetest.Query[int64](f, "SELECT count(*) FROM patch_removals"))
}
