package telemetry

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/telemetry/breadcrumbs"
)

// count runs a query that returns one number.
func count(t testing.TB, c *ClickHouse, query string) int {
	t.Helper()
	var n uint64
	require.NoError(t, c.conn.QueryRow(t.Context(), query).Scan(&n))
	return int(n)
}

func TestInsertReportsKeepsEveryField(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	r := testReport("gerät-漢字-🚀", models.EventCrash, models.EventCustom)
	r.Events[0] = models.HealthEvent{
		Type: models.EventCrash, Name: "boot", Message: "it\tbroke\n'\"\\", ErrorName: "TypeError",
		StackTrace: "at a\nat b", ComponentStack: "in App", IsFatal: true, Count: 3,
		Tags: models.TextsOf(map[string]string{"screen": "home"}), FlagStates: models.TextsOf(map[string]string{"new-cart": "on"}),
		Breadcrumbs: []models.Breadcrumb{
			{
				At: time.UnixMilli(1_700_000_000_123).UTC(), Category: "ui.tap", Message: "<pay> 漢字", Level: models.BreadcrumbWarning,
				Data: models.TextsOf(map[string]string{"id": "\"7\""}),
			},
			{Message: "no time", Level: models.BreadcrumbInfo},
		},
	}
	require.NoError(t, insertAll(t, c, "token", []models.HealthReport{r}))

	var got models.HealthReport
	var e models.HealthEvent
	var platform, eventType, eventID, crumbs string
	var events uint32
	var tags, flagStates map[string]string
	err := c.conn.QueryRow(t.Context(), `
		SELECT project_id, toString(report_id), received_at, device_id, platform, channel, runtime_version, update_uuid,
			type, name, message, error_name, stack_trace, component_stack, is_fatal, count, tags, flag_states, breadcrumbs, event_id
		FROM health_events WHERE event_index = 0`).Scan(
		&got.ProjectID, &got.ID, &got.ReceivedAt, &got.DeviceID, &platform, &got.Channel, &got.RuntimeVersion, &got.UpdateUUID,
		&eventType, &e.Name, &e.Message, &e.ErrorName, &e.StackTrace, &e.ComponentStack, &e.IsFatal, &events,
		&tags, &flagStates, &crumbs, &eventID)
	require.NoError(t, err)
	e.Tags, e.FlagStates, e.Breadcrumbs = models.TextsOf(tags), models.TextsOf(flagStates), breadcrumbs.Of(crumbs)
	got.Platform, e.Type, e.Count = models.Platform(platform), models.HealthEventType(eventType), int64(events)
	got.Events = []models.HealthEvent{e, r.Events[1]}
	got.ReceivedAt = got.ReceivedAt.UTC()
	require.Equal(t, r, got)
	require.Equal(t, r.ID+"-0", eventID)
	require.Equal(t, `[{"timestamp":"2023-11-14T22:13:20.123Z","category":"ui.tap","message":"\u003cpay\u003e 漢字",`+
		`"level":"warning","data":{"id":"\"7\""}},`+
		`{"message":"no time","level":"info"}]`, crumbs)
	require.Equal(t, 1, count(t, c, "SELECT count() FROM health_events WHERE breadcrumbs = ''"))
	require.Equal(t, 2, count(t, c, "SELECT count() FROM health_events"))
	require.Equal(t, 3, count(t, c, "SELECT sum(crashes) FROM health_reports"))
	require.Equal(t, 1, count(t, c, "SELECT sum(customs) FROM health_reports"))
}

// More rows than rowsAtOnce must keep their order and their fields.
func TestInsertReportsOfManyRows(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	bucket := uint32(7)
	var reports []models.HealthReport
	for n := range 2*rowsAtOnce + 10 {
		r := testReport(fmt.Sprintf("device-%d", n), models.EventAppLaunch, "perf_sample", models.EventCustom)
		r.Events[0].Count, r.Events[2].Count = int64(n+1), 2
		r.Events[2].Tags = models.TextsOf(map[string]string{"n": strconv.Itoa(n)})
		if n%2 == 0 {
			r.ShareBucket = &bucket
		}
		reports = append(reports, r)
	}
	require.NoError(t, insertAll(t, c, "token", reports))
	require.Equal(t, 2*len(reports), count(t, c, "SELECT count() FROM health_events"))
	require.Equal(t, len(reports), count(t, c, `SELECT count() FROM health_events
		WHERE type = 'custom' AND event_index = 2 AND device_id = concat('device-', tags['n']) AND count = 2`))
	require.Equal(t, len(reports), count(t, c, `SELECT count() FROM health_reports
		WHERE device_id = concat('device-', toString(launches - 1)) AND customs = 2 AND isNull(share_bucket) = (launches % 2 = 0)`))
}

// A table may change while a process inserts into it.
func TestInsertAsksForTheColumnsAgainAfterAFailure(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	require.NoError(t, insertAll(t, c, "first", []models.HealthReport{testReport("a", models.EventCrash)}))
	for _, statement := range []string{sqlInsertHealthEvents, sqlInsertHealthReports} {
		known, ok := c.inserted.Load(statement)
		require.True(t, ok)
		columns := known.([]clickhouse.ColumnNameAndType)
		for _, column := range columns {
			require.NotContains(t, column.Type, "LowCardinality(String)", column.Name)
		}
		wrong := slices.Clone(columns)
		wrong[4].Type = "Array(String)" // simulates an older table
		c.inserted.Store(statement, wrong)
	}
	second := []models.HealthReport{testReport("b", models.EventCrash)}
	require.Error(t, insertAll(t, c, "second", second))
	require.Error(t, insertAll(t, c, "second", second), "of the other table")
	require.NoError(t, insertAll(t, c, "second", second))
	require.Equal(t, 2, count(t, c, "SELECT count() FROM health_events"))
	require.Equal(t, 2, count(t, c, "SELECT count() FROM health_reports"))
}

