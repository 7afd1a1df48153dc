package e2e

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/lab/enginetest"
)

// manifestFile is an entry for a file in a manifest.
type manifestFile struct{ Key, Hash, ContentType, URL string }

// files returns all files in the manifest for a device.
func (p project) files(t *testing.T) []manifestFile {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/v1/ota/manifest/"+p.slug+"?channel=production", nil)
	require.NoError(t, err)
	for name, value := range map[string]string{
		"expo-platform": "ios", "expo-runtime-version": "1.0.0", "expo-protocol-version": "1", "accept": "application/expo+json",
	} {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	var manifest struct {
		LaunchAsset manifestFile
		Assets      []manifestFile
	}
	require.NoError(t, json.NewDecoder(res.Body).Decode(&manifest))
	return append(manifest.Assets, manifest.LaunchAsset)
}

// download downloads a file as a device does. It returns the decoded content, the last response, and the redirects
// before it as hops.
func download(t *testing.T, file manifestFile, accept string) (content []byte, last *http.Response, hops []*http.Response) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, file.URL, nil)
	require.NoError(t, err)
	req.Header.Set("Accept-Encoding", accept)
	device := http.Client{CheckRedirect: func(next *http.Request, _ []*http.Request) error {
		hops = append(hops, next.Response)
		return nil
	}}
	last, err = device.Do(req)
	require.NoError(t, err)
	defer last.Body.Close()
	var from io.Reader = last.Body
	switch e := last.Header.Get("Content-Encoding"); e {
	case "br":
		from = brotli.NewReader(from)
	case "gzip":
		from, err = gzip.NewReader(from)
		require.NoError(t, err)
	default:
		require.Empty(t, e)
	}
	content, err = io.ReadAll(from)
	require.NoError(t, err)
	return content, last, hops
}

// requireFile makes the checks of a strict client, and returns the encoding of the response.
func requireFile(t *testing.T, file manifestFile, accept string) (encoding string, hops []*http.Response) {
	t.Helper()
	content, last, hops := download(t, file, accept)
	require.Equal(t, http.StatusOK, last.StatusCode)
	sum := sha256.Sum256(content)
	require.Equal(t, file.Hash, base64.RawURLEncoding.EncodeToString(sum[:]))
	require.Equal(t, file.ContentType, last.Header.Get("Content-Type"))
	require.Contains(t, last.Header.Get("Cache-Control"), "immutable")
	return last.Header.Get("Content-Encoding"), hops
}

// awaitVariants returns once all files have their compressed variants. From then on caches may keep the responses for
// ever.
func awaitVariants(t *testing.T, files []manifestFile) {
	t.Helper()
	for _, file := range files {
		eventually(t, func() bool {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodHead, file.URL, nil)
			require.NoError(t, err)
			res, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			return strings.Contains(res.Header.Get("Cache-Control"), "immutable")
		})
	}
}

var accepts = []string{"zstd, br, gzip", "gzip, deflate", "zstd", "identity"}

// Files are stored in a real S3-compatible bucket. Devices first get them from the API, and after a restart with other
// settings by signed URLs from the bucket.
func TestDevicesGetFilesOfAnS3Bucket(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_ASSET_BUCKET_URL"] = enginetest.Objects(t)
	direct := newProject(t, serve(t, env), env["WAFT_ROOT_KEY"])
	updates := direct.publish(t, realExports(t)["stable"], "first", 0)
	direct.requireServed(t, updates[0])
	files := direct.files(t)
	awaitVariants(t, files)
	require.NotEmpty(t, files)
	encodings := map[string]int{}
	for _, file := range files {
		for _, accept := range accepts {
			encoding, hops := requireFile(t, file, accept)
			require.Empty(t, hops)
			encodings[encoding]++
		}
	}
	require.Positive(t, encodings["br"])
	require.Positive(t, encodings["gzip"])

	again := maps.Clone(env)
	again["WAFT_ASSET_REDIRECT"], again["WAFT_DATA_DIR"] = "10m", t.TempDir()
	redirecting := direct
	redirecting.url = serveAPI(t, again)
	redirected := map[string]int{}
	for _, file := range redirecting.files(t) {
		require.True(t, strings.HasPrefix(file.URL, redirecting.url))
		for _, accept := range accepts {
			encoding, hops := requireFile(t, file, accept)
			redirected[encoding]++
			require.Len(t, hops, 1)
			require.Equal(t, http.StatusFound, hops[0].StatusCode)
			require.Equal(t, "private, no-store", hops[0].Header.Get("Cache-Control"))
			location, err := hops[0].Location()
			require.NoError(t, err)
			require.Equal(t, "600", location.Query().Get("X-Amz-Expires"))
			require.False(t, strings.HasPrefix(location.String(), redirecting.url))
		}
	}
	require.Equal(t, encodings, redirected)
}

