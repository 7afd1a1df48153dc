package retention_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/retention"
)

type oldDeliveries struct {
	left    int64
	befores []time.Time
	err     error
	dropped int
}

func (d *oldDeliveries) DropPreviousSecrets(context.Context) (int64, error) {
	d.dropped++
	return 0, nil
}

func (d *oldDeliveries) DeleteDeliveries(_ context.Context, before time.Time, limit int) (int64, error) {
	d.befores = append(d.befores, before)
	n := min(d.left, int64(limit))
	d.left -= n
	return n, d.err
}

func TestTheSweeperTakesAllThatIsOld(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC)
	old := &oldDeliveries{left: 2500}
	s := retention.Sweeper{Store: old, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }}
	require.NoError(t, s.Sweep(t.Context()))
	require.Zero(t, old.left)
	require.Len(t, old.befores, 3)
	require.Equal(t, 1, old.dropped)
	require.Equal(t, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), old.befores[0])

	old.err = errors.New("Postgres is away")
	require.ErrorIs(t, s.Sweep(t.Context()), old.err)
	ctx, end := context.WithCancel(t.Context())
	end()
	require.NoError(t, s.Run(ctx))
}
