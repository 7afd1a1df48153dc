package telemetry

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/pressly/goose/v3"
)

//go:embed schema/*.sql
var schemaFiles embed.FS

// Migrate creates the database that the URL names when it is missing and brings
// its schema to what this binary knows. Every statement of a migration may run
// again, since ClickHouse has neither a transaction around it nor a lock: a migration that
// a crash kept from being noted is repeated. Only one process may migrate at a time, see
// app.Migrate.
func Migrate(ctx context.Context, clickHouseURL string) error {
	files, err := fs.Sub(schemaFiles, "schema")
	if err != nil {
		return fmt.Errorf("read the embedded ClickHouse schema: %w", err)
	}
	return migrate(ctx, clickHouseURL, files)
}

// MigrateCluster is Migrate for a cluster of the given name, whose tables it makes
// replicated and sharded. The database must exist on every node; it is always to be
// called with the URL of the same node, which notes the versions down.
func MigrateCluster(ctx context.Context, clickHouseURL, cluster string) (err error) {
	dir, err := os.MkdirTemp("", "waft-schema-")
	if err != nil {
		return fmt.Errorf("write the schema for a cluster: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := clusterFiles(cluster, dir); err != nil {
		return err
	}
	return migrate(ctx, clickHouseURL, os.DirFS(dir))
}

// versionTable notes which migrations ran. It has a name of its own, since another program
// that migrates the same database with the same tool uses the tool's default.
const versionTable = "waft_schema_versions"

func migrate(ctx context.Context, clickHouseURL string, files fs.FS) (err error) {
	options, err := parseURL(clickHouseURL)
	if err != nil {
		return err
	}
	if err := createDatabase(ctx, *options); err != nil {
		return err
	}
	db := clickhouse.OpenDB(options)
	defer func() { err = errors.Join(err, db.Close()) }()
	provider, err := providerOf(db, files)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate ClickHouse: %w", err)
	}
	return nil
}

// CheckSchema refuses a schema that this binary was not made for. The error says
// which migrations are missing, or that a newer Waft owns the schema, and what to
// do.
func (c *ClickHouse) CheckSchema(ctx context.Context) error {
	known, err := knownVersions()
	if err != nil {
		return err
	}
	applied, err := c.appliedVersions(ctx)
	if err != nil {
		return err
	}
	newer := without(applied, known)
	if len(newer) > 0 {
		return fmt.Errorf("the ClickHouse schema is newer than this binary: it has version %d, this binary knows versions up to %d; run a newer waftd",
			slices.Max(newer), slices.Max(known))
	}
	if missing := without(known, applied); len(missing) > 0 {
		return fmt.Errorf("the ClickHouse schema is older than this binary: %s missing; run `waftd migrate`",
			describeVersions(missing))
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
	rows, err := c.conn.Query(ctx, sqlSchemaVersions)
	if err != nil {
		return nil, queryError("read the ClickHouse schema version", err)
	}
	defer func() { _ = rows.Close() }()
	var applied []int64
	for rows.Next() {
		var version int64
		if err := rows.Scan(&version); err != nil {
			return nil, queryError("read the ClickHouse schema version", err)
		}
		applied = append(applied, version)
	}
	if err := rows.Err(); err != nil {
		return nil, queryError("read the ClickHouse schema version", err)
	}
	// goose notes version 0 when it creates its table.
	return without(applied, []int64{0}), nil
}

func createDatabase(ctx context.Context, options clickhouse.Options) (err error) {
	name := clickhouse.Named("name", options.Auth.Database)
	options.Auth.Database = ""
	conn, err := clickhouse.Open(&options)
	if err != nil {
		return fmt.Errorf("open ClickHouse: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	// Asked first because a user of a prepared database may not create one.
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

func providerOf(db *sql.DB, files fs.FS) (*goose.Provider, error) {
	provider, err := goose.NewProvider(goose.DialectClickHouse, db, files,
		goose.WithDisableGlobalRegistry(true), goose.WithTableName(versionTable))
	if err != nil {
		return nil, fmt.Errorf("read the embedded ClickHouse schema: %w", err)
	}
	return provider, nil
}

// knownVersions lists the versions of the embedded migrations, ascending.
func knownVersions() ([]int64, error) {
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

// without lists the members of all that are not in some.
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
