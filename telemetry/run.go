package telemetry

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/waft-ota/waft/internal/backoff"
)

// firstPause is the pause after the first failed attempt; each later one is twice
// as long, up to IngestOptions.RetryAfter.
const firstPause = 100 * time.Millisecond

// Run moves reports to the Sink, beginning with what an earlier run left, until
// ctx ends or Close is called; then it makes a last attempt, bounded by
// CloseTimeout, and returns nil. A Sink that fails is tried again for ever, while
// the log holds the reports. Run fails only when the log holds what this binary
// cannot read. It may be called once.
func (i *Ingest) Run(ctx context.Context) error {
	if !i.started.CompareAndSwap(false, true) {
		return errors.New("ingest: Run was called before, or after Close")
	}
	defer close(i.ended)
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-i.closing:
			cancel()
		case <-running.Done():
		}
	}()

	retry := backoff.Policy{Min: firstPause, Max: i.options.RetryAfter}
	failures := 0
	more := true
	for more || i.awaitReports(running) {
		var err error
		more, err = i.moveRange(running)
		switch {
		case errors.Is(err, errEntryNewer):
			return err
		case running.Err() != nil:
		case err != nil:
			i.noteFailure(err)
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
	return i.lastAttempt(context.WithoutCancel(ctx))
}

// lastAttempt inserts what it can in CloseTimeout, and gives up at the first
// failure.
func (i *Ingest) lastAttempt(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, i.options.CloseTimeout)
	defer cancel()
	for more := true; more; {
		var err error
		if more, err = i.moveRange(ctx); err != nil {
			i.noteFailure(err)
			if errors.Is(err, errEntryNewer) {
				return err
			}
			break
		}
	}
	if entries, _, _ := i.intake.waiting(); entries > 0 {
		i.options.Log.Warn("ingest log: stopping with entries that wait for the next start", slog.Int("entries", entries))
	}
	return nil
}

func (i *Ingest) noteFailure(err error) {
	i.metrics.failures.Inc()
	entries, bytes, _ := i.intake.waiting()
	i.options.Log.Warn("ingest: a range could not be inserted and stays in the log",
		slog.Any("error", err), slog.Int("waiting_entries", entries), slog.Int64("waiting_bytes", bytes))
}
