package simulation

import "github.com/waft-ota/waft/models"

// alone is the allocation of a network that is one by itself.
const alone = -1

// census counts devices that report by network, and keeps the votes of the networks.
type census struct {
	networks []models.DeviceCounts
	// allocation is the allocation of each network, alone or an index of shared.
	allocation []int
	// mostVotes is how many votes the networks of one allocation have together.
	mostVotes int64
	all       models.DeviceCounts
	// single has the votes of networks that are allocations by themselves, and shared those of other allocations.
	single  voteSet
	shared  []voteSet
	capped  []int64 // of each shared allocation, and last of single networks
	largest int64
	cap     int64
	// allocationCap is how many devices of an allocation count.
	allocationCap int64
}

func newCensus(allocation []int, mostVotes int64) *census {
	shared := 0
	for _, a := range allocation {
		shared = max(shared, a+1)
	}
	return &census{
		networks: make([]models.DeviceCounts, len(allocation)), allocation: allocation, mostVotes: mostVotes,
		shared: make([]voteSet, shared), capped: make([]int64, shared+1),
	}
}

// report counts devices in a network, all of which crash or none.
func (c *census) report(network int, devices int64, crash bool) {
	n, votes, capped := &c.networks[network], &c.single, &c.capped[len(c.shared)]
	if a := c.allocation[network]; a != alone {
		votes, capped = &c.shared[a], &c.capped[a]
	}
	if n.Devices > 0 {
		votes.count(n.CrashRate()/100, -1)
	}
	*capped -= min(n.Devices, c.cap)
	add := models.DeviceCounts{Devices: devices}
	if crash {
		add.CrashedDevices, add.ErroredDevices = devices, devices
	}
	*n, c.all = n.Plus(add), c.all.Plus(add)
	votes.count(n.CrashRate()/100, 1)
	*capped += min(n.Devices, c.cap)
	c.largest = max(c.largest, n.Devices)
}

// health is what the judgement sees.
func (c *census) health() models.ReleaseHealth {
	v := models.Votes{
		Networks: c.single.networks, Allocations: c.single.networks, Weight: c.single.networks, CappedDevices: c.capped[len(c.shared)],
		LargestDevices: c.largest,
	}
	t := models.Tally{Sum: c.single.sum()}
	if votes := c.single.votes; len(votes) > 0 {
		t.HealthyOfAllocation, t.MostOfAllocation = 1-votes[0].vote, votes[len(votes)-1].vote
	}
	c.single.addMost(&t, 1)
	for a := range c.shared {
		set := &c.shared[a]
		if set.networks == 0 {
			continue
		}
		weight := min(set.networks, c.mostVotes)
		each := float64(weight) / float64(set.networks)
		sum := set.sum() * each
		v.Networks, v.Allocations, v.Weight = v.Networks+set.networks, v.Allocations+1, v.Weight+weight
		v.CappedDevices += min(c.capped[a], c.allocationCap)
		t.Sum += sum
		t.MostOfAllocation, t.HealthyOfAllocation = max(t.MostOfAllocation, sum), max(t.HealthyOfAllocation, float64(weight)-sum)
		set.addMost(&t, each)
	}
	v.Errored, v.Crashed = t, t
	return models.ReleaseHealth{
		Devices: c.all.Devices, ErroredDevices: c.all.ErroredDevices, CrashedDevices: c.all.CrashedDevices, Votes: v,
	}
}

// recap counts the devices again when more or fewer of a network or an allocation count for minDevices.
func (c *census) recap(perNetwork, perAllocation int64) {
	c.cap, c.allocationCap = perNetwork, perAllocation
	clear(c.capped)
	for i, n := range c.networks {
		a := c.allocation[i]
		if a == alone {
			a = len(c.shared)
		}
		c.capped[a] += min(n.Devices, perNetwork)
	}
}
