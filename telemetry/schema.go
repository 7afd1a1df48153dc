package telemetry

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/pressly/goose/v3"
)

//go:embed schema/*.sql
var schemaFiles embed.FS

// Migrate creates the database in the URL if it does not exist, and applies the migrations of this binary. It returns an error if the
// schema is newer. ClickHouse does not have transactions, so a migration may run again after a crash, and every statement can be repeated.
// Only one process may migrate at a time (see app.Migrate).
func Migrate(ctx context.Context, clickHouseURL string) error {
	return MigrateTo(ctx, clickHouseURL, math.MaxInt64)
}

// MigrateTo migrates like Migrate, but not beyond the version.
func MigrateTo(ctx context.Context, clickHouseURL string, version int64) error {
	files, err := fs.Sub(schemaFiles, "schema")
	if err != nil {
		return fmt.Errorf("read the embedded ClickHouse schema: %w", err)
	}
	return migrate(ctx, clickHouseURL, files, version)
}

// MigrateCluster migrates like Migrate for the cluster with the given name. The tables are replicated and sharded.
// The database must exist on every node. Always use the URL of the same node, because only that node records the
// versions.
func MigrateCluster(ctx context.Context, clickHouseURL, cluster string) (err error) {
	dir, err := os.MkdirTemp("", "waft-schema-")
	if err != nil {
		return fmt.Errorf("write the schema for a cluster: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := clusterFiles(cluster, dir); err != nil {
		return err
	}
	return migrate(ctx, clickHouseURL, os.DirFS(dir), math.MaxInt64)
}

// versionTable is the table that records which migrations ran. It is not goose's default table, which another program
// may use in the same database.
const versionTable = "waft_schema_versions"

func migrate(ctx context.Context, clickHouseURL string, files fs.FS, version int64) (err error) {
	options, err := parseURL(clickHouseURL)
	if err != nil {
		return err
	}
	if err := createDatabase(ctx, *options); err != nil {
		return err
	}
	db := clickhouse.OpenDB(options)
	defer func() { err = errors.Join(err, db.Close()) }()
	provider, err := goose.NewProvider(goose.DialectClickHouse, db, files,
		goose.WithDisableGlobalRegistry(true), goose.WithTableName(versionTable))
	if err != nil {
		return fmt.Errorf("read the embedded ClickHouse schema: %w", err)
	}
	applied, latest, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("migrate ClickHouse: %w", err)
	}
	if applied > latest {
		return newerSchema(applied, latest)
	}
	if _, err := provider.UpTo(ctx, version); err != nil {
		return fmt.Errorf("migrate ClickHouse: %w", err)
	}
	return nil
}

// newerSchema returns the error for a schema whose last version this binary does not have.
func newerSchema(applied, latest int64) error {
	return fmt.Errorf("the ClickHouse schema is newer than this binary: it has version %d, but this binary only has versions up to %d; "+
		"run a newer waftd", applied, latest)
}

// CheckSchema returns an error unless the schema is the schema of this binary. The error lists the missing
// migrations, or says that a newer version migrated the schema, and what to do.
func (c *ClickHouse) CheckSchema(ctx context.Context) error {
	known, err := KnownVersions()
	if err != nil {
		return err
	}
	applied, err := c.appliedVersions(ctx)
	if err != nil {
		return err
	}
	if newer := without(applied, known); len(newer) > 0 {
		return newerSchema(slices.Max(newer), slices.Max(known))
	}
	if missing := without(known, applied); len(missing) > 0 {
		return fmt.Errorf("the ClickHouse schema is older than this binary: %s missing; run `waftd migrate`", describeVersions(missing))
	}
	return nil
}

func (c *ClickHouse) appliedVersions(ctx context.Context) ([]int64, error) {
	var migrated bool
	err := c.conn.QueryRow(ctx, sqlTableExists, clickhouse.Named("name", versionTable)).Scan(&migrated)
	if err != nil {
		return nil, queryError("look for the ClickHouse schema", err)
	}
	if !migrated {
		return nil, nil
	}
	var rows []struct {
		Version int64 `ch:"version_id"`
	}
	if err := c.conn.Select(ctx, &rows, sqlSchemaVersions); err != nil {
		return nil, queryError("read the ClickHouse schema version", err)
	}
	applied := make([]int64, len(rows))
	for i, r := range rows {
		applied[i] = r.Version
	}
	return applied, nil
}

func createDatabase(ctx context.Context, options clickhouse.Options) (err error) {
	name := clickhouse.Named("name", options.Auth.Database)
	options.Auth.Database = ""
	conn, err := clickhouse.Open(&options)
	if err != nil {
		return fmt.Errorf("open ClickHouse: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	// The user of an existing database may lack the permission to create databases.
	var exists bool
	if err := conn.QueryRow(ctx, sqlDatabaseExists, name).Scan(&exists); err != nil {
		return queryError("look for the ClickHouse database", err)
	}
	if exists {
		return nil
	}
	if err := conn.Exec(ctx, sqlCreateDatabase, name); err != nil {
		return queryError("create the ClickHouse database", err)
	}
	return nil
}

// KnownVersions returns the versions of the embedded migrations in ascending order.
func KnownVersions() ([]int64, error) {
	names, err := fs.Glob(schemaFiles, "schema/*.sql")
	if err != nil {
		return nil, fmt.Errorf("read the embedded ClickHouse schema: %w", err)
	}
	versions := make([]int64, 0, len(names))
	for _, name := range names {
		version, err := goose.NumericComponent(name)
		if err != nil {
			return nil, fmt.Errorf("read the embedded ClickHouse schema: %s: %w", name, err)
		}
		versions = append(versions, version)
	}
	return versions, nil
}

// without returns the members of all that are not in some.
func without(all, some []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(all), func(v int64) bool { return slices.Contains(some, v) })
}

func describeVersions(versions []int64) string {
	texts := make([]string, len(versions))
	for i, v := range versions {
		texts[i] = strconv.FormatInt(v, 10)
	}
	verb := cmp.Or(map[int]string{1: "version %s is"}[len(versions)], "versions %s are")
	return fmt.Sprintf(verb, strings.Join(texts, ", "))
}
