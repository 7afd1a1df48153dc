package api

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/base/version"
)

func fine(context.Context) error { return nil }

func TestReadinessNamesWhatFailsToOperatorsOnly(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t, func(d *parts) {
		d.Readiness = readinessOf(Checks{
			"postgres": fine, "temporal": func(context.Context) error { return errors.New("password=hunter2") }, "assets": fine,
		})
	})
	public := w.do(request{method: get, path: "/readyz", anonymous: true})
	require.Equal(t, map[string]any{"status": "not_ready"}, decoded(t, public, 503))
	require.NotEmpty(t, public.Header().Get("Retry-After"))
	answer := w.admin("/readyz")
	body := decoded(t, answer, 503)
	require.Equal(t, "not_ready", body["status"])
	require.Equal(t, []any{
		map[string]any{"name": "assets", "status": "ok"}, map[string]any{"name": "postgres", "status": "ok"},
		map[string]any{"name": "temporal", "status": "failed"},
	}, body["dependencies"])
	require.Equal(t, []any{}, body["warnings"])
	require.NotContains(t, answer.Body.String(), "hunter2")
	require.Equal(t, map[string]any{"status": "ok", "version": version.String()},
		decoded(t, w.do(request{method: get, path: "/healthz?verbose=1", anonymous: true}), 200))

	ready := newTestAPI(t, func(d *parts) { d.Readiness = readinessOf(Checks{"postgres": fine}) })
	require.Equal(t, map[string]any{"status": "ready"}, decoded(t, ready.do(request{method: get, path: "/readyz", anonymous: true}), 200))
	ready.deps.Readiness.warn(func() string { return "" })
	ready.deps.Readiness.warn(func() string { return "set WAFT_SOMETHING" })
	require.Equal(t, []any{"set WAFT_SOMETHING"}, decoded(t, ready.admin("/readyz"), 200)["warnings"])
	require.Equal(t, map[string]any{"status": "ready"}, decoded(t, ready.do(request{method: get, path: "/readyz", anonymous: true}), 200))
}

// Dependencies are queried once per second, however many probes arrive.
func TestDependenciesAreAskedOnceASecond(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	at := now
	r := NewReadiness(Checks{"postgres": func(ctx context.Context) error {
		asked.Add(1)
		return ctx.Err()
	}}, slog.New(slog.DiscardHandler), func() time.Time { return at })
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	var probes sync.WaitGroup
	for range 100 {
		probes.Go(func() {
			answer := httptest.NewRecorder()
			r.Public().ServeHTTP(answer, httptest.NewRequestWithContext(gone, get, "/readyz", nil))
			require.Equal(t, http.StatusOK, answer.Code, "a client that disconnects does not change the result for others")
		})
	}
	probes.Wait()
	require.Equal(t, int64(1), asked.Load())
	at = at.Add(readinessAge - time.Millisecond)
	r.Report(t.Context())
	require.Equal(t, int64(1), asked.Load())
	at = at.Add(time.Millisecond)
	r.Report(t.Context())
	require.Equal(t, int64(2), asked.Load())
}

func TestADependencyThatHangsCountsAsFailed(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	checks := Checks{"clickhouse": func(ctx context.Context) error {
		cancel() // the caller gives up; checkTime would also end the wait
		<-ctx.Done()
		return ctx.Err()
	}}
	require.Equal(t, ReadinessReport{
		ReadyOrNot: ReadyOrNot{"not_ready"}, Dependencies: []Dependency{{Name: "clickhouse", Status: "failed"}},
	}, readiness(ctx, checks, slog.New(slog.DiscardHandler)))
}

// Metrics would help attackers, for example by showing when a limit is reached.
func TestMetricsAreForOperatorsOnly(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	require.Equal(t, 404, w.do(request{method: get, path: "/metrics", anonymous: true}).Code)
	require.Equal(t, 404, w.do(request{method: get, path: "/metrics", key: w.rootKey}).Code)
	require.Contains(t, w.metrics(), "waft_http_requests_total")
}

// profiles are the paths of the profiles that the handler returns immediately.
var profiles = []string{"allocs", "block", "cmdline", "goroutine", "heap", "mutex", "symbol", "threadcreate"}

// Profiles would show the names of functions and the command line to strangers, and let them slow the process down.
func TestProfilesAreForOperatorsOnly(t *testing.T) {
	t.Parallel()
	address, err := net.ResolveTCPAddr("tcp", "127.0.0.1:8082")
	require.NoError(t, err)
	w, admin := newTestAPI(t), NewAdmin(readinessOf(nil), prometheus.NewRegistry(), address)
	ask := func(path string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(get, path, nil)
		r.Host = "localhost"
		answer := httptest.NewRecorder()
		admin.ServeHTTP(answer, r)
		return answer
	}
	require.Contains(t, ask("/debug/pprof/").Body.String(), "full goroutine stack dump")
	for _, name := range profiles {
		require.Equal(t, 200, ask("/debug/pprof/"+name).Code, name)
	}
	require.Contains(t, ask("/debug/pprof/goroutine?debug=2").Body.String(), "TestProfilesAreForOperatorsOnly")
	for _, name := range append(profiles, "", "profile?seconds=1", "trace?seconds=1") {
		for _, key := range []string{"", w.rootKey} {
			require.Equal(t, 404, w.do(request{method: get, path: "/debug/pprof/" + name, key: key, anonymous: key == ""}).Code, name)
		}
	}
}

func TestOnLoopbackOperatorsNameThisMachine(t *testing.T) {
	t.Parallel()
	ask := func(listens, host string) int {
		address, err := net.ResolveTCPAddr("tcp", listens)
		require.NoError(t, err)
		r := httptest.NewRequest(get, "/metrics", nil)
		r.Host = host
		answer := httptest.NewRecorder()
		NewAdmin(readinessOf(nil), prometheus.NewRegistry(), address).ServeHTTP(answer, r)
		require.Equal(t, "nosniff", answer.Header().Get("X-Content-Type-Options"))
		return answer.Code
	}
	for _, host := range []string{"127.0.0.1:8082", "localhost:8082", "localhost", "[::1]:8082", "127.0.0.9"} {
		require.Equal(t, 200, ask("127.0.0.1:8082", host), host)
	}
	for _, host := range []string{"rebound.example.com", "rebound.example.com:8082", "192.0.2.1:8082", ""} {
		require.Equal(t, 421, ask("127.0.0.1:8082", host), host)
		require.Equal(t, 421, ask("[::1]:8082", host), host)
		require.Equal(t, 200, ask("10.0.0.7:8082", host), "Prometheus names the container")
	}
}
