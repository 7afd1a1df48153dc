package telemetry

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// Devices that moved between releases, channels and runtime versions count once, by their last report, whatever the
// order of the inserts.
func TestAdoptionCountsEachDeviceOnce(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	report := func(device, update, channel, runtimeVersion string, ago time.Duration) models.HealthReport {
		r := testReport(device, models.EventAppLaunch)
		r.UpdateUUID, r.Channel, r.RuntimeVersion, r.ReceivedAt = update, channel, runtimeVersion, now.Add(-ago)
		return r
	}
	const day = 24 * time.Hour
	reports := []models.HealthReport{
		report("moved release", "new", "production", "1", time.Minute),
		report("moved release", "old", "production", "1", day),
		report("moved channel", "old", "production", "1", day),
		report("moved channel", "old", "staging", "1", time.Hour),
		report("moved runtime", "", "production", "1", 2*day),
		report("moved runtime", "", "production", "2", 2*time.Hour),
		report("went back", "old", "production", "1", 3*day),
		report("went back", "new", "production", "1", 2*day),
		report("went back", "old", "production", "1", day),
		report("long ago", "old", "production", "1", 20*day),
	}
	for n, r := range reports {
		require.NoError(t, insertAll(t, c, strconv.Itoa(n), []models.HealthReport{r}))
	}
	got, err := c.Adoption(t.Context(), 7, 7, now)
	require.NoError(t, err)
	require.Equal(t, []models.UpdateDevices{
		{UpdateUUID: "old", Platform: models.IOS, RuntimeVersion: "1", Devices: 2},
		{UpdateUUID: "", Platform: models.IOS, RuntimeVersion: "2", Devices: 1},
		{UpdateUUID: "new", Platform: models.IOS, RuntimeVersion: "1", Devices: 1},
	}, got.Updates)
	require.EqualValues(t, 4, got.ActiveDevices, "the percentages add up to 100")
	require.True(t, got.Exact)

	whole := got
	got, err = c.Adoption(t.Context(), 7, 30, now)
	require.NoError(t, err)
	require.EqualValues(t, 3, got.Updates[0].Devices)
	require.EqualValues(t, 5, got.ActiveDevices)

	// Two hours before noon, a device moved. It counts under the new release on that day.
	noon := now.Truncate(day).Add(-12 * time.Hour)
	var sameDay []models.HealthReport
	for n, update := range []string{"new", "old", "old"} {
		r := testReport("moved the same day", models.EventAppLaunch)
		r.UpdateUUID, r.ReceivedAt = update, noon.Add(-time.Duration(n)*time.Hour)
		sameDay = append(sameDay, r)
	}
	require.NoError(t, insertAll(t, c, "same day", sameDay))
	got, err = c.Adoption(t.Context(), 7, 7, now)
	require.NoError(t, err)
	devicesOn := func(a models.Adoption, at time.Time) (devices map[string]int64) {
		devices = map[string]int64{}
		for _, d := range a.ByDay {
			if d.Day.Equal(at.Truncate(day)) {
				devices[d.UpdateUUID] = d.Devices
			}
		}
		return devices
	}
	before, after := devicesOn(whole, noon), devicesOn(got, noon)
	require.Equal(t, before["old"], after["old"])
	require.Equal(t, before["new"]+1, after["new"])

	// A database of an earlier version gets the same numbers, because its reports are still stored.
	file, err := schemaFiles.ReadFile("schema/00021_adoption_days.sql")
	require.NoError(t, err)
	require.NoError(t, c.conn.Exec(t.Context(), "TRUNCATE TABLE adoption_days"))
	inserts := 0
	for statement := range strings.SplitSeq(sqlComment.ReplaceAllString(string(file), ""), ";\n") {
		if statement = strings.TrimSpace(statement); insertRows.MatchString(statement) {
			require.NoError(t, c.conn.Exec(t.Context(), statement))
			inserts++
		}
	}
	require.Equal(t, 2, inserts)
	again, err := c.Adoption(t.Context(), 7, 7, now)
	require.NoError(t, err)
	require.Equal(t, got.ByDay, again.ByDay)
}
