package e2e

import (
	"bufio"
	"fmt"
	"maps"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// An invalid key is looked up in Postgres only once. A new key works immediately in every process.
func TestAWrongKeyIsAskedForOnce(t *testing.T) {
	t.Parallel()
	env := settings(t)
	direct := env["DATABASE_URL"]
	line, through := newLine(t, direct)
	env["DATABASE_URL"] = through
	server := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: direct, still: true}
	p := server.tenant(t)
	second := maps.Clone(env)
	second["DATABASE_URL"], second["WAFT_DATA_DIR"], second["WAFT_ASSET_BUCKET_URL"] = direct, t.TempDir(), "file://"+t.TempDir()
	elsewhere := *p
	elsewhere.url = serveAPI(t, second)

	list := func(key string) request { return request{method: http.MethodGet, path: "/v1/ota/builds", key: key} }
	wrong, other := models.NewAPIKeyToken().Reveal(), models.NewAPIKeyToken().Reveal()
	p.do(list(wrong)).problem(401, models.CodeUnauthenticated)
	made := p.do(request{method: http.MethodPost, path: "/v1/ota/api-keys", body: object{"name": p.marker, "role": "viewer"}}).record(201)
	key := made["key"].(string)
	require.Equal(t, 200, elsewhere.do(list(key)).status)
	require.Equal(t, 200, p.do(list(key)).status)
	revoke := request{method: http.MethodDelete, path: fmt.Sprintf("/v1/ota/api-keys/%d", made.id("id"))}
	require.Equal(t, 204, elsewhere.do(revoke).status)
	p.do(list(key)).problem(401, models.CodeUnauthenticated)
	elsewhere.do(list(key)).problem(401, models.CodeUnauthenticated)

	line.cut()
	p.do(list(other)).problem(503, models.CodeUnavailable)
	p.do(list(wrong)).problem(401, models.CodeUnauthenticated)
	p.do(list(key)).problem(401, models.CodeUnauthenticated)
	p.do(request{method: http.MethodGet, path: "/healthz", key: wrong}).problem(401, models.CodeUnauthenticated)
}

// A stream ends when its key is revoked in another process.
func TestARevokedKeyEndsItsStream(t *testing.T) {
	t.Parallel()
	env := settings(t)
	server := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
	p := server.tenant(t)
	second := maps.Clone(env)
	second["WAFT_DATA_DIR"], second["WAFT_ASSET_BUCKET_URL"] = t.TempDir(), "file://"+t.TempDir()
	elsewhere := *p
	elsewhere.url = serveAPI(t, second)
	made := p.do(request{method: http.MethodPost, path: "/v1/ota/api-keys", body: object{"name": p.marker, "role": "viewer"}}).record(201)

	path := fmt.Sprintf("/v1/ota/rollout-executions/%d/stream", p.execution().id("id"))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+path, http.NoBody)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+made["key"].(string))
	req.Header.Set("X-Project", p.slug)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	require.Equal(t, http.StatusOK, res.StatusCode)
	lines := bufio.NewScanner(res.Body)
	require.True(t, lines.Scan())
	require.Equal(t, "event: execution", lines.Text())
	require.Equal(t, 1.0, p.metric("waft_event_streams"))
	require.GreaterOrEqual(t, p.metric("waft_connections"), 1.0)

	var heartbeats atomic.Int64
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for lines.Scan() {
			if lines.Text() == ": heartbeat" {
				heartbeats.Add(1)
			}
		}
	}()
	revoke := request{method: http.MethodDelete, path: fmt.Sprintf("/v1/ota/api-keys/%d", made.id("id"))}
	require.Equal(t, 204, elsewhere.do(revoke).status)
	before := heartbeats.Load()
	<-ended
	require.LessOrEqual(t, heartbeats.Load()-before, int64(1), "only a heartbeat in progress may follow")
	eventually(t, func() bool { return p.metric("waft_event_streams") == 0 })
}

// If a server does not trust its proxy, it treats all devices as one client. Waft must warn about that.
func TestAProxyThatIsNotTrustedIsNamed(t *testing.T) {
	t.Parallel()
	env := settings(t)
	url := serveAPI(t, env)
	p := installation{url: url, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	slug := p.known()
	ask := func(header string) {
		for n := range 150 {
			p.do(request{method: http.MethodGet, path: "/v1/ota/flag-definitions/" + slug}.
				with("Authorization", "").with(header, fmt.Sprintf("198.51.100.%d", n)))
		}
	}
	ready := func() (body string) {
		t.Helper()
		eventually(t, func() bool { // an engine that is busy with other tests may respond too late
			var status int
			status, body = forOperators(t, url, "/readyz")
			return status == http.StatusOK
		})
		return body
	}
	ask("X-Anything")
	require.NotContains(t, ready(), "WAFT_TRUSTED_PROXIES")
	ask("X-Forwarded-For")
	body := ready()
	require.Contains(t, body, "WAFT_TRUSTED_PROXIES")
	require.Contains(t, body, "127.0.0.1")
}
