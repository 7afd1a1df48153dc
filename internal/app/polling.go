package app

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/waft-ota/waft/internal/base/backoff"
)

// poller keeps workers polling Temporal.
type poller struct {
	// start returns when they poll. They call lost when they stop later, for example because
	// Temporal has no such namespace.
	start func(ctx context.Context, lost func(error)) (stop func(), err error)
	// polling is true while they poll.
	polling *atomic.Bool
	retry   time.Duration
	log     *slog.Logger
}

// run polls until ctx ends, then waits for running activities. It always returns nil.
func (p poller) run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := p.poll(ctx); ctx.Err() == nil {
			p.log.Warn("Temporal cannot be polled; trying again", "error", explained("TEMPORAL_ADDRESS", err), "in", p.retry)
			_ = backoff.Sleep(ctx, p.retry) // the loop sees that ctx ended
		}
	}
	return nil
}

// poll polls until ctx ends or the workers give up, and returns the reason.
func (p poller) poll(ctx context.Context) error {
	lost := make(chan error, 1)
	stop, err := p.start(ctx, func(err error) {
		select {
		case lost <- err:
		default: // the first error is enough
		}
	})
	if err != nil {
		return err
	}
	p.log.Info("polling Temporal")
	p.polling.Store(true)
	defer stop()
	defer p.polling.Store(false)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-lost:
		return err
	}
}
