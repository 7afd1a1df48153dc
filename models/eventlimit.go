package models

import (
	"fmt"
	"math"
	"slices"
)

// EventDirection is the side of the limit on which a rate is a breach.
type EventDirection string

const (
	// EventAbove limits from above the rate of devices that report the event.
	EventAbove EventDirection = "above"
	// EventBelow limits it from below: a breach is that too few devices report the event.
	EventBelow EventDirection = "below"
)

// EventLimit limits the rate of devices that report a custom event.
type EventLimit struct {
	// Name is the event's, as devices report it.
	Name string `json:"name"`
	// Rate is in percent of devices. Below a limit of EventBelow and above one of EventAbove is a breach.
	Rate      float64        `json:"rate"`
	Direction EventDirection `json:"direction"`
}

const (
	// MaxEventName is the longest name of an event, in bytes. Longer ones in reports are cut.
	MaxEventName = 512
	// MaxEventLimits is how many events thresholds may limit.
	MaxEventLimits = 5
)

func checkEventLimits(p *Problems, field string, limits []EventLimit) {
	if len(limits) > MaxEventLimits {
		p.Add(field, "must hold at most %d events", MaxEventLimits)
		return
	}
	for i, l := range limits {
		at := fmt.Sprintf("%s[%d]", field, i)
		switch {
		case l.Name == "" || len(l.Name) > MaxEventName || !IsText(l.Name):
			p.Add(at+".name", "must be the name of a custom event as health reports have it: UTF-8 of 1 to %d bytes without NUL", MaxEventName)
		case slices.ContainsFunc(limits[:i], func(before EventLimit) bool { return before.Name == l.Name }):
			p.Add(at+".name", "is listed twice; an event has one limit")
		}
		checkOneOf(p, at+".direction", l.Direction, EventAbove, EventBelow)
		if l.Direction == EventBelow && !(l.Rate > 0 && l.Rate < 100) {
			p.Add(at+".rate", "must be a percentage above 0 and below 100: fewer devices than that are a breach")
		} else if l.Direction != EventBelow || math.IsNaN(l.Rate) {
			checkRate(p, at+".rate", l.Rate)
		} else {
			CheckPercentage(p, at+".rate", l.Rate)
		}
	}
}
