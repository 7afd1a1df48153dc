package importer

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAReleaseStaysInsideTheStorageOfXprem(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	storage := filepath.Join(above, "storage")
	write := func(folder, name string) {
		dir := filepath.Join(above, folder)
		require.NoError(t, os.MkdirAll(dir, 0o750))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o600))
	}
	write("storage/shop/main/1.0.0/1", "metadata.json")
	write("storage/shop/main/1.0.0/2", "bundle.js")
	write("storage/shop/main/1.0.0/3", "metadata.json")
	write("storage/shop/feature/new/1.0.0/4", "metadata.json")
	write("private/1.0.0/5", "metadata.json")
	require.NoError(t, os.Symlink(filepath.Join(above, "private"), filepath.Join(storage, "shop", "linked")))
	require.NoError(t, os.Symlink("metadata.json", filepath.Join(storage, "shop/main/1.0.0/3/also.json")))
	x := &xprem{app: "shop", dir: storage}
	for name, c := range map[string]struct{ branch, id, refused string }{
		"a release":                   {"main", "1", ""},
		"a branch with a slash":       {"feature/new", "4", ""},
		"without metadata":            {"main", "2", "metadata.json"},
		"with a link":                 {"main", "3", "also.json is a link"},
		"a branch outside":            {"../../private", "5", "invalid"},
		"an ID that leads elsewhere":  {"main", "../../../../../private/1.0.0/5", "invalid"},
		"without an ID":               {"main", "", "invalid"},
		"a branch that leads outside": {"linked", "5", "escapes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			to := t.TempDir()
			err := x.fetch(t.Context(), release{branch: c.branch, runtimeVersion: "1.0.0", id: c.id}, to)
			if c.refused != "" {
				require.ErrorContains(t, err, c.refused)
				return
			}
			require.NoError(t, err)
			require.FileExists(t, filepath.Join(to, "metadata.json"))
		})
	}
}
