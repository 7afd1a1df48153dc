package simulation

import "github.com/waft-ota/waft/models"

// alone marks a network that is its own allocation.
const alone = -1

// census counts reporting devices by network, and stores the votes of the networks.
type census struct {
	networks []models.DeviceCounts
	// allocation is the allocation of each network: alone, or an index into shared.
	allocation []int
	// maxVotes is the maximum number of votes of one allocation.
	maxVotes int64
	all      models.DeviceCounts
	// single contains the votes of networks that are their own allocation; shared contains the votes of each other
	// allocation.
	single  voteSet
	shared  []voteSet
	capped  []int64 // per shared allocation, and last for single networks
	largest int64
	cap     int64
	// allocationCap is the maximum number of devices of an allocation that count.
	allocationCap int64
}

func newCensus(allocation []int, maxVotes int64) *census {
	shared := 0
	for _, a := range allocation {
		shared = max(shared, a+1)
	}
	return &census{
		networks: make([]models.DeviceCounts, len(allocation)), allocation: allocation, maxVotes: maxVotes,
		shared: make([]voteSet, shared), capped: make([]int64, shared+1),
	}
}

// report counts devices in a network. Either all of them crash or none.
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

// health returns the health of all devices that have reported.
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
		weight := min(set.networks, c.maxVotes)
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

// recap recounts the devices toward minDevices with new maximums per network and allocation.
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
