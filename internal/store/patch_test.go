package store_test

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

const embeddedID = "0b7c1a52-5b0e-4c39-9a53-0d5a3a5f7d10"

// embedded uploads the bundle of a binary.
func (f *fixture) embedded(content, id string) (models.Build, error) {
	f.t.Helper()
	n := newBuild(models.IOS, content)
	n.EmbeddedUpdateID = id
	return f.CreateBuild(f.t.Context(), f.project.ID, alice, n)
}

func (f *fixture) candidates(r models.Release) models.PatchCandidates {
	f.t.Helper()
	c, err := f.PatchCandidates(f.t.Context(), f.project.ID, r.ID)
	require.NoError(f.t, err)
	return c
}

// plan plans patches to the release's bundle against those of the builds.
func (f *fixture) plan(target models.Release, bases ...models.PatchBase) []models.PatchJob {
	f.t.Helper()
	jobs, err := f.BeginPatches(f.t.Context(), f.project.ID, f.candidates(target).TargetMD5, bases)
	require.NoError(f.t, err)
	return jobs
}

func (f *fixture) finish(j models.PatchJob, o models.PatchOutcome) {
	f.t.Helper()
	require.NoError(f.t, f.FinishPatch(f.t.Context(), j, o))
}

func (f *fixture) patches(r models.Release) []models.Patch {
	f.t.Helper()
	patches, err := f.ReleasePatches(f.t.Context(), f.project.ID, r.ID)
	require.NoError(f.t, err)
	return patches
}

func (f *fixture) offeredPatches() []models.OfferedPatch {
	f.t.Helper()
	s, err := f.Snapshot(f.t.Context(), f.project.ID)
	require.NoError(f.t, err)
	return s.Patches
}

var offered = models.PatchOutcome{Status: models.PatchOffered, SizeBytes: 12, SHA256: "s", DurationMillis: 34}

func publishBuild(b models.Build) func(*models.Publish) {
	return func(p *models.Publish) { p.BuildID = b.ID }
}

func TestEveryPublishHasItsPatchesMade(t *testing.T) {
	t.Parallel()
	f := setup(t)
	r := f.publish()
	again, err := f.Republish(t.Context(), f.project.ID, alice, r.ID, models.Republish{})
	require.NoError(t, err)
	_, err = f.Rollback(t.Context(), f.project.ID, alice, models.Rollback{Channel: "production", Platform: models.IOS, RuntimeVersion: "1.0.0"})
	require.NoError(t, err)
	_, err = f.Publish(t.Context(), f.project.ID, alice, models.Publish{BuildID: 1, Channel: "production"})
	require.Error(t, err)

	asked := query[string](f, "SELECT payload->>'workflowId' FROM outbox WHERE kind = $1 ORDER BY id", string(models.OutboxPatchesBuild))
	require.Equal(t, []string{patchesOf(r), patchesOf(again.Updates[0])}, asked, "not the order to go back, not the publish that failed")
	require.Equal(t, []int64{r.ID}, query[int64](f, "SELECT (payload->>'releaseId')::bigint FROM outbox WHERE kind = $1 ORDER BY id LIMIT 1", string(models.OutboxPatchesBuild)))
}

func patchesOf(r models.Release) string { return "patches/demo/" + decimal(r.ID) }

func decimal(id int64) string { return strconv.FormatInt(id, 10) }

func TestPatchCandidates(t *testing.T) {
	t.Parallel()
	f := setup(t)
	oldest := f.publish()
	off := f.publish(disabled)
	elsewhere := f.publish(func(p *models.Publish) { p.Channel = "staging" })
	deleted := f.publish()
	require.NoError(t, f.DeleteRelease(t.Context(), f.project.ID, alice, deleted.ID))
	f.publish(publishBuild(f.buildFor(models.Android, "other platform")))
	binary, err := f.embedded("binary", embeddedID)
	require.NoError(t, err)
	bundle := f.build("target")
	target := f.publish(publishBuild(bundle))

	c := f.candidates(target)
	require.Equal(t, bundleOf(bundle).MD5, c.TargetMD5)
	require.Equal(t, []models.PatchBase{{UpdateUUID: uuid.MustParse(embeddedID), MD5: bundleOf(binary).MD5}}, c.Embedded)
	found := map[int64]bool{}
	order := []int64{}
	for _, b := range c.Releases {
		order = append(order, *b.ReleaseID)
		found[*b.ReleaseID] = b.OnBranch
	}
	require.Equal(t, []int64{deleted.ID, elsewhere.ID, off.ID, oldest.ID}, order, "newest first")
	require.Equal(t, map[int64]bool{deleted.ID: false, elsewhere.ID: false, off.ID: false, oldest.ID: true}, found)
	require.Equal(t, oldest.UpdateUUID, c.Releases[3].UpdateUUID)

	_, err = f.PatchCandidates(t.Context(), f.project.ID, deleted.ID)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	_, err = f.PatchCandidates(t.Context(), f.newProject("other").ID, target.ID)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}

