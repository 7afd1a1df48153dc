package telemetry

import (
	"strconv"
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

	got, err = c.Adoption(t.Context(), 7, 30, now)
	require.NoError(t, err)
	require.EqualValues(t, 3, got.Updates[0].Devices)
	require.EqualValues(t, 5, got.ActiveDevices)
}
