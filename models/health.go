package models

import "time"

// ReleaseHealth contains exact counts of distinct devices since the rollout began. Rollout decisions use it.
type ReleaseHealth struct {
	// Devices counts the devices inside the rollout that were served the release by Waft and reported it, or reported that
	// it failed before its first render.
	Devices int64 `json:"devices"`
	// Launches is the sum of app_launch counts; it does not influence decisions.
	Launches int64 `json:"launches"`
	// ErroredDevices counts the devices with a js_error or crash within 24 hours of their first report on the release;
	// CrashedDevices counts the devices with a crash.
	ErroredDevices int64 `json:"erroredDevices"`
	CrashedDevices int64 `json:"crashedDevices"`
	// NotServedDevices counts the devices that reported the release although Waft never served it to them;
	// NotInShareDevices counts the devices that were served the release but are outside the rollout. Neither are in Devices.
	NotServedDevices  int64 `json:"notServedDevices,omitempty"`
	NotInShareDevices int64 `json:"notInShareDevices,omitempty"`
	// RateLimitedDevices counts the devices whose reports were all refused. It is a lower bound; see docs/concepts/reports.md.
	RateLimitedDevices int64 `json:"rateLimitedDevices,omitempty"`
	// Votes are the votes of the networks that Devices are in.
	Votes Votes `json:"votes,omitzero"`
	// Events are the events selected by HealthQuery.Events, in that order.
	Events []EventHealth `json:"events,omitempty"`
	// Compared is set if the policy compares with the control group.
	Compared ComparedHealth `json:"compared,omitzero"`
}

// ComparedHealth counts the devices of one channel, platform and runtime version inside and outside the rollout, since its
// percentage was applied, whatever release they run.
type ComparedHealth struct {
	Inside  GroupHealth `json:"inside"`
	Outside GroupHealth `json:"outside"`
}

// GroupHealth counts errors within 24 h of the device's first report in the window.
type GroupHealth struct {
	Devices        int64 `json:"devices"`
	ErroredDevices int64 `json:"erroredDevices"`
	CrashedDevices int64 `json:"crashedDevices"`
	// Votes are the votes of the group's networks. A network with devices in both groups votes in both.
	Votes Votes `json:"votes,omitzero"`
}

// IgnoredDevices returns the number of devices that reported the release but do not count.
func (h ReleaseHealth) IgnoredDevices() int64 {
	return h.NotServedDevices + h.NotInShareDevices + h.RateLimitedDevices
}

// ErrorRate returns the percentage of devices with an error, or 0 if there are no devices.
func (h ReleaseHealth) ErrorRate() float64 { return percentOf(h.ErroredDevices, h.Devices) }

// CrashRate returns the percentage of devices with a crash, or 0 if there are no devices.
func (h ReleaseHealth) CrashRate() float64 { return percentOf(h.CrashedDevices, h.Devices) }

// Observation is the health of a release, with the evidence against the release.
type Observation struct {
	ReleaseHealth
	ErrorRate float64 `json:"errorRate"`
	CrashRate float64 `json:"crashRate"`
	// Evidence is the largest e-value of the observed metrics, divided by their number. A value up to 1 is not evidence;
	// from 20 (1/α) on it is a breach. If votes decide, Evidence excludes the most affected networks.
	Evidence  float64   `json:"evidence"`
	CheckedAt time.Time `json:"checkedAt"`
}

// Event returns the health of the custom event, without devices if the event was not observed.
func (h ReleaseHealth) Event(l EventLimit) EventHealth {
	for _, e := range h.Events {
		if e.Name == l.Name && e.Direction == l.Direction {
			return e
		}
	}
	return EventHealth{Name: l.Name, Direction: l.Direction}
}

// NextDue returns the time when the next device begins to count for an event minimum, zero if no device is still in its window.
func (h ReleaseHealth) NextDue() (next time.Time) {
	for _, e := range h.Events {
		if e.DueAt != nil && (next.IsZero() || e.DueAt.Before(next)) {
			next = *e.DueAt
		}
	}
	return next
}