func TestPatches(t *testing.T) {
	t.Parallel()
	f := setup(t)
	first, second := f.publish(), f.publish()
	bases := f.candidates(second).Releases
	require.Len(t, bases, 1)

	jobs := f.plan(second, bases...)
	require.Len(t, jobs, 1)
	require.Equal(t, bases[0].MD5, jobs[0].BaseMD5)
	require.Equal(t, []int64{100, 100, 100}, []int64{jobs[0].TargetBytes, jobs[0].BaseBytes, jobs[0].CompressedBytes})
	require.NotEmpty(t, jobs[0].BaseSHA256)
	require.NotEqual(t, jobs[0].BaseSHA256, jobs[0].TargetSHA256)
	require.Equal(t, jobs, f.plan(second, bases...), "planned again, it is still to be made")
	pending := f.patches(second)
	require.Len(t, pending, 1)
	require.Equal(t, models.PatchPending, pending[0].Status)
	require.Equal(t, first.ID, *pending[0].BaseReleaseID)
	require.Empty(t, f.offeredPatches())

	f.requireBumped(true, func() { f.finish(jobs[0], offered) })
	f.requireBumped(false, func() { f.finish(jobs[0], models.PatchOutcome{Status: models.PatchSkipped, Reason: "late"}) })
	made := f.patches(second)[0]
	require.Equal(t, models.PatchOffered, made.Status)
	require.Equal(t, []int64{12, 100, 100, 34}, []int64{made.SizeBytes, made.FullBytes, made.CompressedBytes, made.DurationMillis})
	require.Empty(t, f.plan(second, bases...), "it is made")
	require.Equal(t, []models.OfferedPatch{{
		TargetMD5: jobs[0].TargetMD5, BaseMD5: jobs[0].BaseMD5, SizeBytes: 12, BaseUpdate: first.UpdateUUID,
	}}, f.offeredPatches())
	require.Empty(t, f.patches(first))
	require.Empty(t, f.plan(second, models.PatchBase{MD5: jobs[0].TargetMD5}, models.PatchBase{MD5: "none"}), "neither the target itself nor what is not there")
}

func TestSkippedPatchesAreNotServed(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.publish()
	r := f.publish()
	job := f.plan(r, f.candidates(r).Releases...)[0]
	f.requireBumped(false, func() {
		f.finish(job, models.PatchOutcome{Status: models.PatchSkipped, Reason: "too large", SizeBytes: 99})
	})
	require.Empty(t, f.offeredPatches())
	require.Equal(t, "too large", f.patches(r)[0].Reason)
	require.Empty(t, f.plan(r, f.candidates(r).Releases...), "it would be skipped again")
}

func TestPatchesAreForEveryUpdateWithTheBasesBundle(t *testing.T) {
	t.Parallel()
	f := setup(t)
	bundle := f.build("base")
	first := f.publish(publishBuild(bundle))
	again := f.publish(publishBuild(bundle))
	target := f.publish()
	f.finish(f.plan(target, f.candidates(target).Releases...)[0], offered)
	later := f.publish(func(p *models.Publish) { p.BuildID, p.Channel = bundle.ID, "staging" })
	_, err := f.embedded("base", embeddedID)
	require.NoError(t, err)

	running := []string{}
	for _, p := range f.offeredPatches() {
		running = append(running, p.BaseUpdate.String())
	}
	require.ElementsMatch(t, []string{
		first.UpdateUUID.String(), again.UpdateUUID.String(), later.UpdateUUID.String(), embeddedID,
	}, running)

	// What is not served any more needs no patch.
	f.publish()
	require.Empty(t, f.offeredPatches())
}

