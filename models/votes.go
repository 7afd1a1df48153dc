package models

import "cmp"

// MaxLeftOut is the maximum number of networks that a decision excludes.
const MaxLeftOut = 10

// Votes summarizes the votes of reporting networks. A device belongs to the network from which it was first served the
// release. A network reports once one of its devices counts. It then has one vote on each metric: its affected devices
// divided by its counted devices, a number from 0 to 1.
//
// Networks are weighted, because the networks of one allocation have at most HealthQuery.AllocationVotes votes together:
// each of the n networks of an allocation weighs 1, or AllocationVotes divided by n if that is less.
//
// The summary keeps enough detail to exclude single networks, or a single allocation, from a decision.
type Votes struct {
	// Networks is the number of reporting networks.
	Networks int64 `json:"networks"`
	// Allocations is the number of allocations that these networks belong to; Weight is the weight of all networks together.
	// Both are 0 in health that was recorded before networks belonged to allocations.
	Allocations int64 `json:"allocations,omitempty"`
	Weight      int64 `json:"weight,omitempty"`
	// CappedDevices counts at most HealthQuery.MaxPerNetwork devices per network, and at most MaxPerAllocation devices per
	// allocation. It is 0 in the groups of a comparison.
	CappedDevices int64 `json:"cappedDevices,omitempty"`
	// LargestDevices is the number of counted devices in the network that has the most.
	LargestDevices int64 `json:"largestDevices,omitempty"`
	Errored        Tally `json:"errored"`
	Crashed        Tally `json:"crashed"`
}

// Total returns the weight of all networks together.
func (v Votes) Total() int64 { return cmp.Or(v.Weight, v.Networks) }

// Tally is the result of the weighted votes on one metric: their sum and the extreme votes.
type Tally struct {
	// Sum is from 0 to Votes.Total.
	Sum float64 `json:"sum"`
	// Most are the largest votes of networks in descending order, padded with zeros.
	Most [MaxLeftOut]float64 `json:"most,omitzero"`
	// MostOfAllocation is the largest sum of votes within one allocation.
	MostOfAllocation float64 `json:"maxOfAllocation,omitempty"`
	// HealthyOfAllocation is the largest difference, over all allocations, between the weight of an allocation's networks and
	// the sum of their votes.
	HealthyOfAllocation float64 `json:"healthyOfAllocation,omitempty"`
	// Least is the smallest vote. It is set only in health that was recorded before networks belonged to allocations.
	Least float64 `json:"least,omitempty"`
}

// VotesOfEach returns the votes if each device of c is in its own network and its own allocation.
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
