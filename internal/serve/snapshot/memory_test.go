package snapshot

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"log/slog"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// smallSource contains projects with three releases each, like most real projects.
type smallSource struct {
	*memorySource
}

func (s smallSource) Snapshots(ctx context.Context, ids ...int64) (states []models.ProjectSnapshot, err error) {
	for _, id := range ids {
		p, err := s.Snapshot(ctx, id)
		if err != nil {
			return nil, err
		}
		states = append(states, p)
	}
	return states, nil
}

func (s smallSource) Snapshot(ctx context.Context, id int64) (models.ProjectSnapshot, error) {
	p, err := s.memorySource.Snapshot(ctx, id)
	if err != nil {
		return p, err
	}
	return threeReleases(p.Project), nil
}

// threeReleases returns a project with three channels and a release with eleven files on each channel.
func threeReleases(p models.Project) models.ProjectSnapshot {
	s := models.ProjectSnapshot{
		Project: p, Builds: map[int64]*models.Build{}, UserOverrides: map[string]int64{}, RolloutWorkflows: map[int64]string{},
		NetworkKey: make([]byte, 32),
	}
	var blobs []models.Blob
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for i, name := range []string{"production", "staging", "development"} {
		id := p.ID*100 + int64(i)
		s.Branches = append(s.Branches, models.Branch{ID: id, ProjectID: p.ID, Name: name})
		s.Channels = append(s.Channels, models.Channel{ID: id, ProjectID: p.ID, Name: name, BranchID: id, BranchName: name})
		b := &models.Build{
			ID: id, ProjectID: p.ID, UUID: uuid.New(), Platform: models.IOS, RuntimeVersion: "1.0.0", ClientConfig: []byte(`{"name":"app"}`),
		}
		for file := range 11 {
			path := fmt.Sprintf("assets/image-%d.png", file)
			content := []byte(fmt.Sprint(p.ID, path))
			contentType := "image/png"
			if file == 0 {
				path, contentType = "index.hbc", "application/javascript"
				content = fmt.Append(content, i)
			}
			sum5, sum256 := md5.Sum(content), sha256.Sum256(content)
			a := models.BuildAsset{
				BuildID: id, ProjectID: p.ID, Path: path, MD5: hex.EncodeToString(sum5[:]),
				SHA256: base64.RawURLEncoding.EncodeToString(sum256[:]), ContentType: contentType, FileExtension: ".png",
				SizeBytes: 1000, IsLaunchAsset: file == 0,
			}
			b.Assets = append(b.Assets, a)
			if i > 0 && file > 0 {
				continue // the images are the same in all releases
			}
			blobs = append(blobs, models.Blob{MD5: a.MD5, SHA256: a.SHA256, SizeBytes: 1000, ContentType: contentType})
		}
		s.Builds[id] = b
		s.Releases = append(s.Releases, &models.Release{
			ID: id, ProjectID: p.ID, UpdateUUID: uuid.New(), GroupID: uuid.New(), BuildID: new(id), BranchID: id, BranchName: name,
			Platform: models.IOS, RuntimeVersion: "1.0.0", IsEnabled: true, RolloutPercentage: 100, Kind: models.KindUpdate,
			CreatedAt: at.Add(-time.Duration(i) * time.Hour),
		})
	}
	s.Blobs, _ = s.Blobs.With(blobs, nil)
	return s
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// bytesPerProject is the maximum memory that a project with three releases may take. 10,000 such projects then take 260
// MB.
const bytesPerProject = 26_000

// A process serves all projects of an installation from memory, so a small project must take little of it. The test
// does not run in parallel, because it measures the heap of the whole process.
func TestASmallProjectTakesLittleMemory(t *testing.T) {
	const projects = 1000
	w := newSource()
	for id := range int64(projects) {
		w.put(id + 1)
	}
	before := heap()
	r := NewRegistry(smallSource{w}, "http://waft.test", slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	require.NoError(t, r.Load(t.Context()))
	each := (heap() - before) / projects
	t.Logf("%d bytes per project", each)
	require.Less(t, each, int64(bytesPerProject))
	runtime.KeepAlive(r)
}

// Changes of small projects are read even while huge projects occupy every slot for reads as a whole.
func TestASmallProjectDoesNotWaitForHugeOnes(t *testing.T) {
	t.Parallel()
	w := newSource()
	w.put(7)
	r := NewRegistry(w, "http://waft.test", slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	require.NoError(t, r.Load(t.Context()))
	require.Zero(t, r.project(7).state.Project.ID, "a small project's state is not kept")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	t.Cleanup(func() { cancel(); require.NoError(t, <-ended) })
	notify := <-w.wake
	for id := range int64(wholesTogether) {
		w.put(100 + id)
		t.Cleanup(w.hold(100 + id))
		notify(strconv.FormatInt(100+id, 10))
	}
	for range wholesTogether {
		<-w.entered
	}
	w.put(7)
	notify("7")
	require.Eventually(t, serves(r, "p7", 2), waitLimit, tick)
	_, deltas := w.readings()
	require.Zero(t, deltas, "the project is read as a whole")
	require.Empty(t, r.aged(r.now().Add(100*time.Hour)), "the project is never read without a change")
}
