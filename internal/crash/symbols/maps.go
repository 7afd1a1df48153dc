package symbols

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/waft-ota/waft/internal/base/cache"
	"github.com/waft-ota/waft/internal/crash/sourcemap"
	"github.com/waft-ota/waft/models"
)

// Store finds the source maps of builds.
type Store interface {
	// SourceMap returns the MD5 of the source map of the code that a device runs, or "" if it is not known.
	SourceMap(ctx context.Context, projectID int64, u models.RunningUpdate) (md5 string, err error)
}

// Options configures Maps. All fields are required.
type Options struct {
	Store Store
	// Open opens a file of a project by its MD5.
	Open func(ctx context.Context, projectID int64, md5 string) (io.ReadCloser, error)
	// Memory is the maximum size in bytes of the source maps that are kept in memory. The most recently used map is
	// kept even if it is larger.
	Memory int64
	Log    *slog.Logger
	Now    func() time.Time
}

const (
	// lookupLife is how long a result of the Store is used for incoming events. It is short because another process may
	// add a source map.
	lookupLife = 15 * time.Second
	// maxLookups limits the results that are kept: the maximum is twice maxLookups. Devices may report any update ID.
	maxLookups = 5000
	// failureLife is how long Maps waits after a failure before it reads a source map again.
	failureLife = 30 * time.Second
	// readTimeout is the maximum time for reading a source map.
	readTimeout = 2 * time.Minute
	// patience is how long errors wait for a source map that cannot be read.
	patience = 5 * time.Minute
)

// Maps reads source maps and keeps the most recently used ones in memory. It is safe for concurrent use.
type Maps struct {
	o Options
	// reading is held while a map is read, so that at most one map at a time needs memory for that.
	reading *semaphore.Weighted

	mu      sync.Mutex
	lookups *cache.Generations[runningIn, lookup]
	kept    map[file]*list.Element // of *loaded, most recently used first
	order   *list.List
	bytes   int64
	// failing maps a source map to the time since which it cannot be read. An empty MD5 stands for the time since which
	// the Store has been failing.
	failing map[file]time.Time
}

type runningIn struct {
	projectID int64
	models.RunningUpdate
}

// lookup is a result of the Store.
type lookup struct {
	md5   string
	until time.Time
}

type file struct {
	projectID int64
	md5       string
}

// loaded is a source map. It is being read until done is closed; then m or err is set.
type loaded struct {
	file
	done  chan struct{}
	m     *mapped
	err   error
	until time.Time // after an error
}

// New returns an empty Maps.
func New(o Options) *Maps {
	return &Maps{
		o: o, reading: semaphore.NewWeighted(1), lookups: cache.New[runningIn, lookup](maxLookups, 0), kept: map[file]*list.Element{}, order: list.New(),
		failing: map[file]time.Time{},
	}
}

// Check reads a source map that is being uploaded. It returns CodeInvalid for the field sourcemap if the file is not a
// source map.
func (m *Maps) Check(ctx context.Context, r io.Reader) error {
	if m.reading.Acquire(ctx, 1) != nil {
		return context.Cause(ctx)
	}
	defer m.reading.Release(1)
	if _, err := sourcemap.Read(r); err != nil {
		var p models.Problems
		p.Add("sourcemap", "is not a source map of version 3: %v", err)
		return p.Err()
	}
	return nil
}

// Forget drops the Store's results about the project, because a source map was added.
func (m *Maps) Forget(projectID int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for in := range m.lookups.All() {
		if in.projectID == projectID {
			m.lookups.Delete(in)
		}
	}
}

// Frames returns the frames of an event's stack, resolved with the source map of the code that the device ran, if there
// is one. It returns unavailable if the source map cannot be read.
func (m *Maps) Frames(ctx context.Context, projectID int64, e models.TelemetryEvent) ([]models.StackFrame, error) {
	if e.StackTrace == "" {
		return nil, nil
	}
	md5, err := m.o.Store.SourceMap(ctx, projectID, models.RunningUpdate{
		UpdateUUID: e.UpdateUUID, Platform: e.Platform, RuntimeVersion: e.RuntimeVersion,
	})
	if err != nil {
		return nil, err
	}
	var by *mapped
	if md5 != "" {
		if by, err = m.load(ctx, file{projectID, md5}); err != nil {
			return nil, models.Unavailable("the source map", err)
		}
	}
	return by.shown(e.StackTrace), nil
}

