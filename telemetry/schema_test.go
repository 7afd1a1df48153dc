package telemetry

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

func openTestClickHouse(t testing.TB, clickHouseURL string) *ClickHouse {
	t.Helper()
	c, err := Open(t.Context(), clickHouseURL)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

func TestMain(m *testing.M) {
	code := m.Run()
	if err := enginetest.DropPrepared(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(code)
}

// migratedURL returns the URL of a database with the schema and without rows. Tests must not change its schema.
func migratedURL(t testing.TB) string {
	t.Helper()
	return enginetest.PreparedClickHouse(t, func(clickHouseURL string) error { return Migrate(t.Context(), clickHouseURL) })
}

func migrated(t testing.TB) *ClickHouse {
	t.Helper()
	return openTestClickHouse(t, migratedURL(t))
}

// migratedAlone returns a database with the schema that no other test uses, so a test may change its schema.
func migratedAlone(t testing.TB) *ClickHouse {
	t.Helper()
	clickHouseURL := enginetest.ClickHouse(t)
	require.NoError(t, Migrate(t.Context(), clickHouseURL))
	return openTestClickHouse(t, clickHouseURL)
}

func TestMigrate(t *testing.T) {
	t.Parallel()

	t.Run("brings an empty database to what the binary knows, and may run again", func(t *testing.T) {
		t.Parallel()
		clickHouseURL := enginetest.ClickHouse(t)
		c := openTestClickHouse(t, clickHouseURL)
		require.ErrorContains(t, c.CheckSchema(t.Context()), "older than this binary: versions 1, 2, 3, 4, ")
		require.ErrorContains(t, c.CheckSchema(t.Context()), " are missing; run `waftd migrate`")
		require.NoError(t, Migrate(t.Context(), clickHouseURL))
		require.NoError(t, c.CheckSchema(t.Context()))
		require.NoError(t, Migrate(t.Context(), clickHouseURL))
		require.NoError(t, c.CheckSchema(t.Context()))
	})

	t.Run("creates the database when it is missing", func(t *testing.T) {
		t.Parallel()
		clickHouseURL := enginetest.ClickHouse(t)
		server := openTestClickHouse(t, clickHouseURL)
		u, err := url.Parse(clickHouseURL)
		require.NoError(t, err)
		name := u.Path[1:] + "_missing"
		u.Path = "/" + name
		t.Cleanup(func() {
			require.NoError(t, server.conn.Exec(context.Background(), "DROP DATABASE IF EXISTS "+name))
		})
		require.NoError(t, Migrate(t.Context(), u.String()))
		require.NoError(t, openTestClickHouse(t, u.String()).CheckSchema(t.Context()))
	})

	t.Run("goes on after a crash between a migration and its note", func(t *testing.T) {
		t.Parallel()
		clickHouseURL := enginetest.ClickHouse(t)
		require.NoError(t, Migrate(t.Context(), clickHouseURL))
		c := openTestClickHouse(t, clickHouseURL)
		require.NoError(t, c.conn.Exec(t.Context(),
			"ALTER TABLE waft_schema_versions DELETE WHERE version_id >= 1 SETTINGS mutations_sync = 2"))
		require.ErrorContains(t, c.CheckSchema(t.Context()), "versions 1, 2, 3, ")
		require.NoError(t, Migrate(t.Context(), clickHouseURL))
		require.NoError(t, c.CheckSchema(t.Context()))
	})
}

// Another program may migrate the same database with the same tool and use the tool's default table.
func TestMigrateBesideAnotherProgram(t *testing.T) {
	t.Parallel()
	clickHouseURL := enginetest.ClickHouse(t)
	c := openTestClickHouse(t, clickHouseURL)
	run(t, c, `CREATE TABLE goose_db_version (version_id Int64, is_applied UInt8, date Date DEFAULT now(), tstamp DateTime DEFAULT now())
		ENGINE = MergeTree ORDER BY (date)`)
	run(t, c, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1), (1, 1), (20260101000000, 1)")
	require.ErrorContains(t, c.CheckSchema(t.Context()), "older than this binary")
	require.NoError(t, Migrate(t.Context(), clickHouseURL))
	require.NoError(t, c.CheckSchema(t.Context()))
	require.Equal(t, 3, count(t, c, "SELECT count() FROM goose_db_version"))
}

func TestANewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	clickHouseURL := enginetest.ClickHouse(t)
	require.NoError(t, Migrate(t.Context(), clickHouseURL))
	c := openTestClickHouse(t, clickHouseURL)
	known, err := KnownVersions()
	require.NoError(t, err)
	require.NoError(t, c.conn.Exec(t.Context(), "INSERT INTO waft_schema_versions (version_id, is_applied) VALUES (99, 1)"))
	want := fmt.Sprintf("newer than this binary: it has version 99, but this binary only has versions up to %d; run a newer waftd",
		slices.Max(known))
	require.ErrorContains(t, c.CheckSchema(t.Context()), want)
	require.ErrorContains(t, Migrate(t.Context(), clickHouseURL), want)
}

func TestOpenTakesEveryProtocol(t *testing.T) {
	t.Parallel()
	for _, clickHouseURL := range []string{
		"http://user:pass@host:8123/db", "https://user:pass@host:8443/db", "https://host:8443/db?secure=true",
		"clickhouse://user:pass@host:9000/db", "http://host:8123",
	} {
		openTestClickHouse(t, clickHouseURL)
	}
}

func TestOpenDoesNotShowThePassword(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"http://user:s3cret@host:port/db", "http://user:s3cret@[::1/db", "http://user:s3cret@/db",
		"clickhouse://user:s3cret@host:9000/db?dial_timeout=soon",
	} {
		_, err := Open(t.Context(), bad)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "s3cret")
	}
}

func TestClickHouseAwayIsUnavailable(t *testing.T) {
	t.Parallel()
	c := openTestClickHouse(t, "http://user:s3cret@127.0.0.1:1/waft")
	requireUnavailable(t, c.Ping(t.Context()))
	requireUnavailable(t, c.CheckSchema(t.Context()))
	requireUnavailable(t, insertAll(t, c, "token", []models.HealthReport{testReport("d")}))
}
