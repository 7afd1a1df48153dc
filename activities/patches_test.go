package activities_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"github.com/waft-ota/waft/activities"
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/internal/assets/bsdiff"
	"github.com/waft-ota/waft/models"
)

// patchStore records the planned patches and the outcomes of jobs.
type patchStore struct {
	candidates models.PatchCandidates
	err        error
	begun      []models.PatchBase
	finished   []models.PatchOutcome
}

func (s *patchStore) PatchCandidates(context.Context, int64, int64) (models.PatchCandidates, error) {
	return s.candidates, s.err
}

func (s *patchStore) BeginPatches(_ context.Context, _ int64, target string, bases []models.PatchBase) ([]models.PatchJob, error) {
	s.begun = bases
	jobs := make([]models.PatchJob, len(bases))
	for i, b := range bases {
		jobs[i] = models.PatchJob{TargetMD5: target, BaseMD5: b.MD5}
	}
	return jobs, s.err
}

func (s *patchStore) FinishPatch(_ context.Context, _ models.PatchJob, o models.PatchOutcome) error {
	s.finished = append(s.finished, o)
	return s.err
}

// devices contains the updates that devices run, and the error of telemetry.
type devices struct {
	updates []string
	err     error
}

func (d devices) SeenUpdates(_ context.Context, _ int64, of []string, _ time.Time) ([]string, error) {
	return slices.DeleteFunc(slices.Clone(of), func(u string) bool { return !slices.Contains(d.updates, u) }), d.err
}

// bench runs the activities of patches with a bucket of local files.
type bench struct {
	t      *testing.T
	store  *patchStore
	bucket *assets.Bucket
	env    *testsuite.TestActivityEnvironment
}

func newBench(t *testing.T, d devices) *bench {
	t.Helper()
	bucket, err := assets.Open(t.Context(), "file://"+filepath.Join(t.TempDir(), "assets"), filepath.Join(t.TempDir(), "staging"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, bucket.Close()) })
	b := &bench{t: t, store: &patchStore{}, bucket: bucket, env: (&testsuite.WorkflowTestSuite{}).NewTestActivityEnvironment()}
	a := &activities.Activities{Patches: b.store, Running: d, Files: bucket, PatchBases: 2}
	b.env.RegisterActivity(a.PlanPatches)
	b.env.RegisterActivity(a.MakePatch)
	b.env.RegisterActivity(a.GiveUpPatch)
	return b
}

// keep puts a file into the bucket and returns its MD5 and SHA-256.
func (b *bench) keep(content []byte) (name, sum string) {
	b.t.Helper()
	staged, err := b.bucket.Stage(b.t.Context(), bytes.NewReader(content), 1<<30)
	require.NoError(b.t, err)
	require.NoError(b.t, staged.Keep(b.t.Context(), 7, "application/javascript"))
	require.NoError(b.t, staged.Discard())
	return md5Of(content), sha256Of(content)
}

func md5Of(content []byte) string {
	sum := md5.Sum(content)
	return hex.EncodeToString(sum[:])
}

func sha256Of(content []byte) string {
	sum := sha256.Sum256(content)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func (b *bench) job(base, target []byte) models.PatchJob {
	j := models.PatchJob{ProjectID: 7, TargetBytes: int64(len(target)), BaseBytes: int64(len(base)), CompressedBytes: int64(len(target))}
	j.BaseMD5, j.BaseSHA256 = b.keep(base)
	j.TargetMD5, j.TargetSHA256 = b.keep(target)
	return j
}

func (b *bench) make(j models.PatchJob) (o models.PatchOutcome, err error) {
	b.t.Helper()
	value, err := b.env.ExecuteActivity("MakePatch", j)
	if err == nil {
		require.NoError(b.t, value.Get(&o))
	}
	return o, err
}

func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	text := make([]byte, n)
	for i := range text {
		text[i] = byte(r.Uint32())
	}
	return text
}

func TestMakePatch(t *testing.T) {
	t.Parallel()
	b := newBench(t, devices{})
	base := noise(1, 50000)
	target := slices.Concat(base[:20000], []byte("something new"), base[20000:])
	j := b.job(base, target)
	o, err := b.make(j)
	require.NoError(t, err)
	require.Equal(t, models.PatchOffered, o.Status)
	require.Less(t, o.SizeBytes, int64(500))
	require.Equal(t, []models.PatchOutcome{o}, b.store.finished)

	file, err := b.bucket.OpenPatch(t.Context(), 7, j.TargetMD5, j.BaseMD5)
	require.NoError(t, err)
	defer file.Close()
	patch, err := io.ReadAll(file)
	require.NoError(t, err)
	require.Len(t, patch, int(o.SizeBytes))
	require.Equal(t, sha256Of(patch), o.SHA256)
	made, err := bsdiff.Apply(t.Context(), base, patch, int64(len(target)))
	require.NoError(t, err)
	require.Equal(t, target, made)
}

