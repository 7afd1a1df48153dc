package rollout

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestForecastOfStages(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC) // a Monday
	stages := []models.Stage{
		{Percentage: 10, MinDevices: 50, MinDurationMinutes: 60}, {Percentage: 50, MinDevices: 100, MinDurationMinutes: 120}, {Percentage: 100},
	}
	f := ForecastOf(stages, models.Thresholds{}, models.Schedule{}, 1000, now)
	// 100 devices report within a day, so 50 devices take half a day. The second stage has 50 of its 500 devices and needs 100.
	second := now.Add(12 * time.Hour)
	third := second.Add(time.Duration(float64(50) / 450 * float64(returnTime)))
	require.Equal(t, []StageForecast{
		{Percentage: 10, StartsAt: &now, ExpectedDevices: 100}, {Percentage: 50, StartsAt: &second, ExpectedDevices: 500},
		{Percentage: 100, StartsAt: &third, ExpectedDevices: 1000},
	}, f.Stages)
	require.Equal(t, third, *f.EndsAt)
	for _, d := range f.Detection {
		require.Nil(t, d.Devices, "nothing is limited")
	}

	frozen := models.Schedule{FreezeWindows: []models.FreezeWindow{{From: "20:00", To: "06:00"}}}
	f = ForecastOf(stages, models.Thresholds{}, frozen, 1000, now)
	require.Equal(t, time.Date(2026, 3, 3, 6, 0, 0, 0, time.UTC), *f.Stages[1].StartsAt)

	begin := now.Add(time.Hour)
	f = ForecastOf(stages, models.Thresholds{}, models.Schedule{StartAt: &begin}, 400, now)
	require.Equal(t, begin, *f.Stages[0].StartsAt)
	require.Nil(t, f.Stages[1].StartsAt, "40 devices are less than 50")
	require.EqualValues(t, 200, f.Stages[1].ExpectedDevices)
	require.Nil(t, f.EndsAt)
}

// A forecast agrees with the planner: with one affected device less, there is no breach.
func TestForecastOfDetectionIsThePlanners(t *testing.T) {
	t.Parallel()
	limit := 0.5
	for name, thresholds := range map[string]models.Thresholds{
		"votes":   {CrashRate: &limit, Method: models.MethodSequential},
		"devices": {CrashRate: &limit, Method: models.MethodSequential, MinNetworks: new(int64(1))},
		"both":    {CrashRate: &limit, ErrorRate: new(1.5), Method: models.MethodSequential, MinNetworks: new(int64(1))},
		"control": {CrashRate: &limit, Baseline: models.BaselineControl, Method: models.MethodSequential},
		"point":   {CrashRate: &limit, Method: models.MethodPoint, MinNetworks: new(int64(1))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stage := models.Stage{Percentage: 20, MinDevices: 300, MinDurationMinutes: 60}
			const active = 1_000_000
			f := ForecastOf([]models.Stage{stage, {Percentage: 100, MinDurationMinutes: 10_000}}, thresholds, models.Schedule{}, active, time.Unix(0, 0))
			run := stageRun{stage: stage, thresholds: thresholds}
			before := int64(math.MaxInt64)
			for i, d := range f.Detection {
				require.Equal(t, forecastRates[i], d.Rate)
				require.NotNil(t, d.Devices)
				affected := int64(math.Floor(float64(*d.Devices) * d.Rate / 100))
				verdict := func(affected int64) Verdict {
					devices := int64(math.Ceil(float64(affected) * 100 / d.Rate))
					return Judge(run.health(affected, devices), thresholds, stage.MinDevices, Comparison{}).Verdict
				}
				require.Equal(t, VerdictBreach, verdict(affected))
				require.True(t, affected == 1 || verdict(affected-1) != VerdictBreach)
				require.LessOrEqual(t, *d.Devices, before, "a higher rate takes fewer devices")
				before = *d.Devices
				share := float64(*d.Devices) / (active * 0.2)
				require.InDelta(t, share*returnTime.Minutes(), d.After.Minutes(), 0.01)
			}
		})
	}
}

func TestForecastOfRatesWithinTheLimits(t *testing.T) {
	t.Parallel()
	stages := []models.Stage{{Percentage: 100, MinDurationMinutes: 60}}
	f := ForecastOf(stages, models.Thresholds{CrashRate: new(3.0), MinNetworks: new(int64(1))}, models.Schedule{}, 100_000, time.Unix(0, 0))
	require.Nil(t, f.Detection[0].Devices)
	require.Nil(t, f.Detection[1].Devices)
	require.NotNil(t, f.Detection[2].Devices)
	require.NotNil(t, f.Detection[2].After)
	f = ForecastOf(stages, models.Thresholds{CrashRate: new(0.5)}, models.Schedule{}, 3, time.Unix(0, 0))
	for _, d := range f.Detection {
		require.Nil(t, d.Devices, "there are too few")
	}
}