// of returns the source map of the code that a device runs once it has been read, or nil if the code does not have one.
// It returns an error as long as the map cannot be read. It returns nil if that has lasted for patience, or if the file
// no longer exists.
func (m *Maps) of(ctx context.Context, in runningIn) (*mapped, error) {
	md5, err := m.lookUp(ctx, in)
	if err == nil && md5 == "" {
		return nil, nil
	}
	f := file{in.projectID, md5}
	var by *mapped
	if err == nil {
		by, err = m.load(ctx, f)
	}
	if ctx.Err() != nil || m.mayWait(f, err) {
		return by, err
	}
	m.o.Log.WarnContext(ctx, "errors are grouped without their source map, which cannot be read",
		"project", in.projectID, "update", in.UpdateUUID, "error", err)
	return nil, nil
}

// mayWait reports whether errors may wait for a file after err. err is nil if the file was read.
func (m *Maps) mayWait(f file, err error) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err == nil {
		delete(m.failing, f)
		delete(m.failing, file{f.projectID, ""})
		return true
	}
	since, known := m.failing[f]
	if !known {
		since = m.o.Now()
		m.failing[f] = since
	}
	return models.CodeOf(err) != models.CodeNotFound && m.o.Now().Sub(since) < patience
}

// lookUp returns the Store's result, or its previous result if that is recent. If the Store fails, lookUp returns the
// previous result.
func (m *Maps) lookUp(ctx context.Context, in runningIn) (string, error) {
	now := m.o.Now()
	m.mu.Lock()
	known, ok := m.lookups.Peek(in)
	m.mu.Unlock()
	if ok && now.Before(known.until) {
		return known.md5, nil
	}
	md5, err := m.o.Store.SourceMap(ctx, in.projectID, in.RunningUpdate)
	if err != nil {
		if !ok {
			return "", err
		}
		md5 = known.md5
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lookups.Put(in, lookup{md5, now.Add(lookupLife)})
	return md5, nil
}

// load returns a source map from memory, or reads it. If ctx ends, the read continues.
func (m *Maps) load(ctx context.Context, f file) (*mapped, error) {
	m.mu.Lock()
	at, ok := m.kept[f]
	if ok {
		if l := at.Value.(*loaded); l.err != nil && !m.o.Now().Before(l.until) {
			m.drop(at)
			ok = false
		}
	}
	if !ok {
		l := &loaded{file: f, done: make(chan struct{})}
		at = m.order.PushFront(l)
		m.kept[f] = at
		go m.read(context.WithoutCancel(ctx), at)
	}
	m.order.MoveToFront(at)
	l := at.Value.(*loaded)
	m.mu.Unlock()
	select {
	case <-l.done:
		return l.m, l.err
	case <-ctx.Done():
		return nil, fmt.Errorf("it is still being read: %w", context.Cause(ctx))
	}
}

// read reads a source map and makes room for it.
func (m *Maps) read(ctx context.Context, at *list.Element) {
	l := at.Value.(*loaded)
	by, err := m.readFile(ctx, l.file)
	m.mu.Lock()
	defer m.mu.Unlock()
	l.m, l.err, l.until = by, err, m.o.Now().Add(failureLife)
	if err == nil {
		m.bytes += by.bytes
	}
	close(l.done)
	for m.bytes > m.o.Memory && m.evict(at) {
		continue
	}
}

// evict drops the least recently used source map except keep. It returns false if there is no other map to drop.
func (m *Maps) evict(keep *list.Element) bool {
	for at := m.order.Back(); at != nil; at = at.Prev() {
		if l := at.Value.(*loaded); at != keep && l.isDone() {
			m.drop(at)
			return true
		}
	}
	return false
}

func (l *loaded) isDone() bool { return l.m != nil || l.err != nil }

func (m *Maps) drop(at *list.Element) {
	l := at.Value.(*loaded)
	m.order.Remove(at)
	delete(m.kept, l.file)
	if l.m != nil {
		m.bytes -= l.m.bytes
	}
}

func (m *Maps) readFile(ctx context.Context, f file) (by *mapped, err error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	if m.reading.Acquire(ctx, 1) != nil {
		return nil, context.Cause(ctx)
	}
	defer m.reading.Release(1)
	r, err := m.o.Open(ctx, f.projectID, f.md5)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	parsed, err := sourcemap.Read(r)
	if err != nil {
		return nil, err
	}
	return newMapped(parsed), nil
}
