package telemetry

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

func TestDevices(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	var reports []models.HealthReport
	report := func(device, channel, update string, ago time.Duration, types ...models.HealthEventType) {
		r := testReport(device, types...)
		r.Channel, r.UpdateUUID, r.ReceivedAt = channel, update, now.Add(-ago)
		reports = append(reports, r)
	}
	for n := range 30 { // many reports at the same moment
		report(fmt.Sprintf("same-%02d", n), "production", testUpdate, time.Hour)
	}
	report("moved", "production", testUpdate, 3*time.Hour, models.EventCrash, models.EventJSError)
	report("moved", "staging", "", time.Minute, models.EventJSError, models.EventAppLaunch)
	report("", "production", testUpdate, time.Second)
	report("a%b", "production", testUpdate, 2*time.Hour)
	require.NoError(t, insertAll(t, c, "same", reports[:30]))
	for n, r := range reports[30:] {
		require.NoError(t, insertAll(t, c, strconv.Itoa(n), []models.HealthReport{r}))
	}
	foreign := testReport("foreign", models.EventCrash)
	foreign.ProjectID = 8
	require.NoError(t, insertAll(t, c, "foreign", []models.HealthReport{foreign}))
	read := func(q models.DeviceQuery) (all []models.Device) {
		for {
			page, err := c.Devices(t.Context(), 7, q)
			require.NoError(t, err)
			for i := range page {
				q.After, page[i].Cursor = new(page[i].Cursor), models.Cursor{}
			}
			all = append(all, page...)
			if len(page) < q.Limit {
				return all
			}
		}
	}
	names := func(q models.DeviceQuery) (names []string) {
		for _, d := range read(q) {
			names = append(names, d.DeviceID)
		}
		return names
	}
	for limit := enginetest.Sized(2, 7); limit < 9; limit++ {
		all := names(models.DeviceQuery{Limit: limit})
		require.Equal(t, "moved", all[0])
		require.Equal(t, "a%b", all[31])
		require.Len(t, all, 32)
		slices.Sort(all)
		require.Len(t, slices.Compact(all), 32)
	}
	require.Equal(t, []models.Device{{
		Key: read(models.DeviceQuery{Limit: 1, IDs: []string{"moved"}})[0].Key, DeviceID: "moved", Platform: models.IOS, Channel: "staging",
		RuntimeVersion: "1.4.0", FirstSeenAt: now.Add(-3 * time.Hour), LastSeenAt: now.Add(-time.Minute), Errors: 2, Crashes: 1,
	}}, read(models.DeviceQuery{Limit: 2, IDs: []string{"moved", "unknown"}}))
	require.Equal(t, []string{"a%b"}, names(models.DeviceQuery{Limit: 5, Search: "A%"}))
	require.Equal(t, []string{"moved", "a%b"}, names(models.DeviceQuery{Limit: 5, Search: "A%", SearchIDs: []string{"moved"}}))
	require.Equal(t, []string{"moved"}, names(models.DeviceQuery{Limit: 5, Channel: "staging"}))
	require.Len(t, names(models.DeviceQuery{Limit: 5, UpdateUUID: testUpdate, Channel: "production"}), 31)
	require.Empty(t, names(models.DeviceQuery{Limit: 5, Search: "foreign"}))

	values := map[string]func(models.Device) string{
		"channel": func(d models.Device) string { return d.Channel }, "crashes": func(d models.Device) string { return strconv.FormatInt(d.Crashes, 10) },
		"deviceId": func(d models.Device) string { return d.DeviceID }, "errors": func(d models.Device) string { return strconv.FormatInt(d.Errors, 10) },
		"firstSeenAt": func(d models.Device) string { return d.FirstSeenAt.Format(time.RFC3339Nano) },
		"lastSeenAt":  func(d models.Device) string { return d.LastSeenAt.Format(time.RFC3339Nano) },
		"platform":    func(d models.Device) string { return string(d.Platform) }, "runtimeVersion": func(d models.Device) string { return d.RuntimeVersion },
	}
	for _, field := range models.DeviceSorts() {
		sorted := func(sort string) (list []string) {
			found := read(models.DeviceQuery{Limit: 7, Sort: sort})
			ids := map[string]bool{}
			for _, d := range found {
				ids[d.DeviceID] = true
				list = append(list, values[field](d))
			}
			require.Len(t, ids, 32, sort)
			return list
		}
		up, down := sorted(field), sorted("-"+field)
		require.True(t, slices.IsSorted(up), "%s: %v", field, up)
		slices.Reverse(down)
		require.Equal(t, up, down, field)
	}
	count := func(q models.DeviceQuery) int64 {
		n, err := c.CountDevices(t.Context(), 7, q)
		require.NoError(t, err)
		return *n
	}
	require.EqualValues(t, 32, count(models.DeviceQuery{}))
	require.EqualValues(t, 1, count(models.DeviceQuery{Channel: "staging"}))
	require.EqualValues(t, 2, count(models.DeviceQuery{Search: "A%", SearchIDs: []string{"moved"}}))
	require.Zero(t, count(models.DeviceQuery{Search: "foreign"}))
}

func TestDeviceReleases(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	crashed := testReport("d", models.EventJSError)
	crashed.ReceivedAt = now
	served, failed, other := testExposure("d"), testExposure("d"), testExposure("other")
	served.ServedAt = now.Add(-time.Minute)
	failed.UpdateUUID, failed.Kind, failed.ServedAt = "failed", models.ExposureFailure, now.Add(-time.Hour)
	require.NoError(t, insertAll(t, c, "reports", []models.HealthReport{crashed}))
	require.NoError(t, c.InsertExposures(t.Context(), "exposures", []models.Exposure{served, failed, other}))
	releases, err := c.DeviceReleases(t.Context(), 7, []string{"d"}, []string{testUpdate, "failed", "none"})
	require.NoError(t, err)
	require.Len(t, releases, 2)
	require.Equal(t, testUpdate, releases[0].UpdateUUID)
	require.True(t, releases[0].ServedAt.Equal(served.ServedAt))
	require.True(t, releases[0].FirstErrorAt.Equal(now))
	require.Nil(t, releases[0].FirstCrashAt)
	require.Equal(t, "production", releases[0].Channel)
	require.Nil(t, releases[1].ServedAt)
	require.True(t, releases[1].FailedAt.Equal(failed.ServedAt))
}
