package retention_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/internal/assets/retention"
	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

var alice = models.Actor{Type: models.ActorAPIKey, ID: "7", Name: "alice's key"}

// world is a project in a real Postgres with a folder for its files.
type world struct {
	retention.Collector
	t       *testing.T
	store   *store.Store
	bucket  *assets.Bucket
	folder  string
	project models.Project
}

func setup(t *testing.T, options ...store.Option) *world {
	t.Helper()
	s := storetest.Open(t, storetest.Database(t), options...)
	folder := t.TempDir()
	bucket, err := assets.Open(t.Context(), "file://"+folder, t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, bucket.Close()) })
	project, err := s.CreateProject(t.Context(), alice, models.NewProject{Name: "Demo", Slug: "demo"})
	require.NoError(t, err)
	return &world{
		Collector: retention.Collector{
			Store: s, Telemetry: devices{}, Bucket: bucket, Log: slog.New(slog.DiscardHandler), Now: time.Now,
		},
		t: t, store: s, bucket: bucket, folder: folder, project: project,
	}
}

// devices contains the updates that devices run, and the error of telemetry.
type devices struct {
	running map[string]bool
	away    error
}

func (d devices) SeenUpdates(_ context.Context, _ int64, updates []string, _ time.Time) (seen []string, err error) {
	for _, u := range updates {
		if d.running[u] {
			seen = append(seen, u)
		}
	}
	return seen, d.away
}

// upload does the same as the API with the files of a build.
func (w *world) upload(contents ...string) (models.Build, error) {
	return w.uploadPausing(func() {}, contents...)
}

// uploadPausing makes an upload with two pauses: after the files are held but before they are kept, and after they are
// kept but before a build refers to them.
func (w *world) uploadPausing(pause func(), contents ...string) (models.Build, error) {
	ctx := w.t.Context()
	n := models.NewBuild{Platform: models.IOS, RuntimeVersion: "1.0.0", Contents: map[string]models.NewContent{}}
	staged := map[string]*assets.Staged{}
	var md5s []string
	for i, content := range contents {
		s, err := w.bucket.Stage(ctx, strings.NewReader(content), 1<<20)
		if err != nil {
			return models.Build{}, err
		}
		defer func() { _ = s.Discard() }()
		staged[s.MD5()], md5s = s, append(md5s, s.MD5())
		n.Assets = append(n.Assets, models.BuildAsset{
			Path: fmt.Sprintf("file-%d", i), MD5: s.MD5(), SHA256: s.SHA256(), SizeBytes: s.Size(),
			ContentType: "text/plain", IsLaunchAsset: i == 0,
		})
	}
	hold, err := w.store.HoldBlobs(ctx, w.project.ID, md5s)
	if err != nil {
		return models.Build{}, err
	}
	pause()
	for md5, s := range staged {
		if _, known := hold.Known[md5]; !known {
			if err := s.Keep(ctx, w.project.ID, "text/plain"); err != nil {
				return models.Build{}, err
			}
			n.Contents[md5] = models.NewContent{Compress: assets.WorthCompressing("text/plain", s.Size())}
		}
	}
	pause()
	n.HoldID = hold.ID
	return w.store.CreateBuild(ctx, w.project.ID, alice, n)
}

// compress does the same as the worker with pending files.
func (w *world) compress() {
	w.t.Helper()
	pending, err := w.store.PendingFiles(w.t.Context(), w.project.ID)
	require.NoError(w.t, err)
	for _, f := range pending.Files {
		variants, err := w.bucket.Compress(w.t.Context(), w.project.ID, f)
		require.NoError(w.t, err)
		done := []models.CompressedFile{{MD5: f.MD5, SHA256: f.SHA256, Variants: variants}}
		require.NoError(w.t, w.store.FinishFiles(w.t.Context(), w.project.ID, done))
	}
	require.NoError(w.t, w.store.EndHold(w.t.Context(), w.project.ID, pending.HoldID))
}

// stored returns the number of bytes in the asset bucket.
func (w *world) stored() (bytes int64) {
	w.t.Helper()
	require.NoError(w.t, filepath.WalkDir(w.folder, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	}))
	return bytes
}

