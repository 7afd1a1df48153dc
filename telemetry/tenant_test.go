package telemetry

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// schemaTables returns the tables with rows of projects, as the engine lists them.
func schemaTables(t *testing.T, c *ClickHouse) []string {
	t.Helper()
	var tables []string
	rows, err := c.conn.Query(t.Context(), `SELECT DISTINCT columns.table FROM system.columns AS columns
		INNER JOIN system.tables AS tables ON tables.database = columns.database AND tables.name = columns.table
		WHERE columns.database = currentDatabase() AND columns.name = 'project_id' AND tables.engine LIKE '%MergeTree' ORDER BY 1`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var table string
		require.NoError(t, rows.Scan(&table))
		tables = append(tables, table)
	}
	require.NoError(t, rows.Err())
	return tables
}

var reads = regexp.MustCompile(`\b(?:FROM|JOIN)\s+((?:` + strings.Join(tenantTables, "|") + `)\b|\{table:Identifier\})`)

// Every query that reads rows of projects must name the project for each table, including queries of later versions.
func TestEveryQueryNamesTheProject(t *testing.T) {
	t.Parallel()
	require.Equal(t, schemaTables(t, migrated(t)), tenantTables)
	files, err := fs.Glob(queryFiles, "queries/*.sql")
	require.NoError(t, err)
	found := map[string]bool{}
	for _, file := range files {
		text, err := queryFiles.ReadFile(file)
		require.NoError(t, err)
		tables := reads.FindAllStringSubmatch(string(text), -1)
		for _, table := range tables {
			found[table[1]] = true // {table:Identifier} is a table with rows of devices
		}
		named := 0
		for _, condition := range []string{
			"WHERE project_id = {project_id:Int64}", "WHERE project_id IN {projects:Array(Int64)}",
			"WHERE (project_id, update_uuid) IN arrayZip({projects:Array(Int64)}, {updates:Array(String)})",
		} {
			named += strings.Count(string(text), condition)
		}
		require.Equal(t, len(tables), named, file)
	}
	delete(found, "{table:Identifier}")
	require.Subset(t, tenantTables, slices.Sorted(maps.Keys(found)), "tables that are read")
}

// Only selectOf and selectSeeing may read rows of projects. No other file may query ClickHouse.
func TestOnlyFewFilesReadRows(t *testing.T) {
	t.Parallel()
	speaks := regexp.MustCompile(`conn\.(Query|QueryRow|Select)\(`)
	var found []string
	require.NoError(t, filepath.WalkDir(".", func(file string, _ fs.DirEntry, err error) error {
		require.NoError(t, err)
		if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if !speaks.Match(text) {
			return nil
		}
		found = append(found, file)
		if file != "schema.go" && file != "personal.go" { // these files read system tables
			require.Contains(t, string(text), "seeingOnly(ctx, ", file)
		}
		return nil
	}))
	require.Equal(t, []string{"personal.go", "schema.go", "tenant.go"}, found)
}

func TestAQueryWithoutAProjectIsRefused(t *testing.T) {
	t.Parallel()
	c := openTestClickHouse(t, "http://127.0.0.1:1/waft")
	for _, projectID := range []int64{0, -1} {
		_, err := selectOf[refusedRow](t.Context(), c.database, projectID, "nothing", sqlRefused)
		require.ErrorIs(t, err, errNoProject)
	}
}

// A query that does not name its project must still not see rows of other projects.
func TestNoQuerySeesAnotherProject(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	mine, foreign := testReport("a", models.EventCrash), testReport("b", models.EventCrash)
	foreign.ProjectID = 8
	require.NoError(t, insertAll(t, c, "token", []models.HealthReport{mine, foreign}))
	for _, table := range []string{"health_events", "health_reports", "device_days", "device_releases"} {
		query := projectQuery(fmt.Sprintf("SELECT count() AS n FROM %s WHERE {project_id:Int64} > 0", table))
		rows, err := selectOf[struct {
			N uint64 `ch:"n"`
		}](t.Context(), c.database, mine.ProjectID, "all", query)
		require.NoError(t, err)
		require.EqualValues(t, 1, rows[0].N, table)
	}
}

