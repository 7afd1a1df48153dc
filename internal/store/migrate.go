package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"gorm.io/gorm"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

const (
	// Another program may have its migrations in the same database.
	migrationsTable = "waft_migrations"
	// Processes that start together wait for the one that migrates: they try its lock
	// every second, for five minutes.
	migrationLockSeconds  = 1
	migrationLockAttempts = 300
)

// Migrate brings the database at databaseURL to the schema of this binary. Migrations only
// go forward. Several processes may call it at once: one migrates, under an advisory lock,
// and the others wait.
func Migrate(ctx context.Context, databaseURL string) (err error) {
	config, err := connConfig(databaseURL)
	if err != nil {
		return err
	}
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.PingContext(ctx); err != nil {
		return translate(err)
	}
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(migrationLockSeconds, migrationLockAttempts))
	if err != nil {
		return fmt.Errorf("migrate Postgres: %w", err)
	}
	provider, err := newMigrator(db, goose.WithSessionLocker(locker))
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate Postgres: %w", err)
	}
	return nil
}

// Migrations returns the SQL files that Migrate applies, in the order of their names.
func Migrations() (fs.FS, error) {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return files, nil
}

func newMigrator(db *sql.DB, options ...goose.ProviderOption) (*goose.Provider, error) {
	files, err := Migrations()
	if err != nil {
		return nil, err
	}
	options = append(options, goose.WithTableName(migrationsTable), goose.WithLogger(goose.NopLogger()), goose.WithDisableGlobalRegistry(true))
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, options...)
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return provider, nil
}

// CheckSchema fails, with an error that says what to do, unless the database has exactly the
// schema of this binary. It changes nothing.
func (s *Store) CheckSchema(ctx context.Context) error {
	migrator, err := newMigrator(s.pool)
	if err != nil {
		return err
	}
	var known []int64
	for _, source := range migrator.ListSources() {
		known = append(known, source.Version)
	}
	applied, err := s.appliedMigrations(ctx)
	if err != nil {
		return err
	}
	latest := known[len(known)-1]
	for _, version := range applied {
		if !slices.Contains(known, version) {
			return fmt.Errorf("the Postgres schema is newer than this binary: it has migration %d, the binary knows up to %d; run a newer waftd", version, latest)
		}
	}
	for _, version := range known {
		if !slices.Contains(applied, version) {
			return fmt.Errorf("the Postgres schema is older than this binary: migration %d of %d is missing; run `waftd migrate` first", version, latest)
		}
	}
	return nil
}

// appliedMigrations returns the versions that the database has, none when it was never
// migrated.
func (s *Store) appliedMigrations(ctx context.Context) (versions []int64, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		var exists bool
		if err := tx.Raw("SELECT to_regclass(?) IS NOT NULL", migrationsTable).Scan(&exists).Error; err != nil || !exists {
			return err
		}
		return tx.Raw("SELECT DISTINCT version_id FROM " + migrationsTable +
			" WHERE is_applied AND version_id > 0 ORDER BY version_id").Scan(&versions).Error
	})
	return versions, err
}

// WithMigrationLock runs migrate under the migration lock of the Postgres database at
// databaseURL. Concurrent callers, in any process, wait for each other until ctx ends. The
// lock is for what is migrated besides Postgres: Migrate has one of its own.
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
