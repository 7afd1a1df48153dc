package ingest

import (
	"encoding/binary"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/tidwall/wal"
)

// segmentNameBytes is the length of a log file's name, which is the number of its first entry.
const segmentNameBytes = 20

// segmentsCached is enough for the reports that gather while a range is inserted: about 40,000.
const segmentsCached = 4

// mend opens the log again after a failed write.
func (j *segments) mend() error {
	j.opened.RLock()
	broken := j.wal == nil
	j.opened.RUnlock()
	if !broken {
		return nil
	}
	j.files.Lock()
	defer j.files.Unlock()
	return j.mendLocked()
}

// mendLocked opens the log like mend. It removes the entries of the failed write, because their senders got an error
// and may send them again. It succeeds even on a full disk, so the log counts as writable only after the next write.
func (j *segments) mendLocked() error {
	if j.wal != nil {
		return nil
	}
	if err := j.openWAL(); err != nil {
		return err
	}
	last, err := j.wal.LastIndex()
	switch durable := j.durable.Load(); {
	case err != nil:
	case last < durable:
		err = fmt.Errorf("it ends at entry %d, but entry %d was durable", last, durable)
	case last > durable:
		err = j.wal.TruncateBack(durable)
	}
	if err == nil {
		err = j.syncTail()
	}
	if err != nil {
		_ = j.closeLocked()
		return fmt.Errorf("open log again: %w", err)
	}
	return nil
}

func (j *segments) openWAL() error {
	cut, err := repairTail(j.dir)
	if err != nil {
		return err
	}
	if cut > 0 {
		j.log.Warn("ingest log: removed the end of an interrupted write, which was not acknowledged",
			slog.String("dir", j.dir), slog.Int64("bytes", cut))
	}
	log, err := wal.Open(j.dir, &wal.Options{
		NoSync:      true, // segments syncs
		SegmentSize: j.segmentBytes,
		// Entries are read within a second after they were written, so they should not have to come from the disk.
		SegmentCacheSize: segmentsCached,
		AllowEmpty:       true,
	})
	if err != nil {
		return fmt.Errorf("open log %s: %w", j.dir, err)
	}
	j.opened.Lock()
	defer j.opened.Unlock()
	j.wal = log
	return nil
}

// repairTail cuts the last file after its last complete entry, because wal.Open rejects a file with an incomplete
// entry. Only the last file can have one, because wal.Log syncs a file before it begins the next. Acknowledged
// entries were synced, so they are before the cut. repairTail returns the number of bytes removed.
func repairTail(dir string) (int64, error) {
	names, err := segmentNames(dir)
	if err != nil || len(names) == 0 {
		return 0, err
	}
	path := filepath.Join(dir, names[len(names)-1])
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("repair log: %w", err)
	}
	whole := wholeEntries(data)
	cut := int64(len(data) - whole)
	if cut == 0 {
		return 0, nil
	}
	// The sync after opening makes this durable.
	if err := os.Truncate(path, int64(whole)); err != nil {
		return 0, fmt.Errorf("repair log: %w", err)
	}
	return cut, nil
}

// wholeEntries returns the length of the intact entries at the beginning of data. Each entry is preceded by its size
// as a varint (wal.Binary).
func wholeEntries(data []byte) int {
	end := 0
	for end < len(data) {
		size, n := binary.Uvarint(data[end:])
		if n <= 0 || size > uint64(len(data)-end-n) || !entryIntact(data[end+n:end+n+int(size)]) {
			break
		}
		end += n + int(size)
	}
	return end
}

// segmentNames lists the log's files, oldest first. Files with another extension are steps of a truncation. wal.Open
// completes them from complete, synced copies, and files that are still called TEMP were never part of the log.
func segmentNames(dir string) ([]string, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list log files: %w", err)
	}
	var names []string
	for _, f := range files {
		if len(f.Name()) == segmentNameBytes {
			names = append(names, f.Name())
		}
	}
	return names, nil
}
