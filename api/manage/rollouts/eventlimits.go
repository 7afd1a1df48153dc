package rollouts

import (
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// EventLimit is a threshold for the rate of devices that report a custom event.
type EventLimit struct {
	Name      string                `json:"name" minLength:"1" maxLength:"512" doc:"Name of the custom event in health reports."`
	Rate      float64               `json:"rate" exclusiveMinimum:"0" maximum:"100" doc:"Percentage of devices that report the event; below 100 for the direction below."`
	Direction models.EventDirection `json:"direction" enum:"above,below" doc:"Side of rate that is a breach. above: too many devices report the event within 24 hours of their first report on the release. below: too few devices report it within the minDurationMinutes of the first stage, at most 24 hours; a device counts once that time is over."`
}

// EventHealth counts the devices that reported a custom event for which the policy has a threshold.
type EventHealth struct {
	Name            string                `json:"name"`
	Direction       models.EventDirection `json:"direction" enum:"above,below"`
	Devices         int64                 `json:"devices" doc:"Number of devices that count for the threshold: all counted devices, or for the direction below the devices whose time to report the event is over."`
	ReportedDevices int64                 `json:"reportedDevices" doc:"Number of these devices that reported the event in time."`
	Rate            float64               `json:"rate" doc:"Percentage of devices that reported the event."`
	Votes           EventVotes            `json:"votes" doc:"Votes that are compared with the threshold, unless the policy's minNetworks is 1."`
}

// EventVotes are the votes of the devices' networks.
type EventVotes struct {
	Networks    int64   `json:"networks" doc:"Number of networks with at least one device that counts."`
	Allocations int64   `json:"allocations" doc:"Number of allocations (IPv4 /16, IPv6 /32) that these networks belong to; 0 in older records."`
	Weight      int64   `json:"weight" doc:"Total weight of the networks, as in the votes on crashes."`
	Reported    float64 `json:"reported" doc:"Sum of the votes on devices that reported the event, 0 to weight."`
}

// EventLook counts the devices that reported a custom event in one observation.
type EventLook struct {
	Name            string                `json:"name"`
	Direction       models.EventDirection `json:"direction" enum:"above,below"`
	Devices         int64                 `json:"devices"`
	ReportedDevices int64                 `json:"reportedDevices"`
	Rate            float64               `json:"rate" doc:"Percentage of devices that reported the event."`
}

// eventLimitModels returns nil if no list was given, and an empty list if the list was empty.
func eventLimitModels(limits []EventLimit) []models.EventLimit {
	if limits == nil {
		return nil
	}
	return rest.Rendered(limits, func(l EventLimit) models.EventLimit { return models.EventLimit(l) })
}

func eventLimitPatch(p rest.Patch[[]EventLimit]) models.Nullable[[]models.EventLimit] {
	given := p.Nullable()
	patch := models.Nullable[[]models.EventLimit]{Set: given.Set}
	if given.Value != nil {
		patch.Value = new(eventLimitModels(*given.Value))
	}
	return patch
}

func eventHealthRecord(h models.EventHealth) EventHealth {
	return EventHealth{
		Name: h.Name, Direction: h.Direction, Devices: h.Devices, ReportedDevices: h.ReportedDevices, Rate: rest.Percent(h.Rate()),
		Votes: EventVotes{
			Networks: h.Votes.Networks, Allocations: h.Votes.Allocations, Weight: h.Votes.Total(), Reported: rest.Percent(h.ReportedVotes()),
		},
	}
}

func eventLook(c models.EventCounts) EventLook {
	return EventLook{Name: c.Name, Direction: c.Direction, Devices: c.Devices, ReportedDevices: c.ReportedDevices,
		Rate: rest.Percent(c.Rate())}
}

func exampleEventLimits() []EventLimit {
	return []EventLimit{{Name: "checkout_completed", Rate: 30, Direction: models.EventBelow}}
}

func exampleEventHealth() []EventHealth {
	return []EventHealth{{
		Name: "checkout_completed", Direction: models.EventBelow, Devices: 200, ReportedDevices: 84, Rate: 42,
		Votes: EventVotes{Networks: 160, Reported: 66.5},
	}}
}

func exampleEventLooks() []EventLook {
	return []EventLook{{Name: "checkout_completed", Direction: models.EventBelow, Devices: 200, ReportedDevices: 84, Rate: 42}}
}
