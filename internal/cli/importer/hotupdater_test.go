package importer

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

const hotBundleID = "0199e4a5-7c00-7000-8000-000000000001"

// zipped returns an archive with the files.
func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.Create(name)
		require.NoError(t, err)
		_, err = f.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

func sha256Of(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// hotServer runs a server of hot-updater with one bundle for cohorts from 1 to 250. Its list has a second, empty page.
func hotServer(t *testing.T, archive []byte, hash string) *hotUpdater {
	t.Helper()
	h := &hotUpdater{http: http.DefaultClient, headers: []string{"X-Key: secret"}}
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	h.url = s.URL
	reply := func(w http.ResponseWriter, text string) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(text)) // the test sees what is missing
	}
	mux.HandleFunc("/api/bundles", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") != "secret" {
			http.Error(w, "sign in", http.StatusUnauthorized)
			return
		}
		if r.URL.Query().Get("after") == "p2" {
			reply(w, `{"data": [], "pagination": {"hasNextPage": false}}`)
			return
		}
		reply(w, fmt.Sprintf(`{"data": [{"id": %q, "platform": "ios", "channel": "production", "enabled": true, "fileHash": %q,
			"storageUri": "s3://bucket/b/bundle.zip", "targetAppVersion": "1.0.0", "rolloutCohortCount": 250}],
			"pagination": {"hasNextPage": true, "nextCursor": "p2"}}`, hotBundleID, hash))
	})
	mux.HandleFunc("/app-version/ios/1.0.0/production/"+noBundle+"/"+noBundle+"/{cohort}", func(w http.ResponseWriter, r *http.Request) {
		if r.PathValue("cohort") != "3" {
			reply(w, "null")
			return
		}
		reply(w, fmt.Sprintf(`{"id": %q, "fileUrl": %q}`, hotBundleID, s.URL+"/file"))
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(archive) })
	return h
}

func TestABundleOfHotUpdaterBecomesAnExport(t *testing.T) {
	t.Parallel()
	manifest := func(hashed string) string {
		return fmt.Sprintf(`{"assets": {"index.ios.bundle": {"fileHash": %q}, "assets/a.png": {"fileHash": %q}}}`,
			sha256Of([]byte("program")), hashed)
	}
	files := map[string]string{
		"index.ios.bundle": "program", "assets/a.png": "image", "index.ios.bundle.map": "map",
		"manifest.json": manifest(sha256Of([]byte("image"))),
	}
	changed := func(name, text string) map[string]string {
		all := map[string]string{name: text}
		for n, other := range files {
			if n != name {
				all[n] = other
			}
		}
		return all
	}
	for name, c := range map[string]struct {
		files         map[string]string
		hash, refused string
	}{
		"a bundle":                 {files, "", ""},
		"a signed bundle":          {files, "sig:abc", ""},
		"another archive":          {files, "f00", "but hot-updater says f00"},
		"a damaged file":           {changed("assets/a.png", "other"), "", "but its manifest says"},
		"a signed file of nobody":  {changed("assets/b.png", "more"), "sig:abc", "no hash of assets/b.png"},
		"a file without a hash":    {changed("manifest.json", manifest("")), "", ""},
		"a file outside":           {changed("../out.png", "x"), "", "escapes"},
		"a second program":         {changed("other.hbc", "x"), "", "two programs"},
		"a signed list of nothing": {changed("manifest.json", "{}"), "sig:abc", "no hash of"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archive := zipped(t, c.files)
			if c.hash == "" {
				c.hash = sha256Of(archive)
			}
			h := hotServer(t, archive, c.hash)
			inv, err := h.read(t.Context())
			require.NoError(t, err)
			require.Equal(t, []channel{{name: "production", branch: "production"}}, inv.channels)
			require.Len(t, inv.releases, 1)
			require.InDelta(t, 25, inv.releases[0].percentage, 0)
			dir := filepath.Join(t.TempDir(), "export")
			require.NoError(t, os.Mkdir(dir, 0o700))
			err = h.fetch(t.Context(), inv.releases[0], dir)
			require.NoFileExists(t, filepath.Join(dir, "../out.png"))
			if c.refused != "" {
				require.ErrorContains(t, err, c.refused)
				return
			}
			require.NoError(t, err)
			text, err := os.ReadFile(filepath.Join(dir, "metadata.json"))
			require.NoError(t, err)
			var metadata struct {
				FileMetadata map[models.Platform]struct {
					Bundle string
					Assets []exportedFile
				}
			}
			require.NoError(t, json.Unmarshal(text, &metadata))
			require.Equal(t, "index.ios.bundle", metadata.FileMetadata[models.IOS].Bundle)
			require.Equal(t, []exportedFile{{"assets/a.png", "png"}}, metadata.FileMetadata[models.IOS].Assets)
		})
	}
}
