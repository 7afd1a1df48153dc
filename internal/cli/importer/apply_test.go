package importer

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
)

func TestWhatTheProjectHas(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		body := "[]"
		if r.URL.Path == "/v1/ota/updates" && r.URL.Query().Get("isEnabled") != "true" {
			body = `[{"id": 1, "branchName": "main", "isEnabled": false}, {"id": 2, "branchName": "beta", "buildId": 5},
				{"id": 3, "branchName": "old", "buildId": 5}]`
		}
		if r.URL.Path == "/v1/ota/builds" {
			body = `[{"id": 5, "message": "Imported from eas (a, created 2026-03-14T09:26:53Z)", "releases": [{"branchName": "beta"}]}]`
		}
		_, _ = w.Write([]byte(body)) // the test sees what is missing
	}))
	t.Cleanup(s.Close)
	api, err := client.New(s.URL, client.Credentials{Key: "waft_12345678_x", Project: "demo"})
	require.NoError(t, err)
	p, err := readProject(t.Context(), api, "eas")
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"main": true}, p.own, "a disabled release is content, too")
	require.Equal(t, map[string]bool{"main": true, "beta": true, "old": true}, p.used)
	require.Equal(t, map[string]importedBuild{"a": {5, []string{"beta", "old"}}}, p.builds)
}
