package snapshot

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/base/backoff"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// The number of projects that are read at the same time: as a whole, and by their changes.
const (
	wholesTogether  = 2
	changesTogether = 4
)

const (
	// idleAfter is how long a project may go without a change before it is read anyway. This keeps its state recent
	// enough for Source.SnapshotSince.
	idleAfter = time.Hour
	// wholeAfter is how long a project may be read by its changes alone before it is read as a whole again.
	wholeAfter = 6 * time.Hour
)

// project is the state of a project apart from its snapshot. At most one worker at a time uses it.
type project struct {
	id int64
	// due says that something may have changed since the worker began to read. working says that there is a worker. The
	// registry's mutex guards both, the times, failures, and changes of small.
	due, working bool
	// failures is the number of consecutive workers that failed. retryAt is the time from which a comparison of
	// versions may start another worker.
	failures int
	retryAt  time.Time
	// readAt is the time of the last read, and wholeAt is the time of the last read as a whole. Both are zero if there
	// was none.
	readAt, wholeAt time.Time

	// state is the data the snapshot was built from. If it has no project, everything must be read. That is always so
	// for small projects: reading one whole is as fast as reading its changes, and its state would take as much memory
	// as its snapshot. Only the worker uses state, small and served.
	state  models.ProjectSnapshot
	small  bool
	served *delivery.Snapshot
}

// smallProject is the maximum size of a small project: see size.
const smallProject = 500

// size returns the number of a project's records that are read to build its snapshot.
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

// betweenReads spaces the attempts to read a project that cannot be read. If the project changes, it is read
// immediately, because the change may repair it.
var betweenReads = backoff.Policy{Min: pollInterval, Max: time.Minute}

// request records that a project has changed. If payload does not name a project, any project may have changed. Then
// the source has come back, so projects that could not be read are tried immediately.
func (r *Registry) request(payload string) {
	text, later := strings.CutSuffix(payload, models.NotifyLater)
	id, err := strconv.ParseInt(text, 10, 64)
	r.mu.Lock()
	switch {
	case err == nil && later && r.waiting.Load() == 0:
		if !r.later[id] {
			r.later[id] = true
			time.AfterFunc(r.wait, func() { r.readLater(map[int64]int64{id: 0}) })
		}
		r.mu.Unlock()
		return
	case err == nil:
		r.pending[id] = true
	default:
		r.all = true
		for _, p := range r.projects {
			p.retryAt = time.Time{}
		}
	}
	r.mu.Unlock()
	r.wakeUp()
}

// readLater ends the wait for further changes of the projects, whose IDs are the keys of versions.
func (r *Registry) readLater(versions map[int64]int64) {
	r.mu.Lock()
	due := false
	for id := range r.later {
		if _, ok := versions[id]; ok {
			delete(r.later, id)
			r.pending[id], due = true, true
		}
	}
	r.mu.Unlock()
	if due {
		r.wakeUp()
	}
}

func (r *Registry) wakeUp() {
	select {
	case r.wake <- struct{}{}:
	default: // a refresh is already due
	}
}

// poll records that versions must be compared.
func (r *Registry) poll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = true
}

// refresh starts the requested work. If work fails, the next poll, which compares versions, requests it again.
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

// compare returns the projects whose version differs, and the deleted projects.
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

// project returns the state of a project. If the state is missing, it is created.
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

// aged returns the projects, apart from small ones, that were not read for idleAfter or not as a whole for wholeAfter.
// It leaves out projects that were never read; compare returns these.
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

// behind returns the number of projects that may have changes which are not served yet.
func (r *Registry) behind() int {
	return r.count(func(p *project) bool { return p.due || p.working || p.failures > 0 })
}

// failing returns the number of projects whose last read failed.
func (r *Registry) failing() int { return r.count(func(p *project) bool { return p.failures > 0 }) }

// count returns the number of projects with a property.
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

// mayTry reports whether a project whose version differs should be read now.
func (r *Registry) mayTry(p *project, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return p.failures == 0 || !p.working && !now.Before(p.retryAt)
}

// start makes a worker bring the project up to date. Any number of calls while the worker runs make it read one more
// time.
func (r *Registry) start(ctx context.Context, p *project, workers *errgroup.Group) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.due = true
	delete(r.later, p.id) // it is read with everything else
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

// step brings the project up to date once and reports whether it must run again.
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

// enter waits until another project may be read, and returns the channel that limits such reads. A project that is
// older than wholeAfter is read as a whole only if it need not wait for that.
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

// report logs the first failure of a project, and the end of its failures. It adds a project that has no snapshot yet
// to the index.
func (r *Registry) report(ctx context.Context, p *project, err error) {
	r.mu.Lock()
	failures := p.failures
	r.mu.Unlock()
	if err != nil && p.served == nil {
		r.putUnread(ctx, p.id)
	}
	switch {
	case err != nil && failures == 0 && p.served == nil:
		r.log.Warn("a project cannot be read; its devices get 503", "project", p.id, "error", err)
	case err != nil && failures == 0:
		r.log.Warn("a project cannot be read; its devices are served from the last snapshot", "project", p.id, "error", err)
	case err != nil:
		r.log.Debug("a project still cannot be read", "project", p.id, "failures", failures+1, "error", err)
	case failures > 0:
		r.log.Info("a project can be read again", "project", p.id, "failures", failures)
	}
}

// done ends the worker unless there is more to do, and reports whether there is.
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

// errWholeNeeded says that the source cannot determine the changes.
var errWholeNeeded = errors.New("the whole project has to be read")

// build reads the changes, or everything, and builds the snapshot. The snapshot is nil if the project was deleted. If
// the snapshot cannot be built, the next read is a read as a whole.
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

// make builds the snapshot of a state that was read at readAt. It keeps the data from which the next snapshot will be
// built.
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
