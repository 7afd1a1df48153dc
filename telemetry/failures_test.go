package telemetry

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// failureAt returns the exposure for a failure of testUpdate on the device before its first render.
func failureAt(deviceID string, at time.Time) models.Exposure {
	s := testExposure(deviceID)
	s.Kind, s.ServedAt = models.ExposureFailure, at
	return s
}

// A device repeats its failures in every request. They count as one crash, in the bucket of the first, in addition to
// the reports from the update that the device runs instead.
func TestAFailureBeforeTheFirstRenderIsOneCrash(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC().Truncate(time.Hour).Add(30 * time.Minute)
	for n, at := range []time.Time{now.Add(-time.Hour), now, now.Add(-3 * time.Hour), now} {
		require.NoError(t, c.InsertExposures(t.Context(), string(rune('a'+n)), []models.Exposure{failureAt("dead", at), failureAt("too", at.Add(time.Minute))}))
	}
	elsewhere := testReport("dead", models.EventAppLaunch)
	elsewhere.UpdateUUID, elsewhere.ReceivedAt = "", now.Add(-3*time.Hour).Add(time.Second)
	require.NoError(t, insertAll(t, c, "t", []models.HealthReport{elsewhere}))

	for period, exact := range map[models.TimeseriesPeriod]uint64{"6h": exactReports, "7d": exactReports, "90d": exactReports, "24h": 0, "30d": 0} {
		c.exactReports = exact
		for _, of := range []struct {
			filter            models.TimeseriesQuery
			devices, launches int64
			errored, crashes  int64
		}{
			{filter: models.TimeseriesQuery{}, devices: 2, launches: 1, errored: 2, crashes: 2},
			{filter: models.TimeseriesQuery{UpdateUUID: testUpdate}, devices: 2, errored: 2, crashes: 2},
			{filter: models.TimeseriesQuery{Channel: "production", Platform: models.IOS, RuntimeVersion: "1.4.0"}, devices: 2, launches: 1, errored: 2, crashes: 2},
			{filter: models.TimeseriesQuery{Channel: "staging"}},
			{filter: models.TimeseriesQuery{Platform: models.Android}},
			{filter: models.TimeseriesQuery{UpdateUUID: testUpdate, RuntimeVersion: "1.5.0"}},
		} {
			of.filter.Period = period
			got, err := c.Timeseries(t.Context(), 7, of.filter, now.Add(2*time.Minute))
			require.NoError(t, err)
			var sum models.Activity
			for _, p := range got.Points {
				sum.Launches, sum.Crashes, sum.Errors = sum.Launches+p.Launches, sum.Crashes+p.Crashes, sum.Errors+p.Errors
				sum.DeviceCounts = sum.Plus(p.DeviceCounts)
			}
			require.Equal(t, models.Activity{
				Launches: of.launches, Crashes: of.crashes,
				DeviceCounts: models.DeviceCounts{Devices: of.devices, ErroredDevices: of.errored, CrashedDevices: of.errored},
			}, sum, "%s %+v", period, of.filter)
		}
	}
	other, err := c.Timeseries(t.Context(), 8, models.TimeseriesQuery{Period: "6h"}, now)
	require.NoError(t, err)
	for _, p := range other.Points {
		require.Zero(t, p.DeviceCounts)
	}
}

// A failure that a device repeats in a period does not count in that period if the device reported it before,
// whatever the order in which both were received.
func TestAFailureThatIsRepeatedIsOld(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC().Truncate(time.Hour).Add(30 * time.Minute)
	for n, back := range []time.Duration{0, 3 * time.Hour, time.Minute} {
		require.NoError(t, c.InsertExposures(t.Context(), string(rune('a'+n)), []models.Exposure{failureAt("dead", now.Add(-back))}))
	}
	require.NoError(t, insertAll(t, c, "t", []models.HealthReport{launched("alive", now)}))
	for _, exact := range []uint64{exactReports, 0} {
		c.exactReports = exact
		for period, crashes := range map[models.TimeseriesPeriod]int64{"1h": 0, "6h": 1} {
			got, err := c.Timeseries(t.Context(), 7, models.TimeseriesQuery{Period: period}, now.Add(time.Second))
			require.NoError(t, err)
			require.Equal(t, exact > 0, got.Exact)
			var sum models.Activity
			for _, p := range got.Points {
				sum.Launches, sum.Crashes = sum.Launches+p.Launches, sum.Crashes+p.Crashes
				sum.DeviceCounts = sum.Plus(p.DeviceCounts)
			}
			require.Equal(t, models.Activity{
				Launches: 1, Crashes: crashes, DeviceCounts: models.DeviceCounts{Devices: 1 + crashes, ErroredDevices: crashes, CrashedDevices: crashes},
			}, sum, period)
		}
	}
}

// launched returns the report of a device's launch.
func launched(deviceID string, at time.Time) models.HealthReport {
	r := testReport(deviceID, models.EventAppLaunch)
	r.ReceivedAt = at
	return r
}

func TestFailuresBeforeTheFirstRenderMakeASpike(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC()
	var exposures []models.Exposure
	for _, device := range []string{"a", "b", "c"} {
		exposures = append(exposures, failureAt(device, now), failureAt(device, now.Add(-time.Second)))
	}
	yesterday := failureAt("d", now.Add(-20*time.Hour))
	exposures = append(exposures, yesterday, failureAt("d", now))
	require.NoError(t, c.InsertExposures(t.Context(), "t", exposures))
	crash := testReport("e", models.EventCrash)
	require.NoError(t, insertAll(t, c, "t", []models.HealthReport{crash, testReport("f", models.EventAppLaunch)}))
	hours, err := c.ReleaseHours(t.Context(), 7, now.Add(time.Second))
	require.NoError(t, err)
	require.Equal(t, []models.ReleaseHour{{
		UpdateUUID: testUpdate, Channel: "production", Platform: models.IOS, RuntimeVersion: "1.4.0",
		DeviceCounts: models.DeviceCounts{Devices: 5, ErroredDevices: 4, CrashedDevices: 4},
		Before:       models.DeviceCounts{Devices: 1, ErroredDevices: 1},
	}}, hours)
}
