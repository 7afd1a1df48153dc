package dashboard

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// served returns a handler of a small build in front of an API that responds with 418.
func served(t *testing.T) *Handler {
	t.Helper()
	files, err := read(fstest.MapFS{
		"dist/index.html":              {Data: []byte("the app")},
		"dist/sign-in.html":            {Data: []byte("the sign-in")},
		"dist/reference.html":          {Data: []byte("the reference")},
		"dist/assets/app-a1b2c3.js":    {Data: []byte("script")},
		"dist/assets/app-a1b2c3.js.br": {Data: []byte("br")},
		"dist/assets/app-a1b2c3.js.gz": {Data: []byte("gz")},
	})
	require.NoError(t, err)
	api := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	return &Handler{files: files, api: api, origin: "https://waft.example.com"}
}

func ask(h http.Handler, method, target, encoding string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	r.Header.Set("Accept-Encoding", encoding)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestWhatIsServedWhere(t *testing.T) {
	t.Parallel()
	h := served(t)
	for target, want := range map[string]struct {
		status int
		body   string
	}{
		"/app/":                        {200, "the app"},
		"/app/demo/rollouts/7":         {200, "the app"},
		"/app/login":                   {200, "the sign-in"},
		"/app/setup":                   {200, "the sign-in"},
		"/app/invite":                  {200, "the sign-in"},
		"/app/forgot":                  {200, "the sign-in"},
		"/app/reset":                   {200, "the sign-in"},
		"/app/login/else":              {200, "the app"},
		"/app/assets/app-a1b2c3.js":    {200, "script"},
		"/app/assets/app-a1b2c3.js.br": {404, "the dashboard has no such file; reload the page\n"},
		"/app/assets/gone-a1b2c3.js":   {404, "the dashboard has no such file; reload the page\n"},
		"/application":                 {418, ""},
		"/v1/ota/flags":                {418, ""},
	} {
		w := ask(h, http.MethodGet, target, "")
		require.Equal(t, want.status, w.Code, target)
		require.Equal(t, want.body, w.Body.String(), target)
	}
	require.Equal(t, "/app/", ask(h, http.MethodGet, "/", "").Header().Get("Location"))
	require.Equal(t, "/app/", ask(h, http.MethodGet, "/app", "").Header().Get("Location"))
	require.Equal(t, http.StatusMethodNotAllowed, ask(h, http.MethodPost, "/app/", "").Code)
	require.Empty(t, ask(h, http.MethodHead, "/app/", "").Body.String())
}

func TestABuildWithoutPagesSaysSo(t *testing.T) {
	t.Parallel()
	files, err := read(fstest.MapFS{"dist/placeholder.html": {Data: []byte("none")}})
	require.NoError(t, err)
	w := ask(&Handler{files: files}, http.MethodGet, "/app/login", "")
	require.Equal(t, http.StatusNotImplemented, w.Code)
	require.Equal(t, "none", w.Body.String())
	_, err = New("http://localhost") // the committed one is there
	require.NoError(t, err)
}

func TestTheReferenceMayOnlyDoWhatItsRendererNeeds(t *testing.T) {
	t.Parallel()
	h := served(t)
	w := httptest.NewRecorder()
	h.ServeReference(w, httptest.NewRequest(http.MethodGet, "https://waft.example.com/docs", nil))
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "the reference", w.Body.String())
	require.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
	empty := sha256.Sum256(nil)
	hash := base64.StdEncoding.EncodeToString(empty[:])
	want := strings.Replace(h.policy("waft.example.com"), "; font-src", " 'sha256-"+hash+"'; font-src", 1)
	require.Equal(t, want+"; worker-src blob:", w.Header().Get("Content-Security-Policy"))
	require.NotContains(t, w.Header().Get("Content-Security-Policy"), "unsafe")
}

func TestTheSmallestAcceptedVariantIsServed(t *testing.T) {
	t.Parallel()
	h := served(t)
	for accepted, want := range map[string]string{
		"": "script", "gzip": "gz", "gzip, br": "br", "br;q=0, gzip": "gz", "identity": "script",
	} {
		w := ask(h, http.MethodGet, "/app/assets/app-a1b2c3.js", accepted)
		require.Equal(t, want, w.Body.String(), accepted)
		require.Equal(t, "text/javascript; charset=utf-8", w.Header().Get("Content-Type"))
		require.Equal(t, "public, max-age=31536000, immutable", w.Header().Get("Cache-Control"))
		require.Equal(t, "Accept-Encoding", w.Header().Get("Vary"))
	}
}

func TestThePolicyNamesOnlyTheDashboardsFiles(t *testing.T) {
	t.Parallel()
	h := served(t)
	const rest = "; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	for host, own := range map[string]string{
		"waft.example.com": "https://waft.example.com/app/assets/",
		"10.0.0.7:8080":    "https://waft.example.com/app/assets/ 10.0.0.7:8080/app/assets/",
		"evil; script-src": "https://waft.example.com/app/assets/",
	} {
		r := httptest.NewRequest(http.MethodGet, "/app/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		want := "default-src 'none'; script-src " + own + "; style-src " + own + "; font-src " + own + rest
		require.Equal(t, want, w.Header().Get("Content-Security-Policy"), host)
		require.Equal(t, "no-cache", w.Header().Get("Cache-Control"))
		require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
	}
}

func TestItsOwnAddressServesNothingUploaded(t *testing.T) {
	t.Parallel()
	h := Alone(served(t))
	for target, want := range map[string]int{
		"/app/login": 200, "/": 302, "/v1/me": 418, "/v1/auth/login": 418, "/v1/ota/flags": 418, "/v1/ota/stream": 418, "/readyz": 418,
		"/v1/ota/assets/900150983cd24fb0d6963f7d28e17f72": 404, "/v1/ota/manifest/demo": 404, "/v1/ota/health-metrics": 404,
		"/v1/ota/flag-stream/demo": 404, "/ofrep/v1/evaluate/flags": 404, "/docs": 404, "/metrics": 404,
	} {
		require.Equal(t, want, ask(h, http.MethodGet, target, "").Code, target)
	}
}
