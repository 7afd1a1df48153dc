package app

import (
	"context"
	"log/slog"

	"github.com/waft-ota/waft/internal/app/temporalclient"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/telemetry"
	"github.com/waft-ota/waft/workflows"
)

// Migrate migrates Postgres and ClickHouse to this version's schemas, and registers the search
// attributes that Temporal's namespace lacks. Several processes may run it at the same time: one takes the migration lock in
// Postgres and the others wait.
func Migrate(ctx context.Context, cfg config.Config, log *slog.Logger) error {
	err := pg.WithMigrationLock(ctx, cfg.DatabaseURL, func(ctx context.Context) error {
		if err := pg.Migrate(ctx, cfg.DatabaseURL); err != nil {
			return err
		}
		return explained("CLICKHOUSE_URL", migrateTelemetry(ctx, cfg))
	})
	if err != nil {
		return explained("DATABASE_URL", err)
	}
	log.Info("the schemas of Postgres and ClickHouse are current")
	if err := migrateTemporal(ctx, cfg, log); err != nil {
		return err
	}
	log.Info("Temporal's search attributes are registered", "namespace", cfg.TemporalNamespace)
	return nil
}

func migrateTemporal(ctx context.Context, cfg config.Config, log *slog.Logger) error {
	tc, err := temporalclient.New(cfg, nil, nil, log.With("component", "temporal"))
	if err != nil {
		return err
	}
	defer tc.Close()
	return explained("TEMPORAL_ADDRESS", workflows.EnsureSearchAttributes(ctx, tc, cfg.TemporalNamespace))
}

func migrateTelemetry(ctx context.Context, cfg config.Config) error {
	if cfg.ClickHouseCluster != "" {
		return telemetry.MigrateCluster(ctx, cfg.ClickHouseURL, cfg.ClickHouseCluster)
	}
	return telemetry.Migrate(ctx, cfg.ClickHouseURL)
}

func openTelemetry(ctx context.Context, cfg config.Config) (*telemetry.ClickHouse, error) {
	if cfg.ClickHouseCluster != "" {
		return telemetry.OpenCluster(ctx, cfg.ClickHouseURL, cfg.ClickHouseCluster)
	}
	return telemetry.Open(ctx, cfg.ClickHouseURL)
}