func TestInsertReportsSkipsUnknownEventsButCountsTheDevice(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	reports := []models.HealthReport{testReport("silent"), testReport("other", "perf_sample")}
	require.NoError(t, insertAll(t, c, "token", reports))
	require.Equal(t, 0, count(t, c, "SELECT count() FROM health_events"))
	require.Equal(t, 2, count(t, c, "SELECT count() FROM health_reports"))
	require.Equal(t, 2, count(t, c, "SELECT count() FROM device_releases"))
}

func TestInsertReportsStoresATokenOnce(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	// The reports span midnight, so every table gets a part per day.
	var reports []models.HealthReport
	for n := range 300 {
		r := testReport(fmt.Sprintf("device-%d", n%100), models.EventAppLaunch, models.EventCrash)
		r.ReceivedAt = time.Now().UTC().Truncate(24 * time.Hour).Add(time.Duration(n-150) * time.Second)
		for i := range r.Events { // failures and other events are inserted separately
			r.Events[i].FlagStates = models.TextsOf(map[string]string{"checkout": "on"})
		}
		reports = append(reports, r)
	}
	stored := func() [5]int {
		return [5]int{
			count(t, c, "SELECT count() FROM health_events"),
			count(t, c, "SELECT count() FROM health_reports"),
			count(t, c, "SELECT sum(launches) FROM device_releases"),
			count(t, c, "SELECT uniqExact(device_id) FROM device_releases"),
			count(t, c, "SELECT sum(states) FROM flag_activity WHERE grain = 'day'"),
		}
	}
	for range 4 {
		require.NoError(t, insertAll(t, c, "node/1-300", reports))
		require.Equal(t, [5]int{600, 300, 300, 100, 600}, stored())
	}
	// Only the token decides: the same reports in another range are stored again.
	require.NoError(t, insertAll(t, c, "node/301-600", reports))
	require.Equal(t, [5]int{1200, 600, 600, 100, 1200}, stored())
}

// A log that could not be emptied for long has more days than ClickHouse allows in an insert by default.
func TestInsertReportsTakesMonthsAtOnce(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	const days = 150
	reports := make([]models.HealthReport, days)
	for n := range reports {
		reports[n] = testReport(fmt.Sprintf("device-%d", n), models.EventAppLaunch)
		reports[n].ReceivedAt = time.Now().UTC().AddDate(0, 0, -n)
	}
	require.NoError(t, insertAll(t, c, "node/1-150", reports))
	require.Equal(t, days, count(t, c, "SELECT count() FROM device_releases"))
}

// ClickHouse may stop between the table and its view.
func TestInsertReportsCompletesAnInsertThatStoppedHalfWay(t *testing.T) {
	t.Parallel()
	c := migratedAlone(t)
	reports := []models.HealthReport{testReport("a", models.EventCrash), testReport("b", models.EventAppLaunch)}
	require.NoError(t, c.conn.Exec(t.Context(), "DETACH TABLE device_releases_reports_mv"))
	require.NoError(t, insertAll(t, c, "token", reports))
	require.NoError(t, c.conn.Exec(t.Context(), "ATTACH TABLE device_releases_reports_mv"))
	require.Equal(t, 0, count(t, c, "SELECT count() FROM device_releases"))

	for range 2 {
		require.NoError(t, insertAll(t, c, "token", reports))
		require.Equal(t, 2, count(t, c, "SELECT count() FROM device_releases"))
		require.Equal(t, 2, count(t, c, "SELECT count() FROM health_reports"))
		require.Equal(t, 2, count(t, c, "SELECT count() FROM health_events"))
	}
}

func TestInsertReportsNeedsAnID(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	require.ErrorContains(t, insertAll(t, c, "token", []models.HealthReport{{ID: "x"}}), `report id "x"`)
}

// An insert reuses the memory of the previous insert, but must not contain its data.
func TestInsertReportsLeavesNothingForTheNext(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	bucket := uint32(7)
	for n, events := range []int{40, 3, 0, 50} {
		var reports []models.HealthReport
		for range events {
			r := testReport(fmt.Sprintf("device-%d", n), models.EventCustom)
			r.Events[0].Tags = models.TextsOf(map[string]string{"n": strconv.Itoa(n), fmt.Sprintf("only-%d", n): ""})
			if n%2 == 0 {
				r.ShareBucket = &bucket
			}
			reports = append(reports, r)
		}
		reports = append(reports, testReport("silent"))
		require.NoError(t, insertAll(t, c, fmt.Sprintf("token-%d", n), reports))
		require.Equal(t, events, count(t, c, fmt.Sprintf(
			"SELECT count() FROM health_events WHERE device_id = 'device-%d' AND mapSort(tags) = map('n', '%d', 'only-%d', '')", n, n, n)))
		require.Equal(t, events, count(t, c, fmt.Sprintf(
			"SELECT count() FROM health_reports WHERE device_id = 'device-%d' AND isNull(share_bucket) = %d", n, n%2)))
	}
	require.Equal(t, 93, count(t, c, "SELECT count() FROM health_events"))
	require.Equal(t, 97, count(t, c, "SELECT count() FROM health_reports"))
}
