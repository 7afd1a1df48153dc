package accountstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestTheFirstRootKeyStays(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	first, second := models.NewAPIKeyToken(), models.NewAPIKeyToken()
	hash, created, err := s.RootKeyHash(t.Context(), first.Hash())
	require.NoError(t, err)
	require.True(t, created)
	require.True(t, first.Matches(hash))

	hash, created, err = s.RootKeyHash(t.Context(), second.Hash())
	require.NoError(t, err)
	require.False(t, created)
	require.True(t, first.Matches(hash))
}
