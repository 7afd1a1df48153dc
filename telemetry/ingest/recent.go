package ingest

import (
	"sync"

	"github.com/waft-ota/waft/models"
)

// recentBytes bounds the entries of recentReports by their size in the log; in memory they
// are some five times as large.
const recentBytes = 16 << 20

// recentReports are reports that the log holds, by the number of their entry, so that a range
// need not decode what has just been appended. Reports above recentBytes are only in the log.
type recentReports struct {
	mu    sync.Mutex
	kept  map[uint64]recentReport
	bytes int
}

// recentReport is a report and the size of its entry in bytes.
type recentReport struct {
	*models.HealthReport
	bytes int
}

// add keeps the reports of consecutive entries. An entry that is no report has nil.
func (r *recentReports) add(first uint64, reports []recentReport) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil {
		r.kept = map[uint64]recentReport{}
	}
	for i, report := range reports {
		if report.HealthReport != nil && r.bytes+report.bytes <= recentBytes {
			r.kept[first+uint64(i)] = report
			r.bytes += report.bytes
		}
	}
}

// take returns the report of an entry and forgets it.
func (r *recentReports) take(entry uint64) (report recentReport, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if report, ok = r.kept[entry]; ok {
		delete(r.kept, entry)
		r.bytes -= report.bytes
	}
	return report, ok
}
