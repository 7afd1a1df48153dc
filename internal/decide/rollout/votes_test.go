package rollout_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/simulation"
	"github.com/waft-ota/waft/internal/lab/votestest"
	"github.com/waft-ota/waft/models"
)

// votesOnCrashes judges the votes of at least three networks.
var votesOnCrashes = models.Thresholds{
	CrashRate: percentLimit(0.5), Action: models.ActionAutoRollback, Method: models.MethodSequential,
}

// apart returns the health of devices that are each in their own network.
func apart(devices, crashed int64) *models.ReleaseHealth {
	h := simulation.InNetworksOfTheirOwn(*reported(devices, crashed))
	return &h
}

// and adds a network, of whose devices 34 count toward the 100 of a stage.
func and(h *models.ReleaseHealth, devices, crashed int64) *models.ReleaseHealth {
	next := heard(*h, models.DeviceCounts{Devices: devices, ErroredDevices: crashed, CrashedDevices: crashed}, 34)
	return &next
}

const whatToDo = ". Wait for devices on other networks. If devices reach Waft through a proxy (a load balancer, Docker), add it to " +
	"WAFT_TRUSTED_PROXIES. If they share a network of yours, such as an office, add it to the project's trustedNetworks. Both " +
	"settings affect only devices that are served the release from now on. Or advance this rollout, and lower minNetworks in " +
	"the policy for the next one"

func TestPlanJudgesVotes(t *testing.T) {
	t.Parallel()
	point := votesOnCrashes
	point.Method = models.MethodPoint
	testPlan(t, map[string]planCase{
		"many networks that crash roll back": {
			thresholds: votesOnCrashes, health: apart(100, 10),
			want: rollout.ActionRollBack,
			reason: "rolled back in stage 1 of 3 (5%): crash rate 10% breaches the threshold of 0.5% (10 of 100 networks; " +
				"9.09% without the most affected network)",
		},
		"two anonymous devices in one network roll nothing back": {
			thresholds: votesOnCrashes, health: and(&models.ReleaseHealth{}, 2, 2),
			want: rollout.ActionHold, waitingFor: models.WaitNetworks, deadline: hour,
			reason: "stage 1 of 3 (5%) is held until more networks report: 2 of 2 devices are in one network, and a decision needs 3 networks; " +
				"crash rate 100% is above the threshold of 0.5% (1 of 1 network; " +
				"0% without the most affected network)" + whatToDo,
		},
		"27 that crash in one network beside 300 that do not neither": {
			thresholds: votesOnCrashes, ran: hour, health: and(apart(300, 0), 27, 27),
			want: rollout.ActionAdvance, wantStage: 1,
			reason: "stage 1 of 3 (5%) is done and stage 2 of 3 (25%) begins: crash rate 0.33% is within the threshold of 0.5% (1 of 301 networks)",
		},
		"1300 invented healthy devices hide no crashes": {
			thresholds: votesOnCrashes, ran: hour, health: and(apart(100, 10), 1300, 0),
			want: rollout.ActionRollBack,
			reason: "rolled back in stage 1 of 3 (5%): crash rate 9.9% breaches the threshold of 0.5% (10 of 101 networks; " +
				"9% without the most affected network)",
		},
		"a rate that is within its limit only with some network holds": {
			thresholds: votesOnCrashes, ran: hour, health: and(apart(199, 1), 1000, 0),
			want: rollout.ActionHold, waitingFor: models.WaitThreshold,
			reason: "stage 1 of 3 (5%) is held: crash rate 0.5% is within the threshold of 0.5%, but would be above it without one network " +
				"(1 of 200 networks; 0% without the most affected network). Waiting for more networks to report",
		},
		"one network does not fill a stage": {
			thresholds: votesOnCrashes, ran: hour, health: and(apart(60, 0), 500, 0),
			want: rollout.ActionHold, waitingFor: models.WaitNetworks,
			reason: "stage 1 of 3 (5%) is held until more networks report: 94 of the 100 required devices count, because at most 34 " +
				"devices per network count; the largest network has 500 of the 560 devices" + whatToDo,
		},
		"devices behind one proxy hold for networks": {
			thresholds: votesOnCrashes, ran: hour, health: and(&models.ReleaseHealth{}, 500, 0),
			want: rollout.ActionHold, waitingFor: models.WaitNetworks,
			reason: "stage 1 of 3 (5%) is held until more networks report: 500 of 500 devices are in one network, and a decision needs 3 networks" +
				whatToDo,
		},
		"devices that nearly all come from one network are said to": {
			thresholds: votesOnCrashes, ran: hour, health: and(apart(1, 0), 99, 0),
			want: rollout.ActionHold, waitingFor: models.WaitNetworks,
			reason: "stage 1 of 3 (5%) is held until more networks report: 99 of 100 devices are in one network, and a decision needs 3 networks" +
				whatToDo,
		},
		"devices of few networks hold for more": {
			thresholds: votesOnCrashes, ran: hour, health: and(and(&models.ReleaseHealth{}, 60, 0), 50, 0),
			want: rollout.ActionHold, waitingFor: models.WaitNetworks,
			reason: "stage 1 of 3 (5%) is held until more networks report: 2 of the 3 required networks have reported" + whatToDo,
		},
		"without limits networks do not matter": {
			thresholds: unwatched, ran: hour, health: and(&models.ReleaseHealth{}, 500, 0),
			want: rollout.ActionAdvance, wantStage: 1,
			reason: "stage 1 of 3 (5%) is done and stage 2 of 3 (25%) begins: 500 devices have reported",
		},
		"a pause stays a pause": {
			paused: true, thresholds: votesOnCrashes, ran: hour, health: and(&models.ReleaseHealth{}, 500, 0),
			want: rollout.ActionHold, waitingFor: models.WaitResume,
			reason: "paused in stage 1 of 3 (5%)",
		},
		"the point method compares votes without one network": {
			thresholds: point, health: apart(100, 1),
			want: rollout.ActionHold, waitingFor: models.WaitThreshold, deadline: hour,
			reason: "stage 1 of 3 (5%) is held: crash rate 1% is above the threshold of 0.5% " +
				"(1 of 100 networks; 0% without the most affected network). Waiting for more networks to report",
		},
		"the point method with votes": {
			thresholds: point, health: apart(100, 2),
			want: rollout.ActionRollBack,
			reason: "rolled back in stage 1 of 3 (5%): crash rate 2% breaches the threshold of 0.5% " +
				"(2 of 100 networks; 1.01% without the most affected network)",
		},
	})
}

