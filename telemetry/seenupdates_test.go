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

// A device has asked again if it was served or reported another release later, or reported that the release failed.
func TestWithdrawnDevices(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	since := time.Now().UTC().Add(-10 * time.Minute).Truncate(time.Millisecond)
	var reports []models.HealthReport
	var exposures []models.Exposure
	report := func(device, update string, at time.Duration) {
		r := testReport(device, models.EventAppLaunch)
		r.UpdateUUID, r.ReceivedAt = update, since.Add(at)
		reports = append(reports, r)
	}
	serve := func(device, update string, kind models.ExposureKind, at time.Duration) {
		e := testExposure(device)
		e.UpdateUUID, e.Kind, e.ServedAt = update, kind, since.Add(at)
		exposures = append(exposures, e)
	}
	for _, device := range []string{"still", "asked", "moved", "failed", "served before", "reports the old one", "beta"} {
		serve(device, "bad", models.ExposureManifest, -time.Hour)
	}
	exposures[len(exposures)-1].Channel = "beta"
	report("still", "bad", -time.Minute)
	report("asked", "bad", time.Minute)
	serve("asked", "good", models.ExposureManifest, 2*time.Minute)
	report("moved", "bad", -time.Minute)
	report("moved", "good", time.Minute)
	serve("failed", "bad", models.ExposureFailure, time.Minute)
	serve("served before", "good", models.ExposureManifest, -2*time.Hour)
	report("reports the old one", "good", time.Minute) // it launches the release next time
	report("never served", "bad", -time.Minute)
	serve("last week", "bad", models.ExposureManifest, -7*24*time.Hour)
	require.NoError(t, insertAll(t, c, "node/1-9", reports))
	require.NoError(t, c.InsertExposures(t.Context(), "node/1-9", exposures))
	of := models.WithdrawnRelease{UpdateUUID: "bad", Channel: "production", Since: since}
	got, err := c.WithdrawnDevices(t.Context(), 7, of)
	require.NoError(t, err)
	require.Equal(t, models.WithdrawnDevices{Served: 6, Pending: 4}, got)
	of.UpdateUUID = "unknown"
	got, err = c.WithdrawnDevices(t.Context(), 7, of)
	require.NoError(t, err)
	require.Zero(t, got)
}
