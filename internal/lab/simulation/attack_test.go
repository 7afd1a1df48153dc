package simulation_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/simulation"
	"github.com/waft-ota/waft/models"
)

// attacked is a rollout in which everybody is heard before it ends.
func attacked(f simulation.Fleet, limitPercent, crashRate float64, a simulation.Attack) simulation.Attacked {
	return simulation.Attacked{
		Fleet: f, Attack: a, CrashRate: crashRate, Thresholds: models.Thresholds{CrashRate: limit(limitPercent)},
		Stages: []float64{100}, MinDevices: 100, Patience: 1,
	}
}

// One network takes a healthy release back no more often than the table of docs/rollout-statistics.md
// allows for healthy releases that nobody attacks. One in as few rollouts as here may be chance.
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

// However many networks an allocation has, and whatever votes the policy gives it: it forces no rollback.
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

// The default finds a fourfold regression with at most half as many devices more than it takes without allocations.
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

// With minNetworks of 5 ÷ limit that holds for attacks at any time.
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

// Behind one proxy nothing is decided, and in three offices a release that crashes for everybody is
// taken back.
func TestFewNetworks(t *testing.T) {
	t.Parallel()
	proxy := simulation.PlayFates(attacked(simulation.Proxy(1000), 0.5, 0.02, simulation.Attack{}), 1, 20)
	require.Equal(t, 20, proxy.Holding)
	offices := attacked(simulation.Offices(), 0.5, 1, simulation.Attack{})
	require.Equal(t, 20, simulation.PlayFates(offices, 1, 20).RolledBack)
	offices.CrashRate = 0
	require.Equal(t, 20, simulation.PlayFates(offices, 1, 20).Completed)
}
