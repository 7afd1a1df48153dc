package retention

import (
	"context"
	"log/slog"
	"time"

	"github.com/waft-ota/waft/internal/base/every"
	"github.com/waft-ota/waft/models"
)

// ShortLivedKeys stores the keys of trusted publishers.
type ShortLivedKeys interface {
	// DeleteShortLived deletes up to limit keys of trusted publishers and up to limit records of exchanged id tokens
	// that expired before a time, and returns the larger number.
	DeleteShortLived(ctx context.Context, keysBefore, tokensBefore time.Time, limit int) (int64, error)
}

// tokensKept is how long an exchanged id token is remembered after it expired: longer than clocks may be apart.
const tokensKept = time.Hour

// KeySweeper deletes short-lived keys and records of id tokens that are not needed any more. Several processes may run one.
type KeySweeper struct {
	Store ShortLivedKeys
	Log   *slog.Logger
	Now   func() time.Time
}

// Run sweeps now and every hour until ctx ends.
func (s KeySweeper) Run(ctx context.Context) error {
	return every.RunNow(ctx, sweepEvery, func() {
		if err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "expired short-lived keys could not be deleted yet", "error", err)
		}
	})
}

// Sweep deletes all records that are too old now.
func (s KeySweeper) Sweep(ctx context.Context) error {
	now := s.Now()
	for ctx.Err() == nil {
		deleted, err := s.Store.DeleteShortLived(ctx, now.Add(-models.PublisherKeyKept), now.Add(-tokensKept), sweepBatch)
		if err != nil || deleted < sweepBatch {
			return err
		}
	}
	return nil
}
