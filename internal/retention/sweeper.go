package retention

import (
	"context"
	"log/slog"
	"time"
)

// Deliveries are the records of what was sent to webhooks.
type Deliveries interface {
	// DeleteDeliveries deletes up to limit of those that have ended and are older than
	// before.
	DeleteDeliveries(ctx context.Context, before time.Time, limit int) (int64, error)
}

const (
	// DeliveriesKept is how long the record of a webhook delivery is kept at least.
	DeliveriesKept = 30 * 24 * time.Hour
	// sweepEvery is how often a Sweeper deletes old ones.
	sweepEvery = time.Hour
	// sweepBatch is how many it deletes in one statement, so that none takes long.
	sweepBatch = 1000
)

// Sweeper deletes the records of webhook deliveries that ended long ago. Several
// processes may run one.
type Sweeper struct {
	Store Deliveries
	Log   *slog.Logger
	Now   func() time.Time
}

// Run sweeps now and every hour until ctx ends.
func (s Sweeper) Run(ctx context.Context) error {
	ticks := time.NewTicker(sweepEvery)
	defer ticks.Stop()
	for {
		if err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "old webhook deliveries could not be deleted yet", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
		}
	}
}

// Sweep deletes all that are too old now.
func (s Sweeper) Sweep(ctx context.Context) error {
	for ctx.Err() == nil {
		deleted, err := s.Store.DeleteDeliveries(ctx, s.Now().Add(-DeliveriesKept), sweepBatch)
		if err != nil || deleted < sweepBatch {
			return err
		}
	}
	return nil
}
