package telemetry

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// What was reported before activity_v2 is in it once, whenever it came in: before the
// upgrade, while it ran, or after, and although a crash has parts of it repeated. Each
// device is one of few enough that sketches are exact.
func TestEarlierActivityIsTakenOver(t *testing.T) {
	t.Parallel()
	url := migratedURLTo(t, 23)
	c := openTestClickHouse(t, url)
	w := newWorld(rand.New(rand.NewPCG(7, 8)), 3000, 100, 40, truthNow())
	half := len(w.reports) / 2
	world{now: w.now, reports: w.reports[:half], serves: w.serves}.storeBy(t, c, c.insertReportsBefore31)
	during := testReport("during", models.EventAppLaunch, models.EventCrash)
	during.ProjectID, during.ReceivedAt = truthProject, w.now
	insert := func() error { return c.insertReportsBefore31(t.Context(), "during", []models.HealthReport{during}) }

	for _, version := range []int64{25, 27, 27} {
		forget(t, c, version)
		migrateTo(t, url, version)
		require.ErrorContains(t, insert(), "moved_to_activity_v2", "reports wait while version %d is the last", version)
	}
	migrateTo(t, url, 28)
	for range 2 { // as the ingest log tries it until it has succeeded
		require.NoError(t, insert())
	}
	forget(t, c, 28)
	migrateTo(t, url, 29)
	forget(t, c, 29)
	migrateTo(t, url, 29)
	require.NoError(t, insert())
	require.NoError(t, Migrate(t.Context(), url))
	require.NoError(t, c.InsertReports(t.Context(), "after", w.reports[half:]))

	w.reports = append(w.reports, during)
	update := w.serves[0].UpdateUUID
	c.exactRows, c.exactReports = 0, 0
	for _, filter := range []models.TimeseriesQuery{
		{}, {Channel: "staging"}, {Platform: models.Android}, {Platform: models.IOS, Channel: "staging"}, {RuntimeVersion: "1.1.0"},
		{UpdateUUID: update}, {UpdateUUID: update, Channel: "production"},
	} {
		for _, filter.Period = range []models.TimeseriesPeriod{"1h", "6h", "24h", "7d", "14d", "30d", "90d"} {
			got, err := c.Timeseries(t.Context(), truthProject, filter, w.now)
			require.NoError(t, err)
			require.False(t, got.Exact)
			require.Equal(t, w.timeseries(filter), got.Points, "%+v", filter)
		}
	}
	for _, days := range models.AdoptionWindows {
		got, err := c.Adoption(t.Context(), truthProject, days, w.now)
		require.NoError(t, err)
		want := w.adoption(days)
		require.Equal(t, want.ActiveDevices, got.ActiveDevices)
		require.ElementsMatch(t, want.Updates, got.Updates)
		require.ElementsMatch(t, want.ByDay, got.ByDay)
	}
}

// forget makes a migration one that a crash kept from being noted down.
func forget(t *testing.T, c *ClickHouse, version int64) {
	t.Helper()
	require.NoError(t, c.conn.Exec(t.Context(),
		"ALTER TABLE goose_db_version DELETE WHERE version_id >= ? SETTINGS mutations_sync = 2", version))
}
