package rollout_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/rollout"
)

// fleet is a simulated rollout: devices report one after the other, each crashing
// or erring with its true rate (a fraction), and health is judged every look.
type fleet struct {
	crashRate, errorRate float64
	devices, look        int64
	thresholds           models.Thresholds
}

// brokenAt is how many devices had reported when a limit counted as broken, 0 when
// that never happened.
func (f fleet) brokenAt(r *rand.Rand) int64 {
	var h models.ReleaseHealth
	for h.Devices < f.devices {
		h.Devices++
		crashed := r.Float64() < f.crashRate
		if crashed {
			h.CrashedDevices++
		}
		if crashed || r.Float64() < f.errorRate {
			h.ErroredDevices++
		}
		if h.Devices%f.look == 0 && rollout.Judge(h, f.thresholds, 0).Verdict == rollout.VerdictBreach {
			return h.Devices
		}
	}
	return 0
}

// simulate is the share of runs in which a limit counted as broken, and the
// median number of devices at which it did.
func (f fleet) simulate(seed uint64, runs int) (share float64, median int64) {
	r := rand.New(rand.NewPCG(seed, 2026))
	var at []int64
	for range runs {
		if n := f.brokenAt(r); n > 0 {
			at = append(at, n)
		}
	}
	if len(at) == 0 {
		return 0, 0
	}
	slices.Sort(at)
	return float64(len(at)) / float64(runs), at[len(at)/2]
}

func percentLimit(p float64) *float64 { return &p }

var crashesUnderHalfAPercent = models.Thresholds{CrashRate: percentLimit(0.5)}

func TestErrorRatesOfTheSequentialMethod(t *testing.T) {
	t.Parallel()
	both := models.Thresholds{CrashRate: percentLimit(0.5), ErrorRate: percentLimit(2)}
	for name, tc := range map[string]struct {
		fleet
		runs                int
		atLeast, atMost     float64
		medianDevicesWithin int64
	}{
		"0.2 % crashes under a limit of 0.5 % are rolled back in at most 0.2 % of rollouts": {
			fleet: fleet{crashRate: 0.002, devices: 5000, look: 20, thresholds: crashesUnderHalfAPercent},
			runs:  4000, atMost: 0.002,
		},
		"the same when every single device is looked at": {
			fleet: fleet{crashRate: 0.002, devices: 1500, look: 1, thresholds: crashesUnderHalfAPercent},
			runs:  1000, atMost: 0.002,
		},
		"the same when errors are watched besides": {
			fleet: fleet{crashRate: 0.002, errorRate: 0.006, devices: 5000, look: 20, thresholds: both},
			runs:  2000, atMost: 0.002,
		},
		"a release at its limit is rolled back in at most 5 % of rollouts": {
			fleet: fleet{crashRate: 0.005, devices: 5000, look: 20, thresholds: crashesUnderHalfAPercent},
			runs:  2000, atMost: rollout.Alpha,
		},
		"a fourfold regression is caught within 400 devices at the median": {
			fleet: fleet{crashRate: 0.02, devices: 5000, look: 10, thresholds: crashesUnderHalfAPercent},
			runs:  2000, atLeast: 1, atMost: 1, medianDevicesWithin: 400,
		},
		"also when errors are watched besides": {
			fleet: fleet{crashRate: 0.02, errorRate: 0.006, devices: 5000, look: 10, thresholds: both},
			runs:  2000, atLeast: 1, atMost: 1, medianDevicesWithin: 400,
		},
		"one device in ten crashing is caught within 50 at the median": {
			fleet: fleet{crashRate: 0.1, devices: 5000, look: 1, thresholds: crashesUnderHalfAPercent},
			runs:  2000, atLeast: 1, atMost: 1, medianDevicesWithin: 50,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			share, median := tc.simulate(1, tc.runs)
			t.Logf("limit broken in %.3f %% of rollouts, median at %d devices", 100*share, median)
			require.GreaterOrEqual(t, share, tc.atLeast)
			require.LessOrEqual(t, share, tc.atMost)
			if tc.medianDevicesWithin > 0 {
				require.LessOrEqual(t, median, tc.medianDevicesWithin)
			}
		})
	}
}

// This is why the sequential method is the default: the obvious rule takes back
// one healthy release in three.
func TestThePointMethodMisjudgesHealthyReleases(t *testing.T) {
	t.Parallel()
	point := crashesUnderHalfAPercent
	point.Method = models.MethodPoint
	r := rand.New(rand.NewPCG(1, 2026))
	broken := 0
	for range 1000 {
		var h models.ReleaseHealth
		for h.Devices < 5000 {
			h.Devices++
			if r.Float64() < 0.002 {
				h.CrashedDevices++
			}
			if h.Devices%20 == 0 && rollout.Judge(h, point, 100).Verdict == rollout.VerdictBreach {
				broken++
				break
			}
		}
	}
	require.Greater(t, broken, 250)
}
