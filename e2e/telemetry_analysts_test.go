package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/stretchr/testify/require"
)

var (
	sqlBlock  = regexp.MustCompile("(?s)```sql\n(.*?)```")
	userText  = regexp.MustCompile(`(?s)CREATE USER IF NOT EXISTS analyst [^;]*SETTINGS ([^;]*);\nGRANT SELECT ON waft\.\* TO analyst;\nCREATE ROW POLICY [^;]* ON waft\.\* USING (project_id = 1) TO analyst;`)
	curlOf    = regexp.MustCompile(`curl --get ("[^"]*") --data-urlencode 'query=`)
	anySetter = regexp.MustCompile(`(\w+) = (\d+)`)
	// ofGrafana replaces macros as Grafana's data source does.
	ofGrafana = strings.NewReplacer(
		"$__fromTime", "(now() - INTERVAL 9 DAY)", "$__toTime", "(now() + INTERVAL 1 MINUTE)", "${project}", "1", "${datasource}", "",
	)
)

// someHistory returns statements that insert ten days of a project's history, with results for every query: a stable
// release, a release of today that crashes, and devices that never started it.
func someHistory(project int) []string {
	statements := []string{
		// Devices 0 to 49 report every day. Devices 0 to 19 run the new release today.
		`INSERT INTO health_reports (project_id, received_at, report_id, device_id, platform, channel, runtime_version, update_uuid, launches, js_errors, crashes)
			SELECT %d, now64(3) - INTERVAL number DAY - INTERVAL 1 HOUR, generateUUIDv4(), concat('d', toString(device)), 'ios', 'production', '1.0.0', 'old', 2, device = 30, 0
			FROM numbers(10) ARRAY JOIN range(50) AS device`,
		`INSERT INTO health_reports (project_id, received_at, report_id, device_id, platform, channel, runtime_version, update_uuid, launches, js_errors, crashes)
			SELECT %d, now64(3), generateUUIDv4(), concat('d', toString(number)), 'ios', 'production', '1.0.0', 'new', 1, 0, number < 5 FROM numbers(20)`,
		`INSERT INTO health_events (project_id, received_at, report_id, event_index, device_id, platform, channel, runtime_version, update_uuid, type, name, message, error_name, count, flag_states)
			SELECT %d, now64(3) - INTERVAL number DAY, generateUUIDv4(), 0, 'd30', 'ios', 'production', '1.0.0', 'old', 'js_error', '', 'an old one', 'TypeError', 1, map('new-checkout', 'false') FROM numbers(10)`,
		`INSERT INTO health_events (project_id, received_at, report_id, event_index, device_id, platform, channel, runtime_version, update_uuid, type, name, message, error_name, count, flag_states)
			SELECT %d, now64(3), generateUUIDv4(), 0, concat('d', toString(number)), 'ios', 'production', '1.0.0', 'new', 'crash', '', 'a new one', 'RangeError', 1, map('new-checkout', 'true') FROM numbers(5)`,
		`INSERT INTO exposures (project_id, served_at, device_id, platform, channel, runtime_version, update_uuid, kind)
			SELECT %d, now64(3) - INTERVAL 2 HOUR, concat('d', toString(number)), 'ios', 'production', '1.0.0', 'new', if(number < 25, 'manifest', 'failure') FROM numbers(27)`,
		`INSERT INTO flag_evaluations (project_id, flag_key, day, channel, value, evaluations, last_at)
			SELECT %d, 'new-checkout', today() - number, 'production', 'true', 10, now64(3) FROM numbers(5)`,
		`INSERT INTO refused_requests_in (project_id, refused_at, reason, channel, platform, runtime_version, device_id, requests)
			SELECT %d, now64(3), 'no_release', 'production', 'ios', '9', concat('d', toString(number)), 2 FROM numbers(3)`,
	}
	for i := range statements {
		statements[i] = fmt.Sprintf(statements[i], project)
	}
	return statements
}

// analystsConfig writes a configuration in which the engine's only user is the analyst of the document, who may only
// read and sees one project. The name of the user does not matter.
func analystsConfig(t *testing.T, document string, tables []string) string {
	t.Helper()
	user := userText.FindStringSubmatch(document)
	require.NotNil(t, user, "the document does not create the expected user")
	var settings, filters strings.Builder
	for _, s := range anySetter.FindAllStringSubmatch(user[1], -1) {
		if s[1] != "readonly" { // the development engine sets its own settings first; readonly is set for each query
			fmt.Fprintf(&settings, "<%s>%s</%[1]s>", s[1], s[2])
		}
	}
	require.Contains(t, user[1], "readonly = 1")
	for _, table := range tables {
		fmt.Fprintf(&filters, "<%s><filter>%s</filter></%[1]s>", table, user[2])
	}
	config := filepath.Join(t.TempDir(), "analyst.xml")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, `<clickhouse>
		<profiles><default>%s</default></profiles>
		<users><default>
			<grants replace="1"><query>GRANT SELECT ON waft.*</query><query>GRANT CREATE DATABASE ON default.*</query></grants>
			<databases><waft>%s</waft></databases>
		</default></users>
	</clickhouse>`, settings.String(), filters.String()), 0o600))
	return config
}

// analyst is a connection as the user who can only read.
type analyst struct {
	books
	address string
	ctx     context.Context
}

