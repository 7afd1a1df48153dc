package unit_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
)

func TestTheOutboxBacklogIsWhatWaits(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	waiting, oldest, err := f.OutboxBacklog(t.Context())
	require.NoError(t, err)
	require.Zero(t, waiting)
	require.Zero(t, oldest)
	storetest.Enqueue(f, 3)
	f.MustExec("UPDATE outbox SET created_at = now() - interval '1 hour' WHERE id = (SELECT min(id) FROM outbox)")
	waiting, oldest, err = f.OutboxBacklog(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(3), waiting)
	require.InDelta(t, time.Hour, oldest, float64(10*time.Minute))
}
