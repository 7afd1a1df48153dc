package telemetry

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The engine for development is not a cluster, but it parses every statement.
func TestTheSchemaForAClusterIsRight(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	dir := t.TempDir()
	require.NoError(t, clusterFiles("o'cluster", dir))
	names, err := fs.Glob(schemaFiles, "schema/*.sql")
	require.NoError(t, err)
	made := map[string]int{}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, filepath.Base(name)))
		require.NoError(t, err)
		plain, err := schemaFiles.ReadFile(name)
		require.NoError(t, err)
		statements, err := clusterStatements(string(plain), "o'cluster")
		require.NoError(t, err)
		require.NotEmpty(t, statements, name)
		for _, statement := range statements {
			require.Contains(t, string(text), statement+";")
			run(t, c, "EXPLAIN AST "+statement)
			if !insertRows.MatchString(statement) { // distributed tables pass rows on
				require.Contains(t, statement, ` ON CLUSTER 'o\'cluster'`)
			}
			for kind, mark := range map[string]string{
				"table": "CREATE TABLE", "local": "ENGINE = Replicated", "distributed": "ENGINE = Distributed", "view": "CREATE MATERIALIZED VIEW", "null": "ENGINE = Null",
			} {
				if strings.HasPrefix(statement, mark) || strings.HasPrefix(mark, "ENGINE") && strings.Contains(statement, mark) {
					made[kind]++
				}
			}
			require.NotContains(t, statement, "non_replicated")
			isView := strings.HasPrefix(statement, "CREATE MATERIALIZED VIEW")
			if isView {
				require.Regexp(t, ` TO \w+_local AS\n`, statement)
			}
			if isView || strings.Contains(statement, " MODIFY QUERY\n") {
				for _, from := range regexp.MustCompile(`(?m)\bFROM \w.*$`).FindAllString(statement, -1) {
					require.Regexp(t, `^FROM (\w+)_local AS \w+$`, from, "a view of a cluster reads and writes local tables only")
				}
			}
		}
	}
	require.Equal(t, made["local"]+made["null"], made["distributed"], "one distributed table over each local table")
	require.Equal(t, made["table"], 2*made["distributed"])
	require.Positive(t, made["view"])
}

func TestAStatementWithoutAFormForAClusterIsRefused(t *testing.T) {
	t.Parallel()
	_, err := clusterStatements("OPTIMIZE TABLE a_v1;\n", "c")
	require.ErrorContains(t, err, "OPTIMIZE TABLE a_v1")
}

// A deletion must reach every shard, whichever shard receives it.
func TestDeletionsReachEveryNodeOfACluster(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	cluster := Eraser{&database{cluster: "o'cluster"}}
	for _, statement := range []string{sqlDeleteAged, sqlDeleteDevicesByID, sqlDeleteDevicesByKey} {
		require.Equal(t, statement, c.everywhere(statement))
		everywhere := cluster.everywhere(statement)
		require.Contains(t, everywhere, `{table:Identifier} ON CLUSTER 'o\'cluster'`)
		run(t, c, "EXPLAIN AST "+strings.NewReplacer(
			"{table:Identifier}", "health_events", "{aged_by:Identifier}", "received_at", "{project_id:Int64}", "7",
			"{before:DateTime64(3, 'UTC')}", "now()", "{device_ids:Array(String)}", "['d']",
		).Replace(everywhere))
	}
}
