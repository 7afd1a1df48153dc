package telemetry

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// testUpdate is the release of testReport's devices.
const testUpdate = "0b1f9b2e-7b5c-4f0e-9a55-6d1f6f3c2a10"

// testReport returns a report with an ID and one event of each type.
func testReport(deviceID string, types ...models.HealthEventType) models.HealthReport {
	r := models.HealthReport{
		ID: uuid.Must(uuid.NewV7()).String(), ProjectID: 7, DeviceID: deviceID, Channel: "production",
		Platform: models.IOS, RuntimeVersion: "1.4.0", UpdateUUID: testUpdate,
		ReceivedAt: time.Now().UTC().Truncate(time.Millisecond),
	}
	for _, t := range types {
		r.Events = append(r.Events, models.HealthEvent{Type: t, Name: "n", Count: 1})
	}
	return r
}

// testExposure returns an exposure of the device to testUpdate.
func testExposure(deviceID string) models.Exposure {
	return models.Exposure{
		ProjectID: 7, DeviceID: deviceID, Platform: models.IOS, Channel: "production", RuntimeVersion: "1.4.0",
		UpdateUUID: testUpdate, Kind: models.ExposureManifest, ServedAt: time.Now().UTC().Truncate(time.Millisecond),
		Network: 1<<63 | 5, Allocation: 1<<63 | 7,
	}
}

// exposuresOf returns exposures of all devices that reported to the releases that they reported.
func exposuresOf(reports ...models.HealthReport) []models.Exposure {
	seen := map[string]bool{}
	var exposures []models.Exposure
	for _, r := range reports {
		s := models.Exposure{
			ProjectID: r.ProjectID, DeviceID: r.DeviceID, Platform: r.Platform, Channel: r.Channel,
			RuntimeVersion: r.RuntimeVersion, UpdateUUID: r.UpdateUUID, Kind: models.ExposureManifest, ServedAt: r.ReceivedAt,
			Network: networkOf(r.DeviceID), Allocation: allocationOf(r.DeviceID),
		}
		if !seen[exposureName(s)] {
			seen[exposureName(s)] = true
			exposures = append(exposures, s)
		}
	}
	return exposures
}

func exposureName(s models.Exposure) string {
	return fmt.Sprint(s.ProjectID, " ", s.DeviceID, " ", s.UpdateUUID, " ", s.Kind)
}

func requireUnavailable(t testing.TB, err error) {
	t.Helper()
	require.Equal(t, models.CodeUnavailable, models.CodeOf(err), "%v", err)
	require.NotContains(t, err.Error(), "s3cret")
}

// insertAll inserts the reports and then their errors, like the ingest log.
func insertAll(t testing.TB, c *ClickHouse, token string, reports []models.HealthReport) error {
	t.Helper()
	if err := c.InsertReports(t.Context(), token, reports); err != nil {
		return err
	}
	if err := c.InsertEvents(t.Context(), token, reports); err != nil {
		return err
	}
	return c.InsertErrors(t.Context(), token, reports)
}

// insertInTurn inserts reports and their exposures by release: first the first report of each release, then the second of each, and so
// on. An insert for many releases costs little more than an insert for one.
func insertInTurn(t testing.TB, c *ClickHouse, reports map[string][]models.HealthReport) {
	t.Helper()
	for turn := 0; ; turn++ {
		var together []models.HealthReport
		for update, all := range reports {
			if turn < len(all) {
				r := all[turn]
				r.UpdateUUID = update
				together = append(together, r)
			}
		}
		if len(together) == 0 {
			return
		}
		require.NoError(t, insertAll(t, c, fmt.Sprint("turn ", turn), together))
		require.NoError(t, c.InsertExposures(t.Context(), fmt.Sprint("turn ", turn), exposuresOf(together...)))
	}
}
