package models

import "time"

// ReleaseHealth has exact counts of distinct devices since the rollout began. Decisions use it.
type ReleaseHealth struct {
	// Devices reported the release, or that it failed before its first render, were served it by
	// Waft, and are in its share.
	Devices int64 `json:"devices"`
	// Launches is the sum of app_launch counts; it does not influence decisions.
	Launches int64 `json:"launches"`
	// ErroredDevices had a js_error or crash within 24 h of their first report on the release,
	// CrashedDevices a crash.
	ErroredDevices int64 `json:"erroredDevices"`
	CrashedDevices int64 `json:"crashedDevices"`
	// NotServedDevices reported the release although Waft never served it to them,
	// NotInShareDevices were served it but are outside its share. They do not count above.
	NotServedDevices  int64 `json:"notServedDevices,omitempty"`
	NotInShareDevices int64 `json:"notInShareDevices,omitempty"`
	// RateLimitedDevices sent only refused reports; a lower bound, see docs/telemetry.md.
	RateLimitedDevices int64 `json:"rateLimitedDevices,omitempty"`
	// Votes are those of the networks of Devices.
	Votes Votes `json:"votes,omitzero"`
	// Events has those that HealthQuery.Events asks for, in that order.
	Events []EventHealth `json:"events,omitempty"`
	// Compared is set when the policy compares with the control group.
	Compared ComparedHealth `json:"compared,omitzero"`
}

// ComparedHealth counts the devices of one channel, platform and runtime version inside and outside
// of a share since the share was applied, whatever release they run.
type ComparedHealth struct {
	Inside  GroupHealth `json:"inside"`
	Outside GroupHealth `json:"outside"`
}

// GroupHealth counts errors within 24 h of the device's first report in the window.
type GroupHealth struct {
	Devices        int64 `json:"devices"`
	ErroredDevices int64 `json:"erroredDevices"`
	CrashedDevices int64 `json:"crashedDevices"`
	// Votes are those of the group's networks; a network with devices in both groups is in both.
	Votes Votes `json:"votes,omitzero"`
}

// IgnoredDevices is how many devices reported the release and do not count.
func (h ReleaseHealth) IgnoredDevices() int64 {
	return h.NotServedDevices + h.NotInShareDevices + h.RateLimitedDevices
}

// ErrorRate is the percentage of devices that errored, 0 without devices.
func (h ReleaseHealth) ErrorRate() float64 { return percentOf(h.ErroredDevices, h.Devices) }

// CrashRate is the percentage of devices that crashed, 0 without devices.
func (h ReleaseHealth) CrashRate() float64 { return percentOf(h.CrashedDevices, h.Devices) }

// Observation is a release's health and the evidence in it against the release.
type Observation struct {
	ReleaseHealth
	ErrorRate float64 `json:"errorRate"`
	CrashRate float64 `json:"crashRate"`
	// Evidence is the largest e-value of the observed metrics, divided by their number: up to 1 it
	// is no evidence, from 20 (1/α) on it is a breach. Where votes are judged, the most affected
	// networks are left out of it.
	Evidence  float64   `json:"evidence"`
	CheckedAt time.Time `json:"checkedAt"`
}

// Event is the health of the custom event, without devices when it was not observed.
func (h ReleaseHealth) Event(l EventLimit) EventHealth {
	for _, e := range h.Events {
		if e.Name == l.Name && e.Direction == l.Direction {
			return e
		}
	}
	return EventHealth{Name: l.Name, Direction: l.Direction}
}

// NextDue is when the next device begins to count for a limit from below, zero when none waits for that.
func (h ReleaseHealth) NextDue() (next time.Time) {
	for _, e := range h.Events {
		if e.DueAt != nil && (next.IsZero() || e.DueAt.Before(next)) {
			next = *e.DueAt
		}
	}
	return next
}
