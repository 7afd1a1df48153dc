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

	"github.com/waft-ota/waft/delivery"
	"github.com/waft-ota/waft/models"
	"golang.org/x/sync/errgroup"
)

// Source is where projects are read from: Postgres, through package store.
type Source interface {
	Snapshot(ctx context.Context, projectID int64) (models.ProjectSnapshot, error)
	// SnapshotVersions maps each project's id to the version of its newest state.
	SnapshotVersions(ctx context.Context) (map[int64]int64, error)
	// Listen calls wake with the payload of every notification on channel, and with
	// "" after each connect, when notifications may have been missed. It returns
	// when ctx ends.
	Listen(ctx context.Context, channel string, wake func(payload string)) error
}

// Channel is the Postgres notification channel that names a changed project by
// its id.
const Channel = "waft_snapshot"

// pollInterval is how long a change can stay unseen when its notification was
// lost.
const pollInterval = 5 * time.Second

// Registry holds the snapshot of every project. Readers never block.
type Registry struct {
	source  Source
	baseURL string
	log     *slog.Logger

	index  atomic.Pointer[index]
	loaded atomic.Int64 // Unix nanoseconds of the last complete comparison with the source

	mu      sync.Mutex
	pending map[int64]bool // projects to rebuild
	all     bool           // compare every project's version first
	wake    chan struct{}
}

// index is immutable: a change copies it.
type index struct {
	byID  map[int64]*delivery.Snapshot
	byKey map[string]*delivery.Snapshot // slug and UUID
}

// NewRegistry returns an empty registry; Run fills it. baseURL begins the asset
// URLs in manifests.
func NewRegistry(source Source, baseURL string, log *slog.Logger) *Registry {
	r := &Registry{
		source: source, baseURL: baseURL, log: log,
		pending: map[int64]bool{}, wake: make(chan struct{}, 1),
	}
	r.index.Store(&index{byID: map[int64]*delivery.Snapshot{}, byKey: map[string]*delivery.Snapshot{}})
	return r
}

// Load reads every project once. Call it before serving.
func (r *Registry) Load(ctx context.Context) error {
	r.request("")
	return r.refresh(ctx)
}

// Run keeps the registry up to date until ctx ends.
func (r *Registry) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return r.source.Listen(ctx, Channel, r.request) })
	g.Go(func() error {
		poll := time.NewTicker(pollInterval)
		defer poll.Stop()
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-poll.C:
				r.request("")
			case <-r.wake:
			}
			if err := r.refresh(ctx); err != nil && ctx.Err() == nil {
				r.log.Warn("snapshots could not be refreshed; devices are served from the last ones", "error", err)
			}
		}
	})
	return g.Wait()
}

// Project returns the snapshot of the project with the given slug or UUID.
func (r *Registry) Project(slugOrUUID string) (*delivery.Snapshot, bool) {
	s, ok := r.index.Load().byKey[slugOrUUID]
	return s, ok
}

// ProjectByID returns the snapshot of the project with the given id.
func (r *Registry) ProjectByID(id int64) (*delivery.Snapshot, bool) {
	s, ok := r.index.Load().byID[id]
	return s, ok
}

// All returns every project's snapshot in no particular order.
func (r *Registry) All() []*delivery.Snapshot {
	return slices.Collect(maps.Values(r.index.Load().byID))
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

// refresh rebuilds what was requested. What fails is requested again by the next
// poll, which compares versions.
func (r *Registry) refresh(ctx context.Context) error {
	ids, all := r.take()
	if all {
		started := time.Now()
		stale, err := r.compare(ctx)
		if err != nil {
			return err
		}
		ids = append(ids, stale...)
		defer r.loaded.Store(started.UnixNano())
	}
	slices.Sort(ids)
	var failed error
	for _, id := range slices.Compact(ids) {
		if err := r.rebuild(ctx, id); err != nil {
			failed = err
		}
	}
	return failed
}

// compare drops projects that are gone and returns those whose version differs.
func (r *Registry) compare(ctx context.Context) (stale []int64, err error) {
	versions, err := r.source.SnapshotVersions(ctx)
	if err != nil {
		return nil, err
	}
	current := r.index.Load().byID
	for id, version := range versions {
		if s, ok := current[id]; !ok || s.Version() != version {
			stale = append(stale, id)
		}
	}
	for id := range current {
		if _, ok := versions[id]; !ok {
			r.put(id, nil)
		}
	}
	return stale, nil
}

func (r *Registry) rebuild(ctx context.Context, id int64) error {
	state, err := r.source.Snapshot(ctx, id)
	if models.CodeOf(err) == models.CodeNotFound {
		r.put(id, nil)
		return nil
	}
	if err != nil {
		return err
	}
	s, err := delivery.NewSnapshot(state, r.baseURL)
	if err != nil {
		return err
	}
	r.put(id, s)
	return nil
}

// put swaps in an index in which the project's snapshot is s, or is gone when s
// is nil. Only refresh calls it, one at a time.
func (r *Registry) put(id int64, s *delivery.Snapshot) {
	old := r.index.Load()
	next := &index{byID: maps.Clone(old.byID), byKey: maps.Clone(old.byKey)}
	if before, ok := old.byID[id]; ok {
		delete(next.byKey, before.Project().Slug)
		delete(next.byKey, before.Project().UUID.String())
		delete(next.byID, id)
	}
	if s != nil {
		next.byID[id] = s
		next.byKey[s.Project().Slug] = s
		next.byKey[s.Project().UUID.String()] = s
	}
	r.index.Store(next)
}
