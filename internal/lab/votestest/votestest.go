// Package votestest counts the votes of networks one by one, for tests. For real rollouts ClickHouse counts the votes.
package votestest

import "github.com/waft-ota/waft/models"

// With returns the votes including another network in an allocation of its own. c are the counted devices of the
// network, at least one. At most maxPerNetwork of them count for CappedDevices.
func With(v models.Votes, c models.DeviceCounts, maxPerNetwork int64) models.Votes {
	return WithAllocation(v, []models.DeviceCounts{c}, 1, maxPerNetwork, maxPerNetwork)
}

// WithAllocation returns the votes including another allocation, which has at most the given number of votes. Each
// element of networks holds the counted devices of one of its networks, at least one. For CappedDevices, at most
// maxPerNetwork devices per network and maxPerAllocation per allocation count.
func WithAllocation(v models.Votes, networks []models.DeviceCounts, votes, maxPerNetwork, maxPerAllocation int64) models.Votes {
	votes = min(votes, int64(len(networks)))
	weight := float64(votes) / float64(len(networks))
	var errored, crashed []float64
	var capped int64
	for _, c := range networks {
		errored = append(errored, weight*float64(c.ErroredDevices)/float64(c.Devices))
		crashed = append(crashed, weight*float64(c.CrashedDevices)/float64(c.Devices))
		capped += min(c.Devices, maxPerNetwork)
		v.LargestDevices = max(v.LargestDevices, c.Devices)
	}
	v.Errored, v.Crashed = with(v.Errored, errored, float64(votes)), with(v.Crashed, crashed, float64(votes))
	v.Networks, v.Allocations, v.Weight = v.Networks+int64(len(networks)), v.Allocations+1, v.Weight+votes
	v.CappedDevices += min(capped, maxPerAllocation)
	return v
}

// with adds the votes of an allocation with the given weight.
func with(t models.Tally, votes []float64, weight float64) models.Tally {
	var sum float64
	for _, vote := range votes {
		sum += vote
		for i, most := range t.Most {
			if vote > most {
				t.Most[i], vote = vote, most
			}
		}
	}
	t.Sum += sum
	t.MostOfAllocation = max(t.MostOfAllocation, sum)
	t.HealthyOfAllocation = max(t.HealthyOfAllocation, weight-sum)
	return t
}
