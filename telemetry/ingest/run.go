package ingest

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/base/backoff"
)

// firstPause is the pause after the first failed attempt. Each later pause is twice as long, up to
// Options.RetryAfter.
const firstPause = 100 * time.Millisecond

// Run inserts reports into the Sink, and then their errors, beginning with the entries that an earlier run left. It
// continues until ctx ends or Close is called, makes a last attempt limited by CloseTimeout, and returns nil. After
// an error of the Sink it retries without limit. Run fails only if a newer version wrote the log. It may be called
// once.
func (l *Log) Run(ctx context.Context) error {
	if !l.started.CompareAndSwap(false, true) {
		return errors.New("ingest: Run was called before, or after Close")
	}
	defer close(l.ended)
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(l.closing, cancel)()
	passes, running := errgroup.WithContext(running)
	passes.Go(func() error { return l.repeat(running, l.awaitReports, l.moveRange) })
	passes.Go(func() error { return l.repeat(running, l.awaitErrors, l.moveErrors) })
	if err := passes.Wait(); err != nil {
		return err
	}
	return l.lastAttempt(context.WithoutCancel(ctx))
}

// Drain inserts the entries that an earlier run left, instead of Run, and returns the number of entries that are still in the log.
// CloseTimeout limits it. It fails only if a newer version wrote the log.
func (l *Log) Drain(ctx context.Context) (left int, err error) {
	if !l.started.CompareAndSwap(false, true) {
		return 0, errors.New("ingest: Drain was called after Run or Close")
	}
	defer close(l.ended)
	err = l.lastAttempt(ctx)
	left, _, _ = l.intake.waiting()
	return left, err
}

// move inserts the range that is due. more is true if the next range is already due.
type move func(ctx context.Context) (more bool, err error)

// repeat calls move until ctx ends, each time that await returns true. It retries after every error except
// errEntryNewer, which it returns.
func (l *Log) repeat(ctx context.Context, await func(context.Context) bool, move move) error {
	retry := backoff.Policy{Min: firstPause, Max: l.options.RetryAfter}
	failures := 0
	for more := true; ctx.Err() == nil && (more || await(ctx)); {
		var err error
		more, err = move(ctx)
		switch {
		case errors.Is(err, errEntryNewer):
			return err
		case ctx.Err() != nil:
		case err != nil:
			l.noteFailure(err)
			more = true
			failures++
			_ = backoff.Sleep(ctx, retry.After(failures)) // the loop checks ctx
		default:
			failures = 0
		}
	}
	return nil
}

// lastAttempt inserts as much as possible within CloseTimeout. Each pass stops at its first failure.
func (l *Log) lastAttempt(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, l.options.CloseTimeout)
	defer cancel()
	for _, move := range []move{l.moveRange, l.moveErrors} {
		for more := true; more; {
			var err error
			if more, err = move(ctx); err != nil {
				l.noteFailure(err)
				if errors.Is(err, errEntryNewer) {
					return err
				}
				break
			}
		}
	}
	if err := l.errors.save(l.errors.cursor); err != nil {
		return err
	}
	if entries, _, _ := l.intake.waiting(); entries > 0 {
		l.options.Log.Warn("ingest log: stopping with entries that wait for the next start", slog.Int("entries", entries))
	}
	return nil
}

func (l *Log) noteFailure(err error) {
	l.metrics.failures.Inc()
	entries, bytes, _ := l.intake.waiting()
	l.options.Log.Warn("ingest: a range could not be inserted and stays in the log",
		slog.Any("error", err), slog.Int("waiting_entries", entries), slog.Int64("waiting_bytes", bytes))
}

const (
	// rowGather is the additional time that a range gathers per row. Above about 40,000 rows per second, a range
	// gathers for longestGather.
	rowGather = 20 * time.Microsecond
	// longestGather is the maximum time until queries see acknowledged reports.
	longestGather = time.Second
	// breakFactor is the length of the break after an insert, as a multiple of the insert's duration. longestBreak is
	// the maximum length of a break.
	breakFactor  = 2
	longestBreak = time.Second / 2
	// lull is the time without reports after which a range is not expected to grow further.
	lull = 100 * time.Millisecond
	// errorGather is how long a range gathers after its first error. It is short because a crash counts in decisions
	// as soon as it is inserted. If another range with errors was inserted less than errorCalm before, there is a
	// break between the inserts.
	errorGather = 25 * time.Millisecond
	errorCalm   = time.Second
	// largeRange is the number of rows that are inserted without a break during a lull, because they are the end of a
	// burst.
	largeRange = 5000
)

// gathered describes the rows that wait for the next range: their number, and when the first and the last of them
// became durable. failed is the time of the first error, or zero.
type gathered struct {
	rows                int
	first, last, failed time.Time
}

// due returns the time at which a range is inserted if no further report arrives. Most of an insert's cost does not
// depend on its size, because ClickHouse writes as many parts for a hundred reports as for thousands. A range
// therefore gathers longer if more reports arrive or inserts take longer. Errors shorten the time, but ranges with
// errors do not follow one another faster than FlushInterval.
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
	due = later(due, rested)
	if g.failed.IsZero() {
		return due
	}
	urgent := g.failed.Add(errorGather)
	if g.failed.Sub(l.errorEnded) < errorCalm {
		began := l.insertEnded.Add(-l.insertTook)
		urgent = later(urgent, later(began.Add(least), l.insertEnded.Add(min(l.insertTook, longestBreak))))
	}
	return earlier(due, urgent)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// awaitReports waits until a range is due. It returns false if ctx ended first.
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
