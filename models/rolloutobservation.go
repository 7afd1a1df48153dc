package models

import (
	"slices"
	"time"
)

// RolloutObservation is a stored observation of a rollout at one time.
type RolloutObservation struct {
	ProjectID, ExecutionID int64
	At                     time.Time
	// StageIndex and Percentage are the stage and the percentage of the rollout at that time.
	StageIndex int
	Percentage float64
	DeviceCounts
	Evidence float64
	// Events are the observed custom events.
	Events []EventCounts
	// IgnoredDevices is the number of devices that reported the release but do not count.
	IgnoredDevices int64
}

// ObservationOf returns the observation o for a rollout in the state e.
func ObservationOf(e RolloutExecution, o Observation) RolloutObservation {
	return RolloutObservation{
		ProjectID: e.ProjectID, ExecutionID: e.ID, At: o.CheckedAt, StageIndex: e.StageIndex, Percentage: e.Percentage,
		DeviceCounts: DeviceCounts{Devices: o.Devices, ErroredDevices: o.ErroredDevices, CrashedDevices: o.CrashedDevices},
		Evidence:     o.Evidence, IgnoredDevices: o.IgnoredDevices(), Events: eventCounts(o.Events),
	}
}

// EventCounts contains the device counts of EventHealth.
type EventCounts struct {
	Name                     string
	Direction                EventDirection
	Devices, ReportedDevices int64
}

// Rate returns the percentage of devices that reported the event, or 0 if there are no devices.
func (c EventCounts) Rate() float64 { return percentOf(c.ReportedDevices, c.Devices) }

func eventCounts(events []EventHealth) []EventCounts {
	var all []EventCounts
	for _, e := range events {
		all = append(all, EventCounts{Name: e.Name, Direction: e.Direction, Devices: e.Devices, ReportedDevices: e.ReportedDevices})
	}
	return all
}

// ThinObservations returns at most limit of the observations, which are newest first. It keeps the newest observation, then the
// first observation of each stage, beginning with the oldest stage, and then every nth of the others.
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
