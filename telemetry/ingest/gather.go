package ingest

import (
	"context"
	"time"
)

const (
	// rowGather is how much longer a range gathers for each row in it: above some
	// 40,000 rows a second it gathers for longestGather.
	rowGather = 20 * time.Microsecond
	// longestGather keeps what was acknowledged from being unseen for long.
	longestGather = time.Second
	// breakFactor is how much longer than the last insert ClickHouse has a break, up to
	// longestBreak.
	breakFactor  = 2
	longestBreak = time.Second / 2
	// lull is how long nothing comes before a range is not expected to grow further.
	lull = 100 * time.Millisecond
	// largeRange is how many rows are worth an insert without a break, in a lull: they
	// are what a burst has left, and there will not be such inserts one after the other.
	largeRange = 5000
)

// gathered is what waits for the next range: how many rows, and when the first and the
// last of them became durable.
type gathered struct {
	rows        int
	first, last time.Time
}

// due is when a range is to be inserted if nothing more comes. An insert costs
// ClickHouse the most for being one: it writes parts, and groups of its roll-ups, as many
// for a hundred reports as for thousands. So ranges gather for longer the more comes
// and the longer inserts take.
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

// awaitReports waits until there is a range worth inserting; false when ctx ended
// first.
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
