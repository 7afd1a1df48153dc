package rollout

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/models"
)

// exactChance computes chanceOfAsMany by its definition, in integers.
func exactChance(k, n, otherK, otherN int64) float64 {
	all, marked := n+otherN, k+otherK
	sum := new(big.Int)
	for i := k; i <= min(n, marked); i++ {
		sum.Add(sum, new(big.Int).Mul(new(big.Int).Binomial(marked, i), new(big.Int).Binomial(all-marked, n-i)))
	}
	chance, _ := new(big.Rat).SetFrac(sum, new(big.Int).Binomial(all, n)).Float64()
	return chance
}

func TestChanceOfAsManyIsFishersTest(t *testing.T) {
	t.Parallel()
	// The lady tasting tea: all four of eight cups are right.
	require.InDelta(t, 1.0/70, chanceOfAsMany(4, 4, 0, 4), 1e-12)
	require.InDelta(t, 1, chanceOfAsMany(1, 1, 1, 1), 0)
	require.InDelta(t, 1, chanceOfAsMany(0, 10, 5, 10), 0, "fewer are never more")
	require.InDelta(t, 1, chanceOfAsMany(3, 0, 5, 10), 0, "no devices")
	require.InDelta(t, 1, chanceOfAsMany(3, 10, 0, 0), 0, "nothing to compare with")
	require.Greater(t, chanceOfAsMany(2, 3, 1, 3), 0.3, "two errors against one say nothing")
	require.Less(t, chanceOfAsMany(20_000, 1_000_000, 10_000, 1_000_000), 1e-300)
	require.Equal(t, chanceOfAsMany(5, 5, 1, 100), chanceOfAsMany(9, 5, 1, 100), "no more than all")
	rapid.Check(t, func(t *rapid.T) {
		n, otherN := rapid.Int64Range(1, 60).Draw(t, "n"), rapid.Int64Range(1, 60).Draw(t, "otherN")
		k, otherK := rapid.Int64Range(0, n).Draw(t, "k"), rapid.Int64Range(0, otherN).Draw(t, "otherK")
		if k*otherN <= otherK*n {
			require.InDelta(t, 1, chanceOfAsMany(k, n, otherK, otherN), 0)
			return
		}
		require.InEpsilon(t, exactChance(k, n, otherK, otherN), chanceOfAsMany(k, n, otherK, otherN), 1e-9)
	})
}

func TestChanceAtRateIsTheBinomialTail(t *testing.T) {
	t.Parallel()
	require.InEpsilon(t, 1-math.Pow(0.99, 50), chanceAtRate(1, 50, 0.01), 1e-12)
	require.InEpsilon(t, 1e-6, chanceAtRate(3, 3, 0.01), 1e-12)
	require.InDelta(t, 1, chanceAtRate(1, 100, 0.01), 0)
	require.InDelta(t, 1, chanceAtRate(0, 0, 0.01), 0)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 60).Draw(t, "n")
		k := rapid.Int64Range(1, n).Draw(t, "k")
		rate := rapid.Float64Range(0.001, 0.5).Draw(t, "rate")
		if float64(k) <= rate*float64(n) {
			return
		}
		sum := 0.0
		for i := k; i <= n; i++ {
			choose, _ := new(big.Float).SetInt(new(big.Int).Binomial(n, i)).Float64()
			sum += choose * math.Pow(rate, float64(i)) * math.Pow(1-rate, float64(n-i))
		}
		require.InEpsilon(t, sum, chanceAtRate(k, n, rate), 1e-6)
	})
}

func hourOf(devices, errored, beforeDevices, beforeErrored int64) models.ReleaseHour {
	return models.ReleaseHour{
		DeviceCounts: models.DeviceCounts{Devices: devices, ErroredDevices: errored}, Before: models.DeviceCounts{Devices: beforeDevices, ErroredDevices: beforeErrored},
	}
}

