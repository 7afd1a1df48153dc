// Package snapshot keeps, in every API process, an up-to-date immutable
// delivery.Snapshot of each project, so that answering a device takes no lock and
// no query, and goes on while Postgres is away.
package snapshot

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/delivery"
	"github.com/waft-ota/waft/models"
)

// Source is where projects are read from: Postgres, through package store.
type Source interface {
	// Snapshot reads a whole project.
	Snapshot(ctx context.Context, projectID int64) (models.ProjectSnapshot, error)
	// SnapshotSince is Snapshot of the project that before is of, but reads only what
	// changed since; ok is false where it cannot tell what did.
	SnapshotSince(ctx context.Context, before models.ProjectSnapshot) (p models.ProjectSnapshot, ok bool, err error)
	// PruneSnapshotChanges drops what no SnapshotSince needs any more.
	PruneSnapshotChanges(ctx context.Context) error
	// SnapshotVersions maps the ids of the given projects, or of all when none is given,
	// to the version of their newest state. Those that do not exist are missing.
	SnapshotVersions(ctx context.Context, projectIDs ...int64) (map[int64]int64, error)
	// Listen calls wake with the payload of every notification on channel, and with
	// "" after each connect, when notifications may have been missed. It returns
	// when ctx ends.
	Listen(ctx context.Context, channel string, wake func(payload string)) error
}

// Channel is the Postgres notification channel that names a changed project by
// its id.
const Channel = models.NotifySnapshot

const (
	// pollInterval is how long a change can stay unseen when its notification was
	// lost.
	pollInterval  = 5 * time.Second
	pruneInterval = time.Hour
)

// Registry holds the snapshot of every project. Readers never block.
type Registry struct {
	source  Source
	baseURL string
	log     *slog.Logger
	now     func() time.Time
	metrics metrics

	index  atomic.Pointer[index]
	loaded atomic.Int64 // Unix nanoseconds of the last complete comparison with the source

	mu       sync.Mutex
	projects map[int64]*project
	pending  map[int64]bool // projects that changed
	all      bool           // compare every project's version first
	wake     chan struct{}
	// changed is closed, and replaced, when other snapshots are served.
	changed chan struct{}

	// Lanes hold a token for each reading at work. Whole projects have one of their
	// own: they may be large, and what changed in another is not to wait for them.
	wholes, changes chan struct{}
}

// index is immutable: another set of projects is another index. A project's
// snapshots follow each other in its slot.
type index struct {
	byID  map[int64]*slot
	byKey map[string]*slot // slug and UUID
}

type slot = atomic.Pointer[delivery.Snapshot]

// NewRegistry returns an empty registry; Run fills it. baseURL begins the asset
// URLs in manifests.
func NewRegistry(source Source, baseURL string, log *slog.Logger, registerer prometheus.Registerer) *Registry {
	r := &Registry{
		source: source, baseURL: baseURL, log: log, now: time.Now,
		projects: map[int64]*project{}, pending: map[int64]bool{}, wake: make(chan struct{}, 1),
		changed: make(chan struct{}),
		wholes:  make(chan struct{}, wholesTogether), changes: make(chan struct{}, changesTogether),
	}
	r.index.Store(&index{byID: map[int64]*slot{}, byKey: map[string]*slot{}})
	r.metrics = newMetrics(registerer, r)
	return r
}

// Load reads every project once. Call it before serving.
func (r *Registry) Load(ctx context.Context) error {
	started := r.now()
	stale, err := r.compare(ctx)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	made := make(map[int64]*delivery.Snapshot, len(stale))
	loading, ctx := errgroup.WithContext(ctx)
	loading.SetLimit(changesTogether)
	for _, p := range stale {
		loading.Go(func() error {
			s, err := r.build(ctx, p)
			mu.Lock()
			defer mu.Unlock()
			made[p.id] = s
			return err
		})
	}
	err = loading.Wait()
	r.put(made)
	if err == nil {
		r.loaded.Store(started.UnixNano())
	}
	return err
}

// Run keeps the registry up to date until ctx ends.
func (r *Registry) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return r.source.Listen(ctx, Channel, r.request) })
	g.Go(func() error {
		poll, prune := time.NewTicker(pollInterval), time.NewTicker(pruneInterval)
		defer poll.Stop()
		defer prune.Stop()
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-prune.C:
				if err := r.source.PruneSnapshotChanges(ctx); err != nil && ctx.Err() == nil {
					r.log.Warn("old notes of changes could not be dropped", "error", err)
				}
				continue
			case <-poll.C:
				r.request("")
			case <-r.wake:
			}
			if err := r.refresh(ctx, g); err != nil && ctx.Err() == nil {
				r.log.Warn("snapshots could not be compared; devices are served from the last ones", "error", err)
			}
		}
	})
	return g.Wait()
}

