package models

import (
	"cmp"
	"time"
)

// EventHealth counts the devices of a release that reported a custom event within their window. A device's window begins
// with its first report on the release. For EventAbove it lasts 24 hours, as for errors. For EventBelow it lasts
// EventHealthQuery.Within, and a device counts once its window is over.
type EventHealth struct {
	Name      string         `json:"name"`
	Direction EventDirection `json:"direction"`
	// Devices is the number of devices that count; ReportedDevices of them reported the event.
	Devices         int64 `json:"devices"`
	ReportedDevices int64 `json:"reportedDevices"`
	// Votes are the votes of the networks that Devices are in.
	Votes EventVotes `json:"votes,omitzero"`
	// DueAt is the time when the next device begins to count, nil if no device is still in its window.
	DueAt *time.Time `json:"dueAt,omitempty"`
}

// EventVotes are the votes of networks on an event.
type EventVotes struct {
	// Networks, Allocations, Weight and CappedDevices are as in Votes.
	Networks      int64 `json:"networks"`
	Allocations   int64 `json:"allocations,omitempty"`
	Weight        int64 `json:"weight,omitempty"`
	CappedDevices int64 `json:"cappedDevices,omitempty"`
	// Affected is the tally of votes against the release: for EventAbove from devices that reported the event, for
	// EventBelow from devices that did not.
	Affected Tally `json:"affected"`
}

// Total returns the weight of all networks together.
func (v EventVotes) Total() int64 { return cmp.Or(v.Weight, v.Networks) }

// Rate returns the percentage of devices that reported the event, or 0 if there are no devices.
func (h EventHealth) Rate() float64 { return percentOf(h.ReportedDevices, h.Devices) }

// AffectedDevices returns the number of devices that count against the release; see EventVotes.
func (h EventHealth) AffectedDevices() int64 {
	if h.Direction == EventBelow {
		return h.Devices - h.ReportedDevices
	}
	return h.ReportedDevices
}

// ReportedVotes returns the sum of the networks' votes for devices that reported the event.
func (h EventHealth) ReportedVotes() float64 {
	if h.Direction == EventBelow {
		return float64(h.Votes.Total()) - h.Votes.Affected.Sum
	}
	return h.Votes.Affected.Sum
}

// EventHealthOfEach returns the health if each device is in its own network.
func EventHealthOfEach(l EventLimit, devices, reported int64) EventHealth {
	h := EventHealth{Name: l.Name, Direction: l.Direction, Devices: devices, ReportedDevices: reported}
	h.Votes = EventVotes{
		Networks: devices, Allocations: devices, Weight: devices, CappedDevices: devices, Affected: tallyOfEach(h.AffectedDevices(), devices),
	}
	return h
}
