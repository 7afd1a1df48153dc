package ingest

import (
	"sync"
	"time"

	"github.com/waft-ota/waft/models"
)

// commitGroup contains entries that become durable with one sync. err is set before done is closed.
type commitGroup struct {
	entries [][]byte
	reports []recentReport // reports of the last entries; entries with exposures come first
	bytes   int64
	rows    int
	failed  bool // an entry has errors
	done    chan struct{}
	err     error
}

// intake collects the reports and exposures of many senders in groups for the writer. It counts the entries that wait
// for insertion.
type intake struct {
	maxBytes int64
	// commit holds a wake-up if the group has a member. arrived holds a wake-up if a group became durable.
	commit  chan struct{}
	arrived chan struct{}

	mu      sync.Mutex
	closed  bool
	group   *commitGroup
	entries int
	bytes   int64
	// held is the size of the entries whose reports are inserted but whose errors are not.
	held   int64
	next   gathered
	oldest time.Time
}

func newIntake(maxBytes int64) *intake {
	return &intake{maxBytes: maxBytes, commit: make(chan struct{}, 1), arrived: make(chan struct{}, 1), group: newCommitGroup()}
}

func newCommitGroup() *commitGroup { return &commitGroup{done: make(chan struct{})} }

// join adds an entry to the group that is committed next. rows is its number of rows. report is the entry's report,
// or nil.
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

// take returns the current group and begins a new one.
func (in *intake) take() *commitGroup {
	in.mu.Lock()
	defer in.mu.Unlock()
	g := in.group
	in.group = newCommitGroup()
	return g
}

// exposuresReserve is the fraction 1/8 of maxBytes by which exposures may exceed maxBytes. A device without its
// exposure does not count, while a rejected report is sent again.
const exposuresReserve = 8

// takesExposures reports whether the log has room for exposures.
func (in *intake) takesExposures() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.bytes+in.held <= in.maxBytes+in.maxBytes/exposuresReserve
}

// addExposures inserts entries with exposures at the front of a group that was taken. exposures is their number.
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

// settle counts a group that became durable. If err is not nil, the group did not become durable.
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

// begin records that a range is being inserted. oldest is the time of its oldest content.
func (in *intake) begin(oldest time.Time) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.oldest = oldest
	in.next.rows, in.next.failed = 0, time.Time{}
}

// finish counts entries as inserted, except for their errors.
func (in *intake) finish(entries int, bytes int64) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.entries -= entries
	in.bytes -= bytes
	in.held += bytes
	in.oldest = time.Time{}
}

// release counts the errors of entries as inserted. bytes is the size of the entries.
func (in *intake) release(bytes int64) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.held -= bytes
}

// gathered returns the counts of rows that became durable since the last range began.
func (in *intake) gathered() gathered {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.next
}

// waiting returns the number of entries that are not inserted yet. bytes also includes entries whose errors are not
// inserted yet. oldest is the time of the oldest content of the range that is being inserted, or zero.
func (in *intake) waiting() (entries int, bytes int64, oldest time.Time) {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.entries, in.bytes + in.held, in.oldest
}

// close rejects further entries. It returns false if the intake was already closed.
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

// wake leaves a wake-up in the channel unless it already has one.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// recentBytes is the maximum size of the entries in recentReports, by their size in the log. In memory they are about
// five times as large.
const recentBytes = 16 << 20

// recentReports holds reports of the log in memory, by the number of their entry, so that a range does not have to
// decode entries that were just appended. Reports above recentBytes are only in the log.
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

// add keeps the reports of consecutive entries. The report is nil for an entry without a report.
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

// take removes and returns the report of an entry.
func (r *recentReports) take(entry uint64) (report recentReport, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if report, ok = r.kept[entry]; ok {
		delete(r.kept, entry)
		r.bytes -= report.bytes
	}
	return report, ok
}
