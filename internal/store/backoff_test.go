package store

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestRelayBackoffGrowsUpToAMinute(t *testing.T) {
	t.Parallel()
	for failures, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		require.Equal(t, want*time.Second, relayBackoff(failures))
	}
	require.Equal(t, time.Minute, relayBackoff(1_000_000))
}

func TestJitterStaysInTheUpperHalf(t *testing.T) {
	t.Parallel()
	for range 1000 {
		d := jitter(time.Second)
		require.GreaterOrEqual(t, d, time.Second/2)
		require.LessOrEqual(t, d, time.Second)
	}
}

func TestStorableError(t *testing.T) {
	t.Parallel()
	require.Equal(t, "ab", storableError(errors.New("a\x00b\xff")))
	long := storableError(errors.New(strings.Repeat("ä", maxLastError)))
	require.LessOrEqual(t, len(long), maxLastError)
	require.True(t, utf8.ValidString(long))
}
