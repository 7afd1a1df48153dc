package retention

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/waft-ota/waft/internal/base/every"
	"github.com/waft-ota/waft/models"
)

// Expired stores the records that a Sweeper deletes.
type Expired interface {
	// DeleteDeliveries deletes up to limit ended webhook deliveries that are older than before.
	DeleteDeliveries(ctx context.Context, before time.Time, limit int) (int64, error)
	// DropPreviousSecrets deletes the secrets of webhooks that no longer sign.
	DropPreviousSecrets(ctx context.Context) (int64, error)
	// DeleteShortLived deletes up to limit keys of trusted publishers and up to limit records of exchanged id tokens
	// that expired before a time, and returns the larger number.
	DeleteShortLived(ctx context.Context, keysBefore, tokensBefore time.Time, limit int) (int64, error)
}

const (
	// deliveriesKept is the minimum time that the record of a webhook delivery is kept.
	deliveriesKept = 30 * 24 * time.Hour
	// tokensKept is how long an exchanged id token is remembered after it expired: longer than clocks may be apart.
	tokensKept = time.Hour
	sweepEvery = time.Hour
	// sweepBatch bounds the deletions of one statement, so that none takes long.
	sweepBatch = 1000
)

// Sweeper deletes old records of webhook deliveries, secrets that were rotated, short-lived keys and records of id tokens.
// Several processes may run one.
type Sweeper struct {
	Store Expired
	Log   *slog.Logger
	Now   func() time.Time
}

// Run sweeps now and every hour until ctx ends.
func (s Sweeper) Run(ctx context.Context) error {
	return every.RunNow(ctx, sweepEvery, func() {
		if err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "old webhook deliveries, secrets and short-lived keys could not be deleted yet", "error", err)
		}
	})
}

// Sweep deletes all records that are too old now.
func (s Sweeper) Sweep(ctx context.Context) error {
	now := s.Now()
	_, err := s.Store.DropPreviousSecrets(ctx)
	return errors.Join(err,
		inBatches(ctx, func() (int64, error) { return s.Store.DeleteDeliveries(ctx, now.Add(-deliveriesKept), sweepBatch) }),
		inBatches(ctx, func() (int64, error) {
			return s.Store.DeleteShortLived(ctx, now.Add(-models.PublisherKeyKept), now.Add(-tokensKept), sweepBatch)
		}))
}

// inBatches calls remove until it removes less than sweepBatch records.
func inBatches(ctx context.Context, remove func() (int64, error)) error {
	for ctx.Err() == nil {
		removed, err := remove()
		if err != nil || removed < sweepBatch {
			return err
		}
	}
	return nil
}
