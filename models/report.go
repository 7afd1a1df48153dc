package models

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
)

// HealthEventType is the type of a health event.
type HealthEventType string

// Types of events that Waft stores. Events of other types are accepted but not stored.
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

// Failed reports whether events of this type are errors or crashes.
func (t HealthEventType) Failed() bool { return t == EventJSError || t == EventCrash }

// HealthEvent is one deduplicated event of a report.
type HealthEvent struct {
	Type                                 HealthEventType
	Name, Message, ErrorName, StackTrace string
	// SentName is the original name if a cardinality limit replaced it, "" if Name is the name that was sent.
	SentName       string
	ComponentStack string
	IsFatal        bool
	// Count is the number of occurrences, 1–1,000,000.
	Count int64
	Tags  Texts
	// FlagStates are the variations of flags that were active at the time.
	FlagStates Texts
	// Breadcrumbs are the actions and changes in the app before an error or crash, oldest first.
	Breadcrumbs []Breadcrumb
	// Group is the group of an error or crash. It is set when the range of the ingest log with the event is inserted.
	Group EventGroup
}

// HealthReport is a report that a device sends about itself.
type HealthReport struct {
	// ID is a UUID, computed by ReportID for a keyed report. It is "" until the ingest log sets it.
	ID string
	// Keyed means that the sender gave the report a key, so that Waft counts a repeated report once.
	Keyed          bool
	ProjectID      int64
	DeviceID       string
	Channel        string
	Platform       Platform
	RuntimeVersion string
	// UpdateUUID is the ID of the running update in lower case, "" for the embedded update.
	UpdateUUID string
	ReceivedAt time.Time
	Events     []HealthEvent
	// Source identifies the sender of a report with errors.
	Source ReportSource
	// ShareBucket is the device's bucket (rollout.Bucket) in the rollout of the release that it runs, or 100,000 if only a
	// rollout percentage of 100 includes the device. It is set only if DeviceID is a hash, because the bucket cannot be
	// computed from a hash.
	ShareBucket *uint32
}

// ReportSource identifies the sender of a report for rate limits.
type ReportSource struct {
	Network NetworkHash
	// Trusted means that the network's reports are not limited; Served means that Waft has served the device a release.
	Trusted, Served bool
}

// CustomNames returns the original names of the report's custom events, without duplicates, in byte order.
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

// ReportID returns the ID of a keyed report: a UUID of version 8 from a SHA-256.
func ReportID(projectID int64, deviceID, key string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s", projectID, deviceID, key))
	id := uuid.UUID(sum[:16])
	id[6] = id[6]&0x0f | 0x80 // version 8
	id[8] = id[8]&0x3f | 0x80 // variant of RFC 9562
	return id.String()
}

// ReportClaim identifies the entry of an ingest log that contains a keyed report. Only the first claim of a report counts.
type ReportClaim struct {
	ReportID uuid.UUID
	// Node identifies the log, so that a repeated claim gets the same result.
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

// Text is a string with a name, such as a tag of an event.
type Text struct{ Name, Value string }

// Texts have different names. They are a list because Waft handles thousands of events per second, each with a few Texts,
// and a list is filled and read in about half the time of a map.
type Texts []Text

// TextsOf returns the values sorted by name, nil if values is empty.
func TextsOf(values map[string]string) Texts {
	var texts Texts
	for name, value := range values {
		texts = append(texts, Text{name, value})
	}
	slices.SortFunc(texts, ByName)
	return texts
}

// ByName compares two Texts by name only.
func ByName(a, b Text) int { return cmp.Compare(a.Name, b.Name) }

// Map returns the values by name, never nil.
func (t Texts) Map() map[string]string {
	values := make(map[string]string, len(t))
	for _, text := range t {
		values[text.Name] = text.Value
	}
	return values
}

// TelemetryEvent is an event of a device's report, as lists of events show it.
type TelemetryEvent struct {
	// ID is the report's ID, "-" and the event's position in the report.
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

// Cursor returns the position after the event.
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
	// Search must occur in the message, the name or the error name. Case is ignored.
	Search string
	// OldestFirst reverses the order, which is newest first.
	OldestFirst bool
	// After is the end of the previous page, nil for the first page.
	After *EventCursor
	// Skip is the number of events to skip, Limit the maximum number to return.
	Skip, Limit int
}
