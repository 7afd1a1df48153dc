package models

// MaxLeftOut is the highest number of networks that a judgement leaves out.
const MaxLeftOut = 10

// Votes are the votes of the networks that counted devices belong to. A device belongs to the
// network that it was first served the release from. A network is heard once a device of it counts,
// and then has one vote on each metric: its affected devices divided by its counted devices, from 0
// to 1, however many there are.
//
// It is aggregated so that single networks can be left out of it.
type Votes struct {
	// Networks is how many networks are heard.
	Networks int64 `json:"networks"`
	// CappedDevices counts at most HealthQuery.MaxPerNetwork devices of each network. It is 0 in the
	// groups of a comparison.
	CappedDevices int64 `json:"cappedDevices,omitempty"`
	// LargestDevices is how many devices of the network with the most of them count.
	LargestDevices int64 `json:"largestDevices,omitempty"`
	Errored        Tally `json:"errored"`
	Crashed        Tally `json:"crashed"`
}

// Tally is the votes on one metric: their sum, and the votes at both ends.
type Tally struct {
	// Sum is from 0 to the number of networks.
	Sum float64 `json:"sum"`
	// Least is the smallest vote, 0 without networks.
	Least float64 `json:"least,omitempty"`
	// Most are the largest votes in descending order, 0 where there are fewer.
	Most [MaxLeftOut]float64 `json:"most,omitzero"`
}

// VotesOfEach is the votes when each device of c is a network of its own.
func VotesOfEach(c DeviceCounts) Votes {
	return Votes{
		Networks: c.Devices, CappedDevices: c.Devices, LargestDevices: min(c.Devices, 1),
		Errored: tallyOfEach(c.ErroredDevices, c.Devices), Crashed: tallyOfEach(c.CrashedDevices, c.Devices),
	}
}

func tallyOfEach(affected, devices int64) Tally {
	t := Tally{Sum: float64(affected)}
	if affected == devices && devices > 0 {
		t.Least = 1
	}
	for i := range min(affected, MaxLeftOut) {
		t.Most[i] = 1
	}
	return t
}
