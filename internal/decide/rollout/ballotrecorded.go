package rollout

import "github.com/waft-ota/waft/models"

// asRecorded completes the ballot of health that was recorded before networks belonged to allocations. A workflow that began
// then judges such health again whenever it is replayed, and must come to the decision that its history has: each network has
// one vote, of which those of the most affected networks are left out, or the vote of the least affected one.
func (b ballot) asRecorded(t models.Tally) ballot {
	b.without = b.all
	for _, vote := range t.Most[:b.LeftOut] {
		b.without = b.without.lessOne(vote)
	}
	b.strict = b.all
	if b.all.Counted > 1 {
		b.strict = b.all.lessOne(t.Least)
	}
	return b
}

// lessOne returns the group without one network, of which vote is affected.
func (g Group) lessOne(vote float64) Group { return g.less(vote, 1) }
