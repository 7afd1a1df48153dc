package snapshot

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// How many projects Load reads with one query of each kind, and how many such batches at the same time.
const (
	loadBatch     = 250
	loadsTogether = 2
)

// errNothingReadable says that the fault is not one project's.
var errNothingReadable = errors.New("none of the projects can be read; the log names the reason for each")

// Load reads every project once. Call it before serving. A project that cannot be read does not make it fail: its
// devices are answered 503, and Run tries it again. Load fails when none of several projects can be read.
func (r *Registry) Load(ctx context.Context) error {
	started := r.now()
	stale, err := r.compare(ctx)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	made := make(map[int64]*delivery.Snapshot, len(stale))
	loading, ctx := errgroup.WithContext(ctx)
	loading.SetLimit(loadsTogether)
	for batch := range slices.Chunk(stale, loadBatch) {
		loading.Go(func() error {
			snapshots, err := r.load(ctx, batch)
			mu.Lock()
			defer mu.Unlock()
			maps.Copy(made, snapshots)
			return err
		})
	}
	err = loading.Wait()
	r.put(made)
	if err == nil && len(made) == 0 && len(stale) > 1 {
		err = errNothingReadable
	}
	if err == nil {
		r.loaded.Store(started.UnixNano())
	}
	return err
}

// load reads projects as a whole and makes their snapshots. That of a project that is gone is nil; one that cannot be
// read is missing. The error is that of all of them, such as a lost connection.
func (r *Registry) load(ctx context.Context, projects []*project) (map[int64]*delivery.Snapshot, error) {
	started := r.now()
	made, at := make(map[int64]*delivery.Snapshot, len(projects)), make(map[int64]*project, len(projects))
	for _, p := range projects {
		made[p.id], at[p.id] = nil, p
		p.state = models.ProjectSnapshot{}
	}
	states, err := r.source.Snapshots(ctx, slices.Collect(maps.Keys(at))...)
	switch {
	case err == nil:
	case ctx.Err() != nil || models.CodeOf(err) == models.CodeUnavailable:
		return nil, err
	case len(projects) == 1:
		r.fail(ctx, projects[0], err)
		return nil, nil
	default:
		return r.loadHalves(ctx, projects)
	}
	for _, state := range states {
		p := at[state.Project.ID]
		if made[p.id], err = r.make(p, state, started, true); err != nil {
			r.fail(ctx, p, err)
			delete(made, p.id)
		}
	}
	for id, s := range made {
		if s == nil {
			at[id].served = nil
		}
	}
	return made, nil
}

// loadHalves loads projects of which at least one cannot be read. Halving finds it with few queries.
func (r *Registry) loadHalves(ctx context.Context, projects []*project) (map[int64]*delivery.Snapshot, error) {
	made := make(map[int64]*delivery.Snapshot, len(projects))
	for half := range slices.Chunk(projects, (len(projects)+1)/2) {
		snapshots, err := r.load(ctx, half)
		if err != nil {
			return nil, err
		}
		maps.Copy(made, snapshots)
	}
	return made, nil
}

// fail notes that a project cannot be read, which a comparison of versions tries again.
func (r *Registry) fail(ctx context.Context, p *project, err error) {
	r.report(ctx, p, err)
	r.done(p, err)
}
