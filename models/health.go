package models

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// ReleaseHealth is what devices reported of a release since its rollout began:
// exact distinct devices, never estimates. Decisions rest on it.
type ReleaseHealth struct {
	// Devices reported anything with the release, or that it failed before its first
	// render, were served it by Waft, and lie in its share.
	Devices int64 `json:"devices"`
	// Launches is the sum of app_launch counts; shown, never decided on.
	Launches int64 `json:"launches"`
	// ErroredDevices had at least one js_error or crash within 24 h of their first
	// report on the release, CrashedDevices at least one crash.
	ErroredDevices int64 `json:"erroredDevices"`
	CrashedDevices int64 `json:"crashedDevices"`
	// NotServedDevices and NotInShareDevices reported with the release as well, but do
	// not count in anything above: Waft never served it to the former, and the latter,
	// which it did, lie outside the share.
	NotServedDevices  int64 `json:"notServedDevices,omitempty"`
	NotInShareDevices int64 `json:"notInShareDevices,omitempty"`
	// RateLimitedDevices sent reports that were refused for their rate, and none that was
	// taken in. They are at least as many: see docs/telemetry.md.
	RateLimitedDevices int64 `json:"rateLimitedDevices,omitempty"`
	// Compared is the comparison with devices outside the share, where the policy asks
	// for one.
	Compared ComparedHealth `json:"compared,omitzero"`
}

// ComparedHealth counts the devices of one channel, platform and runtime version inside
// and outside of a share since the share was applied, whatever release they run.
type ComparedHealth struct {
	Inside  GroupHealth `json:"inside"`
	Outside GroupHealth `json:"outside"`
}

// GroupHealth counts distinct devices. One counts as affected when its error falls
// within 24 h of its first report in the window.
type GroupHealth struct {
	Devices        int64 `json:"devices"`
	ErroredDevices int64 `json:"erroredDevices"`
	CrashedDevices int64 `json:"crashedDevices"`
}

// IgnoredDevices is how many devices reported with the release and do not count.
func (h ReleaseHealth) IgnoredDevices() int64 {
	return h.NotServedDevices + h.NotInShareDevices + h.RateLimitedDevices
}

// ErrorRate is the percentage of devices that errored, 0 without devices.
func (h ReleaseHealth) ErrorRate() float64 { return percentOf(h.ErroredDevices, h.Devices) }

// CrashRate is the percentage of devices that crashed, 0 without devices.
func (h ReleaseHealth) CrashRate() float64 { return percentOf(h.CrashedDevices, h.Devices) }

func percentOf(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// Observation is a reading of a release's health, with the evidence in it against the
// release.
type Observation struct {
	ReleaseHealth
	ErrorRate float64 `json:"errorRate"`
	CrashRate float64 `json:"crashRate"`
	// Evidence is the largest of the watched metrics' e-values against their limits,
	// divided by how many are watched: 1 and below says nothing, 20 (1/α) and above is a
	// breach.
	Evidence  float64   `json:"evidence"`
	CheckedAt time.Time `json:"checkedAt"`
}

// HealthEventType is the kind of a device's health event.
type HealthEventType string

// Health event types that Waft keeps; others are accepted and skipped.
const (
	EventJSError   HealthEventType = "js_error"
	EventCrash     HealthEventType = "crash"
	EventCustom    HealthEventType = "custom"
	EventAppLaunch HealthEventType = "app_launch"
)

// Known reports whether Waft keeps events of this type.
func (t HealthEventType) Known() bool {
	switch t {
	case EventJSError, EventCrash, EventCustom, EventAppLaunch:
		return true
	default:
		return false
	}
}

// Failed reports whether something went wrong in events of this type.
func (t HealthEventType) Failed() bool { return t == EventJSError || t == EventCrash }

// HealthEventTypes are those that are known.
func HealthEventTypes() []HealthEventType {
	return []HealthEventType{EventJSError, EventCrash, EventCustom, EventAppLaunch}
}

// HealthEvent is one deduplicated event of a report.
type HealthEvent struct {
	Type           HealthEventType
	Name           string
	Message        string
	ErrorName      string
	StackTrace     string
	ComponentStack string
	IsFatal        bool
	// Count is how often it occurred, 1–1,000,000.
	Count int64
	Tags  Texts
	// FlagStates are the flag variations active at the time, as text.
	FlagStates Texts
}

// HealthReport is what a device sends about itself. It is trusted for nothing
// but its own numbers.
type HealthReport struct {
	// ID is a UUID that tells the report from every other one, "" until the ingest log
	// has taken it in. Of a keyed report it is ReportID.
	ID string
	// Keyed says that the sender named the report, so that it may come again under the
	// same ID and counts once.
	Keyed          bool
	ProjectID      int64
	DeviceID       string
	Channel        string
	Platform       Platform
	RuntimeVersion string
	// UpdateUUID is the running update in lower case, "" for the embedded bundle.
	UpdateUUID string
	ReceivedAt time.Time
	Events     []HealthEvent
	// ShareBucket is where the device stands in the share of the release that it runs
	// (rollout.Bucket, or 100,000 for one that is only in the full share), nil where
	// DeviceID itself can tell, which a hashed one cannot.
	ShareBucket *uint32
}

// ReportID is the id of the report that a device of the project named with key. It
// is a UUID of version 8: SHA-256 of the three.
func ReportID(projectID int64, deviceID, key string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s", projectID, deviceID, key))
	id := uuid.UUID(sum[:16])
	id[6] = id[6]&0x0f | 0x80 // version 8
	id[8] = id[8]&0x3f | 0x80 // variant of RFC 9562
	return id.String()
}

// HasErrors reports whether the report holds a js_error or a crash.
func (r HealthReport) HasErrors() bool {
	for _, e := range r.Events {
		if e.Type.Failed() {
			return true
		}
	}
	return false
}