func TestEmbeddedBuilds(t *testing.T) {
	t.Parallel()
	f := setup(t)
	android := f.publish(publishBuild(f.buildFor(models.Android, "a")))
	older, newest := f.publish(), f.publish()
	staging := f.publish(func(p *models.Publish) { p.Channel = "staging" })
	f.exec("DELETE FROM outbox")

	var b models.Build
	f.requireBumped(true, func() {
		var err error
		b, err = f.embedded("binary", embeddedID)
		require.NoError(t, err)
	})
	require.Equal(t, embeddedID, b.EmbeddedUpdateID.String())
	require.Equal(t, embeddedID, f.audited(1)[0].Details["embeddedUpdateId"])
	asked := query[string](f, "SELECT payload->>'workflowId' FROM outbox WHERE kind = $1 ORDER BY id", string(models.OutboxPatchesBuild))
	suffix := "/" + decimal(b.ID)
	require.ElementsMatch(t, []string{patchesOf(newest) + suffix, patchesOf(staging) + suffix}, asked,
		"what devices are served, neither %d, nor %d of another platform", older.ID, android.ID)

	_, err := f.embedded("another", embeddedID)
	require.Equal(t, models.CodeAlreadyExists, models.CodeOf(err), "an id names one update")
	_, err = f.embedded("another", "nonsense")
	require.Equal(t, models.CodeInvalid, models.CodeOf(err))
	_, err = f.Publish(t.Context(), f.project.ID, alice, models.Publish{BuildID: b.ID, Channel: "production"})
	require.Equal(t, models.CodeInvalidTransition, models.CodeOf(err))
}

func TestGarbageAndPatches(t *testing.T) {
	t.Parallel()

	removed := func(f *fixture) (names []string) {
		require.NoError(f.t, f.RemovePatches(f.t.Context(), f.project.ID, func(_ context.Context, target, base string) error {
			names = append(names, target+"-"+base)
			return nil
		}))
		return names
	}

	t.Run("a patch goes with its base", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		bundle := f.build("base")
		base := f.deletedFor(f.age(bundle, 200), 100)
		target := f.publish()
		skipped := f.deletedFor(f.age(f.build("skipped"), 200), 100)
		jobs := f.plan(target, f.candidates(target).Releases...)
		require.Len(t, jobs, 2)
		for _, j := range jobs {
			if j.BaseMD5 == bundleOf(bundle).MD5 {
				f.finish(j, offered)
			} else {
				f.finish(j, models.PatchOutcome{Status: models.PatchSkipped, Reason: "no"})
			}
		}
		require.Empty(t, removed(f))
		require.Empty(t, f.collect().Builds, "devices run them")
		require.Len(t, f.patches(target), 2)
		require.Len(t, f.collect(base.UpdateUUID.String(), skipped.UpdateUUID.String()).Builds, 2)
		require.Empty(t, f.patches(target))
		require.Empty(t, f.offeredPatches())
		require.Equal(t, []string{jobs[0].TargetMD5 + "-" + bundleOf(bundle).MD5}, removed(f), "a skipped one has no object")
		require.Empty(t, removed(f))
	})

	t.Run("one that was being made when its base went is removed", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		base := f.deletedFor(f.age(f.build("base"), 200), 100)
		target := f.publish()
		job := f.plan(target, f.candidates(target).Releases...)[0]
		require.Len(t, f.collect(base.UpdateUUID.String()).Builds, 1)
		require.Len(t, removed(f), 1, "it may be there already")
		err := f.FinishPatch(t.Context(), job, offered)
		require.Equal(t, models.CodeNotFound, models.CodeOf(err))
		require.Len(t, removed(f), 1)
	})

	t.Run("one that is planned anew is not removed", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		base := f.deletedFor(f.age(f.build("base"), 200), 100)
		target := f.publish()
		f.plan(target, f.candidates(target).Releases...)
		require.Len(t, f.collect(base.UpdateUUID.String()).Builds, 1)
		f.publish(publishBuild(f.build("base")))
		require.Len(t, f.plan(target, f.candidates(target).Releases...), 1)
		require.Empty(t, removed(f))
	})

	t.Run("the bundle of a binary stays while there are releases for it", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		b, err := f.embedded("binary", embeddedID)
		require.NoError(t, err)
		f.exec("UPDATE projects SET build_retention_days = 1")
		f.age(b, 89)
		require.Empty(t, f.collect().Builds, "a binary is installed long after it was built")
		f.age(b, 91)
		r := f.publish()
		require.Empty(t, f.collect().Builds)
		require.NoError(t, f.DeleteRelease(t.Context(), f.project.ID, alice, r.ID))
		require.Equal(t, []int64{b.ID}, slices.DeleteFunc(buildNumbers(f.collect().Builds), func(id int64) bool { return id == *r.BuildID }))
	})
}

func TestDeletingAProjectDeletesItsPatches(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.publish()
	r := f.publish()
	f.finish(f.plan(r, f.candidates(r).Releases...)[0], offered)
	require.NoError(t, f.DeleteProject(t.Context(), alice, "demo"))
	require.Equal(t, []int64{0}, query[int64](f, "SELECT count(*) FROM patches"))
	require.Equal(t, []int64{0}, query[int64](f, "SELECT count(*) FROM patch_removals"))
}
