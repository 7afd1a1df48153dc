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
	// DropPreviousSecrets deletes previous secrets of webhooks that no longer sign messages.
	DropPreviousSecrets(ctx context.Context) (int64, error)
	// DeleteShortLived deletes up to limit keys of trusted publishers and up to limit records of exchanged ID tokens
	// that expired before the given times. It returns the larger of the two numbers.
	DeleteShortLived(ctx context.Context, keysBefore, tokensBefore time.Time, limit int) (int64, error)
}

const (
	// deliveriesKept is the minimum time that the record of a webhook delivery is kept.
	deliveriesKept = 30 * 24 * time.Hour
	// tokensKept is how long the record of an exchanged ID token is kept after the token has expired. It is longer than
	// clocks may differ.
	tokensKept = time.Hour
	sweepEvery = time.Hour
	// sweepBatch is the maximum number of records that one statement deletes, so that it does not take long.
	sweepBatch = 1000
)

// Sweeper deletes old records of webhook deliveries, rotated secrets, short-lived keys and records of ID tokens.
// Several processes may each run one.
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

// inBatches calls remove until it removes fewer than sweepBatch records.
func inBatches(ctx context.Context, remove func() (int64, error)) error {
	for ctx.Err() == nil {
		removed, err := remove()
		if err != nil || removed < sweepBatch {
			return err
		}
	}
	return nil
}