// rows runs a query to its end and returns its number of rows.
func (a analyst) rows(query string) (n int) {
	a.t.Helper()
	rows, err := a.conn.Query(a.ctx, query)
	require.NoError(a.t, err, query)
	defer rows.Close()
	for rows.Next() {
		n++
	}
	require.NoError(a.t, rows.Err(), query)
	return n
}

// documentedAddress returns the address that the document's shell command makes of CLICKHOUSE_URL.
func documentedAddress(t *testing.T, document, clickhouseURL string) string {
	t.Helper()
	found := curlOf.FindStringSubmatch(document)
	require.NotNil(t, found, "the document does not show how to query over HTTP")
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "printf %s "+found[1])
	cmd.Env = []string{"CLICKHOUSE_URL=" + clickhouseURL}
	address, err := cmd.Output()
	require.NoError(t, err)
	return string(address)
}

// overHTTP runs a query at the address as curl --get does, and requires rows.
func overHTTP(t *testing.T, address, query string) {
	t.Helper()
	target, err := url.Parse(address)
	require.NoError(t, err)
	values := target.Query()
	values.Set("query", query)
	target.RawQuery = values.Encode()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, target.String(), http.NoBody)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, "%s\n%s", query, body)
	require.NotEmpty(t, body, query)
}

// pageOfAnalytics returns the page of a path, such as docs/guides/analytics/read-only-user.md.
func pageOfAnalytics(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(path)))
	require.NoError(t, err)
	return string(text)
}

// newAnalyst returns the analyst of project 1 in a database that has a second project.
func newAnalyst(t *testing.T, document string) analyst {
	t.Helper()
	engine := newClickHouse(t).await()
	env := settings(t)
	env["CLICKHOUSE_URL"] = engine.address
	migrate(t, env)
	b := openBooks(t, engine.address)
	for _, project := range []int{1, 2} {
		for _, statement := range someHistory(project) {
			require.NoError(t, b.conn.Exec(t.Context(), statement), statement)
		}
	}
	var tables []string
	for table := range b.query("SELECT table, count() FROM system.columns WHERE database = 'waft' AND name = 'project_id' GROUP BY table") {
		tables = append(tables, table)
	}
	engine.kill()
	engine.arguments = append(engine.arguments, "--database", "default", "--config", analystsConfig(t, document, tables))
	engine.start()
	return analyst{
		openBooks(t, engine.address),
		engine.address,
		clickhouse.Context(t.Context(), clickhouse.WithSettings(clickhouse.Settings{"readonly": 1})),
	}
}

// Every query of docs/guides/analytics/queries.md and every panel of the dashboard runs as the user of read-only-user.md. The queries
// run as they are written, at the address that the page shows. Each must have results, and must not show data of another project.
func TestAnalystsReadOnlyTheirProjects(t *testing.T) {
	t.Parallel()
	document := pageOfAnalytics(t, "docs/guides/analytics/read-only-user.md")
	views := pageOfAnalytics(t, "docs/reference/analytics.md")
	a := newAnalyst(t, document)
	address := documentedAddress(t, document, a.address)

	asked := 0
	for _, block := range sqlBlock.FindAllStringSubmatch(pageOfAnalytics(t, "docs/guides/analytics/queries.md"), -1) {
		for statement := range strings.SplitSeq(block[1], ";\n") {
			if statement = strings.TrimSpace(statement); !strings.HasPrefix(statement, "SELECT") && !strings.HasPrefix(statement, "WITH") {
				continue
			}
			asked++
			overHTTP(t, address, statement)
			require.Positive(t, a.rows(statement), statement)
			require.Contains(t, statement, "project_id = 1")
			require.Zero(t, a.rows(strings.ReplaceAll(statement, "project_id = 1", "project_id = 2")), statement)
		}
	}
	require.Equal(t, 14, asked)

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
			query := ofGrafana.Replace(target.RawSQL)
			require.NotContains(t, query, "$", panel.Title)
			require.Positive(t, a.rows(query), panel.Title)
		}
	}

	for _, view := range []string{"devices_daily", "activity_hourly", "events", "release_devices", "flags_daily", "flag_evaluations_daily", "refused_daily"} {
		require.Contains(t, views, "\n## `"+view+"`\n")
		require.Positive(t, a.rows("SELECT * FROM "+view), view)
		require.Equal(t, map[string]uint64{"": 0}, a.query("SELECT '', countIf(project_id != 1) FROM "+view), view)
		require.Positive(t, a.rows("DESCRIBE "+view))
	}
	for _, forbidden := range []string{
		"INSERT INTO flag_evaluations (project_id) SELECT 1", "CREATE TABLE mine (x Int8) ENGINE = Memory", "DROP VIEW devices_daily",
		"ALTER TABLE health_events DELETE WHERE 1", "DELETE FROM health_events WHERE 1", "TRUNCATE TABLE exposures",
		"SELECT 1 SETTINGS readonly = 0", "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'x String')", "SELECT * FROM file('/etc/passwd', 'LineAsString')",
	} {
		require.Error(t, a.conn.Exec(a.ctx, forbidden), forbidden)
	}
	require.Positive(t, a.rows("SELECT * FROM health_events"), "the analyst must not be able to delete events")
}
