package simulation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/simulation"
	"github.com/waft-ota/waft/models"
)

func limit(p float64) *float64 { return &p }

var (
	crashes = models.Thresholds{CrashRate: limit(0.5)}
	both    = models.Thresholds{CrashRate: limit(0.5), ErrorRate: limit(2)}
	stages  = []float64{5, 25, 50}
)

// expectation contains bounds for the outcome of many runs of a rollout.
type expectation struct {
	simulation.Rollout
	runs            int
	atLeast, atMost float64
	medianWithin    int64
}

// The bounds come from docs/contribute/rollout-statistics.md. The test runs only as many rollouts as are needed to detect a broken rule.
// `make bench BENCH=statistics` runs many times as many.
func TestErrorRates(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]expectation{
		"0.2% crashes under a limit of 0.5% are rolled back in at most 2 of 1,000 rollouts": {
			Rollout: simulation.AgainstLimits{CrashRate: 0.002, Devices: 5000, Look: 20, Thresholds: crashes}, runs: 1000, atMost: 0.002,
		},
		"the same when every single device is looked at": {
			Rollout: simulation.AgainstLimits{CrashRate: 0.002, Devices: 1500, Look: 1, Thresholds: crashes}, runs: 200, atMost: 0.002,
		},
		"the same when errors are watched besides": {
			Rollout: simulation.AgainstLimits{CrashRate: 0.002, ErrorRate: 0.006, Devices: 5000, Look: 20, Thresholds: both}, runs: 500, atMost: 0.002,
		},
		"a release at its limit is rolled back in at most 5% of rollouts": {
			Rollout: simulation.AgainstLimits{CrashRate: 0.005, Devices: 5000, Look: 20, Thresholds: crashes}, runs: 500, atMost: rollout.Alpha,
		},
		"a fourfold regression is caught within 400 devices at the median": {
			Rollout: simulation.AgainstLimits{CrashRate: 0.02, Devices: 5000, Look: 10, Thresholds: crashes},
			runs:    2000, atLeast: 1, atMost: 1, medianWithin: 400,
		},
		"also when errors are watched besides": {
			Rollout: simulation.AgainstLimits{CrashRate: 0.02, ErrorRate: 0.006, Devices: 5000, Look: 10, Thresholds: both},
			runs:    500, atLeast: 1, atMost: 1, medianWithin: 500,
		},
		"one device in ten crashing is caught within 50 at the median": {
			Rollout: simulation.AgainstLimits{CrashRate: 0.1, Devices: 5000, Look: 1, Thresholds: crashes},
			runs:    500, atLeast: 1, atMost: 1, medianWithin: 50,
		},
		"compared with the control group, equal rates of 3% are a breach in at most 5% of rollouts": {
			Rollout: simulation.AgainstControl{Stages: stages, PerStage: 4000, Look: 100, Inside: 0.03, Outside: 0.03},
			runs:    300, atMost: rollout.Alpha,
		},
		"beside the control, a better release is never called worse": {
			Rollout: simulation.AgainstControl{Stages: stages, PerStage: 4000, Look: 100, Inside: 0.01, Outside: 0.03}, runs: 200, atMost: 0.002,
		},
		"beside the control, a rate four times as high is caught within 300 devices of the share": {
			Rollout: simulation.AgainstControl{Stages: stages, PerStage: 4000, Look: 20, Inside: 0.12, Outside: 0.03},
			runs:    200, atLeast: 1, atMost: 1, medianWithin: 300,
		},
		"beside the control, one twice as high within 1000": {
			Rollout: simulation.AgainstControl{Stages: stages, PerStage: 10_000, Look: 100, Inside: 0.06, Outside: 0.03},
			runs:    200, atLeast: 0.99, atMost: 1, medianWithin: 1000,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := simulation.Play(e, 1, e.runs)
			t.Logf("breach in %d of %d rollouts, median at %d devices", o.Breaches, o.Runs, o.MedianDevices)
			require.GreaterOrEqual(t, o.Share(), e.atLeast)
			require.LessOrEqual(t, o.Share(), e.atMost)
			if e.medianWithin > 0 {
				require.LessOrEqual(t, o.MedianDevices, e.medianWithin)
			}
		})
	}
}

// The sequential method is the default because the obvious rule rolls back one healthy release in three.
func TestThePointMethodMisjudgesHealthyReleases(t *testing.T) {
	t.Parallel()
	point := crashes
	point.Method = models.MethodPoint
	point.MinNetworks = new(int64(1))
	o := simulation.Play(simulation.AgainstLimits{CrashRate: 0.002, Devices: 5000, Look: 20, Thresholds: point, MinDevices: 100}, 1, 300)
	require.Greater(t, o.Share(), 0.25)
}
