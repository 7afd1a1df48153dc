package retention_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/assets/retention"
)

type oldKeys struct {
	oldRows
	befores [][2]time.Time
}

func (k *oldKeys) DeleteShortLived(_ context.Context, keysBefore, tokensBefore time.Time, limit int) (int64, error) {
	k.befores = append(k.befores, [2]time.Time{keysBefore, tokensBefore})
	return k.delete(limit)
}

func TestTheKeySweeperTakesAllThatIsOld(t *testing.T) {
	t.Parallel()
	old := &oldKeys{}
	s := retention.KeySweeper{Store: old, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return sweptAt }}
	requireSwept(t, s, &old.oldRows)
	require.Equal(t, [2]time.Time{sweptAt.Add(-7 * 24 * time.Hour), sweptAt.Add(-time.Hour)}, old.befores[0])
}
