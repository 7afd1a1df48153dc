package telemetry

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// testLimited records that a report of the device on testUpdate was rejected by the rate limit.
func testLimited(deviceID string) models.LimitedReports {
	return models.LimitedReports{
		LimitedReport: models.LimitedReport{ProjectID: 7, DeviceID: deviceID, UpdateUUID: testUpdate},
		At:            time.Now().UTC().Truncate(time.Millisecond),
	}
}

// Each device that reported counts once: with its accepted reports, or as limited if no report was accepted.
func TestDevicesThatAreOnlyRefusedAreCountedApart(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	since := time.Now().Add(-time.Hour)
	counted, forged := testReport("counted", models.EventCrash), testReport("forged", models.EventCrash)
	earlier := testReport("earlier", models.EventCrash)
	earlier.ReceivedAt = since.Add(-time.Minute)
	failed := testExposure("failed")
	failed.Kind = models.ExposureFailure
	require.NoError(t, insertAll(t, c, "t", []models.HealthReport{counted, forged, earlier}))
	require.NoError(t, c.InsertExposures(t.Context(), "t", append(exposuresOf(counted, earlier), testExposure("failed"), failed)))
	old, foreign, other := testLimited("old"), testLimited("foreign"), testLimited("other")
	old.At, foreign.ProjectID, other.UpdateUUID = since.Add(-time.Second), 8, "0b1f9b2e-7b5c-4f0e-9a55-6d1f6f3c2a11"
	limited := []models.LimitedReports{
		testLimited("counted"), testLimited("forged"), testLimited("failed"), testLimited("earlier"),
		testLimited("flood"), testLimited("flood"), testLimited("neighbour"), old, foreign, other,
	}
	for range 2 {
		require.NoError(t, c.InsertLimited(t.Context(), "t", limited))
	}
	require.NoError(t, c.InsertLimited(t.Context(), "u", limited[4:5]))
	health, err := c.ReleaseHealth(t.Context(), models.HealthQuery{
		ProjectID: 7, UpdateUUID: testUpdate, Salt: "s", Percentage: 100, Since: since,
	})
	require.NoError(t, err)
	health.Votes = models.Votes{}
	require.Equal(t, models.ReleaseHealth{
		Devices: 2, ErroredDevices: 2, CrashedDevices: 2, NotServedDevices: 1, RateLimitedDevices: 3, // earlier, flood, neighbour
	}, health)
	require.EqualValues(t, 4, health.IgnoredDevices())
}
