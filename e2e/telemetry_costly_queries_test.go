package e2e

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// endlessText is a search text. costlyFront never responds to a search for it.
const endlessText = "a search that never ends"

// costlyFront is a proxy in front of ClickHouse. It holds each search for endlessText until its client disconnects, as
// a search in more events than a test can store would.
type costlyFront struct {
	running, most, left atomic.Int64
	// settings are the ClickHouse settings of the searches.
	settings atomic.Pointer[url.Values]
}

func (f *costlyFront) before(t *testing.T, clickHouseURL string) string {
	t.Helper()
	to, err := url.Parse(clickHouseURL)
	require.NoError(t, err)
	engine := &httputil.ReverseProxy{
		Transport: &http.Transport{}, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: to.Scheme, Host: to.Host}) },
	}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if search := query.Get("param_search"); search != "%"+endlessText+"%" {
			engine.ServeHTTP(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body) // only then does a server notice that its client has disconnected
		f.settings.Store(&query)
		f.most.Store(max(f.most.Load(), f.running.Add(1)))
		<-r.Context().Done()
		f.running.Add(-1)
		f.left.Add(1)
	}))
	t.Cleanup(front.Close)
	at := *to
	at.Host = front.Listener.Addr().String()
	return at.String()
}

// TestCostlyQueriesOfAViewerHoldUpNobody sends more endless searches as a viewer than the server has connections to
// ClickHouse. Meanwhile a rollout is evaluated, and other projects get responses. The searches take turns, and end when
// their clients disconnect.
func TestCostlyQueriesOfAViewerHoldUpNobody(t *testing.T) {
	t.Parallel()
	var front costlyFront
	env := settings(t)
	env["CLICKHOUSE_URL"] = front.before(t, env["CLICKHOUSE_URL"])
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	other := p.tenant(t)
	release, id := p.rollOut(p.inStages(0, 1000, 50, 100))
	devices := p.inShareOf(release, 50, true, 8)

	leaving, leave := context.WithCancel(t.Context())
	defer leave()
	var searches sync.WaitGroup
	var refused atomic.Int64
	for range 32 {
		searches.Go(func() {
			if p.search(leaving, endlessText) == http.StatusTooManyRequests {
				refused.Add(1)
			}
		})
	}
	eventually(t, func() bool { return front.running.Load() == 4 })
	overview := p.do(request{method: http.MethodGet, path: "/v1/ota/overview"})
	require.Equal(t, http.StatusOK, overview.status)
	require.Contains(t, overview.header.Get("Waft-Incomplete"), "too many telemetry queries")
	p.run(devices, release["updateUuid"], "app_launch", "crash")
	e := p.awaitRollout(id, isNotRunning)
	require.Equal(t, "rolled_back", e["status"], e["reason"])
	require.Empty(t, other.list("/v1/ota/telemetry/events?search=another"))
	eventually(t, func() bool { return refused.Load() == 28 }, "searches that do not get a turn must be refused")

	leave()
	searches.Wait()
	eventually(t, func() bool { return front.running.Load() == 0 })
	require.EqualValues(t, 4, front.most.Load(), "a project has four turns")
	require.EqualValues(t, 4, front.left.Load())
	settings := *front.settings.Load()
	for name, value := range map[string]string{ // without these settings ClickHouse continues a query after its client has disconnected
		"readonly": "2", "cancel_http_readonly_queries_on_client_close": "1", "max_memory_usage": "1073741824",
	} {
		require.Equal(t, value, settings.Get(name), name)
	}
	require.NotEmpty(t, settings.Get("max_execution_time"))
}

// search searches events for a text as a viewer, and returns the status, or 0 if ctx ends first.
func (p *tenant) search(ctx context.Context, text string) int {
	address := p.url + "/v1/ota/telemetry/events?search=" + url.QueryEscape(text)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0
	}
	r.Header.Set("Authorization", "Bearer "+p.keys[models.RoleViewer])
	r.Header.Set("X-Project", p.slug)
	a, err := received((&http.Transport{}).RoundTrip(r))
	if err != nil {
		return 0
	}
	return a.status
}
