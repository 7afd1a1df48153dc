// Package storetest gives each test a store with a database of its own.
package storetest

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/pg"
)

// New returns a store with a fresh, migrated database, which is dropped when the test ends.
func New(t testing.TB, options ...store.Option) *store.Store {
	t.Helper()
	return Open(t, Database(t), options...)
}

// Database returns the URL of a fresh, migrated database, which is dropped when the test ends.
func Database(t testing.TB) string {
	t.Helper()
	return enginetest.PostgresLike(t, template(t), func(databaseURL string) error {
		return pg.Migrate(t.Context(), databaseURL)
	})
}

// template returns the name of a database that contains only the schema. The name depends on the schema.
func template(t testing.TB) string {
	t.Helper()
	files, err := pg.Migrations()
	require.NoError(t, err)
	names, err := fs.Glob(files, "*")
	require.NoError(t, err)
	hash := sha256.New()
	for _, name := range names {
		content, err := fs.ReadFile(files, name)
		require.NoError(t, err)
		fmt.Fprintf(hash, "%s %d\n%s", name, len(content), content)
	}
	return fmt.Sprintf("template_%.16x", hash.Sum(nil))
}

// Secrets returns the box with which the stores of tests encrypt secrets.
func Secrets(t testing.TB, others ...secrets.Key) *secrets.Box {
	t.Helper()
	box, err := secrets.New(secrets.Key{1}, others...)
	require.NoError(t, err)
	return box
}

// Open returns a store with the given database. It is closed when the test ends.
func Open(t testing.TB, databaseURL string, options ...store.Option) *store.Store {
	t.Helper()
	options = append([]store.Option{store.WithSecrets(Secrets(t))}, options...)
	s, err := store.Open(t.Context(), databaseURL, options...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}
