package retention

import (
	"context"
	"log/slog"
	"time"

	"github.com/waft-ota/waft/internal/base/every"
)

// Deliveries stores the records of webhook deliveries.
type Deliveries interface {
	// DeleteDeliveries deletes up to limit ended deliveries that are older than before.
	DeleteDeliveries(ctx context.Context, before time.Time, limit int) (int64, error)
	// DropPreviousSecrets deletes the secrets of webhooks that no longer sign.
	DropPreviousSecrets(ctx context.Context) (int64, error)
}

const (
	// deliveriesKept is the minimum time that the record of a webhook delivery is kept.
	deliveriesKept = 30 * 24 * time.Hour
	sweepEvery     = time.Hour
	// sweepBatch bounds the deletions of one statement, so that none takes long.
	sweepBatch = 1000
)

// Sweeper deletes old records of webhook deliveries, and secrets that were rotated. Several processes may run one.
type Sweeper struct {
	Store Deliveries
	Log   *slog.Logger
	Now   func() time.Time
}

// Run sweeps now and every hour until ctx ends.
func (s Sweeper) Run(ctx context.Context) error {
	return every.RunNow(ctx, sweepEvery, func() {
		if err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "old webhook deliveries and secrets could not be deleted yet", "error", err)
		}
	})
}

// Sweep deletes all records that are too old now.
func (s Sweeper) Sweep(ctx context.Context) error {
	if _, err := s.Store.DropPreviousSecrets(ctx); err != nil {
		return err
	}
	for ctx.Err() == nil {
		deleted, err := s.Store.DeleteDeliveries(ctx, s.Now().Add(-deliveriesKept), sweepBatch)
		if err != nil || deleted < sweepBatch {
			return err
		}
	}
	return nil
}
