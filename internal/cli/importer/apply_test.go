package importer

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
)

func TestDisabledReleasesAreContent(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		body := "[]"
		if r.URL.Path == "/v1/ota/updates" && r.URL.Query().Get("isEnabled") != "true" {
			body = `[{"id": 1, "branchName": "main", "isEnabled": false}]`
		}
		_, _ = w.Write([]byte(body)) // the test sees what is missing
	}))
	t.Cleanup(s.Close)
	api, err := client.New(s.URL, client.Credentials{Key: "waft_12345678_x", Project: "demo"})
	require.NoError(t, err)
	p, err := readProject(t.Context(), api, "eas")
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"main": true}, p.own)
	require.Equal(t, p.own, p.used)
}
