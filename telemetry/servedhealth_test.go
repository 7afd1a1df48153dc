package telemetry

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// servedBy returns a stream that is served the updates.
func servedBy(channel string, updates ...string) models.ServedStream {
	s := models.ServedStream{Stream: models.Stream{Channel: channel, Platform: models.IOS, RuntimeVersion: "1.4.0"}}
	for i, update := range updates {
		s.Served = append(s.Served, models.ServedUpdate{ReleaseID: int64(i + 1), UpdateUUID: update})
	}
	return s
}

// After a rollback only the devices that reported on the good release count, by exact counts and by sketches.
func TestServedHealthCountsOnlyServedReleases(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	var reports []models.HealthReport
	report := func(device, channel, update string, ago time.Duration, types ...models.HealthEventType) {
		r := testReport(device, append(types, models.EventAppLaunch)...)
		r.Channel, r.UpdateUUID, r.ReceivedAt = channel, update, now.Add(-ago)
		reports = append(reports, r)
	}
	for n := range 100 {
		device := fmt.Sprint("device-", n)
		report(device, "production", "bad", 2*time.Hour, models.EventCrash)
		if n < 40 {
			report(device, "production", "good", time.Hour)
			report(device, "production", "good", time.Minute)
		}
	}
	report("device-0", "production", "good", time.Minute, models.EventJSError)
	report("new", "production", "next", time.Minute, models.EventCrash)
	report("device-1", "production", "next", time.Minute)
	report("tester", "staging", "good", time.Minute, models.EventCrash)
	report("yesterday's", "production", "good", 30*time.Hour, models.EventCrash)
	report("embedded", "beta", "", time.Hour, models.EventCrash)
	require.NoError(t, insertAll(t, c, "token", reports))
	failed := testExposure("failed")
	failed.Kind, failed.Channel, failed.UpdateUUID, failed.ServedAt = models.ExposureFailure, "production", "next", now
	require.NoError(t, c.InsertExposures(t.Context(), "exposures", []models.Exposure{failed}))

	good := models.DeviceCounts{Devices: 40, ErroredDevices: 1}
	next := models.DeviceCounts{Devices: 3, ErroredDevices: 2, CrashedDevices: 2}
	for _, exact := range []uint64{exactReports, 0, 50} {
		c.exactReports = exact
		health, err := c.ServedHealth(t.Context(), 7, []models.ServedStream{servedBy("production", "good"), servedBy("beta", "")}, false, now)
		require.NoError(t, err)
		require.Equal(t, good, health[servedBy("production").Stream].DeviceCounts)
		require.Equal(t, map[string]models.DeviceCounts{"good": good}, health[servedBy("production").Stream].Updates)
		require.EqualValues(t, 1, health[servedBy("beta").Stream].CrashedDevices)
		require.Len(t, health, 2)

		health, err = c.ServedHealth(t.Context(), 7, []models.ServedStream{servedBy("production", "next", "good")}, false, now)
		require.NoError(t, err)
		production := health[servedBy("production").Stream]
		require.Equal(t, models.DeviceCounts{Devices: 42, ErroredDevices: 3, CrashedDevices: 2}, production.DeviceCounts, "device-1 counts once")
		require.Equal(t, map[string]models.DeviceCounts{"good": good, "next": next}, production.Updates)

		// Every other target is served the embedded update.
		for _, of := range [][]models.ServedStream{{servedBy("production", "good")}, nil} {
			health, err = c.ServedHealth(t.Context(), 7, of, true, now)
			require.NoError(t, err)
			require.Len(t, health, 1+len(of))
			require.Equal(t, models.DeviceCounts{Devices: 1, ErroredDevices: 1, CrashedDevices: 1}, health[servedBy("beta").Stream].DeviceCounts)
		}
		health, err = c.ServedHealth(t.Context(), 7, []models.ServedStream{servedBy("beta", "good")}, true, now)
		require.NoError(t, err)
		require.Empty(t, health, "beta is served a release that none of its devices reported")
	}
	health, err := c.ServedHealth(t.Context(), 7, nil, false, now)
	require.NoError(t, err)
	require.Empty(t, health)
}

// For every release and channel, the overview and the release's timeseries of 24 hours count the same devices.
func TestServedHealthEqualsTheTimeseries(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	w := inventReports(rand.New(rand.NewPCG(3, 4)), 6_000, 1_500, 3, truthNow())
	w.store(t, c)
	var served []models.ServedStream
	for _, r := range w.reports {
		stream := models.Stream{Channel: r.Channel, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion}
		i := slices.IndexFunc(served, func(s models.ServedStream) bool { return s.Stream == stream })
		if i < 0 {
			i, served = len(served), append(served, models.ServedStream{Stream: stream})
		}
		if u := (models.ServedUpdate{UpdateUUID: r.UpdateUUID}); r.UpdateUUID != "" && !slices.Contains(served[i].Served, u) {
			served[i].Served = append(served[i].Served, u)
		}
	}
	for _, exact := range []uint64{exactReports, 0, 700} {
		c.exactReports = exact
		health, err := c.ServedHealth(t.Context(), truthProject, served, true, w.now)
		require.NoError(t, err)
		compared := 0
		for _, s := range served {
			for _, u := range s.Served {
				series, err := c.Timeseries(t.Context(), truthProject, models.TimeseriesQuery{
					Period: "24h", Channel: s.Channel, Platform: s.Platform, RuntimeVersion: s.RuntimeVersion, UpdateUUID: u.UpdateUUID,
				}, w.now)
				require.NoError(t, err)
				require.Equal(t, series.Total.DeviceCounts, health[s.Stream].Updates[u.UpdateUUID], "%d %+v", exact, s)
				compared++
			}
		}
		require.Greater(t, compared, 10)
	}
}
