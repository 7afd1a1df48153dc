package models

import (
	"time"

	"github.com/google/uuid"
)

// TelemetryEvent is one event of a device's report, as it is listed.
type TelemetryEvent struct {
	// ID is the report's id, "-" and the event's position in it.
	ID             string
	ReceivedAt     time.Time
	ReportID       uuid.UUID
	Index          uint16
	DeviceID       string
	Platform       Platform
	Channel        string
	RuntimeVersion string
	// UpdateUUID is "" for the embedded update.
	UpdateUUID string
	HealthEvent
}

// EventCursor is a place in the list of events: behind the event that it names.
type EventCursor struct {
	ReceivedAt time.Time
	ReportID   uuid.UUID
	Index      uint16
}

// Cursor is the place behind the event.
func (e TelemetryEvent) Cursor() EventCursor {
	return EventCursor{ReceivedAt: e.ReceivedAt, ReportID: e.ReportID, Index: e.Index}
}

// EventQuery asks for events, newest first; empty filters let everything pass.
type EventQuery struct {
	// Types are those to list, at least one.
	Types    []HealthEventType
	Channel  string
	Platform Platform
	// UpdateUUID is in lower case; so are DeviceIDs, of which an event has any.
	UpdateUUID string
	DeviceIDs  []string
	// Search is looked for in message, name and error name, whatever the case.
	Search string
	// After is where the page before ended, nil for the first.
	After *EventCursor
	// Skip is how many events to pass over, Limit how many to list at most.
	Skip  int
	Limit int
}
