package snapshot

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

const (
	waitLimit = 2 * time.Minute
	tick      = 2 * time.Millisecond
)

// memorySource is a Source in memory.
type memorySource struct {
	mu       sync.Mutex
	projects map[int64]models.Project
	down     bool
	// broken contains the projects that cannot be read.
	broken map[int64]bool
	// lost makes SnapshotSince unable to determine the changes.
	lost           bool
	wholes, deltas int
	// gates block reads of whole projects until they are closed. A blocked read sends the project's ID on entered.
	gates   map[int64]chan struct{}
	entered chan int64
	wake    chan func(string)
}

func newSource() *memorySource {
	return &memorySource{
		projects: map[int64]models.Project{}, wake: make(chan func(string), 1),
		broken: map[int64]bool{}, gates: map[int64]chan struct{}{}, entered: make(chan int64, 100),
	}
}

// put creates the project or gives it its next version, without a notification.
func (w *memorySource) put(id int64) models.Project {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, ok := w.projects[id]
	if !ok {
		p = models.Project{ID: id, UUID: uuid.New(), Slug: "p" + strconv.FormatInt(id, 10)}
	}
	p.SnapshotVersion++
	w.projects[id] = p
	return p
}

func (w *memorySource) set(down bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = down
}

func (w *memorySource) breaks(id int64, broken bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken[id] = broken
}

func (w *memorySource) drop(id int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.projects, id)
}

// hold makes reads of the whole project wait until release is called.
func (w *memorySource) hold(id int64) (release func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	gate := make(chan struct{})
	w.gates[id] = gate
	return sync.OnceFunc(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.gates, id)
		close(gate)
	})
}

func (w *memorySource) Snapshot(ctx context.Context, id int64) (models.ProjectSnapshot, error) {
	w.mu.Lock()
	w.wholes++
	gate := w.gates[id]
	w.mu.Unlock()
	if gate != nil {
		w.entered <- id
		select {
		case <-gate:
		case <-ctx.Done():
			return models.ProjectSnapshot{}, ctx.Err()
		}
	}
	return w.state(id)
}

func (w *memorySource) Snapshots(ctx context.Context, ids ...int64) (states []models.ProjectSnapshot, err error) {
	for _, id := range ids {
		state, err := w.Snapshot(ctx, id)
		switch {
		case models.CodeOf(err) == models.CodeNotFound:
		case err != nil:
			return nil, err
		default:
			states = append(states, state)
		}
	}
	return states, nil
}

func (w *memorySource) SnapshotSince(_ context.Context, before models.ProjectSnapshot) (models.ProjectSnapshot, bool, error) {
	w.mu.Lock()
	w.deltas++
	lost := w.lost
	w.mu.Unlock()
	if lost {
		return models.ProjectSnapshot{}, false, nil
	}
	p, err := w.state(before.Project.ID)
	return p, err == nil, err
}

func (w *memorySource) PruneSnapshotChanges(context.Context) error { return nil }

// readings returns the number of reads of whole projects and the number of reads of changes.
func (w *memorySource) readings() (wholes, deltas int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.wholes, w.deltas
}

func (w *memorySource) state(id int64) (models.ProjectSnapshot, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, ok := w.projects[id]
	switch {
	case w.down:
		return models.ProjectSnapshot{}, errors.New("connection refused")
	case w.broken[id]:
		return models.ProjectSnapshot{}, errors.New("a row cannot be read")
	case !ok:
		return models.ProjectSnapshot{}, models.Errorf(models.CodeNotFound, "no such project")
	}
	return models.ProjectSnapshot{Project: p}, nil
}

func (w *memorySource) SnapshotVersions(context.Context, ...int64) (map[int64]int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down {
		return nil, errors.New("connection refused")
	}
	versions := map[int64]int64{}
	for id, p := range w.projects {
		versions[id] = p.SnapshotVersion
	}
	return versions, nil
}

