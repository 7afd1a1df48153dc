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
	require.Equal(t, 10, queries)
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
			if rows := run(t, c, query); panel.Title != "Requests that got nothing" {
				require.NotZero(t, rows, panel.Title)
			}
		}
	}
}

// Every column of every view must have a comment.
func TestViewsAreDocumented(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	var bare, views []string
	rows, err := c.conn.Query(t.Context(), `SELECT DISTINCT columns.table, concat(columns.table, '.', columns.name), comment = ''
		FROM system.columns AS columns INNER JOIN system.tables AS tables ON tables.database = columns.database AND tables.name = columns.table
		WHERE columns.database = currentDatabase() AND tables.engine = 'View'`)
	require.NoError(t, err)
	defer rows.Close()
	text, err := os.ReadFile(filepath.Join("..", "docs", "guides", "analytics", "queries.md"))
	require.NoError(t, err)
	for rows.Next() {
		var view, column string
		var empty bool
		require.NoError(t, rows.Scan(&view, &column, &empty))
		views = append(views, view)
		require.Contains(t, string(text), "| `"+view+"` |")
		if empty {
			bare = append(bare, column)
		}
	}
	require.NoError(t, rows.Err())
	require.NotEmpty(t, views)
	require.Empty(t, bare)
}
