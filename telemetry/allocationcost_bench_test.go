package telemetry

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// BenchmarkHealthOfAllocations queries the health of a release that 100,000 devices in 33,334 networks have reported.
// Half of the devices are in five allocations, and most other devices are in a hundred. A tenth of the networks are
// allocations of their own. The benchmark alternates with a query that ignores allocations, and reports both medians
// and their ratio.
func BenchmarkHealthOfAllocations(b *testing.B) {
	const devices = 100_000
	c := migrated(b)
	begin := time.Now().UTC().Add(-time.Hour).Truncate(time.Millisecond)
	var reports []models.HealthReport
	var exposures []models.Exposure
	for n := range devices {
		r := testReport(uuid.NewString(), models.EventAppLaunch)
		if r.ReceivedAt = begin; n%500 == 0 {
			r.Events = append(r.Events, models.HealthEvent{Type: models.EventCrash, Count: 1})
		}
		network := n / 3
		allocation := models.AllocationHash(1 + network%5)
		switch {
		case network%10 == 1:
			allocation = 0
		case network%2 == 1:
			allocation = models.AllocationHash(6 + network%100)
		}
		reports = append(reports, r)
		exposures = append(exposures, models.Exposure{
			ProjectID: r.ProjectID, DeviceID: r.DeviceID, Platform: r.Platform, Channel: r.Channel, RuntimeVersion: r.RuntimeVersion,
			UpdateUUID: r.UpdateUUID, Kind: models.ExposureManifest, ServedAt: r.ReceivedAt,
			Network: models.NetworkHash(1000 + network), Allocation: allocation,
		})
	}
	require.NoError(b, insertAll(b, c, "reports", reports))
	require.NoError(b, c.InsertExposures(b.Context(), "exposures", exposures))
	before, err := os.ReadFile("testdata/release_devices_of_networks.sql")
	require.NoError(b, err)

	queries := []models.HealthQuery{{
		ProjectID: 7, UpdateUUID: testUpdate, Salt: "release:1", Percentage: 100, Since: begin.Add(-time.Minute),
		MaxPerNetwork: 34, MaxPerAllocation: 66, AllocationVotes: models.Thresholds{}.MaxAllocationVotes(),
	}}
	args := healthArgs(queries, func(q models.HealthQuery) time.Time { return q.Since })
	took := map[string][]time.Duration{}
	for b.Loop() {
		for name, query := range map[string]string{"with": sqlReleaseDevices, "without": string(before)} {
			start := time.Now()
			rows, err := c.selectHealth(b.Context(), queries, query, args)
			took[name] = append(took[name], time.Since(start))
			require.NoError(b, err)
			require.Equal(b, []uint64{devices, (devices + 2) / 3}, []uint64{rows[0].Devices, rows[0].Networks}, name)
		}
	}
	median := func(name string) float64 {
		slices.Sort(took[name])
		return float64(took[name][len(took[name])/2].Microseconds()) / 1000
	}
	b.ReportMetric(median("with"), "ms")
	b.ReportMetric(median("without"), "ms-without")
	b.ReportMetric(median("with")/median("without"), "ratio")
}
