package snapshot

import (
	"context"
	"errors"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/base/backoff"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// How many projects are read at the same time, as a whole and by their changes.
const (
	wholesTogether  = 2
	changesTogether = 4
)

const (
	// idleAfter is how long a project may go without a change before it is read all the same,
	// so that it stays recent enough for Source.SnapshotSince.
	idleAfter = time.Hour
	// wholeAfter is how long only the changes of a project are read.
	wholeAfter = 6 * time.Hour
)

// project is the state of a project besides its snapshot. One worker at a time has it.
type project struct {
	id int64
	// due says that something may have changed since the worker began to read, working that
	// there is a worker. The registry's mutex guards them, the times, failures and changes of small.
	due, working bool
	// failures is how many workers in a row have failed, retryAt when a comparison of versions may start the next one.
	failures int
	retryAt  time.Time
	// readAt is when it was last read and wholeAt when as a whole, zero when never.
	readAt, wholeAt time.Time

	// state is what the snapshot was made from. Without a project everything is to be read: also of a small project, which
	// is read as a whole as fast as by its changes, and whose state would take as much memory as its snapshot.
	// Only the worker uses it, small and served.
	state  models.ProjectSnapshot
	small  bool
	served *delivery.Snapshot
}

// smallProject is the most records of a small project, see size.
const smallProject = 500

// size is how many records a project has that are read to make its snapshot.
func size(p models.ProjectSnapshot) int {
	n := len(p.Releases) + len(p.UserOverrides) + len(p.Branches) + len(p.Channels) + len(p.Flags) + len(p.Segments) +
		len(p.Aliases) + len(p.Patches) + p.Blobs.Len()
	for _, f := range p.Flags {
		n += len(f.Rules)
	}
	for _, b := range p.Builds {
		n += len(b.Assets)
	}
	return n
}

// betweenReads is how long a project that cannot be read is left alone. A change of it is tried at once, since it may
// mend the project.
var betweenReads = backoff.Policy{Min: pollInterval, Max: time.Minute}

// request records that a project, or with "" any project, may have changed. Then the source has come back, so those
// that could not be read are tried at once.
func (r *Registry) request(payload string) {
	r.mu.Lock()
	if id, err := strconv.ParseInt(payload, 10, 64); err == nil {
		r.pending[id] = true
	} else {
		r.all = true
		for _, p := range r.projects {
			p.retryAt = time.Time{}
		}
	}
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default: // a refresh is due already
	}
}

// poll records that versions are to be compared.
func (r *Registry) poll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = true
}

// refresh starts the work that was requested. The next poll, which compares versions,
// requests again what fails.
func (r *Registry) refresh(ctx context.Context, workers *errgroup.Group) error {
	r.mu.Lock()
	pending, all := r.pending, r.all
	r.pending, r.all = map[int64]bool{}, false
	r.mu.Unlock()
	for id := range pending {
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
		if r.mayTry(p, started) {
			r.start(ctx, p, workers)
		}
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
		if s, err := r.ProjectByID(id); err != nil || s.Version() != version {
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

// project returns the state of a project, which it makes when it is missing.
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

// aged returns the projects that were not read for idleAfter, or not as a whole for
// wholeAfter, besides small ones. compare returns those that were never read.
func (r *Registry) aged(now time.Time) (aged []*project) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.projects {
		if !p.working && !p.small && !p.readAt.IsZero() && (now.Sub(p.readAt) > idleAfter || now.Sub(p.wholeAt) > wholeAfter) {
			aged = append(aged, p)
		}
	}
	return aged
}

// behind returns how many projects may have changes that are not served yet.
func (r *Registry) behind() int {
	return r.count(func(p *project) bool { return p.due || p.working || p.failures > 0 })
}

// failing returns how many projects could not be read the last time.
func (r *Registry) failing() int { return r.count(func(p *project) bool { return p.failures > 0 }) }

// count returns how many projects have the property.
func (r *Registry) count(has func(*project) bool) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.projects {
		if has(p) {
			n++
		}
	}
	return n
}

// mayTry reports whether a project whose version differs is to be read now.
func (r *Registry) mayTry(p *project, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return p.failures == 0 || !p.working && !now.Before(p.retryAt)
}

// start makes a worker bring the project up to date. Any number of calls while one works
// make it read once more.
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
	reads, err := r.enter(ctx, p)
	if err != nil {
		return r.done(p, err)
	}
	defer func() { <-reads }()
	r.mu.Lock()
	p.due = false
	r.mu.Unlock()
	s, err := r.build(ctx, p)
	if errors.Is(err, errWholeNeeded) {
		return true
	}
	if err == nil {
		r.put(map[int64]*delivery.Snapshot{p.id: s})
	}
	if ctx.Err() == nil {
		r.report(ctx, p, err)
	}
	return r.done(p, err)
}

