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

// The number of projects that Load reads with one query of each kind, and the number of such batches at the same time.
const (
	loadBatch     = 250
	loadsTogether = 2
)

// errNothingReadable says that the problem does not lie in a single project.
var errNothingReadable = errors.New("the projects cannot be read; see the log for the reason of each")

// Load reads every project once. Call it before serving. Load succeeds even if a project cannot be read: the project's
// devices get 503, and Run reads it again later. Load fails if there are several projects and none of them can be read.
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

// load reads whole projects and builds their snapshots. A deleted project maps to nil; an unreadable project is absent.
// An error, such as a lost connection, applies to all of them.
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

// loadHalves loads projects when at least one of them cannot be read. Halving the list finds that project with few
// queries.
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

// fail records that a project cannot be read. A later comparison of versions makes the registry try again.
func (r *Registry) fail(ctx context.Context, p *project, err error) {
	r.report(ctx, p, err)
	r.done(p, err)
}