func TestSpiked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hour  models.ReleaseHour
		spike bool
	}{
		"two errors against one":                     {hourOf(100, 2, 2400, 1), false},
		"five devices are no spike":                  {hourOf(5, 5, 24_000, 0), false},
		"six of six are one":                         {hourOf(6, 6, 24_000, 10), true},
		"many of a healthy release":                  {hourOf(1000, 40, 24_000, 48), true},
		"as many as ever":                            {hourOf(1000, 40, 24_000, 960), false},
		"a certain, small change of a great fleet":   {hourOf(1_000_000, 13_000, 24_000_000, 240_000), false},
		"a new release that crashes":                 {hourOf(40, 20, 0, 0), true},
		"a new release with an error here and there": {hourOf(1000, 8, 0, 0), false},
		"nobody": {hourOf(0, 0, 0, 0), false},
	} {
		require.Equal(t, c.spike, Spiked(c.hour), name)
	}
}

// A fleet whose error rate does not change has almost no incident in a year of observations.
func TestASteadyFleetHasNoSpike(t *testing.T) {
	t.Parallel()
	for _, rate := range []float64{0.001, 0.01, 0.05} {
		for _, devices := range []int64{20, 200, 5000} {
			// The chance that an hour counts as a spike, summed over its possible counts.
			chance := 0.0
			before := models.DeviceCounts{Devices: 24 * devices, ErroredDevices: int64(24 * float64(devices) * rate)}
			for k := int64(6); k <= min(devices, 6000); k++ {
				if Spiked(models.ReleaseHour{DeviceCounts: models.DeviceCounts{Devices: devices, ErroredDevices: k}, Before: before}) {
					chance = chanceAtRate(k, devices, rate)
					break
				}
			}
			require.Less(t, chance, 3e-4, "rate %v, %d devices", rate, devices)
		}
	}
}

func TestAfterCheck(t *testing.T) {
	t.Parallel()
	opened := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	open := models.Incident{BaselineDevices: 24_000, BaselineErroredDevices: 48, OpenedAt: opened, CheckedAt: opened}
	spike, calm := models.DeviceCounts{Devices: 1000, ErroredDevices: 60}, models.DeviceCounts{Devices: 1000, ErroredDevices: 2}
	type step struct {
		after     time.Duration
		hour      models.DeviceCounts
		withdrawn bool
		pending   int64
	}
	for name, test := range map[string]struct {
		steps []step
		want  models.IncidentResolution
	}{
		"the spike continues":               {steps: []step{{after: time.Minute, hour: spike}, {after: 24 * time.Hour, hour: spike}}},
		"one normal check":                  {steps: []step{{after: time.Minute, hour: calm}}},
		"two normal checks":                 {[]step{{after: time.Minute, hour: calm}, {after: 2 * time.Minute, hour: calm}}, models.ResolvedByRecovery},
		"two normal checks, far apart":      {steps: []step{{after: time.Minute, hour: calm}, {after: 3 * time.Minute, hour: calm}}},
		"two processes check at one time":   {steps: []step{{after: time.Minute, hour: calm}, {after: time.Minute + time.Second, hour: calm}}},
		"a spike between two normal checks": {steps: []step{{after: time.Minute, hour: calm}, {after: 80 * time.Second, hour: spike}, {after: 100 * time.Second, hour: calm}}},
		"rolled back, all have asked":       {[]step{{after: time.Minute, hour: spike, withdrawn: true}}, models.ResolvedByRollback},
		"rolled back, one has not asked": {steps: []step{
			{after: time.Minute, hour: spike, withdrawn: true, pending: 1}, {after: 58 * time.Minute, hour: spike, withdrawn: true, pending: 1},
		}},
		"rolled back an hour ago": {[]step{
			{after: time.Minute, hour: spike, withdrawn: true, pending: 1}, {after: 59 * time.Minute, hour: spike, withdrawn: true, pending: 1},
		}, models.ResolvedByRollback},
		"enabled again": {steps: []step{{after: time.Minute, hour: spike, withdrawn: true, pending: 1}, {after: 2 * time.Minute, hour: spike},
			{after: time.Hour, hour: spike, withdrawn: true, pending: 1}}},
	} {
		i := open
		for n, s := range test.steps {
			require.Nil(t, i.ResolvedAt, "%s, step %d", name, n)
			i = AfterCheck(i, IncidentCheck{Now: opened.Add(s.after), Hour: s.hour, Withdrawn: s.withdrawn, Pending: s.pending, Gap: 10 * time.Second})
		}
		if test.want == "" {
			require.Nil(t, i.ResolvedAt, name)
			continue
		}
		require.NotNil(t, i.ResolvedAt, name)
		require.Equal(t, test.want, *i.Resolution, name)
	}
}