func TestEventsAreListedNewestFirstAndOnce(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	at := time.Now().UTC().Truncate(time.Second)
	var reports []models.HealthReport
	for n := range 40 { // many at the same moment
		r := testReport(fmt.Sprintf("d-%d", n%3), models.EventCrash, models.EventAppLaunch, models.EventCustom)
		r.ReceivedAt = at.Add(-time.Duration(n/10) * time.Second)
		r.Events[0].Message = fmt.Sprintf("ÄRGER %d", n%2)
		if n%4 == 0 {
			r.UpdateUUID = ""
		}
		reports = append(reports, r)
	}
	foreign := testReport("d-0", models.EventCrash)
	foreign.ProjectID++
	require.NoError(t, insertAll(t, c, "token", append(reports, foreign)))
	all := []models.HealthEventType{models.EventCrash, models.EventAppLaunch, models.EventCustom, models.EventJSError}

	read := func(q models.EventQuery) (ids []string) {
		for {
			events, err := c.Events(t.Context(), reports[0].ProjectID, q, at)
			require.NoError(t, err)
			for i, e := range events {
				require.Equal(t, fmt.Sprintf("%s-%d", e.ReportID, e.Index), e.ID)
				require.False(t, i > 0 && e.ReceivedAt.After(events[i-1].ReceivedAt))
				ids = append(ids, e.ID)
			}
			if len(events) < q.Limit {
				return ids
			}
			after := events[len(events)-1].Cursor()
			q.After, q.Skip = &after, 0
		}
	}
	for limit := enginetest.Sized(1, 7); limit < 9; limit++ {
		ids := read(models.EventQuery{Types: all, Limit: limit})
		require.Len(t, ids, 120)
		slices.Sort(ids)
		require.Len(t, slices.Compact(ids), 120)
	}
	require.Len(t, read(models.EventQuery{Types: all[:1], Limit: 100}), 40)
	require.Len(t, read(models.EventQuery{Types: all, Limit: 100, Skip: 100}), 20)
	require.Len(t, read(models.EventQuery{Types: all, Limit: 100, Search: "ärger 1"}), 20)
	require.Len(t, read(models.EventQuery{Types: all, Limit: 100, Search: "%"}), 0)
	require.Len(t, read(models.EventQuery{Types: all[:1], Limit: 100, DeviceIDs: []string{"d-0", "else"}}), 14)
	require.Len(t, read(models.EventQuery{Types: all[:1], Limit: 100, UpdateUUID: testUpdate}), 30)
	require.Empty(t, read(models.EventQuery{Types: all, Limit: 100, Platform: models.Android}))
	require.Empty(t, read(models.EventQuery{Types: all, Limit: 100, Channel: "x' OR 1=1 --"}))
}

