// Package storetest gives tests a store over a database of their own.
package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/enginetest"
	"github.com/waft-ota/waft/secrets"
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

// Secrets returns the box that stores of tests seal with.
func Secrets(t testing.TB, others ...secrets.Key) *secrets.Box {
	t.Helper()
	box, err := secrets.New(secrets.Key{1}, others...)
	require.NoError(t, err)
	return box
}

// Open returns a store over the given database, closed when the test ends.
func Open(t testing.TB, databaseURL string, options ...store.Option) *store.Store {
	t.Helper()
	options = append([]store.Option{store.WithSecrets(Secrets(t))}, options...)
	s, err := store.Open(t.Context(), databaseURL, options...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}
