package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Alone runs do while no other process that uses the same Postgres database runs its
// own: callers wait for each other, until ctx ends. It is for what changes more than
// Postgres, which has locks of its own.
func Alone(ctx context.Context, databaseURL string, do func(ctx context.Context) error) error {
	config, err := connConfig(databaseURL)
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return translate(err)
	}
	// The lock goes with the connection, also when the process dies.
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(hashtextextended('waft alone', 0))"); err != nil {
		return translate(err)
	}
	return do(ctx)
}
