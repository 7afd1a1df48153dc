package rollout

import (
	"math"

	"github.com/waft-ota/waft/models"
)

// Group contains the two counts of a rate: all devices or votes, and the affected ones among them. Both may have a
// fraction, because a network of a large allocation may weigh less than 1.
type Group struct {
	Affected, Counted float64
}

// Rate returns the percentage of affected devices or votes, or 0 if the group is empty.
func (g Group) Rate() float64 {
	if g.Counted <= 0 {
		return 0
	}
	return 100 * g.Affected / g.Counted
}

// ballot contains one metric's counts, with and without extreme networks. Anyone who controls a few networks, or one
// allocation, controls their votes. A rollback is therefore judged without the most affected networks, and an advance
// without the healthiest allocation. When devices are counted, the three groups are equal.
type ballot struct {
	all Group
	// without is all without the affected votes of the LeftOut most affected networks. If the most affected allocation has
	// more affected votes, WithoutAllocation is true and its votes are left out instead.
	without           Group
	LeftOut           int
	WithoutAllocation bool
	// strict is all without the healthy votes of the healthiest allocation. It equals all if there is only one allocation.
	strict Group
}

// LeftOut returns how many of the most affected networks are left out when votes are compared with limit (a fraction
// from 0 to 1). It depends on limit·networks, the number of networks that may be affected within the threshold: 1 below
// 5, models.MaxLeftOut from 5 to 10, and half of that from 10 on. See docs/adr/0013 for the reasons.
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

// devicesBallot returns a ballot that counts devices.
func devicesBallot(affected, devices int64) ballot {
	g := Group{Affected: float64(affected), Counted: float64(devices)}
	return ballot{all: g, without: g, strict: g}
}

// electorate counts the networks that vote, their allocations, and the weight of the networks together.
type electorate struct{ networks, allocations, weight int64 }

func electorateOf(v models.Votes) electorate {
	return electorate{v.Networks, v.Allocations, v.Total()}
}

// few reports whether there are too few votes for a decision. It needs minNetworks votes and networks of two allocations.
func (e electorate) few(t models.Thresholds) bool {
	return votes(t) && (e.weight < t.LeastNetworks() || e.allocations == 1)
}

// ballot returns the ballot for the votes t. The affected votes of the leftOut most affected networks are left out when a
// rollback is judged.
//
// For a rollback only affected votes are removed, and for advancing only healthy votes. A network with votes of both
// kinds therefore loses all its votes of the kind that argues for the decision, and keeps the votes that argue against
// it. No other choice of votes to leave out would be stricter.
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

// less returns the group without the given number of votes; affected of them are affected.
func (g Group) less(affected, votes float64) Group {
	if g.Counted-votes < 1e-6 {
		return Group{}
	}
	return Group{Affected: math.Max(g.Affected-affected, 0), Counted: g.Counted - votes}
}

// votes reports whether the thresholds judge the votes of networks instead of devices.
func votes(t models.Thresholds) bool { return t.LeastNetworks() > 1 }

// MaxPerNetwork returns the maximum number of devices per network that count toward a stage's minDevices:
// ⌈minDevices ÷ minNetworks⌉.
func MaxPerNetwork(stage models.Stage, policy models.Thresholds) int64 {
	networks := EffectiveThresholds(stage, policy).LeastNetworks()
	return (stage.MinDevices + networks - 1) / networks
}

// MaxPerAllocation returns the maximum number of devices per allocation that count toward a stage's minDevices:
// MaxPerNetwork for each vote that an allocation may have. At least MaxPerNetwork devices must come from other
// allocations, so that no allocation can fill a stage alone.
func MaxPerAllocation(stage models.Stage, policy models.Thresholds) int64 {
	perNetwork := MaxPerNetwork(stage, policy)
	ofVotes := EffectiveThresholds(stage, policy).MaxAllocationVotes() * perNetwork
	return max(perNetwork, min(ofVotes, stage.MinDevices-perNetwork))
}

// countedDevices returns the number of devices that count toward a stage's minDevices. If no rate is watched, forged
// reports gain nothing, so all devices count.
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
