package e2e

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDashboardOutlivesItsEngines runs dashboard/tests/outages.test.ts, which stops and restarts each engine and the
// API process. It does so through POST <WAFT_OUTAGES>/<name>/away and /<name>/back. /clickhouse/hang keeps the connections to
// ClickHouse without responses until /clickhouse/go.
func TestDashboardOutlivesItsEngines(t *testing.T) {
	t.Parallel()
	chromium := os.Getenv("CHROMIUM")
	require.NotEmpty(t, chromium, "`make test-dashboard` runs this test: it sets CHROMIUM")
	require.FileExists(t, "../dashboard/dist/index.html", "`make build` builds the dashboard")
	env := settings(t)
	const scheme = "tcp://"
	postgres, through := newLine(t, env["DATABASE_URL"])
	env["DATABASE_URL"] = through
	clickhouse, through := newLine(t, env["CLICKHOUSE_URL"])
	env["CLICKHOUSE_URL"] = through
	temporal, through := newLine(t, scheme+env["TEMPORAL_ADDRESS"])
	env["TEMPORAL_ADDRESS"] = strings.TrimPrefix(through, scheme)
	startWorker(t, env)
	env["WAFT_LISTEN_ADDR"] = freeAddress(t)
	server := waftd(t, "api", env)
	orders := map[string]func(){
		"/postgres/away": postgres.cut, "/postgres/back": func() { postgres.mend(t) },
		"/clickhouse/away": clickhouse.cut, "/clickhouse/back": func() { clickhouse.mend(t) },
		"/clickhouse/hang": clickhouse.held.Lock, "/clickhouse/go": clickhouse.held.Unlock,
		"/temporal/away": temporal.cut, "/temporal/back": func() { temporal.mend(t) },
		"/server/away": func() { server.kill() }, "/server/back": func() { server = waftd(t, "api", env) },
	}

	// The commands run in the test's own goroutine, so that the test fails if a command fails.
	ordered, done := make(chan string), make(chan bool)
	defer close(done)
	control := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case ordered <- r.URL.Path:
			<-done
		case <-t.Context().Done():
		}
	}))
	t.Cleanup(control.Close)
	ended := make(chan error, 1)
	arguments := []string{"playwright", "test"}
	if testing.Short() {
		arguments = append(arguments, shortPages...)
	}
	command := exec.CommandContext(t.Context(), "npx", arguments...)
	command.Dir = "../dashboard"
	command.Env = append(os.Environ(), "WAFT_URL="+server.url(), "WAFT_ROOT_KEY="+env["WAFT_ROOT_KEY"], "WAFT_OUTAGES="+control.URL)
	command.Stdout, command.Stderr = t.Output(), t.Output()
	go func() { ended <- command.Run() }()
	for {
		select {
		case err := <-ended:
			require.NoError(t, err)
			return
		case order := <-ordered:
			require.Contains(t, orders, order)
			orders[order]()
			done <- true
		}
	}
}
