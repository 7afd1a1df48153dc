package api

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
)

// What is about a project may stay in no cache, and no answer may be taken for a script or a page.
func TestNoAnswerIsSniffedAndNoAnswerOfManagementIsStored(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, answer *httptest.ResponseRecorder, private bool) {
		t.Helper()
		require.Equal(t, []string{"nosniff"}, answer.Header().Values("X-Content-Type-Options"), answer.Code)
		if private {
			require.Equal(t, []string{"no-store"}, answer.Header().Values("Cache-Control"), answer.Code)
		}
	}
	shared := newTestAPI(t)
	for _, r := range table(t) {
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			w := shared.in(t)
			call := callOn(r)
			if r.Access == rest.Root {
				call.key, call.header["X-Project"] = w.rootKey, ""
			}
			check(t, w.do(call), r.Access != rest.Public)
			call.header["Authorization"] = "Bearer nonsense"
			check(t, w.do(call), true) // the answer is a problem
		})
	}
	check(t, shared.do(request{method: get, path: "/nowhere"}), true)
	check(t, shared.do(request{method: put, path: "/v1/ota/builds"}), true)
}

func TestWhatDevicesGetKeepsItsCacheHeaders(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	answer := w.do(request{method: get, path: "/v1/ota/flag-definitions/demo", anonymous: true})
	require.Equal(t, 200, answer.Code)
	require.Equal(t, "no-cache", answer.Header().Get("Cache-Control"))
	require.Equal(t, "nosniff", answer.Header().Get("X-Content-Type-Options"))
}
