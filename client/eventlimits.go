package client

import "github.com/waft-ota/waft/models"

// eventLimitsBody returns the limits in the form of a request's body, nil for nil.
func eventLimitsBody(limits []models.EventLimit) *[]EventLimit {
	if limits == nil {
		return nil
	}
	body := make([]EventLimit, len(limits))
	for i, l := range limits {
		body[i] = EventLimit{Name: l.Name, Rate: l.Rate, Direction: EventLimitDirection(l.Direction)}
	}
	return &body
}

func eventLimits(body *[]EventLimit) []models.EventLimit {
	if body == nil {
		return nil
	}
	limits := make([]models.EventLimit, len(*body))
	for i, l := range *body {
		limits[i] = models.EventLimit{Name: l.Name, Rate: l.Rate, Direction: models.EventDirection(l.Direction)}
	}
	return limits
}

func eventHealth(body []EventHealth) []models.EventHealth {
	var events []models.EventHealth
	for _, e := range body {
		h := models.EventHealth{
			Name: e.Name, Direction: models.EventDirection(e.Direction), Devices: e.Devices, ReportedDevices: e.ReportedDevices,
			Votes: models.EventVotes{
				Networks: e.Votes.Networks, Allocations: e.Votes.Allocations, Weight: e.Votes.Weight, Affected: models.Tally{Sum: e.Votes.Reported},
			},
		}
		if h.Direction == models.EventBelow {
			h.Votes.Affected.Sum = float64(e.Votes.Weight) - e.Votes.Reported
		}
		events = append(events, h)
	}
	return events
}
