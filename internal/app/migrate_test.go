package app

import (
	"context"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/store/pg"
)

// While one process migrates, another process waits and does not change either database.
func TestOnlyOneProcessMigrates(t *testing.T) {
	t.Parallel()
	cfg := engines(t)
	migrated := make(chan error, 1)
	require.NoError(t, pg.WithMigrationLock(t.Context(), cfg.DatabaseURL, func(ctx context.Context) error {
		go func() { migrated <- Migrate(context.WithoutCancel(ctx), cfg, slog.New(slog.DiscardHandler)) }()
		awaitWaiting(t, cfg, migrated)
		c, err := openTelemetry(ctx, cfg)
		require.NoError(t, err)
		defer c.Close()
		require.ErrorContains(t, c.CheckSchema(ctx), "versions 1, 2, 3, ")
		return nil
	}))
	require.NoError(t, <-migrated)
	c, err := openTelemetry(t.Context(), cfg)
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.CheckSchema(t.Context()))
}

// A process that waits to migrate stops waiting when its context ends.
func TestAMigrationThatWaitsCanBeEnded(t *testing.T) {
	t.Parallel()
	cfg := engines(t)
	require.NoError(t, pg.WithMigrationLock(t.Context(), cfg.DatabaseURL, func(ctx context.Context) error {
		ctx, end := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- Migrate(ctx, cfg, slog.New(slog.DiscardHandler)) }()
		awaitWaiting(t, cfg, ended)
		end()
		require.ErrorIs(t, <-ended, context.Canceled)
		return nil
	}))
}

// awaitWaiting returns when somebody waits for a lock of the database, and fails when
// the migration ends before that.
func awaitWaiting(t *testing.T, cfg config.Config, migrated <-chan error) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), cfg.DatabaseURL)
	require.NoError(t, err)
	defer conn.Close(context.Background())
	for waiting := 0; waiting == 0; {
		require.Empty(t, migrated)
		require.NoError(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM pg_locks
			WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&waiting))
	}
}

// engines returns the settings of empty databases and of the test run's Temporal.
func engines(t *testing.T) config.Config {
	t.Helper()
	cfg := config.Config{DatabaseURL: enginetest.Postgres(t), ClickHouseURL: enginetest.ClickHouse(t)}
	cfg.TemporalAddress, cfg.TemporalNamespace = enginetest.Temporal(t)
	return cfg
}
