package models

import (
	"fmt"
	"strconv"
	"time"
)

// Fingerprint names an error group within its project; 0 is no group.
type Fingerprint uint64

// OtherErrors is the group of the errors above the cardinality limit of groups.
const OtherErrors Fingerprint = 1<<64 - 1

// String is 16 hex digits.
func (f Fingerprint) String() string { return fmt.Sprintf("%016x", uint64(f)) }

// ParseFingerprint reads what String writes.
func ParseFingerprint(text string) (Fingerprint, error) {
	const digits = 16
	n, err := strconv.ParseUint(text, 16, 64)
	if err != nil || len(text) != digits {
		return 0, Errorf(CodeNotFound, "there is no error group %.40q", text)
	}
	return Fingerprint(n), nil
}

// EventGroup is the error group that an event belongs to.
type EventGroup struct {
	Fingerprint Fingerprint
	// Culprit is the function and file of the app's own code in which the error occurred, "" when it is not known.
	Culprit string
	// Title is the message without its numbers and ids.
	Title string
}

// StackFrame is one call of a stack, by the source map where there is one.
type StackFrame struct {
	File string
	// Line and Column begin at 1; 0 where the engine says none.
	Line, Column int
	Function     string
	// Context are the lines of the source around Line, from ContextLine on; nil without a source map.
	Context     []string
	ContextLine int
	// InApp says that the frame is of the app's own code, Mapped that a source map says where it comes from.
	InApp, Mapped bool
}

// GroupState says what is known of an error group on a release.
type GroupState string

const (
	// GroupNew: no older release had the error.
	GroupNew GroupState = "new"
	// GroupRegressed: an older release had the error, and the release before this one did not.
	GroupRegressed GroupState = "regressed"
	// GroupOngoing is every other group.
	GroupOngoing GroupState = "ongoing"
)

// GroupSort is the order of a list of error groups, largest or latest first.
type GroupSort string

const (
	GroupsByDevices GroupSort = "devices"
	GroupsByEvents  GroupSort = "events"
	GroupsByLast    GroupSort = "last"
	GroupsByFirst   GroupSort = "first"
)

// GroupQuery selects error groups that occurred in a window; empty fields do not filter.
type GroupQuery struct {
	// From and To bound the window: full hours, and full days (UTC) from GroupHours on.
	From, To   time.Time
	Channel    string
	Platform   Platform
	UpdateUUID string
	// Fingerprint is of a single group, 0 for all.
	Fingerprint Fingerprint
}

// GroupHours is for how long error groups are counted by hours; before, they are counted by days.
const GroupHours = 30 * 24 * time.Hour

// GroupFigures are the numbers of an error group in a window, and where it was seen in its lifetime.
type GroupFigures struct {
	Fingerprint Fingerprint
	// Events is the sum of the counts of its events in the window, Devices the distinct devices that had it.
	Events, Devices int64
	Type            HealthEventType
	ErrorName       string
	Title           string
	Culprit         string
	// FirstAt and LastAt are of its lifetime.
	FirstAt, LastAt time.Time
	// Seen are the updates that ever had it, and whether they did in the window.
	Seen []GroupSighting
}

// GroupSighting is an update of a platform that had an error group.
type GroupSighting struct {
	// UpdateUUID is "" for the embedded update.
	UpdateUUID      string
	Platform        Platform
	FirstAt, LastAt time.Time
	// Selected says that the update had the error where the query's filters hold.
	Selected bool
}

// GroupShare is the part of an error group that has a property in common.
type GroupShare struct {
	// Name and Value are a flag and its variation; otherwise Value is an update id, "" for the embedded one, or a platform.
	Name, Value     string
	Events, Devices int64
}

// GroupDetail is what one group's page has besides its figures.
type GroupDetail struct {
	ByUpdate, ByPlatform, ByFlag []GroupShare
	// Samples are some of its latest events, newest first.
	Samples []TelemetryEvent
}

// GroupTrendHours is how many hours the trend of a group has.
const GroupTrendHours = 24

// ReleasePlace is where a release stands among those of its project.
type ReleasePlace struct {
	// UpdateUUID is in lower case.
	UpdateUUID     string
	Platform       Platform
	RuntimeVersion string
	BranchID       int64
	CreatedAt      time.Time
}
