package models

import (
	"slices"
	"time"
)

// RolloutObservation is what was observed of a rollout at one moment.
type RolloutObservation struct {
	ProjectID, ExecutionID int64
	At                     time.Time
	// StageIndex and Percentage are the rollout's at that moment.
	StageIndex int
	Percentage float64
	DeviceCounts
	Evidence float64
	// Events are the observed custom events.
	Events []EventCounts
	// IgnoredDevices reported the release and do not count.
	IgnoredDevices int64
}

// ObservationOf is the observation o of a rollout in the state e.
func ObservationOf(e RolloutExecution, o Observation) RolloutObservation {
	return RolloutObservation{
		ProjectID: e.ProjectID, ExecutionID: e.ID, At: o.CheckedAt, StageIndex: e.StageIndex, Percentage: e.Percentage,
		DeviceCounts: DeviceCounts{Devices: o.Devices, ErroredDevices: o.ErroredDevices, CrashedDevices: o.CrashedDevices},
		Evidence:     o.Evidence, IgnoredDevices: o.IgnoredDevices(), Events: eventCounts(o.Events),
	}
}

// EventCounts are the devices of EventHealth.
type EventCounts struct {
	Name                     string
	Direction                EventDirection
	Devices, ReportedDevices int64
}

// Rate is the percentage of devices that reported the event, 0 without devices.
func (c EventCounts) Rate() float64 { return percentOf(c.ReportedDevices, c.Devices) }

func eventCounts(events []EventHealth) []EventCounts {
	var all []EventCounts
	for _, e := range events {
		all = append(all, EventCounts{Name: e.Name, Direction: e.Direction, Devices: e.Devices, ReportedDevices: e.ReportedDevices})
	}
	return all
}

// ThinObservations returns at most limit of some observations, which are newest first. It keeps the newest, and the
// first of each stage, the oldest stage first, before any other; of the rest it keeps every nth.
func ThinObservations(all []RolloutObservation, limit int) []RolloutObservation {
	if len(all) <= limit {
		return all
	}
	keep := make([]bool, len(all))
	left := limit
	take := func(i int) {
		if !keep[i] && left > 0 {
			keep[i] = true
			left--
		}
	}
	take(0)
	for i := range slices.Backward(all) {
		if i+1 == len(all) || all[i].StageIndex != all[i+1].StageIndex {
			take(i)
		}
	}
	for i, rest := 0, left; i < rest; i++ {
		for j := i * len(all) / rest; j < len(all); j++ {
			if !keep[j] {
				take(j)
				break
			}
		}
	}
	var kept []RolloutObservation
	for i, o := range all {
		if keep[i] {
			kept = append(kept, o)
		}
	}
	return slices.Clip(kept)
}