// enter waits until one more project may be read, and returns the channel that limits it. A
// project that is older than wholeAfter is read as a whole only when that need not wait.
func (r *Registry) enter(ctx context.Context, p *project) (reads chan struct{}, err error) {
	if p.state.Project.ID != 0 && r.now().Sub(p.wholeAt) > wholeAfter {
		select {
		case r.wholes <- struct{}{}:
			p.state = models.ProjectSnapshot{}
			return r.wholes, nil
		default:
		}
	}
	reads = r.changes
	if p.state.Project.ID == 0 && !p.small {
		reads = r.wholes
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case reads <- struct{}{}:
		return reads, nil
	}
}

// report logs the first of a project's failures, and when it can be read again. It makes known a project that has no
// snapshot yet.
func (r *Registry) report(ctx context.Context, p *project, err error) {
	r.mu.Lock()
	failures := p.failures
	r.mu.Unlock()
	if err != nil && p.served == nil {
		r.putUnread(ctx, p.id)
	}
	switch {
	case err != nil && failures == 0 && p.served == nil:
		r.log.Warn("a project cannot be read; its devices are answered 503", "project", p.id, "error", err)
	case err != nil && failures == 0:
		r.log.Warn("a project cannot be read; its devices are served from the last snapshot", "project", p.id, "error", err)
	case err != nil:
		r.log.Debug("a project still cannot be read", "project", p.id, "failures", failures+1, "error", err)
	case failures > 0:
		r.log.Info("a project can be read again", "project", p.id, "failures", failures)
	}
}

// done ends the worker unless there is more to do.
func (r *Registry) done(p *project, err error) (again bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p.failures++; err == nil {
		p.failures = 0
	}
	p.retryAt = time.Time{}
	if err != nil && !p.due {
		p.retryAt = r.now().Add(betweenReads.After(p.failures))
	}
	p.working = p.due && err == nil
	if p.served == nil && err == nil && !p.working {
		delete(r.projects, p.id)
	}
	return p.working
}

// errWholeNeeded says that the source cannot tell what changed.
var errWholeNeeded = errors.New("the whole project has to be read")

// build reads what changed, or everything, and makes the snapshot of it: nil when the
// project is gone. When the snapshot cannot be made, everything is read next.
func (r *Registry) build(ctx context.Context, p *project) (_ *delivery.Snapshot, err error) {
	started := r.now()
	before, read := p.state, "changes"
	p.state = models.ProjectSnapshot{}
	var state models.ProjectSnapshot
	if before.Project.ID == 0 {
		read = "whole"
		state, err = r.source.Snapshot(ctx, p.id)
	} else {
		var ok bool
		state, ok, err = r.source.SnapshotSince(ctx, before)
		if err == nil && !ok {
			return nil, errWholeNeeded
		}
	}
	switch {
	case models.CodeOf(err) == models.CodeNotFound:
		p.served = nil
		return nil, nil
	case err != nil:
		p.state = before
		return nil, err
	}
	s, err := r.make(p, state, started, read == "whole")
	if err == nil {
		r.builds.WithLabelValues(read).Observe(r.now().Sub(started).Seconds())
	}
	return s, err
}

// make makes the snapshot of a state that was read at a time, and keeps what the next one is made from.
func (r *Registry) make(p *project, state models.ProjectSnapshot, readAt time.Time, whole bool) (s *delivery.Snapshot, err error) {
	if p.served == nil {
		s, err = delivery.NewSnapshot(state, r.baseURL)
	} else {
		s, err = p.served.Next(state)
	}
	if err != nil {
		return nil, err
	}
	small := size(state) <= r.small
	p.served = s
	if !small {
		p.state = state
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p.small, p.readAt = small, readAt
	if whole {
		p.wholeAt = readAt
	}
	return s, nil
}
