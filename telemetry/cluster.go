package telemetry

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2"
)

// For a cluster, the files of the schema are rewritten. Each table becomes a replicated table named …_local on every node,
// and a Distributed table over it with the name that queries use. Materialized views read and write the local tables of
// the node that stores the block.
//
// Rows are sharded by device: all rows of a device are on one shard, in every table. Joins and subqueries about devices
// therefore stay within a shard, and the distinct devices of the shards can be added up.

var (
	createTable = regexp.MustCompile(`(?s)^CREATE TABLE IF NOT EXISTS (\w+)\s*(\(.*\))\s*ENGINE = (\w+)(?:\((\w+)\))?(.*)$`)
	createView  = regexp.MustCompile(`(?s)^CREATE MATERIALIZED VIEW IF NOT EXISTS (\w+) TO (\w+) AS\n(.*)$`)
	addColumn   = regexp.MustCompile(`(?s)^ALTER TABLE (\w+) (ADD COLUMN IF NOT EXISTS .*)$`)
	modifyQuery = regexp.MustCompile(`(?s)^ALTER TABLE (\w+) MODIFY QUERY\n(.*)$`)
	insertRows  = regexp.MustCompile(`^INSERT INTO \w+\nSELECT `)
	plainView   = regexp.MustCompile(`(?s)^CREATE VIEW IF NOT EXISTS (\w+)\n(.*)$`)
	readsTable  = regexp.MustCompile(`(?m)\bFROM (\w+)$`)
	sqlComment  = regexp.MustCompile(`(?m)^\s*--.*\n`)
)

// shardKeys are the sharding keys. A table gets the first key whose column it has. Views write to local tables, so
// the keys of their tables matter only for a direct insert.
var shardKeys = []struct{ column, key string }{
	{" device_id ", "sipHash64(device_id)"},
	{" device_key ", "sipHash64(device_key)"},
	{" flag_key ", "sipHash64(flag_key)"},
}

// clusterSettings make ClickHouse complete an insert on every shard before it acknowledges the insert, and run
// subqueries about devices on the shard of the devices.
var clusterSettings = clickhouse.Settings{"distributed_foreground_insert": 1, "distributed_product_mode": "local"}

// onCluster returns the clause that runs a statement on every node of the cluster. ClickHouse does not allow a
// parameter there.
func onCluster(cluster string) string {
	return " ON CLUSTER '" + strings.ReplaceAll(cluster, "'", `\'`) + "'"
}

// everywhere rewrites a statement about a table to run on all nodes.
func (e Eraser) everywhere(statement string) string {
	if e.cluster == "" {
		return statement
	}
	return strings.Replace(statement, "{table:Identifier}", "{table:Identifier}"+onCluster(e.cluster), 1)
}

// clusterStatements rewrites the statements of a schema file for a cluster.
func clusterStatements(file, cluster string) (statements []string, err error) {
	on := onCluster(cluster)
	for statement := range strings.SplitSeq(sqlComment.ReplaceAllString(file, ""), ";\n") {
		statement = strings.TrimSpace(statement)
		switch {
		case statement == "":
		case createTable.MatchString(statement):
			statements = append(statements, clusterTable(statement, on, cluster)...)
		case createView.MatchString(statement):
			m := createView.FindStringSubmatch(statement)
			statements = append(statements, fmt.Sprintf("CREATE MATERIALIZED VIEW IF NOT EXISTS %s%s TO %s_local AS\n%s",
				m[1], on, m[2], readsTable.ReplaceAllString(m[3], "FROM ${1}_local AS $1")))
		case addColumn.MatchString(statement): // the local tables first, because the distributed table reads them
			m := addColumn.FindStringSubmatch(statement)
			statements = append(statements, fmt.Sprintf("ALTER TABLE %s_local%s %s", m[1], on, m[2]), fmt.Sprintf("ALTER TABLE %s%s %s", m[1], on, m[2]))
		case modifyQuery.MatchString(statement):
			m := modifyQuery.FindStringSubmatch(statement)
			statements = append(statements, fmt.Sprintf("ALTER TABLE %s%s MODIFY QUERY\n%s",
				m[1], on, readsTable.ReplaceAllString(m[2], "FROM ${1}_local AS $1")))
		case plainView.MatchString(statement):
			m := plainView.FindStringSubmatch(statement)
			statements = append(statements, fmt.Sprintf("CREATE VIEW IF NOT EXISTS %s%s\n%s", m[1], on, m[2]))
		case insertRows.MatchString(statement): // reads and writes the distributed tables
			statements = append(statements, statement)
		default:
			return nil, fmt.Errorf("a statement of the schema cannot be rewritten for a cluster: %.60s", statement)
		}
	}
	return statements, nil
}

// clusterTable returns the statements for the local, replicated table and the distributed table over it.
func clusterTable(statement, on, cluster string) []string {
	m := createTable.FindStringSubmatch(statement)
	name, columns, engine, version, rest := m[1], m[2], m[3], m[4], m[5]
	if strings.HasSuffix(engine, "MergeTree") {
		if version != "" {
			version = ", " + version
		}
		engine = fmt.Sprintf("Replicated%s('/clickhouse/tables/{shard}/{database}/%s', '{replica}'%s)", engine, name, version)
		rest = strings.ReplaceAll(rest, "non_replicated_deduplication_window", "replicated_deduplication_window")
	}
	key := "rand()"
	for _, k := range shardKeys {
		if strings.Contains(columns, k.column) {
			key = k.key
			break
		}
	}
	return []string{
		fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s_local%s\n%s\nENGINE = %s%s", name, on, columns, engine, rest),
		fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s%s AS %s_local\nENGINE = Distributed('%s', currentDatabase(), %s_local, %s)",
			name, on, name, strings.ReplaceAll(cluster, "'", `\'`), name, key),
	}
}

// clusterFiles writes the rewritten schema to a folder, for goose.
func clusterFiles(cluster, dir string) error {
	entries, err := schemaFiles.ReadDir("schema")
	if err != nil {
		return fmt.Errorf("read the embedded ClickHouse schema: %w", err)
	}
	for _, e := range entries {
		text, err := schemaFiles.ReadFile(path.Join("schema", e.Name()))
		if err != nil {
			return fmt.Errorf("read the embedded ClickHouse schema: %w", err)
		}
		statements, err := clusterStatements(string(text), cluster)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name(), err)
		}
		text = []byte("-- +goose NO TRANSACTION\n-- +goose Up\n" + strings.Join(statements, ";\n\n") + ";\n")
		if err := os.WriteFile(filepath.Join(dir, e.Name()), text, 0o600); err != nil {
			return fmt.Errorf("write the schema for a cluster: %w", err)
		}
	}
	return nil
}
