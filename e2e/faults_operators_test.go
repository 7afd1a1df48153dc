package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// adminURLs maps the public URL of each server in these tests to its URL for operators.
var adminURLs sync.Map

// adminOf returns the address for operators of the server at a URL, as host:port.
func adminOf(t *testing.T, url string) string {
	t.Helper()
	admin, ok := adminURLs.Load(url)
	require.True(t, ok, "no server of these tests listens at %s", url)
	return strings.TrimPrefix(admin.(string), "http://")
}

// forOperators requests a path from a server's address for operators, and returns the status and body of the response.
func forOperators(t *testing.T, url, path string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+adminOf(t, url)+path, http.NoBody)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(text)
}

// metricsOf returns the metrics of a server in Prometheus' text format.
func metricsOf(t *testing.T, url string) string {
	t.Helper()
	status, text := forOperators(t, url, "/metrics")
	require.Equal(t, http.StatusOK, status)
	return text
}

// metricOf returns the value of a metric. The name includes the labels, if any.
func metricOf(t *testing.T, url, name string) float64 {
	t.Helper()
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindStringSubmatch(metricsOf(t, url))
	require.NotNil(t, found, "no metric %s", name)
	value, err := strconv.ParseFloat(found[1], 64)
	require.NoError(t, err)
	return value
}

// metric returns the value of a metric of the tenant's server.
func (p *tenant) metric(name string) float64 {
	p.t.Helper()
	return metricOf(p.t, p.url, name)
}

// Information for operators is not public. It has its own address, for the API and for the worker.
func TestOperatorsHaveAnAddressOfTheirOwn(t *testing.T) {
	t.Parallel()
	env := settings(t)
	line, through := newLine(t, env["DATABASE_URL"])
	env["DATABASE_URL"] = through
	migrate(t, env)
	servers := map[string]string{"api": waftd(t, "api", env).url(), "worker": waftd(t, "worker", env).url()}
	public := func(url, path string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+path, http.NoBody)
		require.NoError(t, err)
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return res.StatusCode, strings.TrimSpace(string(text))
	}
	for role, url := range servers {
		var status int
		var body string
		eventually(t, func() bool { status, body = public(url, "/readyz"); return status == http.StatusOK }, role)
		require.JSONEq(t, `{"status":"ready"}`, body, role)
		for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/profile?seconds=1"} {
			status, _ = public(url, path)
			require.Equal(t, http.StatusNotFound, status, "%s of %s", path, role)
		}
		status, heap := forOperators(t, url, "/debug/pprof/heap")
		require.Equal(t, http.StatusOK, status, role)
		require.True(t, strings.HasPrefix(heap, "\x1f\x8b"), "a profile of %s is compressed", role)
		status, processor := forOperators(t, url, "/debug/pprof/profile?seconds=1")
		require.Equal(t, http.StatusOK, status, role)
		require.True(t, strings.HasPrefix(processor, "\x1f\x8b"), "a profile of %s is compressed", role)
		require.Contains(t, metricsOf(t, url), "go_goroutines", role)
	}
	line.cut()
	for role, url := range servers {
		eventually(t, func() bool { status, _ := public(url, "/readyz"); return status == http.StatusServiceUnavailable }, role)
		_, body := public(url, "/readyz")
		require.JSONEq(t, `{"status":"not_ready"}`, body, role)
		type dependency struct{ Name, Status string }
		var report struct {
			Dependencies []dependency
			Warnings     []string
		}
		eventually(t, func() bool { // on a busy machine ClickHouse may also be too slow
			status, body := forOperators(t, url, "/readyz")
			require.Equal(t, http.StatusServiceUnavailable, status, role)
			require.NoError(t, json.Unmarshal([]byte(body), &report))
			require.Contains(t, report.Dependencies, dependency{"postgres", "failed"}, role)
			return slices.Contains(report.Dependencies, dependency{"clickhouse", "ok"})
		}, role)
		require.Empty(t, report.Warnings, role)
	}
}
