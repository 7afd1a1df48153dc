package telemetry

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// truthNow returns the current time, because tables delete rows older than their retention.
func truthNow() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

func TestEveryFigureIsTheTruth(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	w := inventReports(rand.New(rand.NewPCG(1, 2)), enginetest.Sized(15_000, 5_000), enginetest.Sized(3_000, 1_000), 27, truthNow())
	w.store(t, c)
	update := w.reports[0].UpdateUUID
	for _, r := range w.reports {
		if r.UpdateUUID != "" {
			update = r.UpdateUUID
			break
		}
	}

	t.Run("timeseries", func(t *testing.T) {
		t.Parallel()
		for _, filter := range []models.TimeseriesQuery{
			{}, {Channel: "staging"}, {Platform: models.Android}, {RuntimeVersion: "1.1.0"}, {UpdateUUID: update},
			{UpdateUUID: update, Channel: "production"}, {Channel: "default", Platform: models.IOS, RuntimeVersion: "1.0.0"},
			{Channel: "nowhere"},
		} {
			for _, period := range []models.TimeseriesPeriod{"1h", "6h", "24h", "7d", "14d", "30d", "90d"} {
				filter.Period = period
				got, err := c.Timeseries(t.Context(), truthProject, filter, w.now)
				require.NoError(t, err)
				require.True(t, got.Exact)
				points, total := w.timeseries(filter)
				require.Equal(t, points, got.Points, "%+v", filter)
				require.Equal(t, total, got.Total, "%+v", filter)
			}
		}
	})

	t.Run("adoption", func(t *testing.T) {
		t.Parallel()
		for _, days := range models.AdoptionWindows {
			got, err := c.Adoption(t.Context(), truthProject, days, w.now)
			require.NoError(t, err)
			require.Equal(t, w.adoption(days), got, "%d days", days)
		}
	})

	t.Run("flag impacts", func(t *testing.T) {
		t.Parallel()
		for _, q := range []models.FlagImpactQuery{
			{Days: 1}, {Days: 7}, {Days: 30}, {Days: 90}, {Days: 7, FlagKey: "theme"}, {Days: 7, Channel: "staging"},
		} {
			impacts, err := c.FlagImpacts(t.Context(), truthProject, q, w.now)
			require.NoError(t, err)
			got := map[impactKey]models.FlagImpact{}
			for _, f := range impacts {
				got[impactKey{f.FlagKey, f.Variation, f.UpdateUUID, f.Channel, f.RuntimeVersion}] = f
			}
			want := w.impacts(q)
			require.Len(t, impacts, len(want))
			for key, f := range want {
				require.Equal(t, f.DeviceCounts, got[key].DeviceCounts, "%+v %+v", q, key)
				require.InDelta(t, f.ErrorRateDelta, got[key].ErrorRateDelta, 1e-9, "%+v %+v", q, key)
			}
		}
	})

	t.Run("flag health", func(t *testing.T) {
		t.Parallel()
		for _, flag := range []string{"checkout", "theme", "unknown"} {
			for _, days := range []int{1, 7, 30} {
				got, err := c.FlagHealth(t.Context(), truthProject, flag, days, w.now)
				require.NoError(t, err)
				all, byVariation := w.flagHealth(flag, days)
				require.Equal(t, all, got.DeviceCounts)
				require.Len(t, got.Variations, len(byVariation))
				for _, v := range got.Variations {
					require.Equal(t, byVariation[[2]string{v.Variation, v.Channel}], v.DeviceCounts)
				}
			}
		}
	})
}

