package limit

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestLimiter(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	l := newLimiter(newLimits(prometheus.NewRegistry()).named("test", "too many"), 2, 2*rateBurst, func() time.Time { return at })
	for range 2 * rateBurst {
		require.NoError(t, l.take(origin{device: 1}))
	}
	require.Equal(t, models.CodeRateLimited, models.CodeOf(l.take(origin{device: 1})))
	require.NoError(t, l.take(origin{device: 2}))
	at = at.Add(time.Second)
	require.NoError(t, l.take(origin{device: 1}))
	require.NoError(t, l.take(origin{device: 1}))
	require.Error(t, l.take(origin{device: 1}))

	at = at.Add(rateBurst * time.Second)
	for range 2 * rateBurst {
		require.NoError(t, l.take(origin{device: 1}), "the burst is back")
	}
	at = at.Add(time.Millisecond)
	require.Error(t, l.take(origin{device: 1}), "the caller is still known after the turn")

	require.NoError(t, newLimiter(nil, 0, 0, time.Now).take(origin{}))
}
