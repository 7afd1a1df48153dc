// Package enginetest gives tests their own corner of the real engines: a fresh
// Postgres database, a fresh ClickHouse database, Temporal's address.
//
// The engines come from the environment (DATABASE_URL, CLICKHOUSE_URL,
// TEMPORAL_ADDRESS, as `make test` sets them) or, when it says nothing, from the
// running development stack (.waft/engines.env, written by `make up`). A missing
// engine fails the test: a suite that skips what it cannot reach proves nothing.
package enginetest

import (
	"bufio"
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

const setupTimeout = 30 * time.Second

// Postgres creates an empty database, dropped when the test ends, and returns its
// URL.
func Postgres(t testing.TB) string {
	t.Helper()
	server := address(t, "DATABASE_URL")
	name := databaseName()
	ExecPostgres(t, server, `CREATE DATABASE `+name)
	t.Cleanup(func() { ExecPostgres(t, server, `DROP DATABASE IF EXISTS `+name+` WITH (FORCE)`) })
	return withDatabase(t, server, name)
}

// PostgresLike creates a copy of the database named template, dropped when the test
// ends, and returns its URL. The template is made by prepare if there is none yet,
// and stays: name it by what is in it.
func PostgresLike(t testing.TB, template string, prepare func(databaseURL string) error) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), setupTimeout)
	defer cancel()
	server := address(t, "DATABASE_URL")
	conn, err := pgx.Connect(ctx, server)
	require.NoError(t, err, "Postgres at DATABASE_URL is not reachable")
	defer conn.Close(ctx)

	// Held until the connection closes, so that one test prepares and the others wait.
	_, err = conn.Exec(ctx, `SELECT pg_advisory_lock(hashtext($1))`, template)
	require.NoError(t, err)
	var exists bool
	require.NoError(t, conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, template).Scan(&exists))
	if !exists {
		unfinished := databaseName()
		ExecPostgres(t, server, `CREATE DATABASE `+unfinished)
		require.NoError(t, prepare(withDatabase(t, server, unfinished)))
		ExecPostgres(t, server, `ALTER DATABASE `+unfinished+` RENAME TO `+template)
	}
	name := databaseName()
	ExecPostgres(t, server, `CREATE DATABASE `+name+` TEMPLATE `+template)
	t.Cleanup(func() { ExecPostgres(t, server, `DROP DATABASE IF EXISTS `+name+` WITH (FORCE)`) })
	return withDatabase(t, server, name)
}

// ClickHouse creates an empty database, dropped when the test ends, and returns
// its URL.
func ClickHouse(t testing.TB) string {
	t.Helper()
	server := address(t, "CLICKHOUSE_URL")
	name := databaseName()
	execClickHouse(t, server, `CREATE DATABASE `+name)
	// Without SYNC: the embedded engine never runs the task that SYNC waits for.
	t.Cleanup(func() { execClickHouse(t, server, `DROP DATABASE IF EXISTS `+name) })
	return withDatabase(t, server, name)
}

// Temporal returns the address of Temporal's frontend and a namespace. Tests
// share both: use a task queue and workflow ids of your own.
func Temporal(t testing.TB) (hostPort, namespace string) {
	t.Helper()
	hostPort = address(t, "TEMPORAL_ADDRESS")
	if namespace = lookup("TEMPORAL_NAMESPACE"); namespace == "" {
		namespace = "default"
	}
	return hostPort, namespace
}

func databaseName() string {
	return "test_" + strings.ReplaceAll(uuid.NewString(), "-", "")
}

func address(t testing.TB, name string) string {
	t.Helper()
	v := lookup(name)
	require.NotEmpty(t, v, "%s is not set and no development stack runs: start the engines with `make engines`, or run `make test`", name)
	return v
}

func lookup(name string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return stackAddresses()[name]
}

// stackAddresses reads .waft/engines.env of the repository that the test runs in.
var stackAddresses = sync.OnceValue(func() map[string]string {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		f, err := os.Open(filepath.Join(dir, ".waft", "engines.env"))
		if err != nil {
			continue
		}
		defer f.Close()
		vars := map[string]string{}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if name, value, ok := strings.Cut(lines.Text(), "="); ok {
				vars[name] = strings.Trim(value, `"'`)
			}
		}
		return vars
	}
	return nil
})

func withDatabase(t testing.TB, server, name string) string {
	t.Helper()
	u, err := url.Parse(server)
	require.NoError(t, err)
	u.Path = "/" + name
	return u.String()
}

// ExecPostgres runs one statement on the database at databaseURL.
func ExecPostgres(t testing.TB, server, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), setupTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, server)
	require.NoError(t, err, "Postgres at DATABASE_URL is not reachable")
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	require.NoError(t, err)
}

func execClickHouse(t testing.TB, server, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), setupTimeout)
	defer cancel()
	u, err := url.Parse(server)
	require.NoError(t, err)
	u.Path = "/"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(statement))
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err, "ClickHouse at CLICKHOUSE_URL is not reachable")
	defer res.Body.Close()
	require.Equal(t, http.StatusOK, res.StatusCode, "ClickHouse refused: %s", statement)
}
