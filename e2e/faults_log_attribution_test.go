package e2e

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/models"
)

// TestFailuresAreLoggedByWhoseTheyAre disconnects a client while Postgres works on its request, and then makes
// ClickHouse unreachable. The disconnect must not be logged as a failure. For ClickHouse the response must not contain
// an address, and the log must not contain its user, database or query.
func TestFailuresAreLoggedByWhoseTheyAre(t *testing.T) {
	t.Parallel()
	env := settings(t)
	clickHouse, through := newLine(t, env["CLICKHOUSE_URL"])
	env["CLICKHOUSE_URL"] = through
	var log serverLog
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelInfo}))
	address, _ := startLogging(t, env, app.Role{API: true}, logger)
	p := installation{url: address, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	counted := func(status string) string {
		return `waft_http_requests_total{method="POST",route="/v1/ota/branches",status="` + status + `"}`
	}
	line := func(what string) string {
		for line := range strings.Lines(log.String()) {
			if strings.Contains(line, what) {
				return line
			}
		}
		return ""
	}

	ctx, leave := context.WithCancel(t.Context())
	locked, err := p.postgres().Begin(t.Context())
	require.NoError(t, err)
	_, err = locked.Exec(t.Context(), "SELECT FROM projects WHERE id = $1 FOR UPDATE", p.id)
	require.NoError(t, err)
	var watching errgroup.Group
	watching.Go(func() (err error) {
		defer leave()
		for waiting := 0; waiting == 0 && err == nil; {
			err = locked.QueryRow(t.Context(),
				"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&waiting)
		}
		return err
	})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+"/v1/ota/branches", strings.NewReader(`{"name":"left"}`))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+p.keys[models.RoleEditor])
	req.Header.Set("X-Project", p.slug)
	req.Header.Set("X-Request-Id", "left-early")
	req.Header.Set("Content-Type", "application/json")
	_, err = (&http.Client{Transport: &http.Transport{}}).Do(req)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, watching.Wait())
	eventually(t, func() bool { return line("left-early") != "" })
	require.NoError(t, locked.Rollback(t.Context()))
	require.Contains(t, line("left-early"), "level=INFO")
	require.Contains(t, line("left-early"), "status=499")
	require.Less(t, len(line("left-early")), 400)
	require.InDelta(t, 1, p.metric(counted("499")), 0)
	require.Zero(t, p.metric(counted("5xx")))
	p.do(request{method: http.MethodPost, path: "/v1/ota/branches", body: object{"name": "left"}}).record(http.StatusCreated)

	clickHouse.cut()
	// An open connection returns EOF at its next use. Once every open connection has done so, new connections are
	// refused.
	asked, text := 0, ""
	eventually(t, func() bool {
		asked++
		id := fmt.Sprintf("engine-away-%d.", asked)
		a := p.do(request{method: http.MethodGet, path: "/v1/ota/observe/events"}.with("X-Request-Id", id))
		a.problem(http.StatusServiceUnavailable, models.CodeUnavailable)
		require.NotContains(t, a.body, "127.0.0.1")
		text = line(id)
		return strings.Contains(text, "connection refused")
	})
	away, err := url.Parse(through)
	require.NoError(t, err)
	require.Contains(t, text, "ClickHouse is unavailable")
	for _, leak := range []string{away.Path, "http://", "additional_table_filters", "http_sending_timeout", "project_id"} {
		require.NotContains(t, text, leak)
	}
}