func TestEvaluationsAndRefusalsCountOnce(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	evaluated := func(value string, count int64, daysAgo int) models.FlagEvaluations {
		at := startOfDay(now, daysAgo).Add(time.Hour)
		return models.FlagEvaluations{
			ProjectID: 7, FlagKey: "checkout", Channel: "c", Value: value, Count: count, ReceivedAt: at, LastAt: at.Add(-time.Minute),
		}
	}
	evaluations := []models.FlagEvaluations{evaluated("true", 5, 0), evaluated("true", 2, 0), evaluated("false", 3, 1), evaluated("true", 9, 40)}
	refusal := func(channel, device string, requests int64) models.RefusedRequests {
		return models.RefusedRequests{
			RefusedRequest: models.RefusedRequest{
				ProjectID: 7, Reason: models.RefusedUnknownChannel, Channel: channel, Platform: "ios", RuntimeVersion: "1", DeviceID: device,
			},
			Requests: requests, At: now,
		}
	}
	refusals := []models.RefusedRequests{refusal("a", "d1", 3), refusal("a", "d2", 1), refusal("a", "", 4), refusal("b", "", 1)}
	for range 3 {
		require.NoError(t, c.InsertEvaluations(t.Context(), "token", evaluations))
		require.NoError(t, c.InsertRefused(t.Context(), "token", refusals))
	}
	require.NoError(t, c.InsertRefused(t.Context(), "another", refusals[:1]))

	s, err := c.FlagEvaluations(t.Context(), 7, "checkout", 7, now)
	require.NoError(t, err)
	last := evaluations[0].LastAt
	require.Equal(t, models.FlagEvaluationSummary{Total: 10, LastEvaluatedAt: &last, Days: []models.FlagEvaluationDay{
		{Day: startOfDay(now, 1), Value: "false", Count: 3}, {Day: startOfDay(now, 0), Value: "true", Count: 7},
	}}, s)
	s, err = c.FlagEvaluations(t.Context(), 7, "unknown", 7, now)
	require.NoError(t, err)
	require.Equal(t, models.FlagEvaluationSummary{}, s)

	refused, err := c.ListRefused(t.Context(), 7, now)
	require.NoError(t, err)
	summary := func(channel string, requests, devices int64) models.RefusedSummary {
		return models.RefusedSummary{
			Reason: models.RefusedUnknownChannel, Channel: channel, Platform: "ios", RuntimeVersion: "1", Requests: requests, Devices: devices, LastSeenAt: now,
		}
	}
	require.Equal(t, []models.RefusedSummary{summary("a", 11, 2), summary("b", 1, 0)}, refused)
	refused, err = c.ListRefused(t.Context(), 8, now)
	require.NoError(t, err)
	require.Empty(t, refused)
}

// A retry must not store anything twice in the tables of views, even if the first attempt stopped between a table and
// a view.
func TestRollUpsStayRightWhenAnInsertIsCompleted(t *testing.T) {
	t.Parallel()
	c := migratedAlone(t)
	now := truthNow()
	r := testReport("a", models.EventCrash, models.EventAppLaunch)
	r.Events[0].FlagStates = models.TextsOf(map[string]string{"checkout": "true"})
	serve := models.Exposure{ProjectID: r.ProjectID, DeviceID: "a", UpdateUUID: testUpdate, Kind: models.ExposureManifest, ServedAt: now}
	views := []string{"activity_mv", "device_days_mv", "flag_activity_mv", "downloads_mv"}
	for _, view := range views {
		require.NoError(t, c.conn.Exec(t.Context(), "DETACH TABLE "+view))
	}
	store := func() {
		require.NoError(t, insertAll(t, c, "token", []models.HealthReport{r}))
		require.NoError(t, c.InsertExposures(t.Context(), "token", []models.Exposure{serve}))
	}
	store()
	for _, view := range views {
		require.NoError(t, c.conn.Exec(t.Context(), "ATTACH TABLE "+view))
	}
	for range 3 {
		store()
		require.Equal(t, 17, count(t, c, "SELECT sum(crashes) FROM activity"))
		require.Equal(t, 1, count(t, c, "SELECT sum(crashes) FROM device_days"))
		require.Equal(t, 2, count(t, c, "SELECT sum(states) FROM flag_activity"))
		require.Equal(t, 1, count(t, c, "SELECT sum(serves) FROM downloads WHERE update_uuid = ''"))
	}
}

// A report must add only a limited number of rows, for any flagStates that a device sends.
func TestFlagStatesAreBounded(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	r := testReport("a", models.EventCrash)
	states := map[string]string{"no key": "x", "": "x", "漢字": "x", uuid.NewString() + "/": "x"}
	for n := range 1000 {
		states[fmt.Sprintf("flag-%03d", n)] = strings.Repeat("v", 500)
	}
	r.Events[0].FlagStates = models.TextsOf(states)
	require.NoError(t, insertAll(t, c, "token", []models.HealthReport{r}))
	impacts, err := c.FlagImpacts(t.Context(), r.ProjectID, models.FlagImpactQuery{Days: 1}, truthNow())
	require.NoError(t, err)
	require.Len(t, impacts, 100)
	require.Equal(t, "flag-000", impacts[0].FlagKey)
	require.Len(t, impacts[0].Variation, 256)
}

