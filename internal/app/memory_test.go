package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	const machine = "MemFree:  1 kB\nMemTotal:       2048 kB\nBuffers: 7 kB\n"
	for name, c := range map[string]struct {
		container, machine string
		want               int64
	}{
		"a machine":                        {machine: machine, want: 1_468_006},
		"a container":                      {container: "1000000\n", machine: machine, want: 700_000},
		"a container without a bound":      {container: "max\n", machine: machine, want: 1_468_006},
		"a container with more than there": {container: "9000000\n", machine: machine, want: 1_468_006},
		"nothing that tells":               {machine: "MemTotal: much\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "machine"), []byte(c.machine), 0o600))
			if c.container != "" {
				require.NoError(t, os.WriteFile(filepath.Join(dir, "container"), []byte(c.container), 0o600))
			}
			require.Equal(t, c.want, memoryLimit(filepath.Join(dir, "container"), filepath.Join(dir, "machine")))
		})
	}
}

// Garbage is three times the live heap of few projects, and no more than half of that of very many.
func TestGarbageFollowsTheLiveHeap(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{0: 300, 10 << 20: 300, 64 << 20: 300, 96 << 20: 200, 192 << 20: 100, 384 << 20: 50, 8 << 30: 50} {
		require.Equal(t, want, gcPercent(live), "%d MiB", live>>20)
	}
}
