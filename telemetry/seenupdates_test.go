package telemetry

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestSeenUpdates(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	since := time.Now().UTC().Add(-72 * time.Hour).Truncate(time.Millisecond)
	update := func(n int) string { return fmt.Sprintf("0b1f9b2e-0000-4f0e-9a55-%012d", n) }
	report := func(n int, at time.Duration) models.HealthReport {
		r := testReport("d", models.EventAppLaunch)
		r.UpdateUUID, r.ReceivedAt = update(n), since.Add(at)
		return r
	}
	foreign := report(5, time.Hour)
	foreign.ProjectID++
	require.NoError(t, insertAll(t, c, "node/1-6", []models.HealthReport{
		report(1, 0), report(2, -time.Millisecond), report(3, -time.Hour), report(3, time.Hour), report(4, time.Hour), foreign,
	}))
	var asked []string
	for n := range 2 * seenBatch {
		if n != 4 { // not in the query
			asked = append(asked, update(n))
		}
	}
	seen, err := c.SeenUpdates(t.Context(), foreign.ProjectID-1, asked, since)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{update(1), update(3)}, seen)
	seen, err = c.SeenUpdates(t.Context(), foreign.ProjectID-1, nil, since)
	require.NoError(t, err)
	require.Empty(t, seen)
}
