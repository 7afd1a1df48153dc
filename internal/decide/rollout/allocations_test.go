package rollout_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/votestest"
	"github.com/waft-ota/waft/models"
)

// ofAllocation adds networks of one allocation, which has the given number of votes.
func ofAllocation(h models.ReleaseHealth, votes, maxPerNetwork, maxPerAllocation int64, networks ...models.DeviceCounts) models.ReleaseHealth {
	for _, c := range networks {
		h.Devices += c.Devices
		h.ErroredDevices += c.ErroredDevices
		h.CrashedDevices += c.CrashedDevices
	}
	h.Votes = votestest.WithAllocation(h.Votes, networks, votes, maxPerNetwork, maxPerAllocation)
	return h
}

func manyOf(n int, c models.DeviceCounts) (all []models.DeviceCounts) {
	for range n {
		all = append(all, c)
	}
	return all
}

func TestPlanWeighsAllocations(t *testing.T) {
	t.Parallel()
	crashed, healthy := models.DeviceCounts{Devices: 1, ErroredDevices: 1, CrashedDevices: 1}, models.DeviceCounts{Devices: 1}
	beside := func(honest *models.ReleaseHealth, n int, c models.DeviceCounts) *models.ReleaseHealth {
		h := ofAllocation(*honest, 10, 34, 66, manyOf(n, c)...)
		return &h
	}
	testPlan(t, map[string]planCase{
		"a thousand networks of one allocation that crash are ten votes and roll nothing back": {
			thresholds: votesOnCrashes, health: beside(apart(300, 0), 1000, crashed),
			want: rollout.ActionHold, waitingFor: models.WaitThreshold, deadline: hour,
			reason: "stage 1 of 3 (5%) is held: crash rate 3.23% is above the threshold of 0.5% (10 of 310 votes of 1300 networks; " +
				"0% without the most affected allocation). There is not enough evidence for a rollback yet. Waiting for more networks to report",
		},
		"a thousand healthy networks of one allocation hide no crashes": {
			thresholds: votesOnCrashes, ran: hour, health: beside(apart(100, 10), 1000, healthy),
			want: rollout.ActionRollBack,
			reason: "rolled back in stage 1 of 3 (5%): crash rate 9.09% breaches the threshold of 0.5% (10 of 110 votes of 1100 networks; " +
				"8.26% without the most affected network)",
		},
		"a rate that is within its limit only with some allocation holds": {
			thresholds: votesOnCrashes, ran: hour, health: beside(apart(195, 1), 1000, healthy),
			want: rollout.ActionHold, waitingFor: models.WaitThreshold,
			reason: "stage 1 of 3 (5%) is held: crash rate 0.49% is within the threshold of 0.5%, but would be above it without one " +
				"allocation (1 of 205 votes of 1195 networks; 0% without the most affected network). Waiting for more networks to report",
		},
		"one allocation does not fill a stage": {
			thresholds: votesOnCrashes, ran: hour, health: beside(apart(20, 0), 1000, healthy),
			want: rollout.ActionHold, waitingFor: models.WaitNetworks,
			reason: "stage 1 of 3 (5%) is held until more networks report: 86 of the 100 required devices count, because at most 34 " +
				"devices per network and 66 per allocation count; the largest network has 1 of the 1020 devices" + whatToDo,
		},
		"networks of one allocation decide nothing by themselves": {
			thresholds: votesOnCrashes, ran: hour, health: beside(&models.ReleaseHealth{}, 1000, crashed),
			want: rollout.ActionHold, waitingFor: models.WaitNetworks,
			reason: "stage 1 of 3 (5%) is held until more networks report: the 1000 reporting networks are in one allocation (an IPv4 /16, an " +
				"IPv6 /32 or one origin AS), and one allocation alone cannot decide; crash rate 100% is above the threshold of 0.5% " +
				"(10 of 10 votes of 1000 networks; 0% without the most affected allocation)" + whatToDo,
		},
	})
}

// One allocation cannot decide a rollout, with any reports from any number of networks: the same decision would have been
// possible without it.
func TestOneAllocationDecidesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		votes := rapid.Int64Range(1, 100).Draw(t, "allocationVotes")
		limits := models.Thresholds{
			CrashRate:       percentLimit(rapid.Float64Range(0.1, 60).Draw(t, "limit")),
			Method:          rapid.SampledFrom([]models.EvidenceMethod{models.MethodSequential, models.MethodPoint}).Draw(t, "method"),
			MinNetworks:     rapid.SampledFrom([]*int64{nil, new(int64(2))}).Draw(t, "minNetworks"),
			AllocationVotes: &votes,
		}
		var honest models.ReleaseHealth
		for range rapid.IntRange(1, 12).Draw(t, "allocations") {
			networks := rapid.SliceOfN(rapid.Custom(drawNetwork), 1, 8).Draw(t, "honest")
			honest = ofAllocation(honest, votes, 30, 60, networks...)
		}
		both := ofAllocation(honest, votes, 30, 60, manyOf(rapid.IntRange(1, 500).Draw(t, "networks"), drawNetwork(t))...)
		rate := 100 * honest.Votes.Crashed.Sum / float64(honest.Votes.Weight)
		switch rollout.Judge(both, limits, 0, rollout.Comparison{}).Verdict {
		case rollout.VerdictBreach:
			require.Greater(t, rate, *limits.CrashRate*(1-1e-9), "one allocation forces no rollback")
		case rollout.VerdictFine:
			require.LessOrEqual(t, rate, *limits.CrashRate*(1+1e-9), "one allocation suppresses nothing")
		case rollout.VerdictNoData, rollout.VerdictHold:
		}
	})
}

// The replay of a workflow from before allocations judges the recorded health, and must make the recorded decision. One network
// is left out with its whole vote.
func TestHealthFromBeforeAllocationsIsJudgedAsItWas(t *testing.T) {
	t.Parallel()
	recorded := models.ReleaseHealth{Devices: 6, CrashedDevices: 3, ErroredDevices: 3, Votes: models.Votes{
		Networks: 3, Crashed: models.Tally{Sum: 1.5, Least: 0.5, Most: [models.MaxLeftOut]float64{0.5, 0.5, 0.5}},
	}}
	point := models.Thresholds{CrashRate: percentLimit(49), Method: models.MethodPoint}
	require.Equal(t, rollout.VerdictBreach, rollout.Judge(recorded, point, 0, rollout.Comparison{}).Verdict, "1 of 2 without one network")
	point.CrashRate = percentLimit(50)
	require.Equal(t, rollout.VerdictFine, rollout.Judge(recorded, point, 0, rollout.Comparison{}).Verdict)
}

func TestAnAllocationCountsForItsVotesButNotForAStage(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ minDevices, votes, want int64 }{
		{100, 1, 34}, {100, 10, 66}, {99, 2, 66}, {90, 1, 30}, {2, 10, 1}, {1, 10, 1}, {0, 10, 0},
	} {
		stage, limits := models.Stage{MinDevices: tc.minDevices}, models.Thresholds{AllocationVotes: &tc.votes}
		require.Equal(t, tc.want, rollout.MaxPerAllocation(stage, limits), "%+v", tc)
	}
}
