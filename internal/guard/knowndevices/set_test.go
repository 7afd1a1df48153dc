package knowndevices

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASetSurvivesARestart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "known-devices")
	log := slog.New(slog.DiscardHandler)
	ended, end := context.WithCancel(t.Context())
	end()
	s := Open(path, log)
	require.NoError(t, s.Run(ended))
	require.NoFileExists(t, path, "there is nothing to keep")
	require.False(t, s.Has(1, "a"))
	s.Add(1, "a")
	require.True(t, s.Has(1, "a"))
	require.False(t, s.Has(2, "a"), "another project")
	require.NoError(t, s.Run(ended))

	again := Open(path, log)
	require.True(t, again.Has(1, "a"))
	require.False(t, again.Has(1, "b"))
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Len(t, content, keyBytes+sumBytes)

	var logged bytes.Buffer
	require.NoError(t, os.WriteFile(path, content[1:], 0o600))
	broken := Open(path, slog.New(slog.NewTextHandler(&logged, nil)))
	require.False(t, broken.Has(1, "a"))
	require.Contains(t, logged.String(), "the known devices could not be read")
	broken.Add(1, "b")
	require.NoError(t, broken.Run(ended))
	require.True(t, Open(path, log).Has(1, "b"), "it was replaced")
}

func TestASetIsBoundedAndKeepsWhatIsSeen(t *testing.T) {
	t.Parallel()
	const most = 2000
	s := newSet(most)
	s.Add(1, "seen")
	s.Add(1, "unseen")
	for i := range 5 * most {
		s.Add(1, strconv.Itoa(i))
		if i%100 == 0 {
			require.True(t, s.Has(1, "seen"))
		}
		require.LessOrEqual(t, s.sums.Len(), most)
	}
	require.False(t, s.Has(1, "unseen"))
}

func TestLookingADeviceUpAllocatesNothing(t *testing.T) {
	s := New()
	s.Add(1, "device-1")
	require.Zero(t, testing.AllocsPerRun(100, func() { s.Has(1, "device-1") }))
}

func TestASetKnowsWhoWasServed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "known-devices")
	s := Open(path, slog.New(slog.DiscardHandler))
	s.Add(1, "reported")
	require.False(t, s.Served(1, "reported"))
	s.Add(1, "both")
	s.AddServed(1, "both")
	s.AddServed(1, "served")
	s.Add(1, "served")
	require.Equal(t, 3, s.sums.Len(), "an id takes one place")
	ended, end := context.WithCancel(t.Context())
	end()
	require.NoError(t, s.Run(ended))

	again := Open(path, slog.New(slog.DiscardHandler))
	for device, served := range map[string]bool{"reported": false, "both": true, "served": true} {
		require.True(t, again.Has(1, device), device)
		require.Equal(t, served, again.Served(1, device), device)
	}

	small := newSet(8)
	small.AddServed(1, "both")
	small.AddServed(1, "served")
	for i := range 20 {
		small.Add(1, strconv.Itoa(i))
		require.True(t, small.Served(1, "served"))
	}
	require.False(t, small.Served(1, "both"))
}
