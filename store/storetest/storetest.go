// Package storetest gives tests a store over a database of their own.
package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/enginetest"
	"github.com/waft-ota/waft/store"
)

// New returns a store over a fresh, migrated database, dropped when the test ends.
func New(t testing.TB, options ...store.Option) *store.Store {
	t.Helper()
	return Open(t, Database(t), options...)
}

// Database returns the URL of a fresh, migrated database, dropped when the test
// ends.
func Database(t testing.TB) string {
	t.Helper()
	databaseURL := enginetest.Postgres(t)
	require.NoError(t, store.Migrate(t.Context(), databaseURL))
	return databaseURL
}

// Open returns a store over the given database, closed when the test ends.
func Open(t testing.TB, databaseURL string, options ...store.Option) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), databaseURL, options...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}