func TestCalm(t *testing.T) {
	t.Parallel()
	before := models.DeviceCounts{Devices: 24_000, ErroredDevices: 48}
	require.True(t, Calm(models.DeviceCounts{}, before), "nobody is there any more")
	require.True(t, Calm(models.DeviceCounts{Devices: 1000, ErroredDevices: 3}, before))
	require.False(t, Calm(models.DeviceCounts{Devices: 1000, ErroredDevices: 30}, before))
}

func TestCarrier(t *testing.T) {
	t.Parallel()
	state := func(flag, variation string, devices, errored int64) models.FlagState {
		return models.FlagState{FlagKey: flag, Variation: variation, DeviceCounts: models.DeviceCounts{Devices: devices, ErroredDevices: errored}}
	}
	carrier, ok := Carrier([]models.FlagState{
		state("theme", "dark", 500, 31), state("theme", "light", 500, 29),
		state("checkout", "true", 100, 58), state("checkout", "false", 900, 2),
	})
	require.True(t, ok)
	require.Equal(t, state("checkout", "true", 100, 58), carrier)

	_, ok = Carrier([]models.FlagState{state("theme", "dark", 500, 31), state("theme", "light", 500, 29), state("all", "on", 1000, 60)})
	require.False(t, ok, "a flag that everybody has alike explains nothing")

	carrier, ok = Carrier([]models.FlagState{
		state("checkout", "true", 19, 19), state("checkout", "false", 1, 1), state("theme", "dark", 11, 11), state("theme", "light", 9, 9),
	})
	require.True(t, ok, "where only errors name flags, the one that nearly all have")
	require.Equal(t, "checkout", carrier.FlagKey)

	_, ok = Carrier(nil)
	require.False(t, ok)
}

func TestStatusOfAFlag(t *testing.T) {
	t.Parallel()
	counts := func(devices, errored, crashed int64) models.DeviceCounts {
		return models.DeviceCounts{Devices: devices, ErroredDevices: errored, CrashedDevices: crashed}
	}
	for name, c := range map[string]struct {
		counts, others models.DeviceCounts
		want           FlagStatus
	}{
		"nobody has it":                   {counts(0, 0, 0), counts(0, 0, 0), FlagHealthy},
		"all is well":                     {counts(1000, 5, 2), counts(1000, 5, 2), FlagHealthy},
		"one crash of two is no evidence": {counts(2, 1, 1), counts(0, 0, 0), FlagDegraded},
		"below 99.5 crash-free":           {counts(1000, 6, 6), counts(1000, 6, 6), FlagDegraded},
		"worse than the others":           {counts(1000, 40, 0), counts(1000, 10, 0), FlagDegraded},
		"better than the others":          {counts(1000, 10, 0), counts(1000, 40, 0), FlagHealthy},
		"below 99 crash-free by chance":   {counts(100, 2, 2), counts(0, 0, 0), FlagDegraded},
		"three of three":                  {counts(3, 3, 3), counts(0, 0, 0), FlagIncident},
		"below 99 crash-free":             {counts(1000, 30, 30), counts(0, 0, 0), FlagIncident},
	} {
		require.Equal(t, c.want, StatusOf(c.counts, c.others), name)
	}
	require.Equal(t, FlagIncident, FlagHealthy.Worse(FlagIncident))
	require.Equal(t, FlagDegraded, FlagDegraded.Worse(FlagHealthy))
}
