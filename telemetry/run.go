package telemetry

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"
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

	pause := firstPause
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
			pause = i.sleep(running, pause)
		default:
			pause = firstPause
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

// sleep pauses for about pause and returns the next, longer one.
func (i *Ingest) sleep(ctx context.Context, pause time.Duration) time.Duration {
	// Between half and all of it, so that several nodes do not knock together.
	timer := time.NewTimer(pause/2 + rand.N(pause/2+1))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
	return min(2*pause, i.options.RetryAfter)
}

func (i *Ingest) noteFailure(err error) {
	i.metrics.failures.Inc()
	entries, bytes, _ := i.intake.waiting()
	i.options.Log.Warn("ingest: a range could not be inserted and stays in the log",
		slog.Any("error", err), slog.Int("waiting_entries", entries), slog.Int64("waiting_bytes", bytes))
}
