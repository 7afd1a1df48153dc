package models

import (
	"cmp"
	"time"
)

// EventHealth counts the devices of a release that reported a custom event within their time. It begins with a device's
// first report on the release. For EventAbove it is 24 h, as it is for errors. For EventBelow it is EventHealthQuery.Within,
// and devices count once it is over.
type EventHealth struct {
	Name      string         `json:"name"`
	Direction EventDirection `json:"direction"`
	// Devices are those that count, ReportedDevices those of them that reported the event.
	Devices         int64 `json:"devices"`
	ReportedDevices int64 `json:"reportedDevices"`
	// Votes are those of the networks of Devices.
	Votes EventVotes `json:"votes,omitzero"`
	// DueAt is when the next device begins to count, nil when none waits for that.
	DueAt *time.Time `json:"dueAt,omitempty"`
}

// EventVotes are the votes of networks on an event.
type EventVotes struct {
	// Networks, Allocations, Weight and CappedDevices are as in Votes.
	Networks      int64 `json:"networks"`
	Allocations   int64 `json:"allocations,omitempty"`
	Weight        int64 `json:"weight,omitempty"`
	CappedDevices int64 `json:"cappedDevices,omitempty"`
	// Affected is the votes on devices that speak against the release: those that reported the event
	// for EventAbove, the others for EventBelow.
	Affected Tally `json:"affected"`
}

// Total is what all networks weigh together.
func (v EventVotes) Total() int64 { return cmp.Or(v.Weight, v.Networks) }

// Rate is the percentage of devices that reported the event, 0 without devices.
func (h EventHealth) Rate() float64 { return percentOf(h.ReportedDevices, h.Devices) }

// AffectedDevices are those that speak against the release; see EventVotes.
func (h EventHealth) AffectedDevices() int64 {
	if h.Direction == EventBelow {
		return h.Devices - h.ReportedDevices
	}
	return h.ReportedDevices
}

// ReportedVotes is the sum of the networks' votes on devices that reported the event.
func (h EventHealth) ReportedVotes() float64 {
	if h.Direction == EventBelow {
		return float64(h.Votes.Total()) - h.Votes.Affected.Sum
	}
	return h.Votes.Affected.Sum
}

// EventHealthOfEach is the health when each device is a network of its own.
func EventHealthOfEach(l EventLimit, devices, reported int64) EventHealth {
	h := EventHealth{Name: l.Name, Direction: l.Direction, Devices: devices, ReportedDevices: reported}
	h.Votes = EventVotes{
		Networks: devices, Allocations: devices, Weight: devices, CappedDevices: devices, Affected: tallyOfEach(h.AffectedDevices(), devices),
	}
	return h
}