// requireWhole checks that every file of the build can be read.
func (w *world) requireWhole(b models.Build) {
	w.t.Helper()
	for _, a := range b.Assets {
		r, err := w.bucket.Open(w.t.Context(), w.project.ID, a.MD5)
		require.NoError(w.t, err, "a file of build %d is lost", b.ID)
		n, err := io.Copy(io.Discard, r)
		require.NoError(w.t, err)
		require.Equal(w.t, a.SizeBytes, n)
		require.NoError(w.t, r.Close())
	}
}

func TestRunRemovesWhatPreviewShows(t *testing.T) {
	t.Parallel()
	w := setup(t)
	kept, err := w.upload("bundle 1", "shared")
	require.NoError(t, err)
	bundle := strings.Repeat("bundle 2 ", 100) // which has compressed variants
	gone, err := w.upload(bundle, "shared")
	require.NoError(t, err)
	w.compress()
	stored := w.stored()
	require.NoError(t, w.store.DeleteBuild(t.Context(), w.project.ID, alice, gone.ID))
	preview, err := w.Preview(t.Context(), w.project.ID)
	require.NoError(t, err)
	require.EqualValues(t, 1, preview.Blobs)
	require.Greater(t, preview.Bytes, int64(len(bundle)), "the variants count, too")
	g, err := w.Run(t.Context(), w.project.ID, alice)
	require.NoError(t, err)
	require.Equal(t, preview, g)
	require.Zero(t, g.Pending)
	require.Equal(t, preview.Bytes, stored-w.stored(), "the space that became free is the space in the preview")
	w.requireWhole(kept)
	_, err = w.bucket.Open(t.Context(), w.project.ID, gone.Assets[0].MD5)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	again, err := w.upload(bundle, "shared")
	require.NoError(t, err)
	require.Equal(t, 1, again.NewAssetCount)
	w.requireWhole(again)
	w.compress()
	require.Equal(t, stored, w.stored())
}

func TestWhatDevicesRunStays(t *testing.T) {
	t.Parallel()
	now := time.Now()
	var mu sync.Mutex
	later := func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(d)
	}
	clock := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	w := setup(t, store.WithNow(clock))
	b, err := w.upload("bundle")
	require.NoError(t, err)
	r, err := w.store.Publish(t.Context(), w.project.ID, alice, models.Publish{BuildID: b.ID, Channel: "production"})
	require.NoError(t, err)
	later(100 * 24 * time.Hour)
	require.NoError(t, w.store.DeleteRelease(t.Context(), w.project.ID, alice, r.ID))

	collect := func() int {
		g, err := w.Run(t.Context(), w.project.ID, alice)
		require.NoError(t, err)
		return len(g.Builds)
	}
	require.Zero(t, collect(), "the release was deleted just now")
	later(91 * 24 * time.Hour)
	w.Telemetry = devices{running: map[string]bool{r.UpdateUUID.String(): true}}
	require.Zero(t, collect(), "a device runs the release")
	w.Telemetry = devices{away: models.Unavailable("ClickHouse", errors.New("away"))}
	_, err = w.Run(t.Context(), w.project.ID, alice)
	require.Equal(t, models.CodeUnavailable, models.CodeOf(err), "it is not known whether a device runs the release")
	w.requireWhole(b)
	w.Telemetry = devices{}
	require.Equal(t, 1, collect())
}

type brokenBucket struct{}

func (brokenBucket) RemovePatch(context.Context, int64, string, string) error { return nil }

func (brokenBucket) RemoveParts(context.Context, int64, int64) error { return nil }

func (brokenBucket) Remove(context.Context, int64, string) error {
	return models.Unavailable("the asset bucket", errors.New("away"))
}

func TestABucketThatIsAwayIsCaughtUpWith(t *testing.T) {
	t.Parallel()
	w := setup(t)
	b, err := w.upload("bundle")
	require.NoError(t, err)
	require.NoError(t, w.store.DeleteBuild(t.Context(), w.project.ID, alice, b.ID))
	w.Bucket = brokenBucket{}
	g, err := w.Run(t.Context(), w.project.ID, alice)
	require.NoError(t, err)
	require.EqualValues(t, 1, g.Blobs)
	require.EqualValues(t, 1, g.Pending)
	w.Bucket = w.bucket
	g, err = w.Run(t.Context(), w.project.ID, alice)
	require.NoError(t, err)
	require.Zero(t, g.Blobs)
	require.Zero(t, g.Pending)
	_, err = w.bucket.Open(t.Context(), w.project.ID, b.Assets[0].MD5)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}
