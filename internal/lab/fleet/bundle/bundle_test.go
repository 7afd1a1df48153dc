package bundle_test

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
	"github.com/waft-ota/waft/models"
)

// files returns all files in dir with their contents.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		found[name] = string(content)
		return err
	}))
	return found
}

func TestAnExportIsLaidOutAsExpoDoesIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bundles, err := bundle.Write(dir, bundle.Spec{Label: "stable", BundleBytes: 5000, Assets: 3, AssetBytes: 100})
	require.NoError(t, err)
	all := files(t, dir)
	var metadata struct {
		FileMetadata map[models.Platform]struct {
			Bundle string
			Assets []struct{ Path, Ext string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(all["metadata.json"]), &metadata))
	require.Len(t, metadata.FileMetadata, 2)
	for platform, f := range metadata.FileMetadata {
		require.Equal(t, bundles[platform], f.Bundle)
		require.Len(t, all[f.Bundle], 5000)
		require.Contains(t, all[f.Bundle], "release: stable for "+string(platform))
		sum := md5.Sum([]byte(all[f.Bundle]))
		require.Contains(t, f.Bundle, hex.EncodeToString(sum[:]))
		require.Len(t, f.Assets, 4)
		for _, a := range f.Assets {
			sum := md5.Sum([]byte(all[a.Path]))
			require.Equal(t, hex.EncodeToString(sum[:]), path.Base(a.Path))
			require.Equal(t, "png", a.Ext)
		}
	}
	require.Contains(t, all["expoConfig.json"], `"runtimeVersion": "1.0.0"`)
	require.Len(t, all, 2+2+4)
}

func TestTheSameSpecGivesTheSameBytesAndALabelChangesFewFiles(t *testing.T) {
	t.Parallel()
	write := func(label string) map[string]string {
		dir := t.TempDir()
		_, err := bundle.Write(dir, bundle.Spec{Label: label, BundleBytes: 2000, AssetBytes: 64})
		require.NoError(t, err)
		return files(t, dir)
	}
	stable, again, broken := write("stable"), write("stable"), write("broken")
	require.Equal(t, stable, again)
	shared := 0
	for name := range broken {
		if _, ok := stable[name]; ok && path.Dir(name) == "assets" {
			shared++
		}
	}
	require.Equal(t, 6, shared, "the assets that both versions have")
}

func TestAnExportNeedsALabel(t *testing.T) {
	t.Parallel()
	_, err := bundle.Write(t.TempDir(), bundle.Spec{})
	require.ErrorContains(t, err, "label")
}
