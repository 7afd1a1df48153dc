package ingest

import (
	"sync"

	"github.com/waft-ota/waft/models"
)

// recentBytes bounds what entries in memory take in the log; in memory they are some
// five times as large.
const recentBytes = 16 << 20

// recentEntry is an entry of the log whose content need not be read back. report is nil
// for one that holds something else.
type recentEntry struct {
	report *models.HealthReport
	bytes  int
}

// recentEntries are the last entries of the log, as long as they are to be inserted soon:
// while ClickHouse is away the log alone has them.
type recentEntries struct {
	mu    sync.Mutex
	first uint64
	kept  []recentEntry
	bytes int
}

// add takes entries that became durable, the first of them with the number.
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

// from are the entries from the number on, none when they are not kept. They stay until
// drop.
func (r *recentEntries) from(index uint64) []recentEntry {
	r.mu.Lock()
	defer r.mu.Unlock()
	if index < r.first || index-r.first >= uint64(len(r.kept)) {
		return nil
	}
	return r.kept[index-r.first:]
}

// drop forgets the entries in front of the number.
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
