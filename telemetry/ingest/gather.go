package ingest

import (
	"context"
	"time"
)

const (
	// rowGather is how much longer a range gathers for each row in it: above some
	// 40,000 rows a second it gathers for longestGather.
	rowGather = 20 * time.Microsecond
	// longestGather bounds how long queries do not see acknowledged reports.
	longestGather = time.Second
	// breakFactor is how many times the last insert the break after it lasts, up to
	// longestBreak.
	breakFactor  = 2
	longestBreak = time.Second / 2
	// lull is how long without a report a range is not expected to grow further.
	lull = 100 * time.Millisecond
	// largeRange is how many rows are inserted without a break in a lull: they are the end
	// of a burst.
	largeRange = 5000
)

// gathered are the rows that wait for the next range, and when the first and the last of
// them became durable.
type gathered struct {
	rows        int
	first, last time.Time
}

// due is when a range is to be inserted if no report follows. Most of an insert's cost does
// not depend on its size: ClickHouse writes as many parts for a hundred reports as for
// thousands. So ranges gather for longer the more reports come and the longer inserts take.
func (l *Log) due(g gathered) time.Time {
	least := l.options.FlushInterval
	due := g.first.Add(max(least, min(least+time.Duration(g.rows)*rowGather, longestGather)))
	rested := l.insertEnded.Add(min(breakFactor*l.insertTook, longestBreak))
	quiet := g.last.Add(lull)
	if quiet.Before(due) {
		due = later(quiet, g.first.Add(least))
	}
	if quiet.Before(rested) && g.rows >= largeRange {
		rested = quiet
	}
	return later(due, rested)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// awaitReports waits until a range is due; false when ctx ended first.
func (l *Log) awaitReports(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-l.intake.arrived:
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		g := l.intake.gathered()
		if g.rows >= l.options.FlushRows {
			return true
		}
		left := time.Until(l.due(g))
		if left <= 0 {
			return true
		}
		timer.Reset(left)
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
		case <-l.intake.arrived:
		}
	}
}