// Project returns the snapshot of the project with the given slug or UUID.
func (r *Registry) Project(slugOrUUID string) (*delivery.Snapshot, bool) {
	at, ok := r.index.Load().byKey[slugOrUUID]
	if !ok {
		return nil, false
	}
	return at.Load(), true
}

// ProjectByID returns the snapshot of the project with the given id.
func (r *Registry) ProjectByID(id int64) (*delivery.Snapshot, bool) {
	at, ok := r.index.Load().byID[id]
	if !ok {
		return nil, false
	}
	return at.Load(), true
}

// RolloutWorkflow is the id of the workflow that rolls out a release of a project, if one
// is running or paused.
func (r *Registry) RolloutWorkflow(projectID int64, updateUUID string) (workflowID string, ok bool) {
	s, ok := r.ProjectByID(projectID)
	if !ok {
		return "", false
	}
	return s.RolloutWorkflow(updateUUID)
}

// All returns every project's snapshot in no particular order.
func (r *Registry) All() []*delivery.Snapshot {
	slots := r.index.Load().byID
	snapshots := make([]*delivery.Snapshot, 0, len(slots))
	for _, at := range slots {
		snapshots = append(snapshots, at.Load())
	}
	return snapshots
}

// Age is the time since every project was last compared with the source.
func (r *Registry) Age(now time.Time) time.Duration {
	return now.Sub(time.Unix(0, r.loaded.Load()))
}

// request notes that a project, or with "" any project, may have changed.
func (r *Registry) request(payload string) {
	r.mu.Lock()
	if id, err := strconv.ParseInt(payload, 10, 64); err == nil {
		r.pending[id] = true
	} else {
		r.all = true
	}
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default: // a refresh is due already
	}
}

// take empties the list of requests.
func (r *Registry) take() (ids []int64, all bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids, all = slices.Collect(maps.Keys(r.pending)), r.all
	clear(r.pending)
	r.all = false
	return ids, all
}

// refresh starts the work at what was requested. What fails is requested again by
// the next poll, which compares versions.
func (r *Registry) refresh(ctx context.Context, workers *errgroup.Group) error {
	ids, all := r.take()
	for _, id := range ids {
		r.start(ctx, r.project(id), workers)
	}
	if !all {
		return nil
	}
	started := r.now()
	stale, err := r.compare(ctx)
	if err != nil {
		return err
	}
	for _, p := range append(stale, r.aged(started)...) {
		r.start(ctx, p, workers)
	}
	r.loaded.Store(started.UnixNano())
	return nil
}

// compare returns the projects whose version differs, or that are gone.
func (r *Registry) compare(ctx context.Context) (stale []*project, err error) {
	versions, err := r.source.SnapshotVersions(ctx)
	if err != nil {
		return nil, err
	}
	for id, version := range versions {
		if s, ok := r.ProjectByID(id); !ok || s.Version() != version {
			stale = append(stale, r.project(id))
		}
	}
	for id := range r.index.Load().byID {
		if _, ok := versions[id]; !ok {
			stale = append(stale, r.project(id))
		}
	}
	return stale, nil
}

// put serves the snapshots from now on, and a project whose snapshot is nil no
// more.
func (r *Registry) put(made map[int64]*delivery.Snapshot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.index.Load()
	next := &index{}
	for id, s := range made {
		at := old.byID[id]
		if at != nil && s != nil && sameKeys(at.Load(), s) {
			at.Store(s)
			continue
		}
		if next.byID == nil {
			next.byID, next.byKey = maps.Clone(old.byID), maps.Clone(old.byKey)
		}
		if at != nil {
			before := at.Load().Project()
			delete(next.byKey, before.Slug)
			delete(next.byKey, before.UUID.String())
			delete(next.byID, id)
		}
		if s == nil {
			continue
		}
		at = &slot{}
		at.Store(s)
		next.byID[id] = at
		next.byKey[s.Project().Slug] = at
		next.byKey[s.Project().UUID.String()] = at
	}
	if next.byID != nil {
		r.index.Store(next)
	}
	close(r.changed)
	r.changed = make(chan struct{})
}

func sameKeys(a, b *delivery.Snapshot) bool {
	return a.Project().Slug == b.Project().Slug && a.Project().UUID == b.Project().UUID
}
