package telemetry

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// For every release, the counts of a page of releases and the release's timeseries of 24 hours are the same.
func TestReleaseCountsEqualTheTimeseries(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	w := inventReports(rand.New(rand.NewPCG(5, 6)), 6_000, 1_500, 3, truthNow())
	w.store(t, c)
	var updates []string
	for _, r := range w.reports {
		if r.UpdateUUID != "" && !slices.Contains(updates, r.UpdateUUID) {
			updates = append(updates, r.UpdateUUID)
		}
	}
	for _, exact := range []uint64{exactReports, 0, 700} {
		c.exactReports = exact
		counts, err := c.ReleaseCounts(t.Context(), truthProject, append(updates, "never reported"), w.now)
		require.NoError(t, err)
		for _, update := range updates {
			series, err := c.Timeseries(t.Context(), truthProject, models.TimeseriesQuery{Period: "24h", UpdateUUID: update}, w.now)
			require.NoError(t, err)
			require.Equal(t, series.Total.DeviceCounts, counts[update], "%d %s", exact, update)
		}
		require.NotContains(t, counts, "never reported")
	}
	none, err := c.ReleaseCounts(t.Context(), truthProject, nil, w.now)
	require.NoError(t, err)
	require.Empty(t, none)
}

// However many reports releases have together, only 150,000 of them are read for exact counts.
func TestReleaseCountsReadABoundedNumberOfReports(t *testing.T) {
	t.Parallel()
	s := StreamQueries{&database{exactReports: 10, exactRows: 25}}
	reports := map[string]uint64{"a": 10, "b": 9, "c": 8, "d": 11, "e": 7}
	require.Equal(t, map[string]bool{"a": true, "d": true}, s.withTooManyReports(reports))
}
