package temporal

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/devstack/internal/guard"
)

// The pages and the settings work without a Temporal server.
func TestTheWebUIAnswersItsOwnPagesOnly(t *testing.T) {
	t.Parallel()
	handler, err := webUI("127.0.0.1:1")
	require.NoError(t, err)
	ui := httptest.NewServer(guard.OwnPages(handler))
	defer ui.Close()
	ask := func(path string, change func(*http.Request)) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, ui.URL+path, http.NoBody)
		require.NoError(t, err)
		change(req)
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer res.Body.Close()
		return res.StatusCode, res.Header.Get("Content-Type")
	}
	for path, kind := range map[string]string{"/": "text/html", "/namespaces/default/workflows": "text/html", "/api/v1/settings": "application/json"} {
		status, found := ask(path, func(*http.Request) {})
		require.Equal(t, http.StatusOK, status, path)
		require.True(t, strings.HasPrefix(found, kind), "%s is %s", path, found)
		status, _ = ask(path, func(r *http.Request) { r.Header.Set("Origin", ui.URL) })
		require.Equal(t, http.StatusOK, status, path)
		for _, change := range []func(*http.Request){
			func(r *http.Request) { r.Host = "evil.example:8234" },
			func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
			func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		} {
			status, _ := ask(path, change)
			require.Equal(t, http.StatusForbidden, status, path)
		}
	}
}
