package simulation

import (
	"cmp"
	"slices"

	"github.com/waft-ota/waft/models"
)

// Fleet is the devices of an app: an element for each network, with how many devices it has.
type Fleet []int64

// Devices is how many devices the fleet has.
func (f Fleet) Devices() (n int64) {
	for _, devices := range f {
		n += devices
	}
	return n
}

// networksOfDevices is the network of each device.
func (f Fleet) networksOfDevices() []int {
	devices := make([]int, 0, f.Devices())
	for network, n := range f {
		for range n {
			devices = append(devices, network)
		}
	}
	return devices
}

// Homes are so many devices in homes: of ten homes seven have one, two have two, one has three.
func Homes(devices int64) Fleet {
	sizes := [...]int64{1, 1, 2, 1, 1, 3, 1, 2, 1, 1}
	var f Fleet
	for i := 0; devices > 0; i++ {
		size := min(sizes[i%len(sizes)], devices)
		f, devices = append(f, size), devices-size
	}
	return f
}

// Singles are so many devices in networks of their own.
func Singles(devices int64) Fleet { return slices.Repeat(Fleet{1}, int(devices)) }

// Offices are twenty testers in three offices.
func Offices() Fleet { return Fleet{10, 6, 4} }

// Carrier is a fleet of which nine in ten devices are in one carrier's network, the others in homes.
func Carrier(devices int64) Fleet { return append(Fleet{devices - devices/10}, Homes(devices/10)...) }

// Proxy is a fleet behind one proxy that the server does not know.
func Proxy(devices int64) Fleet { return Fleet{devices} }

// voteCount is how many networks have a vote.
type voteCount struct {
	vote     float64
	networks int64
}

// census counts devices that report by network, and keeps the votes of the networks.
type census struct {
	networks []models.DeviceCounts
	all      models.DeviceCounts
	votes    []voteCount // in ascending order, of at least one network each
	capped   int64
	largest  int64
	cap      int64
}

func newCensus(networks int, maxPerNetwork int64) *census {
	return &census{networks: make([]models.DeviceCounts, networks), cap: maxPerNetwork}
}

// report counts devices in a network, all of which crash or none.
func (c *census) report(network int, devices int64, crash bool) {
	n := &c.networks[network]
	if n.Devices > 0 {
		c.count(n.CrashRate()/100, -1)
	}
	c.capped -= min(n.Devices, c.cap)
	add := models.DeviceCounts{Devices: devices}
	if crash {
		add.CrashedDevices, add.ErroredDevices = devices, devices
	}
	*n, c.all = n.Plus(add), c.all.Plus(add)
	c.count(n.CrashRate()/100, 1)
	c.capped += min(n.Devices, c.cap)
	c.largest = max(c.largest, n.Devices)
}

// count changes how many networks have a vote. There are few different ones.
func (c *census) count(vote float64, by int64) {
	i, found := slices.BinarySearchFunc(c.votes, vote, func(v voteCount, vote float64) int { return cmp.Compare(v.vote, vote) })
	if !found {
		c.votes = slices.Insert(c.votes, i, voteCount{vote: vote})
	}
	if c.votes[i].networks += by; c.votes[i].networks == 0 {
		c.votes = slices.Delete(c.votes, i, i+1)
	}
}

// health is what the judgement sees.
func (c *census) health() models.ReleaseHealth {
	v := models.Votes{CappedDevices: c.capped, LargestDevices: c.largest}
	var t models.Tally
	if len(c.votes) > 0 {
		t.Least = c.votes[0].vote
	}
	most := 0
	for _, counted := range slices.Backward(c.votes) {
		n := counted.networks
		v.Networks += n
		t.Sum += counted.vote * float64(n)
		for ; most < models.MaxLeftOut && n > 0; most, n = most+1, n-1 {
			t.Most[most] = counted.vote
		}
	}
	v.Errored, v.Crashed = t, t
	return models.ReleaseHealth{
		Devices: c.all.Devices, ErroredDevices: c.all.ErroredDevices, CrashedDevices: c.all.CrashedDevices, Votes: v,
	}
}

// recap counts the devices again when more or fewer of a network count for minDevices.
func (c *census) recap(maxPerNetwork int64) {
	c.cap, c.capped = maxPerNetwork, 0
	for _, n := range c.networks {
		c.capped += min(n.Devices, maxPerNetwork)
	}
}
