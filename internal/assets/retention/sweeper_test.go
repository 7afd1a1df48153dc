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

// oldRows contains rows that a sweeper deletes in batches.
type oldRows struct {
	left    int64
	batches int
	befores []time.Time
	err     error
}

func (r *oldRows) delete(limit int, befores ...time.Time) (int64, error) {
	n := min(r.left, int64(limit))
	r.left -= n
	r.batches++
	r.befores = append(r.befores, befores...)
	return n, r.err
}

type oldRecords struct {
	deliveries, keys oldRows
	dropped          int
	err              error
}

func (o *oldRecords) DropPreviousSecrets(context.Context) (int64, error) {
	o.dropped++
	return 0, o.err
}

func (o *oldRecords) DeleteDeliveries(_ context.Context, before time.Time, limit int) (int64, error) {
	return o.deliveries.delete(limit, before)
}

func (o *oldRecords) DeleteShortLived(_ context.Context, keysBefore, tokensBefore time.Time, limit int) (int64, error) {
	return o.keys.delete(limit, keysBefore, tokensBefore)
}

func TestTheSweeperTakesAllThatIsOld(t *testing.T) {
	t.Parallel()
	old := &oldRecords{deliveries: oldRows{left: 2500}, keys: oldRows{left: 1500}}
	sweptAt := time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC)
	s := retention.Sweeper{Store: old, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return sweptAt }}
	require.NoError(t, s.Sweep(t.Context()))
	require.Equal(t, 1, old.dropped)
	require.Zero(t, old.deliveries.left+old.keys.left)
	require.Equal(t, 3, old.deliveries.batches)
	require.Equal(t, 2, old.keys.batches)
	require.Equal(t, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), old.deliveries.befores[0])
	require.Equal(t, []time.Time{sweptAt.Add(-7 * 24 * time.Hour), sweptAt.Add(-time.Hour)}, old.keys.befores[:2])
}

func TestAFailureOfTheSweeperKeepsNothingElse(t *testing.T) {
	t.Parallel()
	away := errors.New("Postgres is unavailable")
	old := &oldRecords{deliveries: oldRows{left: 1, err: away}, keys: oldRows{left: 1}, err: away}
	s := retention.Sweeper{Store: old, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	require.ErrorIs(t, s.Sweep(t.Context()), away)
	require.Zero(t, old.keys.left)
	ctx, end := context.WithCancel(t.Context())
	end()
	require.NoError(t, s.Run(ctx))
}
