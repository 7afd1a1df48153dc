package ingest

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/waft-ota/waft/internal/base/backoff"
)

// firstPause is the pause after the first failed attempt; each later one is twice
// as long, up to Options.RetryAfter.
const firstPause = 100 * time.Millisecond

// Run inserts reports into the Sink, beginning with what an earlier run left, until
// ctx ends or Close is called; then it makes a last attempt, bounded by CloseTimeout, and
// returns nil. After an error of the Sink it tries again, without limit. Run fails only when
// a newer version wrote the log. It may be called once.
func (l *Log) Run(ctx context.Context) error {
	if !l.started.CompareAndSwap(false, true) {
		return errors.New("ingest: Run was called before, or after Close")
	}
	defer close(l.ended)
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(l.closing, cancel)()

	retry := backoff.Policy{Min: firstPause, Max: l.options.RetryAfter}
	failures := 0
	more := true
	for more || l.awaitReports(running) {
		var err error
		more, err = l.moveRange(running)
		switch {
		case errors.Is(err, errEntryNewer):
			return err
		case running.Err() != nil:
		case err != nil:
			l.noteFailure(err)
			more = true
			failures++
			_ = backoff.Sleep(running, retry.After(failures)) // the loop sees that running ended
		default:
			failures = 0
		}
		if running.Err() != nil {
			break
		}
	}
	return l.lastAttempt(context.WithoutCancel(ctx))
}

// lastAttempt inserts what it can in CloseTimeout, and gives up at the first
// failure.
func (l *Log) lastAttempt(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, l.options.CloseTimeout)
	defer cancel()
	for more := true; more; {
		var err error
		if more, err = l.moveRange(ctx); err != nil {
			l.noteFailure(err)
			if errors.Is(err, errEntryNewer) {
				return err
			}
			break
		}
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
