package backoff

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWaitsDoubleUpToTheLongest(t *testing.T) {
	t.Parallel()
	p := Policy{Min: time.Second, Max: time.Minute}
	for i, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		require.Equal(t, want*time.Second, p.longest(i+1))
	}
	require.Equal(t, time.Minute, p.longest(1_000_000))
}

func TestAfterStaysInTheUpperHalf(t *testing.T) {
	t.Parallel()
	p := Policy{Min: time.Second, Max: time.Minute}
	for range 1000 {
		require.InDelta(t, 3*time.Second, p.After(3), float64(time.Second))
	}
}

func TestSleep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		require.NoError(t, Sleep(t.Context(), time.Minute))
		require.Equal(t, time.Minute, time.Since(began))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, Sleep(ctx, time.Hour), context.DeadlineExceeded)
		require.Equal(t, time.Minute+time.Second, time.Since(began))
	})
}
