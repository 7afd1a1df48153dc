package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTimesOfFlagsAreChecked(t *testing.T) {
	t.Parallel()
	at, err := timeFlag("to", "2026-11-30T15:04:05.5+01:00")
	require.NoError(t, err)
	require.True(t, at.Equal(time.Date(2026, 11, 30, 14, 4, 5, 500_000_000, time.UTC)))
	at, err = timeFlag("to", "")
	require.NoError(t, err)
	require.Zero(t, at, "the flag is not set")
	_, err = timeFlag("as-of", "yesterday")
	require.EqualError(t, err, `--as-of must be a time such as 2026-11-30T15:04:05Z, not "yesterday"`)
}