func TestAPatchThatSavesLittleIsSkipped(t *testing.T) {
	t.Parallel()
	b := newBench(t, devices{})
	j := b.job(noise(1, 5000), noise(2, 5000))
	o, err := b.make(j)
	require.NoError(t, err)
	require.Equal(t, models.PatchSkipped, o.Status)
	require.Contains(t, o.Reason, "more than 70% of the 5000")
	require.Greater(t, o.SizeBytes, int64(5000))
	_, err = b.bucket.OpenPatch(t.Context(), 7, j.TargetMD5, j.BaseMD5)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}

func TestLargeBundlesAreSkippedWithoutBeingRead(t *testing.T) {
	t.Parallel()
	b := newBench(t, devices{})
	o, err := b.make(models.PatchJob{ProjectID: 7, BaseMD5: "not there", TargetBytes: bsdiff.MaxBytes + 1})
	require.NoError(t, err)
	require.Equal(t, models.PatchSkipped, o.Status)
	require.Contains(t, o.Reason, "the limit is 33554432")
}

func TestMakePatchOffersNothingOfDamagedFiles(t *testing.T) {
	t.Parallel()
	b := newBench(t, devices{})
	base := noise(1, 5000)
	j := b.job(base, append(slices.Clone(base), "more"...))

	damaged := j
	damaged.TargetSHA256 = sha256Of(base)
	_, err := b.make(damaged)
	require.ErrorContains(t, err, "has the SHA-256")
	missing := j
	missing.BaseMD5 = strings.Repeat("0", 32)
	_, err = b.make(missing)
	var app *temporal.ApplicationError
	require.ErrorAs(t, err, &app)
	require.Equal(t, string(models.CodeNotFound), app.Type())
	require.True(t, app.NonRetryable())
	cut := j
	cut.BaseBytes++
	_, err = b.make(cut)
	require.ErrorContains(t, err, "unexpected EOF")
	require.Empty(t, b.store.finished)
}

func TestGiveUpPatch(t *testing.T) {
	t.Parallel()
	b := newBench(t, devices{})
	_, err := b.env.ExecuteActivity("GiveUpPatch", models.PatchJob{}, "it could not be made")
	require.NoError(t, err)
	require.Equal(t, []models.PatchOutcome{{Status: models.PatchSkipped, Reason: "it could not be made"}}, b.store.finished)
	b.store.err = models.Errorf(models.CodeNotFound, "gone")
	_, err = b.env.ExecuteActivity("GiveUpPatch", models.PatchJob{}, "again")
	require.NoError(t, err)
}

func TestPlanPatches(t *testing.T) {
	t.Parallel()
	bases := make([]models.PatchBase, 4)
	for i := range bases {
		bases[i] = models.PatchBase{UpdateUUID: uuid.New(), MD5: string(rune('a' + i)), OnBranch: true}
	}
	for name, c := range map[string]struct {
		running devices
		wanted  []models.PatchBase
	}{
		"by what devices run":        {devices{updates: []string{bases[3].UpdateUUID.String()}}, []models.PatchBase{bases[3], bases[0]}},
		"telemetry is empty":         {devices{}, bases[:2]},
		"telemetry is unavailable":   {devices{err: errors.New("no route")}, bases[:2]},
		"telemetry breaks off early": {devices{updates: []string{bases[2].UpdateUUID.String()}, err: errors.New("timeout")}, []models.PatchBase{bases[2], bases[0]}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, c.running)
			b.store.candidates = models.PatchCandidates{TargetMD5: "t", Releases: bases}
			value, err := b.env.ExecuteActivity("PlanPatches", models.PatchBuild{ProjectID: 7, ReleaseID: 5})
			require.NoError(t, err)
			require.Equal(t, c.wanted, b.store.begun)
			var jobs []models.PatchJob
			require.NoError(t, value.Get(&jobs))
			require.Len(t, jobs, 2)
			require.Equal(t, "t", jobs[0].TargetMD5)
		})
	}
}

func TestAReleaseThatIsGoneHasNoPatches(t *testing.T) {
	t.Parallel()
	b := newBench(t, devices{})
	b.store.err = models.Errorf(models.CodeNotFound, "no such update")
	value, err := b.env.ExecuteActivity("PlanPatches", models.PatchBuild{})
	require.NoError(t, err)
	var jobs []models.PatchJob
	require.NoError(t, value.Get(&jobs))
	require.Empty(t, jobs)
	b.store.err = models.Unavailable("Postgres", os.ErrDeadlineExceeded)
	_, err = b.env.ExecuteActivity("PlanPatches", models.PatchBuild{})
	require.Error(t, err)
}
