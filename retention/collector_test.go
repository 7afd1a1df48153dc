package retention_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/assets"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/retention"
	"github.com/waft-ota/waft/store"
	"github.com/waft-ota/waft/store/storetest"
)

var alice = models.Actor{Type: models.ActorAPIKey, ID: "7", Name: "alice's key"}

// world is a project on a real Postgres and a folder of assets.
type world struct {
	retention.Collector
	t       *testing.T
	store   *store.Store
	bucket  *assets.Bucket
	project models.Project
}

func setup(t *testing.T, options ...store.Option) *world {
	t.Helper()
	s := storetest.Open(t, storetest.Database(t), options...)
	bucket, err := assets.Open(t.Context(), "file://"+t.TempDir(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, bucket.Close()) })
	project, err := s.CreateProject(t.Context(), alice, models.NewProject{Name: "Demo", Slug: "demo"})
	require.NoError(t, err)
	return &world{
		Collector: retention.Collector{
			Store: s, Telemetry: devices{}, Bucket: bucket, Log: slog.New(slog.DiscardHandler), Now: time.Now,
		},
		t: t, store: s, bucket: bucket, project: project,
	}
}

// devices run the updates that are set, and answer that way without them.
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

// upload does what the API does with the files of a build.
func (w *world) upload(contents ...string) (models.Build, error) {
	ctx := w.t.Context()
	n := models.NewBuild{Platform: models.IOS, RuntimeVersion: "1.0.0"}
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
	for md5, s := range staged {
		if _, known := hold.Known[md5]; !known {
			if err := s.Keep(ctx, w.project.ID); err != nil {
				return models.Build{}, err
			}
		}
	}
	n.HoldID = hold.ID
	return w.store.CreateBuild(ctx, w.project.ID, alice, n)
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
	gone, err := w.upload("bundle 2", "shared")
	require.NoError(t, err)
	require.NoError(t, w.store.DeleteBuild(t.Context(), w.project.ID, alice, gone.ID))
	preview, err := w.Preview(t.Context(), w.project.ID)
	require.NoError(t, err)
	require.EqualValues(t, 1, preview.Blobs)
	require.EqualValues(t, len("bundle 2"), preview.Bytes)
	g, err := w.Run(t.Context(), w.project.ID, alice)
	require.NoError(t, err)
	require.EqualValues(t, 1, g.Blobs)
	require.Zero(t, g.Pending)
	w.requireWhole(kept)
	_, err = w.bucket.Open(t.Context(), w.project.ID, gone.Assets[0].MD5)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	again, err := w.upload("bundle 2", "shared")
	require.NoError(t, err)
	require.Equal(t, 1, again.NewAssetCount)
	w.requireWhole(again)
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
	require.Zero(t, collect(), "it was deleted just now")
	later(91 * 24 * time.Hour)
	w.Telemetry = devices{running: map[string]bool{r.UpdateUUID.String(): true}}
	require.Zero(t, collect(), "a device runs it")
	w.Telemetry = devices{away: models.Unavailable("ClickHouse", errors.New("away"))}
	_, err = w.Run(t.Context(), w.project.ID, alice)
	require.Equal(t, models.CodeUnavailable, models.CodeOf(err), "nobody knows whether a device runs it")
	w.requireWhole(b)
	w.Telemetry = devices{}
	require.Equal(t, 1, collect())
}

type brokenBucket struct{}

func (brokenBucket) Remove(context.Context, int64, string) error {
	return models.Unavailable("the asset store", errors.New("away"))
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

// TestNoUploadLosesAFile lets builds of few contents come and go while garbage is
// collected all the time. Every build that an upload was told of must be whole.
func TestNoUploadLosesAFile(t *testing.T) {
	t.Parallel()
	w := setup(t)
	stop := make(chan struct{})
	collected := make(chan int64, 1)
	go func() {
		var blobs int64
		defer func() { collected <- blobs }()
		for {
			select {
			case <-stop:
				return
			default:
			}
			g, err := w.Run(context.WithoutCancel(t.Context()), w.project.ID, alice)
			if err == nil {
				blobs += g.Blobs
			}
		}
	}()
	var uploads sync.WaitGroup
	errs := make(chan error, 4)
	builds := make(chan models.Build, 400)
	for worker := range 4 {
		uploads.Go(func() {
			for i := range 25 {
				b, err := w.upload(fmt.Sprintf("bundle %d", (worker+i)%3), fmt.Sprintf("picture %d", i%2))
				if err != nil {
					errs <- err
					return
				}
				for _, a := range b.Assets {
					r, err := w.bucket.Open(t.Context(), w.project.ID, a.MD5)
					if err != nil {
						errs <- fmt.Errorf("file of build %d: %w", b.ID, err)
						return
					}
					_ = r.Close()
				}
				if i%5 == 4 {
					builds <- b
					continue
				}
				if err := w.store.DeleteBuild(t.Context(), w.project.ID, alice, b.ID); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	uploads.Wait()
	close(stop)
	require.Positive(t, <-collected, "nothing was ever collected")
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
	close(builds)
	for b := range builds {
		w.requireWhole(b)
	}
}
