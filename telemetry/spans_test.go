package telemetry

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// What was reported before there were days of releases and spans of flags is in them
// after a migration, and a migration that is repeated changes nothing.
func TestEarlierReportsAreTakenOver(t *testing.T) {
	t.Parallel()
	url := migratedURLTo(t, 17)
	c := openTestClickHouse(t, url)
	w := newWorld(rand.New(rand.NewPCG(5, 6)), 1500, 100, 60, truthNow()) // no more than sketches hold exactly
	w.storeBy(t, c, c.insertReportsBefore31)
	migrateTo(t, url, 23)
	require.NoError(t, c.conn.Exec(t.Context(), "ALTER TABLE goose_db_version DELETE WHERE version_id >= 18 SETTINGS mutations_sync = 2"))
	require.NoError(t, Migrate(t.Context(), url))
	c.exactRows = 0

	got, err := c.Adoption(t.Context(), truthProject, 90, w.now)
	require.NoError(t, err)
	require.False(t, got.Exact)
	require.Equal(t, w.adoption(90).ByDay, got.ByDay)
	for _, days := range []int{7, 30, 60, 90} {
		impacts, err := c.FlagImpacts(t.Context(), truthProject, models.FlagImpactQuery{Days: days}, w.now)
		require.NoError(t, err)
		want := w.impacts(models.FlagImpactQuery{Days: days})
		require.Len(t, impacts, len(want))
		for _, f := range impacts {
			require.Equal(t, want[impactKey{f.FlagKey, f.Variation, f.UpdateUUID, f.Channel, f.RuntimeVersion}].Fare, f.Fare, "%d days, %+v", days, f)
		}
		health, err := c.FlagHealth(t.Context(), truthProject, "theme", days, w.now)
		require.NoError(t, err)
		all, byVariation := w.flagHealth("theme", days)
		require.Equal(t, all, health.Fare)
		for _, v := range health.Variations {
			require.Equal(t, byVariation[[2]string{v.Variation, v.Channel}], v.Fare)
		}
	}
}

// Days, weeks and spans meet without a gap and without an overlap, whatever the day.
func TestSpansBeginEveryFourthMonday(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	for range 60 {
		span := firstSpan(day)
		require.Equal(t, time.Monday, span.Weekday())
		require.False(t, span.Before(firstMonday(day)))
		require.Less(t, span.Sub(day), 28*24*time.Hour)
		// As schema/00020_flag_spans_v1.sql computes it.
		require.Equal(t, span.Unix(), 345600+(span.Unix()-345600)/2419200*2419200)
		day = day.AddDate(0, 0, 1)
	}
}
