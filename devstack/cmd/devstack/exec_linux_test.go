package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The next exec removes the files that a killed exec left in memory, wherever the next exec keeps its own data.
func TestExecRemovesWhatWasLeftInMemory(t *testing.T) {
	t.Parallel()
	left, err := os.MkdirTemp("/dev/shm", "waft-exec-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(left)) })
	require.NoError(t, os.WriteFile(filepath.Join(left, "owner"), nil, 0o600))
	r := newRig(t)
	temp := r.inTemp()
	res := r.run("exec", "--", "true")
	require.Zero(t, res.code, res.errors)
	require.NoDirExists(t, left)
	requireEmpty(t, temp)
}
