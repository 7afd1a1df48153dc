package ingest

import (
	"sync"
	"time"

	"github.com/waft-ota/waft/models"
)

// commitGroup is reports that become durable with one sync. err is set before done is
// closed.
type commitGroup struct {
	entries [][]byte
	reports []recentReport // of the last entries; exposures are in front
	bytes   int64
	rows    int
	failed  bool // one of them has errors
	done    chan struct{}
	err     error
}

// intake collects the reports and exposures of many senders in groups for the writer, and
// counts what waits for insertion.
type intake struct {
	maxBytes int64
	// commit and arrived hold one wake-up each: the group has a member, a group is durable.
	commit  chan struct{}
	arrived chan struct{}

	mu      sync.Mutex
	closed  bool
	group   *commitGroup
	entries int
	bytes   int64
	// held is the size of the entries whose reports are inserted and whose errors are not.
	held   int64
	next   gathered
	oldest time.Time
}

func newIntake(maxBytes int64) *intake {
	return &intake{maxBytes: maxBytes, commit: make(chan struct{}, 1), arrived: make(chan struct{}, 1), group: newCommitGroup()}
}

func newCommitGroup() *commitGroup { return &commitGroup{done: make(chan struct{})} }

// join adds an entry of so many rows to the group that is committed next. report is nil when
// it is none.
func (in *intake) join(entry []byte, rows int, report *models.HealthReport) (*commitGroup, rejection) {
	in.mu.Lock()
	defer in.mu.Unlock()
	size := int64(len(entry))
	switch {
	case in.closed:
		return nil, rejectedClosed
	case in.bytes+in.held+size > in.maxBytes:
		return nil, rejectedFull
	}
	in.bytes += size
	g := in.group
	g.entries = append(g.entries, entry)
	g.reports = append(g.reports, recentReport{report, len(entry)})
	g.bytes += size
	g.rows += rows
	g.failed = g.failed || report != nil && report.HasErrors()
	wake(in.commit)
	return g, ""
}

// take returns the group so far and begins another.
func (in *intake) take() *commitGroup {
	in.mu.Lock()
	defer in.mu.Unlock()
	g := in.group
	in.group = newCommitGroup()
	return g
}

// exposuresReserve is the part of maxBytes by which exposures may exceed it: without its
// exposure a device does not count, while a refused report is sent again.
const exposuresReserve = 8

// takesExposures reports whether the log has room for exposures.
func (in *intake) takesExposures() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.bytes+in.held <= in.maxBytes+in.maxBytes/exposuresReserve
}

// addExposures puts entries with so many exposures in front of a group that was taken.
func (in *intake) addExposures(g *commitGroup, entries [][]byte, exposures int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, entry := range entries {
		g.bytes += int64(len(entry))
		in.bytes += int64(len(entry))
	}
	g.rows += exposures
	g.entries = append(entries, g.entries...)
}

// settle counts a group that became durable or, with err, did not.
func (in *intake) settle(g *commitGroup, err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if err != nil {
		in.bytes -= g.bytes
		return
	}
	in.entries += len(g.entries)
	in.next.last = time.Now()
	if in.next.rows == 0 {
		in.next.first = in.next.last
	}
	in.next.rows += g.rows
	if g.failed && in.next.failed.IsZero() {
		in.next.failed = in.next.last
	}
	wake(in.arrived)
}

// restore counts an entry of an earlier run.
func (in *intake) restore(size int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.entries++
	in.bytes += int64(size)
}

// begin records that a range is being inserted whose first content is of oldest.
func (in *intake) begin(oldest time.Time) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.oldest = oldest
	in.next.rows, in.next.failed = 0, time.Time{}
}

// finish counts entries as inserted but for their errors.
func (in *intake) finish(entries int, bytes int64) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.entries -= entries
	in.bytes -= bytes
	in.held += bytes
	in.oldest = time.Time{}
}

// release counts the errors of entries of so many bytes as inserted.
func (in *intake) release(bytes int64) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.held -= bytes
}

// gathered is what became durable since the last range began.
func (in *intake) gathered() gathered {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.next
}

// waiting is the number of the entries not yet inserted, the size of these and of those whose errors are not, and the time of the oldest
// of the range being inserted, zero without one.
func (in *intake) waiting() (entries int, bytes int64, oldest time.Time) {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.entries, in.bytes + in.held, in.oldest
}

// close rejects further entries; false when it was closed before.
func (in *intake) close() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.closed {
		return false
	}
	in.closed = true
	close(in.commit)
	return true
}

// wake leaves a wake-up unless one is there.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

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
