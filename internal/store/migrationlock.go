package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// WithMigrationLock runs migrate under the migration lock of the Postgres database
// at databaseURL. Concurrent callers, in any process, wait for each other until ctx
// ends. The lock covers what is migrated besides Postgres: Migrate takes one of its
// own.
func WithMigrationLock(ctx context.Context, databaseURL string, migrate func(ctx context.Context) error) error {
	config, err := connConfig(databaseURL)
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return translate(err)
	}
	// The lock ends with the connection, also when the process dies.
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(hashtextextended('waft migrations', 0))"); err != nil {
		return translate(err)
	}
	return migrate(ctx)
}
