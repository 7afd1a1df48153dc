package telemetry

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestRolloutObservations(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	start := time.Now().UTC().Truncate(time.Second).Add(-48 * time.Hour)
	var all []models.RolloutObservation
	at := start
	for n := range 20_000 { // two days, one observation every 8.64 s
		at = start.Add(time.Duration(n) * 8640 * time.Millisecond)
		all = append(all, models.RolloutObservation{
			ProjectID: 7, ExecutionID: 21, At: at, StageIndex: n / 7000, Percentage: []float64{1, 10, 100}[n/7000],
			DeviceCounts: models.DeviceCounts{Devices: int64(n), ErroredDevices: 2, CrashedDevices: 1}, Evidence: 0.5, IgnoredDevices: 3,
		})
	}
	other := all[0]
	other.ExecutionID = 22
	for range 2 {
		require.NoError(t, c.InsertObservations(t.Context(), "token", append(all, other)))
	}
	got, err := c.RolloutObservations(t.Context(), 7, 21, start, at, 100)
	require.NoError(t, err)
	require.Len(t, got, 100)
	require.WithinDuration(t, at, got[0].At, 90*time.Second)
	for _, first := range []int{0, 7000, 14000} {
		require.Contains(t, got, all[first], "the start of a stage is kept")
	}
	for i := range got[1:] {
		require.True(t, got[i].At.After(got[i+1].At))
		require.WithinDuration(t, got[i+1].At, got[i].At, time.Hour)
	}
	few, err := c.RolloutObservations(t.Context(), 7, 22, start, at, 100)
	require.NoError(t, err)
	require.Equal(t, []models.RolloutObservation{other}, few)
	foreign, err := c.RolloutObservations(t.Context(), 8, 21, start, at, 100)
	require.NoError(t, err)
	require.Empty(t, foreign)
}
