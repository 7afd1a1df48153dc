package app

import (
	"context"
	"log/slog"

	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/telemetry"
)

// Migrate brings Postgres and ClickHouse to the schema that this binary knows.
// Several may run at once: one works and the others wait for it, also with
// ClickHouse, which has no lock and where a table that two move could be emptied by
// the slower one. A schema that is current already is left alone.
func Migrate(ctx context.Context, cfg config.Config, log *slog.Logger) error {
	err := store.WithMigrationLock(ctx, cfg.DatabaseURL, func(ctx context.Context) error {
		if err := store.Migrate(ctx, cfg.DatabaseURL); err != nil {
			return err
		}
		return migrateTelemetry(ctx, cfg)
	})
	if err != nil {
		return err
	}
	log.Info("the schemas of Postgres and ClickHouse are current")
	return nil
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
