package simulation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/simulation"
	"github.com/waft-ota/waft/models"
)

func TestErrorRatesOfEventLimits(t *testing.T) {
	t.Parallel()
	below := func(limit, rate float64) simulation.AgainstEventLimit {
		return simulation.AgainstEventLimit{
			Rate: rate / 100, Limit: models.EventLimit{Name: "e", Rate: limit, Direction: models.EventBelow}, Devices: 3000, Look: 10,
		}
	}
	above := func(limit, rate float64) simulation.AgainstEventLimit {
		a := below(limit, rate)
		a.Limit.Direction = models.EventAbove
		return a
	}
	byDevices := func(a simulation.AgainstEventLimit) simulation.AgainstEventLimit {
		a.MinNetworks = new(int64(1))
		return a
	}
	for name, e := range map[string]expectation{
		"a rate of 42% under a minimum of 40%":                 {Rollout: below(40, 42), runs: 400, atMost: 0.005},
		"an event at its minimum":                              {Rollout: below(40, 40), runs: 400, atMost: rollout.Alpha},
		"the same by devices":                                  {Rollout: byDevices(below(40, 40)), runs: 400, atMost: rollout.Alpha},
		"an event at its minimum of 5%":                        {Rollout: byDevices(below(5, 5)), runs: 1000, atMost: rollout.Alpha},
		"an event at its minimum of 95%":                       {Rollout: byDevices(below(95, 95)), runs: 400, atMost: rollout.Alpha},
		"half of the minimum is found":                         {Rollout: below(40, 20), runs: 400, atLeast: 1, atMost: 1, medianWithin: 60},
		"three quarters of the minimum":                        {Rollout: below(40, 30), runs: 400, atLeast: 1, atMost: 1, medianWithin: 300},
		"90% where 95% are required":                           {Rollout: below(95, 90), runs: 400, atLeast: 1, atMost: 1, medianWithin: 500},
		"2% where 5% are required":                             {Rollout: below(5, 2), runs: 400, atLeast: 1, atMost: 1, medianWithin: 500},
		"an event that nobody reports any more":                {Rollout: below(40, 0), runs: 100, atLeast: 1, atMost: 1, medianWithin: 20},
		"above: 3% under a threshold of 5%":                    {Rollout: above(5, 3), runs: 400, atMost: 0.002},
		"above: at the threshold":                              {Rollout: byDevices(above(5, 5)), runs: 400, atMost: rollout.Alpha},
		"above: twice the threshold is found":                  {Rollout: above(5, 10), runs: 400, atLeast: 1, atMost: 1, medianWithin: 400},
		"above: an event that each device reports immediately": {Rollout: above(5, 100), runs: 100, atLeast: 1, atMost: 1, medianWithin: 10},
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
