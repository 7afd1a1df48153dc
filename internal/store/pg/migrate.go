package pg

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"gorm.io/gorm"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrationsTable is the name of the table of applied migrations. It is specific to Waft because another program may
// keep its migrations in the same database.
const migrationsTable = "waft_migrations"

// Migrate migrates the database to the schema of this binary. It never migrates backwards, and returns an error if the schema is
// newer. If several processes may migrate at the same time, the caller must hold the migration lock: see WithMigrationLock.
func Migrate(ctx context.Context, databaseURL string) (err error) {
	config, err := connConfig(databaseURL)
	if err != nil {
		return err
	}
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.PingContext(ctx); err != nil {
		return Translate(err)
	}
	if err := checkRestored(ctx, db); err != nil {
		return err
	}
	provider, err := newMigrator(db)
	if err != nil {
		return err
	}
	applied, latest, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("migrate Postgres: %w", err)
	}
	if applied > latest {
		return newerSchema(applied, latest)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate Postgres: %w", err)
	}
	return nil
}

// newerSchema returns the error for a database whose last migration this binary does not have.
func newerSchema(applied, latest int64) error {
	return fmt.Errorf("the Postgres schema is newer than this binary: it has migration %d, but the binary only has %d; run a newer waftd",
		applied, latest)
}

// Migrations returns the SQL files that Migrate applies, in the order of their names.
func Migrations() (fs.FS, error) {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return files, nil
}

func newMigrator(db *sql.DB) (*goose.Provider, error) {
	files, err := Migrations()
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files,
		goose.WithTableName(migrationsTable), goose.WithLogger(goose.NopLogger()), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return provider, nil
}

// CheckSchema returns an error unless the database has exactly the schema of this binary. It does not change anything.
func (s *DB) CheckSchema(ctx context.Context) error {
	migrator, err := newMigrator(s.pool)
	if err != nil {
		return err
	}
	if err := checkRestored(ctx, s.pool); err != nil {
		return err
	}
	sources := migrator.ListSources()
	latest := sources[len(sources)-1].Version
	applied, err := s.lastMigration(ctx)
	switch {
	case err != nil:
		return err
	case applied > latest:
		return newerSchema(applied, latest)
	case applied < latest:
		return fmt.Errorf("the Postgres schema is older than this binary: it has migration %d of %d; run `waftd migrate` first", applied, latest)
	}
	return nil
}

// lastMigration returns the schema version of the database, or 0 if it was never migrated.
func (s *DB) lastMigration(ctx context.Context) (version int64, err error) {
	return Reading(ctx, s.Read, func(tx *gorm.DB) (version int64, err error) {
		var exists bool
		if err := tx.Raw("SELECT to_regclass(?) IS NOT NULL", migrationsTable).Scan(&exists).Error; err != nil || !exists {
			return 0, err
		}
		err = tx.Raw("SELECT max(version_id) FROM " + migrationsTable + " WHERE is_applied").Scan(&version).Error
		return version, err
	})
}

// WithMigrationLock runs migrate while it holds the migration lock of the Postgres database at databaseURL. Concurrent
// callers in any process wait for each other until ctx ends.
func WithMigrationLock(ctx context.Context, databaseURL string, migrate func(ctx context.Context) error) error {
	config, err := connConfig(databaseURL)
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return Translate(err)
	}
	// Postgres releases the lock when the connection ends, even if the process crashes.
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(hashtextextended('waft migrations', 0))"); err != nil {
		return Translate(err)
	}
	return migrate(ctx)
}
