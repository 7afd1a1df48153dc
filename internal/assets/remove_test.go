package assets

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestRemove(t *testing.T) {
	t.Parallel()
	b, _, _ := openLocal(t)
	s := stage(t, b, "content")
	require.NoError(t, keep(t.Context(), s, 1))
	require.NoError(t, keep(t.Context(), s, 2))
	for range 2 {
		require.NoError(t, b.Remove(t.Context(), 1, s.MD5()))
		_, err := b.Open(t.Context(), 1, s.MD5())
		require.Equal(t, models.CodeNotFound, models.CodeOf(err))
	}
	r, err := b.Open(t.Context(), 2, s.MD5())
	require.NoError(t, err, "another project's file is kept")
	require.NoError(t, r.Close())
	require.Equal(t, models.CodeNotFound, models.CodeOf(b.Remove(t.Context(), 1, "../secret")))
	require.NoError(t, keep(t.Context(), s, 1), "the file can be stored again")
}
