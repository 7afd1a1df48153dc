package importer

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli/protocol"
	"github.com/waft-ota/waft/models"
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

// xpremServer runs a server of xprem with the release r1. It goes to the second device that asks.
func xpremServer(t *testing.T, bundle protocol.Asset) *xprem {
	t.Helper()
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	reply := func(path, text string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/auth/login" && r.Header.Get("Authorization") != "Bearer t0" {
				http.Error(w, "sign in", http.StatusUnauthorized)
				return
			}
			_, _ = w.Write([]byte(text)) // the test sees what is missing
		})
	}
	reply("/auth/login", `{"token": "t0"}`)
	reply("/api/apps/shop/channels", `[{"releaseChannelName": "live", "branchName": "main",
		"rollout": {"rolloutBranchName": "next", "percentage": 10}}, {"releaseChannelName": "lost", "branchName": null}]`)
	reply("/api/apps/shop/branches", `[{"branchName": "main"}]`)
	reply("/api/apps/shop/branch/main/runtimeVersions", `[{"runtimeVersion": "1.0.0"}]`)
	const updates = "/api/apps/shop/branch/main/runtimeVersion/1.0.0/updates"
	reply(updates, `{"items": [{"updateUUID": "u1", "updateId": "r1", "createdAt": "2026-03-14T09:26:53Z", "platform": "ios",
		"rolloutPercentage": 40}], "nextCursor": null}`)
	reply(updates+"/r1", `{"type": 0}`)
	bundle.URL = s.URL + "/bundle"
	mux.HandleFunc("/manifest", func(w http.ResponseWriter, r *http.Request) {
		manifest := protocol.Manifest{ID: "other", LaunchAsset: bundle}
		if r.Header.Get("EAS-Client-ID") != "" && r.Header.Get("expo-channel-name") == "live" {
			manifest.ID = "u1"
		}
		w.Header().Set("Content-Type", "application/expo+json")
		_ = json.NewEncoder(w).Encode(manifest) // the test sees what is missing
	})
	mux.HandleFunc("/bundle", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("program")) })
	return &xprem{http: http.DefaultClient, url: s.URL, app: "shop", email: "ada@example.com", password: "x"}
}

func TestAReleaseOfXpremIsDownloadedAsADeviceDoes(t *testing.T) {
	t.Parallel()
	const md5Sum, sha256Sum = "a9c449d4fa44e9e5a41c574ae55ce4d9", "ExDKLIky29EYZovZdEJVij4fVGteFcaWmd-9YCT1SNg"
	for name, c := range map[string]struct {
		bundle  protocol.Asset
		refused string
	}{
		"with a hash":      {protocol.Asset{Hash: sha256Sum}, ""},
		"with its MD5":     {protocol.Asset{Key: md5Sum}, ""},
		"with another one": {protocol.Asset{Hash: "x", Key: md5Sum}, "but its manifest says x"},
		"without a hash":   {protocol.Asset{Key: "bundle"}, "has no hash in its manifest"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := xpremServer(t, c.bundle)
			inv, err := x.read(t.Context())
			require.NoError(t, err)
			require.Equal(t, []channel{{"live", "main", "next", 10}}, inv.channels)
			require.Equal(t, []skipped{{"channel lost", "it does not lead to a branch"}}, inv.skipped)
			require.Equal(t, []string{"r1"}, ids(inv.releases))
			require.InDelta(t, 40, inv.releases[0].percentage, 0)
			dir := t.TempDir()
			err = x.fetch(t.Context(), inv.releases[0], dir)
			if c.refused != "" {
				require.ErrorContains(t, err, c.refused)
				return
			}
			require.NoError(t, err)
			require.FileExists(t, filepath.Join(dir, "metadata.json"))
			require.FileExists(t, filepath.Join(dir, "_expo/static/js", string(models.IOS), "bundle.js"))
		})
	}
}

func TestAListThatNeverEndsIsAnError(t *testing.T) {
	t.Parallel()
	var pages atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := pages.Add(1)
		const page = `{"items": [], "nextCursor": %q, "data": [], "pagination": {"hasNextPage": true, "nextCursor": %[1]q}}`
		_, _ = fmt.Fprintf(w, page, fmt.Sprint("c", n%2)) // the test sees what is missing
		if n > 10 {
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(s.Close)
	x := &xprem{http: s.Client(), url: s.URL, app: "shop"}
	require.ErrorContains(t, x.readUpdates(t.Context(), &inventory{}, "main", "1.0.0"), "repeats the cursor")
	pages.Store(0)
	h := &hotUpdater{http: s.Client(), url: s.URL}
	_, err := h.read(t.Context())
	require.ErrorContains(t, err, "repeats the cursor")
}