func TestDashboardsAwayAreUnavailable(t *testing.T) {
	t.Parallel()
	c := openTestClickHouse(t, "http://user:s3cret@127.0.0.1:1/waft")
	_, err := c.Adoption(t.Context(), 7, 7, truthNow())
	requireUnavailable(t, err)
	_, err = c.Timeseries(t.Context(), 7, models.TimeseriesQuery{Period: "1h"}, truthNow())
	requireUnavailable(t, err)
	_, err = c.Events(t.Context(), 7, models.EventQuery{Limit: 1}, truthNow())
	requireUnavailable(t, err)
}

func TestReleaseHours(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC().Truncate(time.Hour).Add(17 * time.Minute) // may be in the future, because the queries do not read the clock
	var reports []models.HealthReport
	report := func(device string, back time.Duration, types ...models.HealthEventType) {
		r := testReport(device, types...)
		r.ReceivedAt = now.Add(-back)
		if len(r.Events) > 0 {
			r.Events[0].FlagStates = models.TextsOf(map[string]string{"checkout": map[bool]string{true: "true", false: "false"}[len(types) > 1]})
		}
		reports = append(reports, r)
	}
	for n := range 30 {
		report(fmt.Sprintf("d-%d", n), 10*time.Minute, models.EventAppLaunch)
		for hour := 2; hour < 24; hour++ {
			report(fmt.Sprintf("d-%d", n), time.Duration(hour)*time.Hour)
		}
	}
	report("d-1", 5*time.Hour, models.EventJSError)
	report("d-1", 30*time.Hour, models.EventJSError)
	for n := range 8 {
		report(fmt.Sprintf("d-%d", n), 20*time.Minute, models.EventCrash, models.EventAppLaunch)
	}
	require.NoError(t, insertAll(t, c, "token", reports))
	hours, err := c.ReleaseHours(t.Context(), reports[0].ProjectID, now)
	require.NoError(t, err)
	require.Equal(t, []models.ReleaseHour{{
		UpdateUUID: testUpdate, Channel: "production", Platform: models.IOS, RuntimeVersion: "1.4.0",
		DeviceCounts: models.DeviceCounts{Devices: 30, ErroredDevices: 8, CrashedDevices: 8}, Before: models.DeviceCounts{Devices: 22 * 30, ErroredDevices: 1},
	}}, hours)
	states, err := c.FlagStates(t.Context(), reports[0].ProjectID, hours[0], now)
	require.NoError(t, err)
	require.Equal(t, []models.FlagState{
		{FlagKey: "checkout", Variation: "true", DeviceCounts: models.DeviceCounts{Devices: 8, ErroredDevices: 8}},
		{FlagKey: "checkout", Variation: "false", DeviceCounts: models.DeviceCounts{Devices: 30}},
	}, states)
}

func TestParametersAreBoundAsText(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	for _, text := range []string{"'", `\`, "a\tb", "--", "{x:String}", "\x00", "'; DROP TABLE health_events; --"} {
		_, err := c.Timeseries(t.Context(), 7, models.TimeseriesQuery{Period: "1h", Channel: text, RuntimeVersion: text}, truthNow())
		require.NoError(t, err, "%q", text)
		_, err = c.Events(t.Context(), 7, models.EventQuery{
			Types: []models.HealthEventType{models.EventCrash}, Limit: 1, Search: text, DeviceIDs: []string{text}, Channel: text,
		}, truthNow())
		require.NoError(t, err, "%q", text)
	}
	var n uint64
	require.NoError(t, c.conn.QueryRow(t.Context(), "SELECT length({x:String})", clickhouse.Named("x", "a\tb")).Scan(&n))
	require.EqualValues(t, 3, n)
}
