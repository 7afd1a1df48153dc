package telemetry

import (
	"strconv"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// A rollout of a release that devices have had for weeks is observed as often as any other. The query must not read
// reports from before the rollout.
func TestObservationsReadNothingFromBeforeTheRollout(t *testing.T) {
	t.Parallel()
	const days, before = 20, 3
	c := migrated(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	since := now.Add(-before * 24 * time.Hour)
	require.NoError(t, c.InsertExposures(t.Context(), "served", []models.Exposure{testExposure("device")}))
	for day := range days {
		r := testReport("device", models.EventCrash)
		r.ReceivedAt = now.Add(-time.Duration(day) * 24 * time.Hour)
		r.Events = append(r.Events, models.HealthEvent{Type: models.EventCustom, Name: "checkout", Count: 1})
		require.NoError(t, insertAll(t, c, strconv.Itoa(day), []models.HealthReport{r}))
	}
	queries := []models.HealthQuery{{ProjectID: 7, UpdateUUID: testUpdate, Salt: "s", Percentage: 100, Since: since}}
	args := append(healthArgs(queries, func(q models.HealthQuery) time.Time { return q.Since }),
		clickhouse.Named("names", []uint64{1}), clickhouse.Named("below", []uint32{1}), clickhouse.Named("within", []int64{1}),
		clickhouse.Named("whole", []uint32{1}), milli("now", now))
	for name, of := range map[string]struct {
		query string
		parts uint64
	}{
		"events": {sqlEventDevices, before + 1}, "carried launches": {sqlCarriedLaunches, before + 1}, "carried devices": {sqlCarriedDevices, 2},
	} {
		type estimate struct {
			Table string `ch:"table"`
			Parts uint64 `ch:"parts"`
		}
		read, err := selectSeeing[estimate](t.Context(), c.database, []int64{7}, name,
			"SELECT table, parts FROM (EXPLAIN ESTIMATE "+of.query+")", args)
		require.NoError(t, err, name)
		parts := map[string]uint64{}
		for _, r := range read {
			parts[r.Table] = r.Parts
		}
		require.Positive(t, parts["health_reports"], name)
		require.LessOrEqual(t, parts["health_reports"], of.parts, name)
	}
}
