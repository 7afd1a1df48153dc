package telemetry

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// rowsOf counts rows in every table with rows of devices.
func rowsOf(t *testing.T, c *ClickHouse, where string) map[string]int {
	t.Helper()
	rows := map[string]int{}
	require.NoError(t, c.inDeviceTables(t.Context(), func(table deviceTable) error {
		rows[table.Name] = count(t, c, "SELECT count() FROM "+table.Name+" WHERE "+where)
		return nil
	}))
	require.Contains(t, rows, "health_events_v1")
	require.Contains(t, rows, "health_reports_v1")
	require.Contains(t, rows, "serves_v1")
	require.Contains(t, rows, "release_devices_v2")
	return rows
}

func TestDeleteDevicesLeavesNothingOfThemAndAllOfOthers(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	foreign, foreignServe := testReport("gone", models.EventCrash), testServe("gone")
	foreign.ProjectID, foreignServe.ProjectID = 8, 8
	require.NoError(t, c.InsertReports(t.Context(), "token", []models.HealthReport{
		testReport("gone", models.EventCrash), testReport("hash of gone", models.EventAppLaunch),
		testReport("stays", models.EventCrash), foreign,
	}))
	require.NoError(t, c.InsertServes(t.Context(), "token", []models.Serve{testServe("gone"), testServe("stays"), foreignServe}))
	before := rowsOf(t, c, "1")

	for range 2 {
		require.NoError(t, c.DeleteDevices(t.Context(), 7, []string{"gone", "hash of gone"}))
		left := rowsOf(t, c, "1")
		for table, rows := range left {
			want := 2
			if table == "release_devices_v2" {
				want = 4 // of what was reported and of what was served, not merged yet
			}
			require.Equal(t, want, rows, "%s had %d", table, before[table])
			require.Greater(t, before[table], rows)
		}
	}
	for _, table := range []string{"health_events_v1", "health_reports_v1", "serves_v1", "release_devices_v2"} {
		require.Equal(t, 0, count(t, c, "SELECT count() FROM "+table+" WHERE project_id = 7 AND device_id != 'stays'"), table)
	}
	health, err := c.ReleaseHealth(t.Context(), models.HealthQuery{
		ProjectID: 7, UpdateUUID: testUpdate, Salt: "s", Percentage: 100, Since: time.Now().Add(-time.Hour),
	})
	require.NoError(t, err)
	require.Equal(t, models.ReleaseHealth{Devices: 1, ErroredDevices: 1, CrashedDevices: 1}, health)
}

func TestDeleteBeforeKeepsWhatIsYounger(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC()
	for n, days := range []int{0, 2, 3, 4, 20} {
		r, s := testReport(fmt.Sprint("device-", n), models.EventCrash), testServe(fmt.Sprint("device-", n))
		r.ReceivedAt, s.ServedAt = now.AddDate(0, 0, -days), now.AddDate(0, 0, -days)
		foreign := r
		foreign.ProjectID = 8
		require.NoError(t, c.InsertReports(t.Context(), strconv.Itoa(n), []models.HealthReport{r, foreign}))
		require.NoError(t, c.InsertServes(t.Context(), strconv.Itoa(n), []models.Serve{s}))
	}
	require.NoError(t, c.DeleteBefore(t.Context(), 7, now.AddDate(0, 0, -3)))
	for table, rows := range rowsOf(t, c, "project_id = 7") {
		require.Equal(t, 3, rows, table)
	}
	for table, rows := range rowsOf(t, c, "project_id = 8") {
		if table != "serves_v1" {
			require.Equal(t, 5, rows, table)
		}
	}
}

func TestDeletingIsUnavailableWithoutClickHouse(t *testing.T) {
	t.Parallel()
	c := openTestClickHouse(t, "http://user:s3cret@127.0.0.1:1/waft")
	requireUnavailable(t, c.DeleteDevices(t.Context(), 7, []string{"d"}))
	requireUnavailable(t, c.DeleteBefore(t.Context(), 7, time.Now()))
}
