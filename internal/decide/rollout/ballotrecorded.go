package rollout

import "github.com/waft-ota/waft/models"

// asRecorded completes a ballot for health without allocations, which old histories contain. The replay of such a
// workflow judges that health again and must make the decision in its history. Each network has one vote: the most
// affected networks are left out for a rollback, and the least affected network for advancing.
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

// lessOne returns the group without one network and its vote.
func (g Group) lessOne(vote float64) Group { return g.less(vote, 1) }
