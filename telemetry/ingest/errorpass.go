package ingest

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/waft-ota/waft/models"
)

// Groups finds the error groups of events.
type Groups interface {
	// Group sets the group of each error and crash in the reports. It may wait for source maps. After an error it is
	// called again.
	Group(ctx context.Context, reports []models.HealthReport) error
}

// errorPass is the second pass over the log. It takes reports that are already inserted and counted in decisions,
// groups their errors and crashes, and inserts them. It may wait for source maps as long as necessary, because
// devices and decisions do not wait for it. It has its own ranges and cursor file. They work like the ranges and the
// cursor of the reports, so a restart continues the pass.
type errorPass struct {
	path string
	// Only Run's goroutine of the pass uses these fields.
	cursor  cursor
	current *logRange
	kept    int64

	// arrived holds a wake-up if ranges are waiting.
	arrived chan struct{}
	mu      sync.Mutex
	waiting []passedRange
}

// passedRange is a range whose reports are inserted. to is its last entry. failed are the entries with errors.
type passedRange struct {
	to     uint64
	bytes  int64
	failed []uint64
}

func newErrorPass(path string) *errorPass {
	return &errorPass{path: path, arrived: make(chan struct{}, 1)}
}

// load reads the position of the pass. Without a file, it is the position of the reports: an older version without
// this pass inserted the errors of a range together with its reports and under the same token.
func (p *errorPass) load(reports cursor) error {
	saved, found, err := loadCursor(p.path)
	if err != nil {
		return err
	}
	if p.cursor = saved; found && saved.Node == reports.Node {
		return nil
	}
	return p.save(reports)
}

func (p *errorPass) save(c cursor) error {
	if err := saveCursor(p.path, c); err != nil {
		return err
	}
	p.cursor = c
	return nil
}

// restore adds an entry whose reports an earlier run inserted, but not its errors. last is the number of the last
// such entry.
func (p *errorPass) restore(number uint64, bytes int64, last uint64) {
	n := len(p.waiting) - 1
	if n < 0 || p.waiting[n].to == p.cursor.To || p.waiting[n].bytes >= maxRangeBytes {
		p.waiting = append(p.waiting, passedRange{})
		n++
	}
	at := &p.waiting[n]
	at.to, at.bytes, at.failed = number, at.bytes+bytes, append(at.failed, number)
	if number == last {
		wake(p.arrived)
	}
}

// add adds a range whose reports were inserted.
func (p *errorPass) add(r logRange) {
	passed := passedRange{to: r.to, bytes: r.bytes}
	for i := range r.reports {
		if r.reports[i].HasErrors() {
			passed.failed = append(passed.failed, r.at[i])
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = append(p.waiting, passed)
	wake(p.arrived)
}

// gatherErrors is how long errors gather for one insert, as a multiple of FlushInterval.
const gatherErrors = 5

// awaitErrors waits until a range of errors is due. It returns false if ctx ended first.
func (l *Log) awaitErrors(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-l.errors.arrived:
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(gatherErrors * l.options.FlushInterval):
		return true
	}
}

// moveErrors groups and inserts the errors of the current range. Without a current range it takes the waiting ranges.
// It inserts exactly once, like moveRange. more is true if another range is already due.
func (l *Log) moveErrors(ctx context.Context) (more bool, err error) {
	p := l.errors
	if p.current == nil {
		if p.current, err = l.nextErrors(); err != nil || p.current == nil {
			return false, err
		}
	}
	r := p.current
	if len(r.reports) > 0 {
		if r.to != p.cursor.To {
			if err := p.save(cursor{Node: p.cursor.Node, Done: p.cursor.Done, To: r.to}); err != nil {
				return false, err
			}
		}
		if err := l.insertErrors(ctx, r); err != nil {
			return false, fmt.Errorf("insert errors of range %s: %w", p.cursor.token(), err)
		}
		if err := p.save(cursor{Node: p.cursor.Node, Done: r.to, To: r.to}); err != nil {
			return false, err
		}
	}
	p.cursor.Done, p.cursor.To, p.current = r.to, r.to, nil
	l.intake.release(r.bytes)
	if p.kept += r.bytes; p.kept >= int64(l.options.segmentBytes) {
		if err := l.dropInserted(); err != nil {
			// Reports are not lost: the next range tries again.
			l.options.Log.Warn("ingest log: inserted reports could not be dropped", slog.Any("error", err))
		}
	}
	return r.full, nil
}

// nextErrors reads the reports with errors of the current range. Without a current range it reads as many waiting
// ranges as one insert should contain. It returns nil if no range is waiting.
func (l *Log) nextErrors() (*logRange, error) {
	p := l.errors
	p.mu.Lock()
	waiting := p.waiting
	p.mu.Unlock()
	inFlight := p.cursor.To > p.cursor.Done
	r := &logRange{to: p.cursor.Done}
	taken, rows := 0, 0
	for _, passed := range waiting {
		full := rows >= l.options.FlushRows || r.bytes >= maxRangeBytes
		if inFlight {
			full = passed.to > p.cursor.To
		}
		if full {
			r.full = true
			break
		}
		for _, number := range passed.failed {
			content, _, err := l.readEntry(number)
			if err != nil {
				return nil, err
			}
			if content.report != nil && content.report.HasErrors() {
				r.reports, r.at = append(r.reports, *content.report), append(r.at, number)
				rows += len(content.report.Events)
			}
		}
		r.to, r.bytes = passed.to, r.bytes+passed.bytes
		taken++
	}
	if taken == 0 || inFlight && r.to < p.cursor.To {
		return nil, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = p.waiting[taken:]
	return r, nil
}

// insertErrors inserts the errors of a range. A range keeps its groups when it is retried, even if a source map has
// arrived since.
func (l *Log) insertErrors(ctx context.Context, r *logRange) error {
	if !r.grouped {
		counted, err := l.withoutRepeats(ctx, *r)
		if err == nil && l.options.Groups != nil {
			err = l.options.Groups.Group(ctx, counted.reports)
		}
		if err != nil {
			return err
		}
		counted.grouped = true
		*r = counted
	}
	// Apart only now, because a backup cannot wait for a source map.
	return l.apart(ctx, func() error { return l.insertGrouped(ctx, *r) })
}

func (l *Log) insertGrouped(ctx context.Context, r logRange) error {
	ctx, cancel := context.WithTimeout(ctx, l.options.InsertTimeout)
	defer cancel()
	left, err := l.withoutErased(ctx, r)
	if err != nil || len(left.reports) == 0 {
		return err
	}
	if err := l.options.Sink.InsertErrors(ctx, l.errors.cursor.token(), left.reports); err != nil {
		return err
	}
	tell(l.options.ErrorsInserted, left.reports)
	return nil
}

// dropInserted removes the entries that both passes have inserted from the log.
func (l *Log) dropInserted() error {
	p := l.errors
	if err := p.save(p.cursor); err != nil {
		return err
	}
	if err := l.segments.dropBefore(p.cursor.Done + 1); err != nil {
		return err
	}
	p.kept = 0
	return nil
}
