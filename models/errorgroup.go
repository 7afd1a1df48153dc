package models

import (
	"fmt"
	"strconv"
	"time"
)

// Fingerprint identifies an error group within its project; 0 means that an event does not belong to a group.
type Fingerprint uint64

// OtherErrors is the group of the errors above the cardinality limit of groups.
const OtherErrors Fingerprint = 1<<64 - 1

// String returns the fingerprint as 16 hex digits.
func (f Fingerprint) String() string { return fmt.Sprintf("%016x", uint64(f)) }

// ParseFingerprint parses the result of String.
func ParseFingerprint(text string) (Fingerprint, error) {
	const digits = 16
	n, err := strconv.ParseUint(text, 16, 64)
	if err != nil || len(text) != digits {
		return 0, Errorf(CodeNotFound, "error group %.40q does not exist", text)
	}
	return Fingerprint(n), nil
}

// EventGroup is the error group that an event belongs to.
type EventGroup struct {
	Fingerprint Fingerprint
	// Culprit is the function and file of the app's own code in which the error occurred, "" if unknown.
	Culprit string
	// Title is the message without its numbers and IDs.
	Title string
}

// StackFrame is one call of a stack trace, mapped with the source map if there is one.
type StackFrame struct {
	File string
	// Line and Column begin at 1; 0 means that the JavaScript engine did not report them.
	Line, Column int
	Function     string
	// Context are the lines of the source around Line, from ContextLine on; nil without a source map.
	Context     []string
	ContextLine int
	// InApp means that the frame is in the app's own code; Mapped means that its position comes from a source map.
	InApp, Mapped bool
}

// GroupState is the state of an error group on a release.
type GroupState string

const (
	// GroupNew: no older release had the error.
	GroupNew GroupState = "new"
	// GroupRegressed: an older release had the error, and the release before this one did not.
	GroupRegressed GroupState = "regressed"
	// GroupOngoing is every other group.
	GroupOngoing GroupState = "ongoing"
)

// GroupQuery selects error groups that occurred in a window; empty fields do not filter.
type GroupQuery struct {
	// From and To are the limits of the window: full hours, or full days (UTC) for times longer than GroupHours ago.
	From, To   time.Time
	Channel    string
	Platform   Platform
	UpdateUUID string
	// Fingerprint selects a single group, 0 for all.
	Fingerprint Fingerprint
}

// GroupHours is how long counts of error groups per hour are kept. Older counts are per day.
const GroupHours = 30 * 24 * time.Hour

// GroupFigures are the metrics of an error group in a window, and the updates with the error in the group's lifetime.
type GroupFigures struct {
	Fingerprint Fingerprint
	// Events is the sum of the counts of the group's events in the window; Devices is the number of distinct devices with the
	// error.
	Events, Devices int64
	Type            HealthEventType
	ErrorName       string
	Title           string
	Culprit         string
	// FirstAt and LastAt are the times of the first and the last event in the group's lifetime.
	FirstAt, LastAt time.Time
	// Seen are all updates that ever had the error.
	Seen []GroupSighting
}

// GroupSighting is an update of a platform that had an error group.
type GroupSighting struct {
	// UpdateUUID is "" for the embedded update.
	UpdateUUID      string
	Platform        Platform
	FirstAt, LastAt time.Time
	// Selected means that the update had the error within the filters of the query.
	Selected bool
}

// GroupShare is the part of an error group that has a property in common.
type GroupShare struct {
	// Name and Value are a flag and its variation. For other properties, Name is "" and Value is a platform or an update ID, which
	// is "" for the embedded update.
	Name, Value     string
	Events, Devices int64
}

// GroupDetail is the data on the page of one error group, in addition to its GroupFigures.
type GroupDetail struct {
	ByUpdate, ByPlatform, ByFlag []GroupShare
	// Samples are some of the group's latest events, newest first.
	Samples []TelemetryEvent
}

// GroupTrendHours is the number of hours in the trend of a group.
const GroupTrendHours = 24

// ReleasePlace contains the fields that determine the order of the releases in a project.
type ReleasePlace struct {
	// UpdateUUID is in lower case.
	UpdateUUID     string
	Platform       Platform
	RuntimeVersion string
	BranchID       int64
	CreatedAt      time.Time
}
