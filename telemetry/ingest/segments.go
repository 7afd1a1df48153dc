package ingest

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/tidwall/wal"
)

// segments is the log in one folder. It contains numbered entries, which are appended in groups, read one by one and
// dropped from the front. A group becomes durable as a whole. segments adds to wal.Log what durability requires: it
// repairs a tail that a crash cut off, syncs the names of new files, and undoes a failed write before the next one.
//
// wal.Log holds its lock while it syncs, so readers would wait. segments therefore syncs the files itself, outside that
// lock.
type segments struct {
	dir          string
	segmentBytes int
	log          *slog.Logger

	// files is held while files change.
	files   sync.Mutex
	batch   wal.Batch
	tail    *os.File
	durable atomic.Uint64
	// broken is true from a failed append to the next successful one.
	broken bool
	// sync makes a file's content durable. Tests replace it.
	sync func(*os.File) error

	// opened guards wal. wal is nil after a failed write until mend opens it again.
	opened sync.RWMutex
	wal    *wal.Log
}

func openSegments(dir string, segmentBytes int, log *slog.Logger) (*segments, error) {
	if err := makeDir(dir); err != nil {
		return nil, err
	}
	j := &segments{dir: dir, segmentBytes: segmentBytes, log: log, sync: (*os.File).Sync}
	if err := j.openWAL(); err != nil {
		return nil, err
	}
	last, err := j.wal.LastIndex()
	if err == nil {
		// The writes of a killed process may not have reached the disk yet.
		err = j.syncTail()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open log: %w", err), j.close())
	}
	j.durable.Store(last)
	return j, nil
}

// append makes all entries durable with one sync. After an error, none of them is in the log.
func (j *segments) append(entries [][]byte) error {
	j.files.Lock()
	defer j.files.Unlock()
	if err := j.mendLocked(); err != nil {
		return err
	}
	last := j.durable.Load()
	j.batch.Clear()
	for _, entry := range entries {
		last++
		j.batch.Write(last, entry)
	}
	err := j.wal.WriteBatch(&j.batch)
	if err == nil {
		err = j.syncTail()
	}
	if err != nil {
		j.broken = true
		// wal.Log counts entries that it failed to write, and after a failed sync the content of the disk is unknown.
		return errors.Join(fmt.Errorf("append to log: %w", err), j.closeLocked())
	}
	j.durable.Store(last)
	if j.broken {
		j.broken = false
		j.log.Info("ingest log is writable again", slog.String("dir", j.dir))
	}
	return nil
}

// read returns a durable entry.
func (j *segments) read(index uint64) ([]byte, error) {
	if err := j.mend(); err != nil {
		return nil, err
	}
	j.opened.RLock()
	defer j.opened.RUnlock()
	if j.wal == nil {
		return nil, wal.ErrClosed
	}
	entry, err := j.wal.Read(index)
	if err != nil {
		return nil, fmt.Errorf("read log entry %d: %w", index, err)
	}
	return entry, nil
}

// first returns the number of the first entry, or the number after the last if the log is empty.
func (j *segments) first() (uint64, error) {
	j.opened.RLock()
	defer j.opened.RUnlock()
	first, err := j.wal.FirstIndex()
	if err != nil {
		return 0, fmt.Errorf("read log: %w", err)
	}
	return first, nil
}

// last returns the number of the last durable entry, or 0 for a log that never had an entry.
func (j *segments) last() uint64 { return j.durable.Load() }

// dropBefore removes the entries before index. It rewrites the rest of a file, so call it for many entries together.
func (j *segments) dropBefore(index uint64) error {
	j.files.Lock()
	defer j.files.Unlock()
	if err := j.mendLocked(); err != nil {
		return err
	}
	// TruncateFront may replace the last file by a file with another name.
	j.closeTail()
	err := j.wal.TruncateFront(index)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("drop inserted entries from log: %w", err)
	if errors.Is(err, wal.ErrCorrupt) {
		return errors.Join(err, j.closeLocked())
	}
	return err
}

func (j *segments) close() error {
	j.files.Lock()
	defer j.files.Unlock()
	return j.closeLocked()
}

func (j *segments) closeLocked() error {
	j.closeTail()
	j.opened.Lock()
	defer j.opened.Unlock()
	if j.wal == nil {
		return nil
	}
	err := j.wal.Close()
	j.wal = nil
	if err != nil {
		return fmt.Errorf("close log: %w", err)
	}
	return nil
}

func (j *segments) closeTail() {
	if j.tail != nil {
		_ = j.tail.Close() // the file is only synced, never written
		j.tail = nil
	}
}

// syncTail makes the last file durable. wal.Log syncs a file before it begins the next.
func (j *segments) syncTail() error {
	names, err := segmentNames(j.dir)
	if err != nil {
		return err
	}
	path := filepath.Join(j.dir, names[len(names)-1])
	if j.tail == nil || j.tail.Name() != path {
		j.closeTail()
		if j.tail, err = os.Open(path); err != nil {
			return fmt.Errorf("sync log: %w", err)
		}
		if err := syncDir(j.dir); err != nil {
			return err
		}
	}
	if err := j.sync(j.tail); err != nil {
		return fmt.Errorf("sync log: %w", err)
	}
	return nil
}
