package models

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
)

// HealthEventType is the kind of a device's health event.
type HealthEventType string

// Types of events that Waft stores; others are accepted and skipped.
const (
	EventJSError   HealthEventType = "js_error"
	EventCrash     HealthEventType = "crash"
	EventCustom    HealthEventType = "custom"
	EventAppLaunch HealthEventType = "app_launch"
)

// HealthEventTypes returns the types that Waft stores.
func HealthEventTypes() []HealthEventType {
	return []HealthEventType{EventJSError, EventCrash, EventCustom, EventAppLaunch}
}

// Known reports whether Waft stores events of this type.
func (t HealthEventType) Known() bool { return slices.Contains(HealthEventTypes(), t) }

// Failed reports whether something went wrong in events of this type.
func (t HealthEventType) Failed() bool { return t == EventJSError || t == EventCrash }

// HealthEvent is one deduplicated event of a report.
type HealthEvent struct {
	Type                                 HealthEventType
	Name, Message, ErrorName, StackTrace string
	// SentName is the name that a cardinality limit replaced, "" when Name is as it was sent.
	SentName       string
	ComponentStack string
	IsFatal        bool
	// Count is how often it occurred, 1–1,000,000.
	Count int64
	Tags  Texts
	// FlagStates are the variations of flags active at the time.
	FlagStates Texts
	// Group is of errors and crashes; it is set when their range is inserted.
	Group EventGroup
}

// HealthReport is a report that a device sends about itself.
type HealthReport struct {
	// ID is a UUID, ReportID for a keyed report, and "" until the ingest log sets it.
	ID string
	// Keyed says that the sender named the report, so that repetitions count once.
	Keyed          bool
	ProjectID      int64
	DeviceID       string
	Channel        string
	Platform       Platform
	RuntimeVersion string
	// UpdateUUID is the running update in lower case, "" for the embedded one.
	UpdateUUID string
	ReceivedAt time.Time
	Events     []HealthEvent
	// Source says who sent the report, where it has errors.
	Source ReportSource
	// ShareBucket is the device's bucket (rollout.Bucket) in the share of the release that it runs,
	// 100,000 for one that is only in the full share. It is set when DeviceID is a hash, from which
	// no bucket follows, and otherwise nil.
	ShareBucket *uint32
}

// ReportSource is who sends a report, as far as limits go.
type ReportSource struct {
	Network NetworkHash
	// Trusted says that the network has no budget, Served that Waft served the device a release before.
	Trusted, Served bool
}

// CustomNames are the names of the report's custom events as they were sent, each once, in order of their bytes.
func (r HealthReport) CustomNames() []string {
	var names []string
	for i := range r.Events {
		if e := &r.Events[i]; e.Type == EventCustom && e.Name != "" {
			names = append(names, cmp.Or(e.SentName, e.Name))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// HasErrors reports whether the report has a js_error or a crash.
func (r HealthReport) HasErrors() bool {
	return slices.ContainsFunc(r.Events, func(e HealthEvent) bool { return e.Type.Failed() })
}

// ReportID is the id of a keyed report: a UUID of version 8 from a SHA-256.
func ReportID(projectID int64, deviceID, key string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s", projectID, deviceID, key))
	id := uuid.UUID(sum[:16])
	id[6] = id[6]&0x0f | 0x80 // version 8
	id[8] = id[8]&0x3f | 0x80 // variant of RFC 9562
	return id.String()
}

// ReportClaim is an ingest log's entry with a keyed report. Only the first claim of a report counts.
type ReportClaim struct {
	ReportID uuid.UUID
	// Node identifies the log, so that a repeated claim gets the same answer.
	Node  uuid.UUID
	Entry int64
}

// DeviceGroup is a group of devices with the same reported properties.
type DeviceGroup struct {
	// Key identifies the group within its project.
	Key            uint64
	UpdateUUID     string // "" for the embedded update
	Channel        string
	Platform       Platform
	RuntimeVersion string
}

// Text is a text with a name, such as a tag of an event.
type Text struct{ Name, Value string }

// Texts have different names. They are a list because each of thousands of events a second has a
// few, and a list is filled and read in about half the time of a map.
type Texts []Text

// TextsOf returns the values sorted by name, nil when there are none.
func TextsOf(values map[string]string) Texts {
	var texts Texts
	for name, value := range values {
		texts = append(texts, Text{name, value})
	}
	slices.SortFunc(texts, ByName)
	return texts
}

// ByName compares two texts by their names alone.
func ByName(a, b Text) int { return cmp.Compare(a.Name, b.Name) }

// Map returns the values by name, never nil.
func (t Texts) Map() map[string]string {
	values := make(map[string]string, len(t))
	for _, text := range t {
		values[text.Name] = text.Value
	}
	return values
}

// TelemetryEvent is one event of a device's report in a list of events.
type TelemetryEvent struct {
	// ID is the report's id, "-" and the event's position in it.
	ID                      string
	ReceivedAt              time.Time
	ReportID                uuid.UUID
	Index                   uint16
	DeviceID                string
	Platform                Platform
	Channel, RuntimeVersion string
	// UpdateUUID is "" for the embedded update.
	UpdateUUID string
	HealthEvent
}

// Cursor is the position after the event.
func (e TelemetryEvent) Cursor() EventCursor {
	return EventCursor{ReceivedAt: e.ReceivedAt, ReportID: e.ReportID, Index: e.Index}
}

// EventCursor is the position after an event in the list of events.
type EventCursor struct {
	ReceivedAt time.Time
	ReportID   uuid.UUID
	Index      uint16
}

// EventQuery selects events, newest first; empty fields do not filter.
type EventQuery struct {
	// Types has at least one element.
	Types    []HealthEventType
	Channel  string
	Platform Platform
	// UpdateUUID and DeviceIDs are in lower case.
	UpdateUUID string
	DeviceIDs  []string
	// Search is found in message, name and error name, in any case.
	Search string
	// After is the end of the page before, nil for the first page.
	After *EventCursor
	// Skip is how many events to skip, Limit the largest number to return.
	Skip, Limit int
}
