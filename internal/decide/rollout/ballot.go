package rollout

import (
	"math"

	"github.com/waft-ota/waft/models"
)

// Group counts what a rate is made of, devices or the votes of networks: what counts, and how much of that is affected.
// Networks of one allocation may weigh less than 1 each, so both may have a fraction.
type Group struct {
	Affected, Counted float64
}

// Rate returns the percentage of what is affected, 0 when nothing counts.
func (g Group) Rate() float64 {
	if g.Counted <= 0 {
		return 0
	}
	return 100 * g.Affected / g.Counted
}

// ballot is what a metric is judged by. Whoever has few networks, or one allocation, may put any votes into it, so a
// judgement takes votes out of it: for a rollback the votes that speak most for one, and for advancing the votes that speak
// most for that. Of devices nothing is left out, so the groups are equal.
type ballot struct {
	all Group
	// without is all without the votes of the LeftOut most affected networks, or of the most affected allocation if these are
	// more, which WithoutAllocation says.
	without           Group
	LeftOut           int
	WithoutAllocation bool
	// strict is all without the healthy votes of one allocation, or all when there is only one allocation.
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
	g := Group{Affected: float64(affected), Counted: float64(devices)}
	return ballot{all: g, without: g, strict: g}
}

// electorate is who votes: so many networks of so many allocations, with so much weight together.
type electorate struct{ networks, allocations, weight int64 }

func electorateOf(v models.Votes) electorate {
	return electorate{v.Networks, v.Allocations, v.Total()}
}

// few reports whether less is heard than decisions take: minNetworks votes, and two allocations.
func (e electorate) few(t models.Thresholds) bool {
	return votes(t) && (e.weight < t.LeastNetworks() || e.allocations == 1)
}

// ballot returns the ballot with the votes t, of which those of the leftOut most affected networks are left out for a rollback.
//
// Only affected votes are taken out for a rollback, and only healthy ones for advancing. A network or an allocation that has
// votes of both kinds loses more than it says that way, so no choice of whom to leave out would be stricter.
func (e electorate) ballot(t models.Tally, leftOut int) ballot {
	b := ballot{all: Group{Affected: t.Sum, Counted: float64(e.weight)}, LeftOut: int(min(int64(leftOut), e.networks))}
	if e.allocations == 0 {
		return b.asRecorded(t)
	}
	var affected float64
	for _, vote := range t.Most[:b.LeftOut] {
		affected += vote
	}
	if b.WithoutAllocation = t.MostOfAllocation > affected+1e-6; b.WithoutAllocation { // votes are summed in billionths
		affected = t.MostOfAllocation
	}
	b.without = b.all.less(affected, affected)
	b.strict = b.all
	if e.allocations > 1 {
		b.strict = b.all.less(0, t.HealthyOfAllocation)
	}
	return b
}

// less returns the group without some votes, of which so many are affected.
func (g Group) less(affected, votes float64) Group {
	if g.Counted-votes < 1e-6 {
		return Group{}
	}
	return Group{Affected: math.Max(g.Affected-affected, 0), Counted: g.Counted - votes}
}

// votes reports whether thresholds judge the votes of networks, and not devices.
func votes(t models.Thresholds) bool { return t.LeastNetworks() > 1 }

// MaxPerNetwork is how many devices of one network count for a stage's minDevices:
// ⌈minDevices ÷ minNetworks⌉.
func MaxPerNetwork(stage models.Stage, policy models.Thresholds) int64 {
	networks := EffectiveThresholds(stage, policy).LeastNetworks()
	return (stage.MinDevices + networks - 1) / networks
}

// MaxPerAllocation returns how many devices of one allocation count for a stage's minDevices: as many as of so many networks
// as it has votes. But the devices of at least one further network are left to others, since no allocation fills a stage alone.
func MaxPerAllocation(stage models.Stage, policy models.Thresholds) int64 {
	perNetwork := MaxPerNetwork(stage, policy)
	ofVotes := EffectiveThresholds(stage, policy).MaxAllocationVotes() * perNetwork
	return max(perNetwork, min(ofVotes, stage.MinDevices-perNetwork))
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