// If exact counting would take too long, sums stay exact, and distinct devices must be within four standard
// deviations of the sketches.
func TestEstimatesAreNearTheTruth(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	devices := enginetest.Sized(10_000, 4_000)
	w := inventReports(rand.New(rand.NewPCG(3, 4)), 2*devices, devices, 35, truthNow())
	w.store(t, c)
	c.exactRows, c.exactReports, c.sampledDevices = 0, 0, uint64(devices/2)

	for _, period := range []models.TimeseriesPeriod{"1h", "24h", "90d"} {
		got, err := c.Timeseries(t.Context(), truthProject, models.TimeseriesQuery{Period: period}, w.now)
		require.NoError(t, err)
		require.False(t, got.Exact)
		points, total := w.timeseries(models.TimeseriesQuery{Period: period})
		requireNear(t, total.DeviceCounts, got.Total.DeviceCounts, 0.0115, 255)
		require.Equal(t, [3]int64{total.Launches, total.Errors, total.Crashes}, [3]int64{got.Total.Launches, got.Total.Errors, got.Total.Crashes})
		for i, want := range points {
			p := got.Points[i]
			require.Equal(t, [3]int64{want.Launches, want.Errors, want.Crashes}, [3]int64{p.Launches, p.Errors, p.Crashes})
			requireNear(t, want.DeviceCounts, p.DeviceCounts, 0.0115, 255)
		}
	}

	for _, days := range models.AdoptionWindows {
		got, err := c.Adoption(t.Context(), truthProject, days, w.now)
		require.NoError(t, err)
		want := w.adoption(days)
		require.False(t, got.Exact)
		require.InEpsilon(t, want.ActiveDevices, got.ActiveDevices, 4*0.0115)
		require.Len(t, got.Updates, len(want.Updates))
		near := map[string]models.UpdateDevices{}
		for _, u := range got.Updates {
			near[u.UpdateUUID+string(u.Platform)+u.RuntimeVersion] = u
		}
		sum := int64(0)
		for _, u := range want.Updates {
			devices := near[u.UpdateUUID+string(u.Platform)+u.RuntimeVersion].Devices
			require.InDelta(t, u.Devices, devices, 4*math.Sqrt(float64(u.Devices)), "half of the devices are counted")
			sum += devices
		}
		require.InDelta(t, got.ActiveDevices, sum, float64(len(got.Updates)), "except for rounding")
		require.LessOrEqual(t, len(got.ByDay), len(want.ByDay))
		deviceDays := int64(0)
		for _, d := range want.ByDay {
			deviceDays += d.Devices
		}
		// Each device in the sample stands for this many.
		weight := max(1, float64(deviceDays)/float64(daySamples*c.sampledDevices))
		daily := map[time.Time]map[string]int64{}
		for _, d := range got.ByDay {
			if daily[d.Day] == nil {
				daily[d.Day] = map[string]int64{}
			}
			daily[d.Day][d.UpdateUUID] = d.Devices
		}
		for _, d := range want.ByDay {
			require.InDelta(t, d.Devices, daily[d.Day][d.UpdateUUID], 5*math.Sqrt(weight*float64(d.Devices))+5*weight)
		}
		for i, d := range got.Downloads { // a second exposure on another day counts too
			require.Equal(t, want.Downloads[i].Day, d.Day)
			require.GreaterOrEqual(t, float64(d.Downloads), 0.9*float64(want.Downloads[i].Downloads))
		}
	}

	impacts, err := c.FlagImpacts(t.Context(), truthProject, models.FlagImpactQuery{Days: 35}, w.now)
	require.NoError(t, err)
	want := w.impacts(models.FlagImpactQuery{Days: 35})
	require.Len(t, impacts, len(want))
	for _, f := range impacts {
		requireNear(t, want[impactKey{f.FlagKey, f.Variation, f.UpdateUUID, f.Channel, f.RuntimeVersion}].DeviceCounts, f.DeviceCounts, 0.016, 127)
	}
	health, err := c.FlagHealth(t.Context(), truthProject, "theme", 60, w.now)
	require.NoError(t, err)
	all, byVariation := w.flagHealth("theme", 35)
	requireNear(t, all, health.DeviceCounts, 0.016, 127)
	require.Len(t, health.Variations, len(byVariation))
}

// requireNear requires counts up to exact to be equal, and larger counts to be within four standard deviations. A
// sketch of 256 devices stays exact only until it gets one of them again, so exact is one less.
func requireNear(t *testing.T, want, got models.DeviceCounts, deviation float64, exact int64) {
	t.Helper()
	for _, pair := range [][2]int64{
		{want.Devices, got.Devices}, {want.ErroredDevices, got.ErroredDevices}, {want.CrashedDevices, got.CrashedDevices},
	} {
		if pair[0] <= exact {
			require.Equal(t, pair[0], pair[1])
		} else {
			require.InEpsilon(t, pair[0], pair[1], 4*deviation)
		}
	}
}