// One network cannot decide a rollout, with any reports from any number of devices: the same decision would have been possible
// without it.
func TestOneNetworkDecidesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limits := models.Thresholds{
			CrashRate:   percentLimit(rapid.Float64Range(0.1, 60).Draw(t, "limit")),
			Method:      rapid.SampledFrom([]models.EvidenceMethod{models.MethodSequential, models.MethodPoint}).Draw(t, "method"),
			MinNetworks: rapid.SampledFrom([]*int64{nil, new(int64(2))}).Draw(t, "minNetworks"),
		}
		var honest models.ReleaseHealth
		for _, network := range rapid.SliceOfN(rapid.Custom(drawNetwork), 1, 60).Draw(t, "honest") {
			honest = heard(honest, network, 30)
		}
		both := heard(honest, drawNetwork(t), 30)
		rate := 100 * honest.Votes.Crashed.Sum / float64(honest.Votes.Networks)
		switch rollout.Judge(both, limits, 0, rollout.Comparison{}).Verdict {
		case rollout.VerdictBreach:
			require.Greater(t, rate, *limits.CrashRate*(1-1e-9), "one network forces no rollback")
		case rollout.VerdictFine:
			require.LessOrEqual(t, rate, *limits.CrashRate*(1+1e-9), "one network suppresses nothing")
		case rollout.VerdictNoData, rollout.VerdictHold:
		}
	})
}

// A network's vote is the same for one device and for a thousand.
func TestVotesDoNotDependOnHowManyDevicesThereAre(t *testing.T) {
	t.Parallel()
	few := rollout.Judge(*and(apart(200, 3), 1, 1), votesOnCrashes, 0, rollout.Comparison{})
	many := rollout.Judge(*and(apart(200, 3), 1000, 1000), votesOnCrashes, 0, rollout.Comparison{})
	require.Equal(t, few, many)
}

func TestTenAreLeftOutWhereTheLimitAllowsFiveAndFiveWhereItAllowsTen(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		networks int64
		limit    float64
		want     int
	}{
		{0, 0.005, 1}, {3, 0.005, 1}, {999, 0.005, 1}, {1000, 0.005, 10}, {1999, 0.005, 10}, {2000, 0.005, 5},
		{499, 0.01, 1}, {500, 0.01, 10}, {1_000_000, 0.005, 5}, {10, 0.5, 10}, {20, 0.5, 5},
	} {
		require.Equal(t, tc.want, rollout.LeftOut(tc.networks, tc.limit), "%+v", tc)
	}
}

// The control group is another group of networks. The release is worse only if it also is without the most affected network
// inside the rollout and without the healthiest network outside.
func TestTheControlComparesVotes(t *testing.T) {
	t.Parallel()
	control := models.Thresholds{Baseline: models.BaselineControl}
	group := func(devices, crashed int64, further ...models.DeviceCounts) models.GroupHealth {
		c := models.DeviceCounts{Devices: devices, ErroredDevices: crashed, CrashedDevices: crashed}
		g := models.GroupHealth{Devices: devices, ErroredDevices: crashed, CrashedDevices: crashed, Votes: models.VotesOfEach(c)}
		for _, network := range further {
			g.Devices += network.Devices
			g.ErroredDevices += network.ErroredDevices
			g.CrashedDevices += network.CrashedDevices
			g.Votes = votestest.With(g.Votes, network, 0)
		}
		return g
	}
	crashing := models.DeviceCounts{Devices: 1000, ErroredDevices: 1000, CrashedDevices: 1000}
	for name, tc := range map[string]struct {
		inside, outside models.GroupHealth
		want            rollout.Verdict
	}{
		"equal":                             {group(300, 3), group(3000, 30), rollout.VerdictFine},
		"one network of crashes inside":     {group(300, 2, crashing), group(3000, 30), rollout.VerdictFine},
		"many networks of crashes inside":   {group(300, 30), group(3000, 30), rollout.VerdictBreach},
		"they are not hidden from outside":  {group(300, 30), group(3000, 30, crashing), rollout.VerdictBreach},
		"one network outside says nothing":  {group(300, 30), group(1, 0), rollout.VerdictHold},
		"no network outside says nothing":   {group(300, 30), group(0, 0), rollout.VerdictFine},
		"more than outside, but not beyond": {group(300, 6), group(3000, 30), rollout.VerdictHold},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			health := models.ReleaseHealth{
				Devices: tc.inside.Devices, Votes: tc.inside.Votes,
				Compared: models.ComparedHealth{Inside: tc.inside, Outside: tc.outside},
			}
			require.Equal(t, tc.want, rollout.Judge(health, control, 0, rollout.Comparison{}).Verdict)
		})
	}
}
