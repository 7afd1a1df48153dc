package telemetry

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// streamReports returns reports of two streams: a large stream in which a tenth of the devices still runs another
// release, and a small stream.
func streamReports(now time.Time) (reports []models.HealthReport) {
	report := func(device, channel, update string, ago time.Duration, types ...models.HealthEventType) {
		r := testReport(device, append(types, models.EventAppLaunch)...)
		r.Channel, r.UpdateUUID, r.ReceivedAt = channel, update, now.Add(-ago)
		reports = append(reports, r)
	}
	for n := range 1000 {
		device := fmt.Sprintf("large-%d", n)
		report(device, "production", "old", 5*time.Hour)
		if n%10 != 0 {
			report(device, "production", "new", time.Hour)
		}
		if n%50 == 0 {
			report(device, "production", "old", 4*time.Hour, models.EventCrash)
		}
	}
	for n := range 4 {
		report(fmt.Sprintf("small-%d", n), "staging", []string{"new", ""}[n%2], 2*time.Hour)
	}
	report("yesterday's", "staging", "old", 30*time.Hour, models.EventCrash)
	return reports
}

func activityOf(t *testing.T, c *ClickHouse, now time.Time) []models.StreamActivity {
	t.Helper()
	all, err := c.StreamActivity(t.Context(), 7, now)
	require.NoError(t, err)
	slices.SortFunc(all, func(a, b models.StreamActivity) int { return a.Compare(b.Stream) })
	return all
}

func TestStreamActivityIsExactForFewDevices(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	reports := streamReports(now)
	foreign := testReport("foreign", models.EventCrash)
	foreign.ProjectID = 8
	require.NoError(t, insertAll(t, c, "token", append(reports, foreign)))
	failed := testExposure("failed")
	failed.Kind, failed.Channel, failed.ServedAt = models.ExposureFailure, "staging", now
	require.NoError(t, c.InsertExposures(t.Context(), "exposures", []models.Exposure{failed}))
	refusal := func(device, runtimeVersion string, reason models.RefusalReason, ago time.Duration) models.RefusedRequests {
		r := testRefusal(device, now.Add(-ago), 3)
		r.Channel, r.RuntimeVersion, r.Reason = "staging", runtimeVersion, reason
		return r
	}
	require.NoError(t, c.InsertRefused(t.Context(), "refused", []models.RefusedRequests{
		refusal("a", "1.4.0", models.RefusedNoRelease, 0), refusal("a", "1.4.0", models.RefusedRateLimited, 3*time.Hour),
		refusal("b", "1.4.0", models.RefusedNoRelease, 2*time.Hour), refusal("c", "1.4.0", models.RefusedNoRelease, 26*time.Hour),
		refusal("a", "0.9.0", models.RefusedNoRelease, time.Hour), refusal("", "0.8.0", models.RefusedNoRelease, time.Hour),
	}))
	update := func(id string, devices int64) models.UpdateDevices {
		return models.UpdateDevices{UpdateUUID: id, Platform: models.IOS, RuntimeVersion: "1.4.0", Devices: devices}
	}
	all := activityOf(t, c, now)
	require.Len(t, all, 3)
	require.Equal(t, models.StreamActivity{
		Stream: models.Stream{Channel: "production", Platform: models.IOS, RuntimeVersion: "1.4.0"}, Devices: 1000,
		Updates: []models.UpdateDevices{update("new", 900), update("old", 100)},
	}, all[0])
	require.Equal(t, []models.StreamActivity{
		{Stream: models.Stream{Channel: "staging", Platform: models.IOS, RuntimeVersion: "0.9.0"}, Refused: 1},
		{
			Stream: models.Stream{Channel: "staging", Platform: models.IOS, RuntimeVersion: "1.4.0"}, Devices: 4,
			Updates: []models.UpdateDevices{update("", 2), update("new", 2)}, Refused: 2,
		},
	}, all[1:])
}

// Many devices are sampled, but a stream with few devices is counted completely.
func TestStreamActivityOfASample(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	require.NoError(t, insertAll(t, c, "token", streamReports(now)))
	c.exactRows, c.sampledDevices = 500, 500
	all := activityOf(t, c, now)
	require.Len(t, all, 2)
	production, staging := all[0], all[1]
	require.InEpsilon(t, 1000, production.Devices, 5*0.011)
	require.Equal(t, "new", production.Updates[0].UpdateUUID)
	require.InDelta(t, 0.9, float64(production.Updates[0].Devices)/float64(production.Devices), 5*math.Sqrt(0.09/500))
	require.Equal(t, production.Devices, production.Updates[0].Devices+production.Updates[1].Devices)
	require.EqualValues(t, 4, staging.Devices)
	require.Len(t, staging.Updates, 2)
	require.EqualValues(t, 2, staging.Updates[0].Devices)
}

// A device of a small stream that changed its release counts once, for the release that it changed to.
func TestMovedDevicesOfASmallStreamCountOnce(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	var reports []models.HealthReport
	report := func(device, update string, ago time.Duration) {
		r := testReport(device, models.EventAppLaunch)
		r.Channel, r.UpdateUUID, r.ReceivedAt = "staging", update, now.Add(-ago)
		reports = append(reports, r)
	}
	for n := range 20 {
		device := fmt.Sprintf("moved-%d", n)
		report(device, "old", 72*time.Hour)
		report(device, "old", 5*time.Hour)
		if n < 15 {
			report(device, "new", 4*time.Hour)
		}
		if n < 5 {
			report(device, "newest", 2*time.Hour)
		}
	}
	require.NoError(t, insertAll(t, c, "token", append(reports, streamReports(now)...)))
	c.exactRows, c.sampledDevices = 500, 100
	staging := activityOf(t, c, now)[1]
	require.EqualValues(t, 24, staging.Devices)
	devices := map[string]int64{}
	for _, u := range staging.Updates {
		devices[u.UpdateUUID] = u.Devices
	}
	require.Equal(t, map[string]int64{"newest": 5, "new": 12, "old": 5, "": 2}, devices)
}
