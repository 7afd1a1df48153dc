package telemetry

import (
	"fmt"
	"hash/crc32"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// deviceColumn is a column with device IDs or end users, as the engine describes it.
type deviceColumn struct {
	Table string `ch:"table"`
	Name  string `ch:"name"`
}

// deviceColumns returns these columns of all tables that store rows, including tables that later versions add.
func deviceColumns(t *testing.T, c *ClickHouse) (columns []deviceColumn) {
	t.Helper()
	require.NoError(t, c.conn.Select(t.Context(), &columns, `SELECT columns.table AS table, columns.name AS name
		FROM system.columns AS columns
		INNER JOIN system.tables AS tables ON tables.database = columns.database AND tables.name = columns.table
		WHERE columns.database = currentDatabase() AND tables.engine LIKE '%MergeTree'
			AND match(columns.name, '^(device|user|targeting|person|client|context|install|session)_?(id|key|uuid|name)?$')
		ORDER BY 1, 2`))
	return columns
}

// of returns the condition for the rows of the device.
func (d deviceColumn) of(t *testing.T, device string) string {
	t.Helper()
	switch d.Name {
	case "device_id":
		return fmt.Sprintf("device_id = '%s'", device)
	case "device_key":
		return fmt.Sprintf("device_key = reinterpretAsUInt128(sipHash128('%s'))", device)
	}
	require.FailNow(t, "a table has a column that may name people: teach DeleteDevices, and this test, what is in it", "%+v", d)
	return ""
}

// fill inserts rows for the devices of two projects into every table, with dates from the given number of days ago.
func fill(t *testing.T, c *ClickHouse, now time.Time, days int, devices ...string) {
	t.Helper()
	at := now.UTC().AddDate(0, 0, -days).Truncate(time.Millisecond)
	var reports []models.HealthReport
	var exposures []models.Exposure
	var limited []models.LimitedReports
	var refusals []models.RefusedRequests
	for _, project := range []int64{7, 8} {
		for _, device := range devices {
			r, s, l := testReport(device, models.EventCrash, models.EventAppLaunch), testExposure(device), testLimited(device)
			r.ProjectID, s.ProjectID, l.ProjectID = project, project, project
			r.ReceivedAt, s.ServedAt, l.At = at, at, at
			r.Events[0].FlagStates = models.TextsOf(map[string]string{"flag": "on"})
			// Each device has a group of its own, because few samples are kept per group.
			r.Events[0].Group = models.EventGroup{Fingerprint: models.Fingerprint(crc32.ChecksumIEEE([]byte(device))) + 1}
			failure := s
			failure.Kind = models.ExposureFailure
			reports, exposures, limited = append(reports, r), append(exposures, s, failure), append(limited, l)
			refusals = append(refusals, models.RefusedRequests{
				RefusedRequest: models.RefusedRequest{ProjectID: project, Reason: models.RefusedNoRelease, DeviceID: device}, Requests: 1, At: at,
			})
		}
	}
	token := fmt.Sprint("day ", days)
	require.NoError(t, insertAll(t, c, token, reports))
	require.NoError(t, c.InsertExposures(t.Context(), token, exposures))
	require.NoError(t, c.InsertLimited(t.Context(), token, limited))
	require.NoError(t, c.InsertRefused(t.Context(), token, refusals))
}

func TestDeleteDevicesLeavesNothingOfThemAndAllOfOthers(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	fill(t, c, time.Now(), 0, "gone", "hash of gone", "stays")
	columns := deviceColumns(t, c)
	require.Subset(t, columns, []deviceColumn{
		{"device_days", "device_key"}, {"health_events", "device_id"}, {"health_reports", "device_id"},
		{"limited_devices", "device_id"}, {"device_releases", "device_id"}, {"device_releases", "device_key"}, {"exposures", "device_id"},
	})
	rows := func(column deviceColumn, project int, device string) int {
		return count(t, c, fmt.Sprintf("SELECT count() FROM %s WHERE project_id = %d AND %s", column.Table, project, column.of(t, device)))
	}
	for _, column := range columns {
		require.Positive(t, rows(column, 7, "gone"), "fill puts nothing into %+v", column)
	}
	for range 2 {
		require.NoError(t, c.DeleteDevices(t.Context(), 7, []string{"gone", "hash of gone"}))
		for _, column := range columns {
			require.Zero(t, rows(column, 7, "gone"), column)
			require.Zero(t, rows(column, 7, "hash of gone"), column)
			require.Positive(t, rows(column, 7, "stays"), column)
			require.Positive(t, rows(column, 8, "gone"), column)
		}
	}
	health, err := c.ReleaseHealth(t.Context(), models.HealthQuery{
		ProjectID: 7, UpdateUUID: testUpdate, Salt: "s", Percentage: 100, Since: time.Now().Add(-time.Hour),
	})
	require.NoError(t, err)
	health.Votes = models.Votes{}
	require.Equal(t, models.ReleaseHealth{Devices: 1, Launches: 1, ErroredDevices: 1, CrashedDevices: 1}, health)
}

// Only the columns above may identify a device. An ID in any other column would survive a deletion.
func TestNoOtherColumnNamesADevice(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	fill(t, c, time.Now(), 0, "a-device-that-is-named")
	var columns []deviceColumn
	require.NoError(t, c.conn.Select(t.Context(), &columns, `SELECT columns.table AS table, columns.name AS name
		FROM system.columns AS columns
		INNER JOIN system.tables AS tables ON tables.database = columns.database AND tables.name = columns.table
		WHERE columns.database = currentDatabase() AND tables.engine LIKE '%MergeTree' AND columns.type LIKE '%String%'
			AND columns.type NOT LIKE 'AggregateFunction%' AND columns.name != 'device_id' AND columns.default_kind != 'ALIAS'`))
	require.NotEmpty(t, columns)
	for _, column := range columns {
		require.Zero(t, count(t, c, fmt.Sprintf(
			"SELECT count() FROM %s WHERE position(toString(%s), 'a-device-that-is-named') > 0", column.Table, column.Name)), column)
	}
}

func TestDeleteBeforeKeepsWhatIsYounger(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC() // one fixed day, even if the test runs over midnight
	for n, days := range []int{0, 2, 3, 4, 20} {
		fill(t, c, now, days, fmt.Sprint("device-", n))
	}
	require.NoError(t, c.DeleteBefore(t.Context(), 7, now.AddDate(0, 0, -3)))
	for _, column := range deviceColumns(t, c) {
		for n := range 5 {
			left := func(project int) int {
				return count(t, c, fmt.Sprintf("SELECT count() FROM %s WHERE project_id = %d AND %s",
					column.Table, project, column.of(t, fmt.Sprint("device-", n))))
			}
			require.Equal(t, n < 3, left(7) > 0, "%+v of device %d", column, n)
			require.Positive(t, left(8), "%+v of device %d", column, n)
		}
	}
}

func TestDeletingIsUnavailableWithoutClickHouse(t *testing.T) {
	t.Parallel()
	c := openTestClickHouse(t, "http://user:s3cret@127.0.0.1:1/waft")
	requireUnavailable(t, c.DeleteDevices(t.Context(), 7, []string{"d"}))
	requireUnavailable(t, c.DeleteBefore(t.Context(), 7, time.Now()))
}
