package models

import "cmp"

// MaxLeftOut is the highest number of networks that a judgement leaves out.
const MaxLeftOut = 10

// Votes are the votes of the networks that counted devices belong to. A device belongs to the
// network that it was first served the release from. A network is heard once a device of it counts,
// and then has one vote on each metric: its affected devices divided by its counted devices, from 0
// to 1, however many there are.
//
// The networks of one allocation have at most HealthQuery.AllocationVotes votes together: each of n networks weighs 1, or
// AllocationVotes divided by n.
//
// It is aggregated so that single networks, and a single allocation, can be left out of it.
type Votes struct {
	// Networks is how many networks are heard.
	Networks int64 `json:"networks"`
	// Allocations is how many allocations these belong to, and Weight what all networks weigh together. Both are 0 in health
	// that was recorded before networks belonged to allocations.
	Allocations int64 `json:"allocations,omitempty"`
	Weight      int64 `json:"weight,omitempty"`
	// CappedDevices counts at most HealthQuery.MaxPerNetwork devices of each network, and at most MaxPerAllocation devices of
	// each allocation. It is 0 in the groups of a comparison.
	CappedDevices int64 `json:"cappedDevices,omitempty"`
	// LargestDevices is how many devices of the network with the most of them count.
	LargestDevices int64 `json:"largestDevices,omitempty"`
	Errored        Tally `json:"errored"`
	Crashed        Tally `json:"crashed"`
}

// Total is what all networks weigh together.
func (v Votes) Total() int64 { return cmp.Or(v.Weight, v.Networks) }

// Tally is the votes on one metric, by weight: their sum, and the votes at both ends.
type Tally struct {
	// Sum is from 0 to Votes.Total.
	Sum float64 `json:"sum"`
	// Most are the largest votes of networks in descending order, 0 where there are fewer.
	Most [MaxLeftOut]float64 `json:"most,omitzero"`
	// MostOfAllocation is the largest sum of the votes of an allocation.
	MostOfAllocation float64 `json:"mostOfAllocation,omitempty"`
	// HealthyOfAllocation is the largest difference between what the networks of an allocation weigh and the sum of their votes.
	HealthyOfAllocation float64 `json:"healthyOfAllocation,omitempty"`
	// Least is the smallest vote. It is set only in health that was recorded before networks belonged to allocations.
	Least float64 `json:"least,omitempty"`
}

// VotesOfEach returns the votes when each device of c is a network and an allocation of its own.
func VotesOfEach(c DeviceCounts) Votes {
	return Votes{
		Networks: c.Devices, Allocations: c.Devices, Weight: c.Devices, CappedDevices: c.Devices, LargestDevices: min(c.Devices, 1),
		Errored: tallyOfEach(c.ErroredDevices, c.Devices), Crashed: tallyOfEach(c.CrashedDevices, c.Devices),
	}
}

func tallyOfEach(affected, devices int64) Tally {
	t := Tally{Sum: float64(affected), MostOfAllocation: float64(min(affected, 1)), HealthyOfAllocation: float64(min(devices-affected, 1))}
	for i := range min(affected, MaxLeftOut) {
		t.Most[i] = 1
	}
	return t
}
