package pg

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

const (
	// MigrationsTable is the name of the table of applied migrations.
	MigrationsTable = migrationsTable
	// RestoreTable is the name of a table that exists only while a restore is not complete. Its row names the backup.
	RestoreTable = "waft_restore"
	// BackupLock is the SQL expression of the advisory lock that a backup holds while it fixes the states of both databases. Each insert
	// of device reports shares it.
	BackupLock = "hashtextextended('waft backup', 0)"
)

// Connect opens a connection of its own to the Postgres server at databaseURL, with the settings of the pool's connections.
func Connect(ctx context.Context, databaseURL string) (*pgx.Conn, error) {
	config, err := connConfig(databaseURL)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	return conn, Translate(err)
}

// VersionIn returns the version of the schema, or 0 if the database was never migrated.
func VersionIn(ctx context.Context, conn interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}) (version int64, err error) {
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", migrationsTable).Scan(&exists); err != nil || !exists {
		return 0, Translate(err)
	}
	err = conn.QueryRow(ctx, "SELECT max(version_id) FROM "+migrationsTable+" WHERE is_applied").Scan(&version)
	return version, Translate(err)
}

// MigrateTo migrates the database to an earlier schema of this binary, like Migrate.
func MigrateTo(ctx context.Context, databaseURL string, version int64) (err error) {
	config, err := connConfig(databaseURL)
	if err != nil {
		return err
	}
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, db.Close()) }()
	provider, err := newMigrator(db)
	if err != nil {
		return err
	}
	if _, err := provider.UpTo(ctx, version); err != nil {
		return fmt.Errorf("migrate Postgres to version %d: %w", version, err)
	}
	return nil
}

// LatestVersion returns the version of the schema of this binary.
func LatestVersion() (latest int64, err error) {
	files, err := migrationFiles.ReadDir("migrations")
	if err != nil {
		return 0, fmt.Errorf("migrations: %w", err)
	}
	for _, f := range files {
		version, err := goose.NumericComponent(f.Name())
		if err != nil {
			return 0, fmt.Errorf("migrations: %s: %w", f.Name(), err)
		}
		latest = max(latest, version)
	}
	return latest, nil
}

// checkRestored returns an error while a restore is not complete.
func checkRestored(ctx context.Context, db *sql.DB) error {
	var exists bool
	if err := db.QueryRowContext(ctx, "SELECT to_regclass($1) IS NOT NULL", RestoreTable).Scan(&exists); err != nil || !exists {
		return Translate(err)
	}
	var backup string
	if err := db.QueryRowContext(ctx, "SELECT backup FROM "+RestoreTable).Scan(&backup); err != nil {
		return Translate(err)
	}
	return fmt.Errorf("the restore of the backup %s has not finished; run the same `waftd restore` again, which completes it", backup)
}

// WaitForBackup shares BackupLock until release is called, so that a backup sees either everything that the caller writes until then or
// nothing of it.
func (s *DB) WaitForBackup(ctx context.Context) (release func(), err error) {
	tx, err := s.pool.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, Translate(err)
	}
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock_shared("+BackupLock+")"); err != nil {
		return nil, errors.Join(Translate(err), tx.Rollback())
	}
	return func() { _ = tx.Rollback() }, nil
}
