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
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/models"
)

func manifest(path string, header map[string]string) request {
	all := map[string]string{"expo-runtime-version": "1.0.0", "expo-platform": "ios", "expo-protocol-version": "1"}
	for name, value := range header {
		all[name] = value
	}
	return request{method: get, path: path, anonymous: true, header: all}
}

func TestADeviceGetsItsManifest(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	for _, path := range []string{
		"/v1/ota/manifest/demo?channel=production",
		"/v1/ota/manifest/" + demo.UUID.String() + "?channel=production",
		"/v1/ota/manifest/" + strings.ToUpper(demo.UUID.String()) + "?channel=production",
	} {
		answer := w.do(manifest(path, map[string]string{"Accept": "application/expo+json"}))
		body := decoded(t, answer, 200)
		require.Equal(t, releasedUUID.String(), body["id"])
		require.Equal(t, "application/expo+json", answer.Header().Get("Content-Type"))
		require.Equal(t, "1", answer.Header().Get("Expo-Protocol-Version"))
		require.NotEmpty(t, answer.Header().Get("Expo-Manifest-Filters"))
		require.NotEmpty(t, answer.Header().Get("X-Request-Id"))
	}
}

func TestADeviceThatIsUpToDateIsToldSo(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	answer := w.do(manifest("/v1/ota/manifest/demo?channel=production", map[string]string{
		"Accept": "multipart/mixed", "expo-current-update-id": releasedUUID.String(),
	}))
	require.Equal(t, 200, answer.Code)
	require.Contains(t, answer.Header().Get("Content-Type"), "multipart/mixed")
	require.Contains(t, answer.Body.String(), "noUpdateAvailable")
}

func TestAManifestThatCannotBeAnswered(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.problem(w.do(manifest("/v1/ota/manifest/nowhere?channel=production", nil)), 404, models.CodeNotFound)
	w.problem(w.do(manifest("/v1/ota/manifest/demo?channel=nowhere", nil)), 404, models.CodeNotFound)
	p := w.problem(w.do(request{method: get, path: "/v1/ota/manifest/demo", anonymous: true}), 400, models.CodeInvalid)
	require.ElementsMatch(t, []string{"client-channel-name", "client-runtime-version", "client-platform"}, fieldsOf(p))
	w.problem(w.do(manifest("/v1/ota/manifest/demo?channel=production", map[string]string{"Accept": "text/html"})), 406, models.CodeNotAcceptable)
	w.problem(w.do(request{method: post, path: "/v1/ota/manifest/demo"}), 405, "method_not_allowed")
}

const releasedFile = "The quick brown fox jumps over the lazy dog"

// withFile returns a testAPI whose asset bucket contains the released file.
func withFile(t *testing.T, change ...func(*parts)) *testAPI {
	t.Helper()
	bucket, err := assets.Open(t.Context(), "file://"+t.TempDir(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, bucket.Close()) })
	staged, err := bucket.Stage(t.Context(), strings.NewReader(releasedFile), 100)
	require.NoError(t, err)
	require.Equal(t, releasedMD5, staged.MD5())
	require.NoError(t, staged.Keep(t.Context(), demo.ID, "application/javascript"))
	require.NoError(t, staged.Discard())
	return newTestAPI(t, append(change, func(d *parts) { d.Assets = bucket })...)
}

func asset(method, path string, header map[string]string) request {
	return request{method: method, path: path, anonymous: true, header: header}
}

func TestAFileIsServedForEver(t *testing.T) {
	t.Parallel()
	w := withFile(t)
	file := "/v1/ota/assets/" + releasedMD5
	path := file + "?project=demo"
	for _, query := range []string{"?project=demo", "?project=" + demo.UUID.String()} {
		answer := w.do(asset(get, file+query, nil))
		require.Equal(t, 200, answer.Code, answer.Body.String())
		require.Equal(t, releasedFile, answer.Body.String())
		header := answer.Header()
		require.Equal(t, "application/javascript", header.Get("Content-Type"))
		require.Equal(t, "public, max-age=31536000, immutable", header.Get("Cache-Control"))
		require.Equal(t, `"`+releasedSHA256+`"`, header.Get("ETag"))
		require.Equal(t, "bytes", header.Get("Accept-Ranges"))
		require.Equal(t, "43", header.Get("Content-Length"))
	}
	looked := w.do(asset(head, path, nil))
	require.Equal(t, 200, looked.Code)
	require.Empty(t, looked.Body.String())
	require.Equal(t, "43", looked.Header().Get("Content-Length"))

	part := w.do(asset(get, path, map[string]string{"Range": "bytes=4-8"}))
	require.Equal(t, http.StatusPartialContent, part.Code)
	require.Equal(t, "quick", part.Body.String())
	require.Equal(t, "bytes 4-8/43", part.Header().Get("Content-Range"))
	require.Equal(t, http.StatusRequestedRangeNotSatisfiable, w.do(asset(get, path, map[string]string{"Range": "bytes=100-"})).Code)

	same := w.do(asset(get, path, map[string]string{"If-None-Match": `"` + releasedSHA256 + `"`}))
	require.Equal(t, http.StatusNotModified, same.Code)
	require.Empty(t, same.Body.String())
}

func TestAFileThatNoReleaseNeedsIsNotThere(t *testing.T) {
	t.Parallel()
	w := withFile(t)
	for _, path := range []string{
		"/v1/ota/assets/" + strings.Repeat("0", 32) + "?project=demo", "/v1/ota/assets/..%2f..%2fetc%2fpasswd?project=demo",
		"/v1/ota/assets/" + strings.ToUpper(releasedMD5) + "?project=demo",
		"/v1/ota/assets/" + releasedMD5 + "?project=other", "/v1/ota/assets/" + releasedMD5 + "?project=nowhere",
	} {
		answer := w.do(asset(get, path, nil))
		w.problem(answer, 404, models.CodeNotFound)
		require.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
		require.Empty(t, answer.Header().Get("ETag"))
	}
	require.Equal(t, 404, w.do(asset(head, "/v1/ota/assets/"+strings.Repeat("0", 32)+"?project=demo", nil)).Code)
}

func TestAFileThatIsGoneFromTheStoreIsNotCached(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t) // the snapshot names a file that the store does not have
	answer := w.do(asset(get, "/v1/ota/assets/"+releasedMD5+"?project=demo", nil))
	w.problem(answer, 404, models.CodeNotFound)
	require.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
}

// manifestStatuses are the statuses that a device may get.
var manifestStatuses = []int{
	http.StatusOK, http.StatusNoContent, http.StatusBadRequest, http.StatusNotFound, http.StatusNotAcceptable,
}

// FuzzManifest sends arbitrary paths, queries and header lines through the whole server. Every response must follow
// the protocol or be a problem. grow makes the value of one of the lines, or the query, up to a megabyte longer.
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

// requireManifestAnswer checks the properties of every response to a device.
func requireManifestAnswer(t *testing.T, req *http.Request, answer *httptest.ResponseRecorder) {
	t.Helper()
	expected := manifestStatuses
	if req.Header.Get("Authorization") != "" {
		expected = append(slices.Clone(expected), http.StatusUnauthorized) // a key that is sent must be valid
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
