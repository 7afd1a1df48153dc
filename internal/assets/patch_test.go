package assets

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestPatches(t *testing.T) {
	t.Parallel()
	target, base := strings.Repeat("a", 32), strings.Repeat("b", 32)
	b, err := Open(t.Context(), "file://"+t.TempDir(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	read := func(projectID int64) string {
		r, err := b.OpenPatch(t.Context(), projectID, target, base)
		require.NoError(t, err)
		defer r.Close()
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, int64(len(content)), r.Size())
		return string(content)
	}
	missing := func(projectID int64, target, base string) {
		_, err := b.OpenPatch(t.Context(), projectID, target, base)
		require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	}

	missing(7, target, base)
	require.NoError(t, b.PutPatch(t.Context(), 7, target, base, []byte("first")))
	require.NoError(t, b.PutPatch(t.Context(), 7, target, base, []byte("made again")))
	require.Equal(t, "made again", read(7))
	missing(8, target, base)
	missing(7, base, target)
	missing(7, "../"+target, base)
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.PutPatch(t.Context(), 7, target, "x", nil)))

	require.NoError(t, b.RemovePatch(t.Context(), 7, target, base))
	require.NoError(t, b.RemovePatch(t.Context(), 7, target, base), "it no longer exists")
	missing(7, target, base)
}
