package snapshot

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/delivery"
	"github.com/waft-ota/waft/models"
)

// How many projects are read at once.
const (
	wholesTogether  = 2
	changesTogether = 4
)

const (
	// idleAfter is how long a project may go without a change before it is looked at
	// all the same, so that the next change can go on from there; see Source.
	idleAfter = time.Hour
	// wholeAfter is how long a project is followed change by change before it is read
	// as a whole again.
	wholeAfter = 6 * time.Hour
)

// project is what is known of a project besides its snapshot. One worker at a time
// has it.
type project struct {
	id int64
	// due says that something may have changed since the worker began to read, working
	// that there is a worker, failed that the last one could not do it. The registry's
	// mutex guards them and the times.
	due, working, failed bool
	// readAt is when it was last read and wholeAt when as a whole, zero when never.
	readAt, wholeAt time.Time

	// state is what the snapshot was made from, of no project when everything is to be
	// read. It and served are the worker's.
	state  models.ProjectSnapshot
	served *delivery.Snapshot
}

// project is the record of a project, made when it is missing.
func (r *Registry) project(id int64) *project {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.projects[id]
	if p == nil {
		p = &project{id: id}
		r.projects[id] = p
	}
	return p
}

// aged returns the projects that were not read for long, or not as a whole. One that was
// never read is stale, and so not among them.
func (r *Registry) aged(now time.Time) (aged []*project) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.projects {
		if !p.working && !p.readAt.IsZero() && (now.Sub(p.readAt) > idleAfter || now.Sub(p.wholeAt) > wholeAfter) {
			aged = append(aged, p)
		}
	}
	return aged
}

// behind is how many projects may have changes that are not served yet.
func (r *Registry) behind() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.projects {
		if p.due || p.working || p.failed {
			n++
		}
	}
	return n
}

// start has a worker bring the project up to date. However often that is asked for
// while one is at work, it reads once more after that.
func (r *Registry) start(ctx context.Context, p *project, workers *errgroup.Group) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.due = true
	if p.working {
		return
	}
	p.working = true
	workers.Go(func() error {
		for r.step(ctx, p) {
		}
		return nil
	})
}

// step brings the project up to date once and reports whether to do it again.
func (r *Registry) step(ctx context.Context, p *project) (again bool) {
	lane, err := r.enter(ctx, p)
	if err != nil {
		return r.done(p, err)
	}
	defer func() { <-lane }()
	r.mu.Lock()
	p.due = false
	r.mu.Unlock()
	s, err := r.build(ctx, p)
	if errors.Is(err, errLost) {
		return true // in the other lane
	}
	if err == nil {
		r.put(map[int64]*delivery.Snapshot{p.id: s})
	} else if ctx.Err() == nil {
		r.log.Warn("a project could not be read; its devices are served from the last snapshot", "project", p.id, "error", err)
	}
	return r.done(p, err)
}

// enter waits for its turn. A project that is to be read as a whole only because it
// was not for long is so when nobody waits for that.
func (r *Registry) enter(ctx context.Context, p *project) (lane chan struct{}, err error) {
	if p.state.Project.ID != 0 && r.now().Sub(p.wholeAt) > wholeAfter {
		select {
		case r.wholes <- struct{}{}:
			p.state = models.ProjectSnapshot{}
			return r.wholes, nil
		default:
		}
	}
	lane = r.changes
	if p.state.Project.ID == 0 {
		lane = r.wholes
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case lane <- struct{}{}:
		return lane, nil
	}
}

// done ends the worker unless there is more to do.
func (r *Registry) done(p *project, err error) (again bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.failed = err != nil
	p.working = p.due && err == nil
	if p.served == nil && err == nil && !p.working {
		delete(r.projects, p.id)
	}
	return p.working
}

// errLost says that what changed cannot be told any more.
var errLost = errors.New("everything has to be read")

// build reads what changed, or everything, and makes the snapshot of it: nil when
// the project is gone. After an error everything is read next.
func (r *Registry) build(ctx context.Context, p *project) (_ *delivery.Snapshot, err error) {
	started := r.now()
	before, whole := p.state, p.state.Project.ID == 0
	p.state = models.ProjectSnapshot{}
	var state models.ProjectSnapshot
	if whole {
		state, err = r.source.Snapshot(ctx, p.id)
	} else {
		var ok bool
		state, ok, err = r.source.SnapshotSince(ctx, before)
		if err == nil && !ok {
			return nil, errLost
		}
	}
	switch {
	case models.CodeOf(err) == models.CodeNotFound:
		p.served = nil
		return nil, nil
	case err != nil:
		p.state = before // it was not the state that failed
		return nil, err
	}
	var s *delivery.Snapshot
	if p.served == nil {
		s, err = delivery.NewSnapshot(state, r.baseURL)
	} else {
		s, err = p.served.Next(state)
	}
	if err != nil {
		return nil, err
	}
	p.state, p.served = state, s
	r.mu.Lock()
	p.readAt = started
	if whole {
		p.wholeAt = started
	}
	r.mu.Unlock()
	r.metrics.observe(whole, r.now().Sub(started))
	return s, nil
}
