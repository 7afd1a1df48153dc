package client_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

// newClient makes a client of a server that h is.
func newClient(t *testing.T, h http.HandlerFunc) *client.Waft {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	c, err := client.New(s.URL, client.Credentials{Key: "waft_12345678_secret", Project: "demo"})
	require.NoError(t, err)
	return c
}

func answerJSON(w http.ResponseWriter, status int, contentType string, v any) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a broken response fails the test anyway
}

func TestCallsCarryTheCredentials(t *testing.T) {
	t.Parallel()
	c := newClient(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer waft_12345678_secret" || len(r.Header.Values("X-Project")) != 1 || r.Header.Get("X-Project") != "demo" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		answerJSON(w, 200, "application/json", []any{})
	})
	res, err := c.ListChannelsWithResponse(t.Context(), &client.ListChannelsParams{})
	require.NoError(t, err)
	require.Empty(t, *res.JSON200)
}

func TestARefusalIsAnErrorThatNamesEveryField(t *testing.T) {
	t.Parallel()
	c := newClient(t, func(w http.ResponseWriter, _ *http.Request) {
		answerJSON(w, 400, "application/problem+json", map[string]any{
			"type": "urn:x", "title": "Invalid request", "status": 400, "detail": "the request has 2 invalid fields",
			"instance": "/x", "code": "invalid_request", "requestId": "req-1",
			"errors": []map[string]string{{"field": "stages[1].percentage", "message": "must be above 5"}, {"field": "name", "message": "is required"}},
		})
	})
	_, err := c.ListChannelsWithResponse(t.Context(), &client.ListChannelsParams{})
	require.Equal(t, models.CodeInvalid, client.CodeOf(err))
	require.EqualError(t, err, "the request has 2 invalid fields (400 invalid_request, request req-1)\n"+
		"  stages[1].percentage: must be above 5\n  name: is required")
}

func TestAnyOtherRefusalIsAnErrorToo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"a proxy's page": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "bad gateway\nsorry", http.StatusBadGateway)
		}, "bad gateway (502)"},
		"nothing at all": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }, "Service Unavailable (503)"},
		"a redirect": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/")
			w.WriteHeader(http.StatusFound)
		}, "Found (302)"},
		"success, but no API": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, "holds no record"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := newClient(t, c.answer).FindPolicy(t.Context(), "careful")
			require.ErrorContains(t, err, c.want)
		})
	}
	t.Run("which says when to come back", func(t *testing.T) {
		t.Parallel()
		_, err := newClient(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "2")
			w.WriteHeader(http.StatusServiceUnavailable)
		}).FindPolicy(t.Context(), "careful")
		var refusal *client.Error
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, 2*time.Second, refusal.RetryAfter)
	})
}

func TestExportsAreLookedThrough(t *testing.T) {
	t.Parallel()
	write := func(t *testing.T, files map[string]string) string {
		dir := t.TempDir()
		for name, content := range files {
			require.NoError(t, os.MkdirAll(filepath.Join(dir, path.Dir(name)), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
		}
		return dir
	}
	for name, c := range map[string]struct {
		files  map[string]string
		want   []string
		bundle string
		bad    string
	}{
		"what metadata.json names": {
			map[string]string{"metadata.json": `{"fileMetadata":{"ios":{"bundle":"a.hbc","assets":[{"path":"assets/1","ext":"png"},{"path":"assets/1","ext":"png"}]}}}`, "a.hbc": "", "assets/1": "", "other": ""},
			[]string{"a.hbc", "assets/1"}, "a.hbc", "",
		},
		"written on Windows": {
			map[string]string{"metadata.json": `{"fileMetadata":{"ios":{"bundle":"js\\a.hbc","assets":[]}}}`, "js/a.hbc": ""},
			[]string{"js/a.hbc"}, "js/a.hbc", "",
		},
		"without metadata.json everything of the platform": {
			map[string]string{"_expo/static/js/ios/a.hbc": "", "_expo/static/js/android/b.hbc": "", "assets/1": "", "a.hbc.map": "", "expoConfig.json": "{}"},
			[]string{"_expo/static/js/ios/a.hbc", "assets/1"}, "", "",
		},
		"another platform's export": {
			map[string]string{"metadata.json": `{"fileMetadata":{"android":{"bundle":"a.hbc","assets":[]}}}`, "a.hbc": ""},
			nil, "", "does not name a bundle for ios",
		},
		"a file is gone": {
			map[string]string{"metadata.json": `{"fileMetadata":{"ios":{"bundle":"a.hbc","assets":[]}}}`},
			nil, "", "names a.hbc, which is not there",
		},
		"a path outside": {
			map[string]string{"metadata.json": `{"fileMetadata":{"ios":{"bundle":"../a.hbc","assets":[]}}}`},
			nil, "", "not there",
		},
		"an empty folder": {nil, nil, "", "no files"},
		"nonsense":        {map[string]string{"metadata.json": "x"}, nil, "", "metadata.json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := client.OpenExport(write(t, c.files), models.IOS)
			if c.bad != "" {
				require.ErrorContains(t, err, c.bad)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, e.Files)
			require.Equal(t, c.bundle, e.Bundle)
		})
	}
}
