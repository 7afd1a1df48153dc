package retention_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/assets/retention"
)

// sweptAt is when sweepers run.
var sweptAt = time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC)

// oldRows are rows that a sweeper deletes in batches.
type oldRows struct {
	left    int64
	batches int
	err     error
}

func (r *oldRows) delete(limit int) (int64, error) {
	n := min(r.left, int64(limit))
	r.left -= n
	r.batches++
	return n, r.err
}

// requireSwept has a sweeper delete all rows, fail, and end.
func requireSwept(t *testing.T, s interface {
	Sweep(ctx context.Context) error
	Run(ctx context.Context) error
}, rows *oldRows,
) {
	t.Helper()
	rows.left = 2500
	require.NoError(t, s.Sweep(t.Context()))
	require.Zero(t, rows.left)
	require.Equal(t, 3, rows.batches)

	rows.err = errors.New("Postgres is away")
	require.ErrorIs(t, s.Sweep(t.Context()), rows.err)
	ctx, end := context.WithCancel(t.Context())
	end()
	require.NoError(t, s.Run(ctx))
}

type oldDeliveries struct {
	oldRows
	befores []time.Time
	// dropped counts the calls until the first batch.
	dropped int
}

func (d *oldDeliveries) DropPreviousSecrets(context.Context) (int64, error) {
	if d.batches == 0 {
		d.dropped++
	}
	return 0, nil
}

func (d *oldDeliveries) DeleteDeliveries(_ context.Context, before time.Time, limit int) (int64, error) {
	d.befores = append(d.befores, before)
	return d.delete(limit)
}

func TestTheSweeperTakesAllThatIsOld(t *testing.T) {
	t.Parallel()
	old := &oldDeliveries{}
	s := retention.Sweeper{Store: old, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return sweptAt }}
	requireSwept(t, s, &old.oldRows)
	require.Equal(t, 1, old.dropped)
	require.Equal(t, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), old.befores[0])
}
