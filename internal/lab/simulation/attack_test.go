package simulation_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/simulation"
	"github.com/waft-ota/waft/models"
)

// attacked returns a rollout that does not end before every device has reported.
func attacked(f simulation.Fleet, limitPercent, crashRate float64, a simulation.Attack) simulation.Attacked {
	return simulation.Attacked{
		Fleet: f, Attack: a, CrashRate: crashRate, Thresholds: models.Thresholds{CrashRate: limit(limitPercent)},
		Stages: []float64{100}, MinDevices: 100, Patience: 1,
	}
}

// An attacker with one network causes rollbacks of a healthy release at most as often as docs/contribute/rollout-statistics.md allows
// without an attack. With as few rollouts as here, a single rollback may be chance.
func TestOneNetworkForcesNothing(t *testing.T) {
	t.Parallel()
	for _, after := range []int64{0, 50, 500, 1000} {
		t.Run(fmt.Sprintf("after %d devices", after), func(t *testing.T) {
			t.Parallel()
			const runs = 500
			a := simulation.Attack{Networks: 1, IDs: 1000, Crash: true, After: after}
			fates := simulation.PlayFates(attacked(simulation.Homes(1000), 0.5, 0.002, a), 1, runs)
			require.LessOrEqual(t, fates.RolledBack, 1)
		})
	}
}

func TestOneNetworkSuppressesNothing(t *testing.T) {
	t.Parallel()
	const runs = 60
	alone := simulation.PlayFates(attacked(simulation.Homes(3000), 0.5, 0.02, simulation.Attack{}), 1, runs)
	beside := simulation.PlayFates(attacked(simulation.Homes(3000), 0.5, 0.02, simulation.Attack{Networks: 1, IDs: 100_000}), 1, runs)
	require.Zero(t, alone.Completed)
	require.Zero(t, beside.Completed)
	require.GreaterOrEqual(t, alone.RolledBack, runs-1)
	require.GreaterOrEqual(t, beside.RolledBack, runs-1)
	require.InDelta(t, alone.MedianAt, beside.MedianAt, 20)
}

// An allocation cannot force a rollback, with any number of networks and any allocationVotes.
func TestOneAllocationForcesNothing(t *testing.T) {
	t.Parallel()
	for _, votes := range []int64{1, 20, 100} {
		t.Run(fmt.Sprintf("%d votes", votes), func(t *testing.T) {
			t.Parallel()
			for _, after := range []int64{0, 50} {
				w := simulation.Providers(1000)
				a := attacked(w.Fleet, 0.5, 0.002, simulation.Attack{Networks: 1000, Allocations: 1, IDs: 1, Crash: true, After: after})
				a.Allocation, a.Thresholds.AllocationVotes = w.Allocation, &votes
				require.Zero(t, simulation.PlayFates(a, 1, 100).RolledBack)
			}
		})
	}
}

// With the default, finding a fourfold regression takes at most 1.5 times as many devices as without allocations.
func TestAllocationsDelayARollbackByHalfAtMost(t *testing.T) {
	t.Parallel()
	const runs = 60
	w := simulation.Providers(10_000)
	networks := attacked(w.Fleet, 0.5, 0.02, simulation.Attack{})
	allocations := networks
	allocations.Allocation = w.Allocation
	alone, together := simulation.PlayFates(networks, 1, runs), simulation.PlayFates(allocations, 1, runs)
	t.Logf("in allocations after %d devices, without after %d", together.MedianAt, alone.MedianAt)
	require.Equal(t, runs, together.RolledBack)
	require.LessOrEqual(t, float64(together.MedianAt), 1.5*float64(alone.MedianAt))
}

func TestTenNetworksForceNothingAgainstAThousand(t *testing.T) {
	t.Parallel()
	for _, networks := range []int64{1000, 2000} {
		for _, limitPercent := range []float64{0.5, 1, 2, 5} {
			t.Run(fmt.Sprintf("%d networks, limit %v %%", networks, limitPercent), func(t *testing.T) {
				t.Parallel()
				const runs = 400
				a := simulation.Attack{Networks: 10, IDs: 100, Crash: true, After: networks}
				fates := simulation.PlayFates(attacked(simulation.Singles(networks), limitPercent, limitPercent/200, a), 1, runs)
				require.Zero(t, fates.RolledBack)
			})
		}
	}
}

// With minNetworks of 5 ÷ threshold, this is true for attacks at any time.
func TestMinNetworksKeepsTenNetworksFromForcingAnythingEarly(t *testing.T) {
	t.Parallel()
	const runs = 50
	for _, after := range []int64{0, 150, 750} {
		a := attacked(simulation.Singles(1500), 0.5, 0.0025, simulation.Attack{Networks: 10, IDs: 100, Crash: true, After: after})
		a.Thresholds.MinNetworks = new(int64(1000))
		require.LessOrEqual(t, float64(simulation.PlayFates(a, 1, runs).RolledBack)/runs, 0.02)
	}
}

func TestAFourfoldRegressionTakesAtMostHalfAsManyDevicesMore(t *testing.T) {
	t.Parallel()
	for _, limitPercent := range []float64{0.5, 5} {
		t.Run(fmt.Sprintf("limit %v %%", limitPercent), func(t *testing.T) {
			t.Parallel()
			const runs = 3000
			votes := attacked(simulation.Homes(int64(4000/limitPercent)), limitPercent, limitPercent*4/100, simulation.Attack{})
			devices := votes
			devices.Thresholds.MinNetworks = new(int64(1))
			byVotes, byDevices := simulation.PlayFates(votes, 1, runs), simulation.PlayFates(devices, 1, runs)
			t.Logf("by votes after %d devices, by devices after %d", byVotes.MedianAt, byDevices.MedianAt)
			require.Equal(t, runs, byVotes.RolledBack)
			require.LessOrEqual(t, float64(byVotes.MedianAt), 1.5*float64(byDevices.MedianAt))
		})
	}
}

// Devices behind one proxy do not decide a rollout. Devices in three offices are enough to roll back a release that crashes on
// every device.
func TestFewNetworks(t *testing.T) {
	t.Parallel()
	proxy := simulation.PlayFates(attacked(simulation.Proxy(1000), 0.5, 0.02, simulation.Attack{}), 1, 20)
	require.Equal(t, 20, proxy.Holding)
	offices := attacked(simulation.Offices(), 0.5, 1, simulation.Attack{})
	require.Equal(t, 20, simulation.PlayFates(offices, 1, 20).RolledBack)
	offices.CrashRate = 0
	require.Equal(t, 20, simulation.PlayFates(offices, 1, 20).Completed)
}
