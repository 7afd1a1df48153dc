package telemetry

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// BenchmarkReleaseHealth queries one release that 100,000 devices have reported ten times each, in as many inserts as
// a busy node makes.
func BenchmarkReleaseHealth(b *testing.B) {
	const devices, reportsEach = 100_000, 10
	c := migrated(b)
	begin := time.Now().UTC().Add(-48 * time.Hour).Truncate(time.Millisecond)
	batch := make([]models.HealthReport, 0, devices/10)
	ids := make([]string, devices)
	for n := range ids {
		ids[n] = uuid.NewString()
	}
	for round := range reportsEach {
		for n, id := range ids {
			r := testReport(id, models.EventAppLaunch)
			r.ReceivedAt = begin.Add(time.Duration(round)*4*time.Hour + time.Duration(n)*100*time.Millisecond)
			if n%100 == 0 && round == n/100%reportsEach {
				r.Events = append(r.Events, models.HealthEvent{Type: models.EventCrash, Count: 1})
			}
			if batch = append(batch, r); len(batch) == cap(batch) {
				token := fmt.Sprint("token", round, n)
				require.NoError(b, insertAll(b, c, token, batch))
				if round == 0 {
					require.NoError(b, c.InsertExposures(b.Context(), token, exposuresOf(batch...)))
				}
				batch = batch[:0]
			}
		}
	}
	starts := map[string]time.Duration{"new devices": -time.Hour, "devices from before": 9 * time.Hour}
	for name, offset := range starts {
		b.Run(name, func(b *testing.B) {
			q := models.HealthQuery{
				ProjectID: 7, UpdateUUID: testUpdate, Salt: "release:1", Percentage: 50, Since: begin.Add(offset),
			}
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				h, err := c.ReleaseHealth(b.Context(), q)
				require.NoError(b, err)
				require.InDelta(b, devices/2, h.Devices, devices/50)
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}
