package release

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
)

func TestAnAttemptIsStoredAsAWhole(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "publishes")
	kept := attempts{folder, "demo"}
	first := kept.take("one")
	require.False(t, first.Resumed)
	require.NoError(t, first.Save(first))
	second := kept.take("one")
	require.True(t, second.Resumed)
	require.Equal(t, first.Group, second.Group)
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 1, "a part of a file stays")
	other := kept.take("two")
	require.True(t, other.Resumed, "it may have files that the first has sent a part of")
	require.NotEqual(t, first.Group, other.Group)
	require.NoError(t, kept.refused("one", first))
	require.Equal(t, first.Key, kept.take("one").Key)
	require.NotEqual(t, second.Key, first.Key)

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.Error(t, save(filepath.Join(file, "attempt.json"), client.NewAttempt()), "a file cannot contain the attempt")
}
