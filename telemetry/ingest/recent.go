package ingest

import (
	"sync"

	"github.com/waft-ota/waft/models"
)

// recentBytes bounds the size in the log of the entries in memory, where they are some five
// times as large.
const recentBytes = 16 << 20

// recentEntry is an entry of the log that need not be read back. report is nil for an entry
// with other content.
type recentEntry struct {
	report *models.HealthReport
	bytes  int
}

// recentEntries are the last entries of the log, unless they are too many: while ClickHouse
// is away they are in the log only.
type recentEntries struct {
	mu    sync.Mutex
	first uint64
	kept  []recentEntry
	bytes int
}

// add adds durable entries, of which the first has the number.
func (r *recentEntries) add(first uint64, entries []recentEntry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.first+uint64(len(r.kept)) != first || r.bytes > recentBytes {
		r.first, r.kept, r.bytes = first, nil, 0
	}
	r.kept = append(r.kept, entries...)
	for _, e := range entries {
		r.bytes += e.bytes
	}
}

// from returns the entries from the number on, none when they are not in memory.
func (r *recentEntries) from(index uint64) []recentEntry {
	r.mu.Lock()
	defer r.mu.Unlock()
	if index < r.first || index-r.first >= uint64(len(r.kept)) {
		return nil
	}
	return r.kept[index-r.first:]
}

// drop removes the entries before the number.
func (r *recentEntries) drop(index uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if index <= r.first {
		return
	}
	gone := r.kept[:min(index-r.first, uint64(len(r.kept)))]
	for _, e := range gone {
		r.bytes -= e.bytes
	}
	clear(gone)
	r.first, r.kept = r.first+uint64(len(gone)), r.kept[len(gone):]
}