// cdn fetches files from an origin and caches them, by URL and the headers that Vary names.
type cdn struct {
	*httptest.Server
	mu     sync.Mutex
	kept   map[string]*httptest.ResponseRecorder
	origin int
}

func startCDN(t *testing.T, origin func() string) *cdn {
	t.Helper()
	c := &cdn{kept: map[string]*httptest.ResponseRecorder{}}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		at, err := url.Parse(origin())
		require.NoError(t, err)
		r.SetURL(at)
	}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		name := r.URL.String() + " " + r.Header.Get("Accept-Encoding")
		answer, hit := c.kept[name]
		if !hit {
			answer = httptest.NewRecorder()
			proxy.ServeHTTP(answer, r)
			c.origin++
			if strings.HasPrefix(answer.Header().Get("Cache-Control"), "public") && answer.Header().Get("Vary") == "Accept-Encoding" {
				c.kept[name] = answer
			}
		}
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	}))
	t.Cleanup(c.Close)
	return c
}

// Asset URLs lead to a CDN that fetches from the API. The API gets each request for a file only once per encoding.
func TestDevicesGetFilesFromACDN(t *testing.T) {
	t.Parallel()
	env := settings(t)
	var origin string
	edge := startCDN(t, func() string { return origin })
	env["WAFT_ASSET_BASE_URL"] = edge.URL + "/"
	origin = serve(t, env)
	p := newProject(t, origin, env["WAFT_ROOT_KEY"])
	updates := p.publish(t, realExports(t)["stable"], "first", 0)
	p.requireServed(t, updates[0])
	files := p.files(t)
	behind := slices.Clone(files)
	for i := range behind {
		behind[i].URL = origin + strings.TrimPrefix(behind[i].URL, edge.URL)
	}
	awaitVariants(t, behind)
	for range 3 {
		for _, file := range files {
			require.True(t, strings.HasPrefix(file.URL, edge.URL+"/v1/ota/assets/"), file.URL)
			encoding, _ := requireFile(t, file, "br, gzip")
			if file.ContentType == "application/javascript" {
				require.Equal(t, "br", encoding)
			}
		}
	}
	require.Equal(t, len(files), edge.origin)
}

func TestRedirectsNeedABucketThatSigns(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_ASSET_REDIRECT"] = "10m"
	cfg, err := config.FromMap(env)
	require.NoError(t, err)
	require.NoError(t, app.Migrate(t.Context(), cfg, slog.New(slog.DiscardHandler)))
	_, err = app.New(t.Context(), cfg, app.Role{API: true}, slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "WAFT_ASSET_REDIRECT")
}

// A file exists as long as a build of the project has it. Files without a build do not exist.
func TestOnlyFilesOfBuildsAreThere(t *testing.T) {
	t.Parallel()
	env := settings(t)
	url := serveAPI(t, env)
	p, other := newProject(t, url, env["WAFT_ROOT_KEY"]), newProject(t, url, env["WAFT_ROOT_KEY"])
	updates := p.publish(t, madeExports(t)["stable"], "first", 0)
	p.requireServed(t, updates[0])
	key := p.files(t)[0].Key
	status := func(path string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+path, nil)
		require.NoError(t, err)
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer res.Body.Close()
		return res.StatusCode, res.Header.Get("Content-Type")
	}
	file := "/v1/ota/assets/" + key + "?project=" + p.slug
	code, _ := status(file)
	require.Equal(t, http.StatusOK, code)
	for _, query := range []string{other.slug, "nowhere"} {
		code, _ := status("/v1/ota/assets/" + key + "?project=" + query)
		require.Equal(t, http.StatusNotFound, code, query)
	}
	for _, name := range []string{
		strings.ToUpper(key), strings.Repeat("0", 32), key + ".br", "..%2f" + key, "%2e%2e%2f%2e%2e%2fetc%2fpasswd", key + "%00", key[:31],
		"projects%2f1%2f" + key[:2] + "%2f" + key,
	} {
		path := "/v1/ota/assets/" + name + "?project=" + p.slug
		code, contentType := status(path)
		require.Equal(t, http.StatusNotFound, code, path)
		require.Equal(t, "application/problem+json", contentType, path)
	}
	res, err := p.DeleteUpdateWithResponse(t.Context(), updates[0].ID, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusNoContent, res.StatusCode())
	code, _ = status(file)
	require.Equal(t, http.StatusOK, code, "its build still exists")
	deleted, err := p.DeleteBuildWithResponse(t.Context(), *updates[0].BuildID, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusNoContent, deleted.StatusCode())
	eventually(t, func() bool {
		code, _ := status(file)
		return code == http.StatusNotFound
	})
}
