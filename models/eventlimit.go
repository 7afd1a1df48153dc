package models

import (
	"fmt"
	"math"
	"slices"
)

// EventDirection is the side of the threshold on which a rate is a breach.
type EventDirection string

const (
	// EventAbove makes the threshold a maximum: it is a breach if too many devices report the event.
	EventAbove EventDirection = "above"
	// EventBelow makes the threshold a minimum: it is a breach if too few devices report the event.
	EventBelow EventDirection = "below"
)

// EventLimit is a threshold for the rate of devices that report a custom event.
type EventLimit struct {
	// Name is the name of the event, as devices report it.
	Name string `json:"name"`
	// Rate is the threshold, in percent of devices: the maximum for EventAbove, the minimum for EventBelow.
	Rate      float64        `json:"rate"`
	Direction EventDirection `json:"direction"`
}

const (
	// MaxEventName is the maximum length of an event's name, in bytes. Longer names in reports are cut.
	MaxEventName = 512
	// MaxEventLimits is the maximum number of events with a threshold.
	MaxEventLimits = 5
)

func checkEventLimits(p *Problems, field string, limits []EventLimit) {
	if len(limits) > MaxEventLimits {
		p.Add(field, "must contain at most %d events", MaxEventLimits)
		return
	}
	for i, l := range limits {
		at := fmt.Sprintf("%s[%d]", field, i)
		switch {
		case l.Name == "" || len(l.Name) > MaxEventName || !IsText(l.Name):
			p.Add(at+".name", "must be the name of a custom event as devices report it: UTF-8 of 1 to %d bytes without NUL", MaxEventName)
		case slices.ContainsFunc(limits[:i], func(before EventLimit) bool { return before.Name == l.Name }):
			p.Add(at+".name", "is listed twice; an event can have only one threshold")
		}
		checkOneOf(p, at+".direction", l.Direction, EventAbove, EventBelow)
		if l.Direction == EventBelow && !(l.Rate > 0 && l.Rate < 100) {
			p.Add(at+".rate", "must be a percentage above 0 and below 100: it is a breach if fewer devices report the event")
		} else if l.Direction != EventBelow || math.IsNaN(l.Rate) {
			checkRate(p, at+".rate", l.Rate)
		} else {
			CheckPercentage(p, at+".rate", l.Rate)
		}
	}
}
