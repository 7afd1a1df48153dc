package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
)

// manifestStatuses are all that a device may be answered.
var manifestStatuses = []int{
	http.StatusOK, http.StatusNoContent, http.StatusBadRequest, http.StatusNotFound, http.StatusNotAcceptable,
}

// FuzzManifest sends anything at all as a path, a query and header lines through
// the whole server. Whatever it is, the answer is one of the protocol or a problem.
// grow makes the value of one of the lines, or the query, up to a megabyte longer.
func FuzzManifest(f *testing.F) {
	stock := "Accept: multipart/mixed,application/expo+json,application/json\nExpo-Protocol-Version: 1\nExpo-Platform: ios\n" +
		"Expo-Runtime-Version: 1.0.0\nExpo-Channel-Name: production\n"
	for _, lines := range []string{
		stock + "Eas-Client-Id: A\nExpo-Expect-Signature: sig, keyid=\"main\", alg=\"rsa-v1_5-sha256\"",
		stock + "Expo-Expect-Signature: sig, keyid=\"other\"\nExpo-Extra-Params: client-user-id=\"ann\"",
		stock + "Expo-Expect-Signature: \xff((\nExpo-Recent-Failed-Update-Ids: \"a\", \"b\"\nX-Request-Id: \xff\nTraceparent: 00",
		strings.Replace(stock, ": ios", ": web", 1), strings.Replace(stock, ": 1\n", ": 99999999999999999999999\n", 1),
		strings.Replace(stock, ": 1.0.0", ": 99999999999999999999999.0.0-\xff\xfe", 1), strings.Replace(stock, ": 1\n", ": 0\n", 1),
		strings.Replace(stock, "production", "no\xffwhere", 1), "Accept: application/json;q=0.1, */*;q=x", "Authorization: Bearer waft_x",
		"Accept: text/html\n" + stock, "Client-Platform: ios\nClient-Runtime-Version: v1\nClient-Channel-Name: production\nAccept: ((",
	} {
		f.Add("demo", "", lines, uint32(0))
		f.Add("demo", "channel=production&channel=%ff", lines, uint32(0))
		for line := range uint32(6) {
			f.Add("demo", "", lines, line<<20|(1<<20-1))
		}
	}
	f.Add("11111111-2222-4333-8444-555555555555", "channel=%zz", stock, uint32(0))
	f.Add("nowhere\xff", "%", stock, uint32(0))
	f.Add(strings.Repeat("ü", 1000), "channel="+strings.Repeat("a", 1000), "", uint32(1<<21-1))
	f.Add("a%2Fb", ";", "", uint32(0))

	var once sync.Once
	var w *testAPI
	f.Fuzz(func(t *testing.T, slug, query, lines string, grow uint32) {
		once.Do(func() { w = newTestAPI(t, func(d *parts) { d.Snapshots = signedSnapshots(t) }) })
		longer := strings.Repeat("a", int(grow%(1<<20)))
		req := httptest.NewRequest(get, "/", nil)
		req.URL = &url.URL{Path: "/v1/ota/manifest/" + slug, RawQuery: query}
		all := strings.Split(lines, "\n")
		grown := int(grow>>20) % (len(all) + 1)
		for i, line := range all {
			if name, value, ok := strings.Cut(line, ":"); ok {
				if value = strings.TrimSpace(value); i == grown {
					value += longer
				}
				req.Header.Add(strings.TrimSpace(name), value)
			}
		}
		if grown == len(all) {
			req.URL.RawQuery += longer
		}
		answer := httptest.NewRecorder()
		w.handler.ServeHTTP(answer, req)
		requireManifestAnswer(t, req, answer)
	})
}

// requireManifestAnswer checks what holds for every answer to a device.
func requireManifestAnswer(t *testing.T, req *http.Request, answer *httptest.ResponseRecorder) {
	t.Helper()
	expected := manifestStatuses
	if req.Header.Get("Authorization") != "" {
		expected = append(slices.Clone(expected), http.StatusUnauthorized) // a key that is sent must be one
	}
	require.Contains(t, expected, answer.Code, "%q %q: %.1000s", req.URL, req.Header, answer.Body)
	require.True(t, utf8.Valid(answer.Body.Bytes()), "%q", answer.Body)
	require.LessOrEqual(t, len(answer.Header().Get("X-Request-Id")), 128)
	if answer.Code < 400 {
		require.Equal(t, answer.Code == http.StatusOK, answer.Body.Len() > 0)
		return
	}
	require.Equal(t, "application/problem+json", answer.Header().Get("Content-Type"))
	var p rest.Problem
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &p))
	require.Equal(t, answer.Code, p.Status)
	require.NotEmpty(t, p.Code)
	require.NotEmpty(t, p.Detail)
}
