package models

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAssetHasAPathOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, path := range []string{".", "..", "./a", "a/..", ""} {
		require.Error(t, CheckAssetPath(path), "%q", path)
	}
	require.NoError(t, CheckAssetPath(".a/b"))
}
