package app

import (
	"context"
	"log/slog"

	"github.com/waft-ota/waft/config"
	"github.com/waft-ota/waft/store"
	"github.com/waft-ota/waft/telemetry"
)

// Migrate brings Postgres and ClickHouse to the schema that this binary knows.
// Several may run at once; a schema that is current already is left alone.
func Migrate(ctx context.Context, cfg config.Config, log *slog.Logger) error {
	if err := store.Migrate(ctx, cfg.DatabaseURL); err != nil {
		return err
	}
	if err := migrateTelemetry(ctx, cfg); err != nil {
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
