package rollout

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestLimitsOf(t *testing.T) {
	t.Parallel()
	policy := func(rate float64) HealthLimit { return HealthLimit{rate, LimitOfPolicy} }
	incidents := HealthLimit{2, LimitOfIncidents}
	require.Equal(t, HealthLimits{incidents, incidents}, LimitsOf(nil))

	r := &models.RolloutRule{
		Stages:     []models.Stage{{Percentage: 5, Thresholds: &models.Thresholds{CrashRate: new(0.5)}}, {Percentage: 100}},
		Thresholds: models.Thresholds{CrashRate: new(1.0)},
	}
	require.Equal(t, HealthLimits{policy(0.5), incidents}, LimitsOf(r))
	r.StageIndex = 1
	require.Equal(t, HealthLimits{policy(1), incidents}, LimitsOf(r))
	r.Thresholds.ErrorRate = new(5.0)
	require.Equal(t, HealthLimits{policy(1), policy(5)}, LimitsOf(r))
}

// A rate at the limit of incidents can be a spike, and the rate of the prior cannot.
func TestIncidentRate(t *testing.T) {
	t.Parallel()
	require.True(t, Spiked(models.ReleaseHour{DeviceCounts: models.DeviceCounts{Devices: 100_000, ErroredDevices: 100_000 * IncidentRate / 100}, Before: models.DeviceCounts{Devices: 99_900, ErroredDevices: 999}}))
	require.False(t, Spiked(models.ReleaseHour{DeviceCounts: models.DeviceCounts{Devices: 100_000, ErroredDevices: 1_999}, Before: models.DeviceCounts{Devices: 99_900, ErroredDevices: 999}}))
}
