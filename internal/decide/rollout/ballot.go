package rollout

import (
	"math"

	"github.com/waft-ota/waft/models"
)

// Group counts what a rate is made of, devices or the votes of networks: how many count, and how
// many of them are affected. Votes add up to a number with a fraction.
type Group struct {
	Affected float64
	Counted  int64
}

// Rate is the percentage of affected ones, 0 when none count.
func (g Group) Rate() float64 {
	if g.Counted <= 0 {
		return 0
	}
	return 100 * g.Affected / float64(g.Counted)
}

// ballot is what a metric is judged by. Whoever has few networks may put any votes into it, so a
// judgement takes votes out of it: for a rollback those that speak most for one, and for advancing
// one that speaks most for that. Of devices nothing is left out, so the groups are equal.
type ballot struct {
	all Group
	// without is all without the most affected networks, LeftOut of them.
	without Group
	LeftOut int
	// strict is all without the least affected network, or all when there is only one.
	strict Group
}

// LeftOut is how many of the most affected networks are left out when their votes are compared with
// a limit (a fraction from 0 to 1). It depends on limit·networks, how many networks the limit lets be
// affected: models.MaxLeftOut from 5 on, half of it from 10 on, and 1 below (docs/adr/0013 says why).
func LeftOut(networks int64, limit float64) int {
	switch affected := limit*float64(networks) + 1e-9; {
	case affected < 5:
		return 1
	case affected < 10:
		return models.MaxLeftOut
	default:
		return models.MaxLeftOut / 2
	}
}

// devicesBallot is the ballot of devices.
func devicesBallot(affected, devices int64) ballot {
	g := Group{Affected: float64(affected), Counted: devices}
	return ballot{all: g, without: g, strict: g}
}

// votesBallot is the ballot of so many networks with the votes t, of which the leftOut most
// affected are left out for a rollback.
func votesBallot(t models.Tally, networks int64, leftOut int) ballot {
	b := ballot{all: Group{Affected: t.Sum, Counted: networks}, LeftOut: int(min(int64(leftOut), networks))}
	b.without = b.all
	for _, vote := range t.Most[:b.LeftOut] {
		b.without = b.without.less(vote)
	}
	b.strict = b.all.other(t.Least)
	return b
}

// less is the group without one vote.
func (g Group) less(vote float64) Group {
	if g.Counted <= 1 {
		return Group{}
	}
	return Group{Affected: math.Max(g.Affected-vote, 0), Counted: g.Counted - 1}
}

// other is less, but the group itself when nothing else is in it.
func (g Group) other(vote float64) Group {
	if g.Counted <= 1 {
		return g
	}
	return g.less(vote)
}

// votes reports whether thresholds judge the votes of networks, and not devices.
func votes(t models.Thresholds) bool { return t.LeastNetworks() > 1 }

// MaxPerNetwork is how many devices of one network count for a stage's minDevices:
// ⌈minDevices ÷ minNetworks⌉.
func MaxPerNetwork(stage models.Stage, policy models.Thresholds) int64 {
	networks := EffectiveThresholds(stage, policy).LeastNetworks()
	return (stage.MinDevices + networks - 1) / networks
}

// countedDevices is how many devices count for a stage's minDevices. Without a watched rate there
// is nothing to forge, so all of them do.
func countedDevices(h models.ReleaseHealth, t models.Thresholds) int64 {
	if votes(t) && watches(t) {
		return h.Votes.CappedDevices
	}
	return h.Devices
}

// watches reports whether any rate is judged.
func watches(t models.Thresholds) bool {
	return t.CrashRate != nil || t.ErrorRate != nil || len(t.Events) > 0 || t.Baseline == models.BaselineControl
}
