// Package feed informs the event streams of an API process about changes in their projects.
//
// Every process reads the same source, the audit log, and every change has a position from which any process can
// continue. A reader that comes back, to this process or another one, gets every change exactly once.
package feed

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/base/every"
	"github.com/waft-ota/waft/models"
)

const (
	// maxMissed is the maximum number of changes for a reader that comes back. If it missed more changes, or a change
	// older than maxAge, it must read everything again.
	maxMissed = 1000
	maxAge    = 5 * time.Minute
	// readerBacklog is the number of batches that a reader may be behind before it is dropped.
	readerBacklog = 64
	// lookEvery is the maximum delay of a change whose notification was lost.
	lookEvery = 5 * time.Second
	// lookTime is the maximum duration of one check of a project.
	lookTime = 10 * time.Second
)

// Source provides the changes of projects. Package store implements it with Postgres.
type Source interface {
	// ProjectChanges returns the changes after a position, up to the moment until, or up to now if that is "".
	ProjectChanges(ctx context.Context, projectID int64, after models.StreamPosition, until string, limit int) (models.ChangeBatch, error)
	// StreamPresent returns the position of a reader that has all changes up to now.
	StreamPresent(ctx context.Context) (models.StreamPosition, error)
	// Listen calls wake with the payload of every notification on channel, and with "" after each connect.
	Listen(ctx context.Context, channel string, wake func(payload string)) error
}

// Feed looks for changes in the projects that have readers, and informs watchers of rollouts and approvals about their
// changes.
type Feed struct {
	source     Source
	log        *slog.Logger
	now        func() time.Time
	executions records
	approvals  records

	mu       sync.Mutex
	projects map[int64]*project
}

// project is a project that has readers, or had readers a moment ago.
type project struct {
	id int64
	// due says that a check is needed and has not begun.
	due atomic.Bool

	mu sync.Mutex
	// position is the readers' position. It is zero before the first check.
	position models.StreamPosition
	readers  map[chan models.ChangeBatch]bool
	// gone says that the last reader has left and the feed has forgotten the project.
	gone bool
}

// New returns a feed. It works while Run runs.
func New(source Source, log *slog.Logger, now func() time.Time) *Feed {
	return &Feed{
		source: source, log: log, now: now, projects: map[int64]*project{},
		executions: records{watchers: map[int64]map[chan struct{}]bool{}}, approvals: records{watchers: map[int64]map[chan struct{}]bool{}},
	}
}

// Run checks projects whenever they change, and passes on changes of rollouts and approvals, until ctx ends.
func (f *Feed) Run(ctx context.Context) error {
	var looking sync.WaitGroup
	defer looking.Wait()
	look := func(payload string) {
		id, err := strconv.ParseInt(payload, 10, 64)
		f.mu.Lock()
		defer f.mu.Unlock()
		for _, p := range f.projects {
			if (err != nil || p.id == id) && !p.due.Swap(true) {
				looking.Go(func() { f.look(ctx, p) })
			}
		}
	}
	looking.Go(func() {
		_ = every.Run(ctx, lookEvery, func() { look("") }) // it returns nil
	})
	var listening errgroup.Group
	listening.Go(func() error { return f.source.Listen(ctx, models.NotifyExecution, f.executions.notify) })
	listening.Go(func() error { return f.source.Listen(ctx, models.NotifyApproval, f.approvals.notify) })
	listening.Go(func() error { return f.source.Listen(ctx, models.NotifyChange, look) })
	return listening.Wait()
}

// look informs the readers of a project about its changes.
func (f *Feed) look(ctx context.Context, p *project) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.due.Store(false)
	if len(p.readers) == 0 {
		return
	}
	if err := p.advance(ctx, f.source); err != nil && ctx.Err() == nil {
		f.log.Warn("event streams cannot get the latest changes; trying again", "project", p.id, "error", err)
	}
}

// advance brings the project's readers to the present. It drops a reader that does not read, by closing its channel.
// The caller holds the lock.
func (p *project) advance(ctx context.Context, source Source) error {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	if p.position.Seen == "" {
		present, err := source.StreamPresent(ctx)
		p.position = present
		return err
	}
	batch, err := source.ProjectChanges(ctx, p.id, p.position, "", maxMissed)
	if err != nil {
		return err
	}
	p.position = batch.Position
	if len(batch.Changes) == 0 && !batch.Reset {
		return nil
	}
	for reader := range p.readers {
		select {
		case reader <- batch:
		default:
			delete(p.readers, reader)
			close(reader)
		}
	}
	return nil
}

// Follow returns the changes that a reader has missed since a position, and a channel of the changes from now on. A
// reader that begins now passes "". missed.Reset is true if the position is invalid, too old, or from another database.
// The channel is closed if the reader does not read; it is abandoned when ctx ends. Follow returns the source's errors.
func (f *Feed) Follow(
	ctx context.Context, projectID int64, after string,
) (missed models.ChangeBatch, live <-chan models.ChangeBatch, err error) {
	reader := make(chan models.ChangeBatch, readerBacklog)
	p, present, err := f.enter(ctx, projectID, reader)
	if err != nil {
		return missed, nil, err
	}
	context.AfterFunc(ctx, func() { f.leave(p, reader) })
	missed.Position = present
	if after == "" {
		return missed, reader, nil
	}
	position, ok := models.ParseStreamPosition(after)
	if !ok {
		missed.Reset = true
		return missed, reader, nil
	}
	found, err := f.source.ProjectChanges(ctx, projectID, position, present.Seen, maxMissed)
	if err != nil {
		f.leave(p, reader)
		return missed, nil, err
	}
	missed.Reset = found.Reset || len(found.Changes) > 0 && f.now().Sub(oldest(found.Changes)) > maxAge
	if !missed.Reset {
		missed.Changes = found.Changes
	}
	return missed, reader, nil
}

func oldest(changes []models.ProjectChange) time.Time {
	return slices.MinFunc(changes, func(a, b models.ProjectChange) int { return a.At.Compare(b.At) }).At
}

// enter adds a reader to its project after bringing the project to the present. So a position that the reader received
// earlier, from any process, is never later than the project's position.
func (f *Feed) enter(ctx context.Context, projectID int64, reader chan models.ChangeBatch) (*project, models.StreamPosition, error) {
	for {
		p := f.project(projectID)
		p.mu.Lock()
		if p.gone { // it was forgotten after it was found
			p.mu.Unlock()
			f.forget(p)
			continue
		}
		err := p.advance(ctx, f.source)
		p.readers[reader] = true
		position := p.position
		p.mu.Unlock()
		if err != nil {
			f.leave(p, reader)
		}
		return p, position, err
	}
}

func (f *Feed) project(id int64) *project {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.projects[id]
	if p == nil {
		p = &project{id: id, readers: map[chan models.ChangeBatch]bool{}}
		f.projects[id] = p
	}
	return p
}

// leave removes a reader, and forgets the reader's project if it was the last reader. The two locks are never held at
// the same time, because a check holds the project's lock while it waits for the source.
func (f *Feed) leave(p *project, reader chan models.ChangeBatch) {
	p.mu.Lock()
	delete(p.readers, reader)
	p.gone = len(p.readers) == 0
	gone := p.gone
	p.mu.Unlock()
	if gone {
		f.forget(p)
	}
}

func (f *Feed) forget(p *project) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.projects[p.id] == p {
		delete(f.projects, p.id)
	}
}