func (w *memorySource) ProjectKeys(_ context.Context, id int64) (models.Project, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, ok := w.projects[id]
	if w.down || !ok {
		return models.Project{}, errors.New("connection refused")
	}
	return models.Project{ID: id, UUID: p.UUID, Slug: p.Slug}, nil
}

func (w *memorySource) Listen(ctx context.Context, _ string, wake func(string)) error {
	w.wake <- wake
	<-ctx.Done()
	return nil
}

// newRegistry returns a registry that treats every project as large, so it reads changes.
func newRegistry(w *memorySource) *Registry {
	r := NewRegistry(w, "http://waft.test", slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	r.small = -1
	return r
}

// run starts a registry with the source w and returns it, with a function that sends it a notification.
func run(t *testing.T, w *memorySource) (*Registry, func(string)) {
	t.Helper()
	r := newRegistry(w)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	t.Cleanup(func() { cancel(); require.NoError(t, <-ended) })
	return r, <-w.wake
}

func serves(r *Registry, key string, version int64) func() bool {
	return func() bool {
		s, err := r.Project(key)
		return err == nil && s.Version() == version
	}
}

func exists(r *Registry, key string) bool {
	_, err := r.Project(key)
	return models.CodeOf(err) != models.CodeNotFound
}

func TestRegistry(t *testing.T) {
	t.Parallel()
	t.Run("a project is found by slug, by UUID and by id", func(t *testing.T) {
		t.Parallel()
		w := newSource()
		p := w.put(7)
		r := newRegistry(w)
		require.NoError(t, r.Load(t.Context()))
		require.True(t, serves(r, p.Slug, 1)())
		require.True(t, serves(r, p.UUID.String(), 1)())
		_, err := r.ProjectByID(7)
		require.NoError(t, err)
		require.False(t, exists(r, "nobody"))
	})
	t.Run("a notification brings the named project up to date", func(t *testing.T) {
		t.Parallel()
		w := newSource()
		r, notify := run(t, w)
		p := w.put(7)
		notify("7")
		require.Eventually(t, serves(r, p.Slug, 1), waitLimit, tick)
		w.put(7)
		notify("7")
		require.Eventually(t, serves(r, p.Slug, 2), waitLimit, tick)
	})
	t.Run("after a reconnect what was missed is caught up with", func(t *testing.T) {
		t.Parallel()
		w := newSource()
		kept, dropped := w.put(7), w.put(8)
		r, notify := run(t, w)
		notify("")
		require.Eventually(t, serves(r, dropped.Slug, 1), waitLimit, tick)
		w.put(7)
		w.drop(8)
		notify("")
		require.Eventually(t, serves(r, kept.Slug, 2), waitLimit, tick)
		// Projects are read in parallel, in any order.
		for _, key := range []string{dropped.Slug, dropped.UUID.String()} {
			require.Eventually(t, func() bool { return !exists(r, key) }, waitLimit, tick)
		}
	})
	t.Run("a deleted project that is notified of is gone", func(t *testing.T) {
		t.Parallel()
		w := newSource()
		p := w.put(7)
		r, notify := run(t, w)
		notify("7")
		require.Eventually(t, serves(r, p.Slug, 1), waitLimit, tick)
		w.drop(7)
		notify("7")
		require.Eventually(t, func() bool { return !exists(r, p.Slug) }, waitLimit, tick)
	})
	t.Run("while the source is unavailable, the last snapshots stay and age", func(t *testing.T) {
		t.Parallel()
		w := newSource()
		p := w.put(7)
		r, notify := run(t, w)
		notify("")
		require.Eventually(t, serves(r, p.Slug, 1), waitLimit, tick)
		w.set(true)
		w.put(7)
		require.Error(t, r.Load(t.Context()))
		require.True(t, serves(r, p.Slug, 1)())
		require.Greater(t, r.age(time.Now().Add(time.Minute)), 59*time.Second)
		w.set(false)
		notify("")
		require.Eventually(t, serves(r, p.Slug, 2), waitLimit, tick)
	})
}
