// Package enginetest gives each test its own databases in the real engines.
//
// The addresses of the engines are in the environment (DATABASE_URL, CLICKHOUSE_URL and TEMPORAL_ADDRESS, which `make
// test` sets) or in .waft/engines.env, which `make up` writes. If an engine is missing, the test fails.
package enginetest

import (
	"cmp"
	"context"
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

// setupTimeout is the time limit of each step that creates what a test needs. On a busy machine creating a database
// takes long.
const setupTimeout = 2 * time.Minute

// Postgres creates an empty database, which is dropped when the test ends, and returns its URL.
func Postgres(t testing.TB) string {
	t.Helper()
	server := address(t, "DATABASE_URL")
	ctx, conn := connect(t, server)
	defer conn.Close(ctx)
	return createPostgres(ctx, t, conn, server, "")
}

// createPostgres creates a database with the options, which is dropped when the test ends.
func createPostgres(ctx context.Context, t testing.TB, conn *pgx.Conn, server, options string) string {
	t.Helper()
	name := databaseName()
	execute(ctx, t, conn, `CREATE DATABASE `+name+options)
	t.Cleanup(func() { ExecPostgres(t, server, `DROP DATABASE IF EXISTS `+name+` WITH (FORCE)`) })
	return withDatabase(t, server, name)
}

// PostgresLike creates a copy of the database named template, which is dropped when the test ends, and returns its URL.
// If the template does not exist, prepare creates it. Templates are not dropped, so name them by their content.
func PostgresLike(t testing.TB, template string, prepare func(databaseURL string) error) string {
	t.Helper()
	server := address(t, "DATABASE_URL")
	ctx, conn := connect(t, server)
	defer conn.Close(ctx)
	exists := func() (exists bool) {
		t.Helper()
		require.NoError(t, conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, template).Scan(&exists))
		return exists
	}
	// Tests copy an existing template at the same time. Only tests that do not find the template wait for the lock, so
	// that one of them prepares it.
	if !exists() {
		_, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtext($1))`, template)
		require.NoError(t, err)
		if !exists() {
			unfinished := databaseName()
			execute(ctx, t, conn, `CREATE DATABASE `+unfinished)
			require.NoError(t, prepare(withDatabase(t, server, unfinished)))
			execute(ctx, t, conn, `ALTER DATABASE `+unfinished+` RENAME TO `+template)
		}
		_, err = conn.Exec(ctx, `SELECT pg_advisory_unlock(hashtext($1))`, template)
		require.NoError(t, err)
	}
	// Copying a database of about a hundred small tables file by file takes less than half as much CPU as copying it
	// through the write-ahead log.
	return createPostgres(ctx, t, conn, server, ` TEMPLATE `+template+` STRATEGY file_copy`)
}

// ClickHouse creates an empty database, which is dropped when the test ends, and returns its URL.
func ClickHouse(t testing.TB) string {
	t.Helper()
	server := address(t, "CLICKHOUSE_URL")
	name := databaseName()
	execClickHouse(t, server, `CREATE DATABASE `+name)
	// SYNC is omitted, because the embedded engine never runs the task that SYNC waits for.
	t.Cleanup(func() { execClickHouse(t, server, `DROP DATABASE IF EXISTS `+name) })
	return withDatabase(t, server, name)
}

// Temporal returns the address of Temporal's frontend and a namespace. Tests share both, so use your own task queue and
// workflow IDs.
func Temporal(t testing.TB) (hostPort, namespace string) {
	t.Helper()
	return address(t, "TEMPORAL_ADDRESS"), cmp.Or(lookup("TEMPORAL_NAMESPACE"), "default")
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

func lookup(name string) string { return cmp.Or(os.Getenv(name), stackAddresses()[name]) }

// stackAddresses returns the variables in .waft/engines.env of the repository.
var stackAddresses = sync.OnceValue(func() map[string]string {
	text, err := os.ReadFile(filepath.Join(repository(), ".waft", "engines.env"))
	if err != nil {
		return nil // no development stack runs
	}
	vars := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		vars[name] = strings.Trim(value, `"'`)
	}
	return vars
})

// repository returns the root folder of the repository in which the test runs.
var repository = sync.OnceValue(func() string {
	dir, err := os.Getwd()
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "tools", "objects", "go.mod")); err == nil {
			return dir
		}
	}
	return ""
})

func withDatabase(t testing.TB, server, name string) string {
	t.Helper()
	u, err := url.Parse(server)
	require.NoError(t, err)
	u.Path = "/" + name
	return u.String()
}

// ExecPostgres runs one statement on the database at databaseURL.
func ExecPostgres(t testing.TB, databaseURL, statement string) {
	t.Helper()
	ctx, conn := connect(t, databaseURL)
	defer conn.Close(ctx)
	execute(ctx, t, conn, statement)
}

// execute runs one statement on the connection.
func execute(ctx context.Context, t testing.TB, conn *pgx.Conn, statement string) {
	t.Helper()
	_, err := conn.Exec(ctx, statement)
	require.NoError(t, err, statement)
}

// connect returns a connection, and a context for it that is valid even in the test's cleanup.
func connect(t testing.TB, databaseURL string) (context.Context, *pgx.Conn) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), setupTimeout)
	t.Cleanup(cancel)
	conn, err := pgx.Connect(ctx, databaseURL)
	require.NoError(t, err, "Postgres at DATABASE_URL is not reachable")
	return ctx, conn
}
