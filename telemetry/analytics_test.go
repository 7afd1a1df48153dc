package telemetry

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	sqlBlock = regexp.MustCompile("(?s)```sql\n(.*?)```")
	// grafana replaces Grafana's macros as its data source does.
	grafana = strings.NewReplacer(
		"$__fromTime", "(now() - INTERVAL 7 DAY)", "$__toTime", "now()", "${project}", "7", "${datasource}", "",
	)
)

// analysed returns a database with rows in every view.
func analysed(t *testing.T) *ClickHouse {
	t.Helper()
	c := migrated(t)
	inventReports(rand.New(rand.NewPCG(7, 8)), 2000, 200, 10, truthNow()).store(t, c)
	require.NoError(t, c.conn.Exec(t.Context(), `INSERT INTO refused_requests_in
		(project_id, refused_at, reason, channel, platform, runtime_version, device_id, requests) VALUES
		(7, now64(3), 'no_release', 'production', 'ios', '9', 'd1', 2)`))
	return c
}

// run runs a query to its end and returns the number of rows.
func run(t *testing.T, c *ClickHouse, query string) (n int) {
	t.Helper()
	rows, err := c.conn.Query(t.Context(), query)
	require.NoError(t, err, query)
	defer rows.Close()
	for rows.Next() {
		n++
	}
	require.NoError(t, rows.Err(), query)
	return n
}

func TestEveryQueryOfTheDocumentRuns(t *testing.T) {
	t.Parallel()
	c := analysed(t)
	text, err := os.ReadFile(filepath.Join("..", "docs", "guides", "analytics", "queries.md"))
	require.NoError(t, err)
	queries := 0
	for _, block := range sqlBlock.FindAllStringSubmatch(string(text), -1) {
		for statement := range strings.SplitSeq(block[1], ";\n") {
			statement = strings.TrimSpace(statement)
			switch {
			case statement == "":
			case strings.HasPrefix(statement, "SELECT"), strings.HasPrefix(statement, "WITH"):
				queries++
				run(t, c, statement)
				found := run(t, c, strings.ReplaceAll(strings.ReplaceAll(statement, "project_id = 1", "project_id = 7"), "'new-checkout'", "'checkout'"))
				if !strings.Contains(statement, "ANTI JOIN") && !strings.Contains(statement, "HAVING") {
					require.NotZero(t, found, statement)
				}
			default: // the example creates a user, which only an administrator may do
				run(t, c, "EXPLAIN AST "+statement)
			}
		}
	}
	require.Equal(t, 14, queries)
}

func TestEveryPanelOfTheDashboardRuns(t *testing.T) {
	t.Parallel()
	c := analysed(t)
	text, err := os.ReadFile(filepath.Join("..", "deploy", "grafana", "waft.json"))
	require.NoError(t, err)
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ RawSQL string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &dashboard))
	require.NotEmpty(t, dashboard.Panels)
	for _, panel := range dashboard.Panels {
		require.NotEmpty(t, panel.Targets, panel.Title)
		for _, target := range panel.Targets {
			query := grafana.Replace(target.RawSQL)
			require.NotContains(t, query, "$", panel.Title)
			require.NotZero(t, run(t, c, query), panel.Title)
		}
	}
}

// docs/reference/analytics.md has every column of every view, with its type and comment.
func TestViewsAreDocumented(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	rows, err := c.conn.Query(t.Context(), `SELECT columns.table, columns.name, columns.type, columns.comment
		FROM system.columns AS columns INNER JOIN system.tables AS tables ON tables.database = columns.database AND tables.name = columns.table
		WHERE columns.database = currentDatabase() AND tables.engine = 'View' ORDER BY columns.table, columns.position`)
	require.NoError(t, err)
	defer rows.Close()
	documented := map[string]string{}
	for rows.Next() {
		var view, column, columnType, comment string
		require.NoError(t, rows.Scan(&view, &column, &columnType, &comment))
		require.NotEmpty(t, comment, "%s.%s", view, column)
		documented[view] += "| `" + column + "` | `" + columnType + "` | " + comment + " |\n"
	}
	require.NoError(t, rows.Err())
	require.NotEmpty(t, documented)
	text, err := os.ReadFile(filepath.Join("..", "docs", "reference", "analytics.md"))
	require.NoError(t, err)
	for view, columns := range documented {
		require.Contains(t, string(text), "| [`"+view+"`](#"+view+") |")
		_, section, _ := strings.Cut(string(text), "\n## `"+view+"`\n")
		section, _, _ = strings.Cut(section, "\n## ")
		require.Contains(t, section, "|---|---|---|\n"+columns, view)
	}
}
