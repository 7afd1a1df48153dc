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

type oldKeys struct {
	left    int64
	befores [][2]time.Time
	err     error
}

func (k *oldKeys) DeleteShortLived(_ context.Context, keysBefore, tokensBefore time.Time, limit int) (int64, error) {
	k.befores = append(k.befores, [2]time.Time{keysBefore, tokensBefore})
	n := min(k.left, int64(limit))
	k.left -= n
	return n, k.err
}

func TestTheKeySweeperTakesAllThatIsOld(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC)
	old := &oldKeys{left: 2500}
	s := retention.KeySweeper{Store: old, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }}
	require.NoError(t, s.Sweep(t.Context()))
	require.Zero(t, old.left)
	require.Len(t, old.befores, 3)
	require.Equal(t, [2]time.Time{now.Add(-7 * 24 * time.Hour), now.Add(-time.Hour)}, old.befores[0])

	old.err = errors.New("Postgres is away")
	require.ErrorIs(t, s.Sweep(t.Context()), old.err)
	ctx, end := context.WithCancel(t.Context())
	end()
	require.NoError(t, s.Run(ctx))
}
