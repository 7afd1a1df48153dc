package insights

import (
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/errorgroup"
	"github.com/waft-ota/waft/internal/guard/cardinality"
	"github.com/waft-ota/waft/models"
)

// ErrorGroup groups errors or crashes that have the same cause.
type ErrorGroup struct {
	Fingerprint     string                            `json:"fingerprint" doc:"Fingerprint of the group, unique in the project and the same in every release."`
	Type            models.HealthEventType            `json:"type" enum:"js_error,crash"`
	ErrorName       string                            `json:"errorName"`
	Message         string                            `json:"message" doc:"Message, with # for every number and ID."`
	Culprit         string                            `json:"culprit" doc:"Function and file of the app's own code where the error occurs; empty if they are not known."`
	Devices         int64                             `json:"devices" doc:"Number of distinct devices with the error in the window. Exact while the project has up to 1.5 million errors in the window and the window starts at most 30 days ago; otherwise, numbers above 256 are estimated to about 1.1%."`
	Events          int64                             `json:"events" doc:"Number of occurrences in the window."`
	FirstSeenAt     rest.Time                         `json:"firstSeenAt" doc:"Time of the first occurrence of the group, even before the window."`
	LastSeenAt      rest.Time                         `json:"lastSeenAt" doc:"Time of the last occurrence of the group, even after the window."`
	FirstUpdateUUID *uuid.UUID                        `json:"firstUpdateUuid" nullable:"true" format:"uuid" doc:"Update ID of the oldest release with the error; null for the embedded update."`
	FirstRelease    rest.OrNull[releases.ReleaseName] `json:"firstRelease" doc:"Oldest release with the error; null for the embedded update."`
	LastUpdateUUID  *uuid.UUID                        `json:"lastUpdateUuid" nullable:"true" format:"uuid" doc:"Update ID of the newest release with the error; null for the embedded update."`
	LastRelease     rest.OrNull[releases.ReleaseName] `json:"lastRelease" doc:"Newest release with the error; null for the embedded update."`
	State           models.GroupState                 `json:"state" enum:"new,regressed,ongoing"`
	Trend           []int64                           `json:"trend" minItems:"24" maxItems:"24" doc:"Number of events in each of the 24 hours that end with the window, oldest first."`
	ErrorGroupStatus
}

func errorGroup(g models.GroupFigures, ordered errorgroup.Releases, reported releases.Reported, trend []int64, status models.ErrorGroupStatus) ErrorGroup {
	first, last := ordered.Ends(g.Seen)
	out := ErrorGroup{
		Fingerprint: g.Fingerprint.String(), Type: g.Type, ErrorName: g.ErrorName, Message: g.Title, Culprit: g.Culprit,
		Devices: g.Devices, Events: g.Events, FirstSeenAt: rest.Time{Time: g.FirstAt}, LastSeenAt: rest.Time{Time: g.LastAt},
		FirstUpdateUUID: rest.ParsedUUID(first), FirstRelease: reported.Name(first),
		LastUpdateUUID: rest.ParsedUUID(last), LastRelease: reported.Name(last), State: ordered.State(g.Seen), Trend: trend,
		ErrorGroupStatus: errorStatus(status),
	}
	if g.Fingerprint == models.OtherErrors {
		out.ErrorName, out.Message = cardinality.OtherName, cardinality.OtherName
	}
	if out.Trend == nil {
		out.Trend = make([]int64, models.GroupTrendHours)
	}
	return out
}

func (ErrorGroup) Example() any {
	trend := make([]int64, models.GroupTrendHours)
	trend[22], trend[23] = 12, 31
	return ErrorGroup{
		Fingerprint: "9f86d081884c7d65", Type: models.EventJSError, ErrorName: "TypeError",
		Message: "undefined is not an object (evaluating 'items[#].price')", Culprit: "priceOf (src/catalogue.js)", Devices: 28, Events: 43,
		FirstSeenAt: rest.ExampleTime, LastSeenAt: rest.ExampleTime, FirstUpdateUUID: new(uuid.MustParse(rest.ExampleUUID)),
		FirstRelease: rest.Present(releases.ExampleName), LastRelease: rest.Present(releases.ExampleName),
		LastUpdateUUID: new(uuid.MustParse(rest.ExampleUUID)), State: models.GroupNew, Trend: trend,
		ErrorGroupStatus: ErrorGroupStatus{Status: models.ErrorOpen},
	}
}

// ErrorGroupDetail is an error group with the releases, platforms and flags of its events.
type ErrorGroupDetail struct {
	rest.Tagged
	ErrorGroup
	ByUpdate   []GroupUpdate   `json:"byUpdate" doc:"Counts by release, most events first."`
	ByPlatform []GroupPlatform `json:"byPlatform"`
	ByFlag     []GroupFlag     `json:"byFlag"`
	Samples    []EventDetail   `json:"samples" doc:"Latest events of the group, newest first, at most 10."`
	Frames     []StackFrame    `json:"frames" doc:"Stack of the newest sample."`
}

// GroupUpdate is the part of an error group on one update.
type GroupUpdate struct {
	UpdateUUID *uuid.UUID                        `json:"updateUuid" nullable:"true" format:"uuid" doc:"Update ID; null for the embedded update."`
	UpdateID   *int64                            `json:"updateId" nullable:"true" doc:"ID of the release; null for an update that is not a release of the project."`
	Release    rest.OrNull[releases.ReleaseName] `json:"release" doc:"Release of updateId; null if updateId is null."`
	Events     int64                             `json:"events"`
	Devices    int64                             `json:"devices"`
}

// GroupPlatform is the part of an error group on one platform.
type GroupPlatform struct {
	Platform models.Platform `json:"platform" enum:"ios,android,web"`
	Events   int64           `json:"events"`
	Devices  int64           `json:"devices"`
}

// GroupFlag is the part of an error group under one variation of a flag.
type GroupFlag struct {
	FlagKey   string `json:"flagKey"`
	Variation string `json:"variation"`
	Events    int64  `json:"events"`
	Devices   int64  `json:"devices"`
}

func (ErrorGroupDetail) Example() any {
	group, _ := ErrorGroup{}.Example().(ErrorGroup)
	event, _ := EventDetail{}.Example().(EventDetail)
	return ErrorGroupDetail{
		ErrorGroup: group,
		ByUpdate:   []GroupUpdate{{UpdateUUID: new(uuid.MustParse(rest.ExampleUUID)), UpdateID: new(int64(17)), Release: rest.Present(releases.ExampleName), Events: 43, Devices: 28}},
		ByPlatform: []GroupPlatform{{Platform: models.IOS, Events: 43, Devices: 28}},
		ByFlag:     []GroupFlag{{FlagKey: "new-checkout", Variation: "true", Events: 40, Devices: 26}},
		Samples:    []EventDetail{event}, Frames: event.Frames,
	}
}

// EventDetail is an event with its parsed stack.
type EventDetail struct {
	TelemetryEvent
	Frames []StackFrame `json:"frames" doc:"Calls in stackTrace, innermost first."`
}

func (EventDetail) Example() any {
	event, _ := TelemetryEvent{}.Example().(TelemetryEvent)
	event.StackTrace = "TypeError: undefined is not an object\n    at priceOf (address at index.android.bundle:1:552921)"
	return EventDetail{TelemetryEvent: event, Frames: []StackFrame{{
		File: "/src/catalogue.js", Line: 23, Column: 19, Function: "priceOf",
		Context: []string{"export function priceOf(item) {", "  return `${(item.price.cents / 100).toFixed(2)} €`;", "}"}, ContextLine: 22,
		InApp: true, Symbolicated: true,
	}}}
}

// StackFrame is one call in a stack.
type StackFrame struct {
	File         string   `json:"file" doc:"File name from the source map, or from the engine without a source map. Empty in the engine's own code."`
	Line         int      `json:"line" doc:"Line, beginning at 1; 0 if the engine does not report it."`
	Column       int      `json:"column" doc:"Column, beginning at 1; 0 if the engine does not report it. For Hermes bytecode without a source map, the address plus 1."`
	Function     string   `json:"function" doc:"Name of the function; empty if it is not known."`
	Context      []string `json:"context" doc:"Source lines around the line; empty without a source map."`
	ContextLine  int      `json:"contextLine" doc:"Number of the first line of context; 0 without context."`
	InApp        bool     `json:"inApp" doc:"Whether the frame is the app's own code rather than code of a library or of the engine."`
	Symbolicated bool     `json:"symbolicated" doc:"Whether the position comes from a source map."`
}

func stackFrame(f models.StackFrame) StackFrame {
	return StackFrame{
		File: f.File, Line: f.Line, Column: f.Column, Function: f.Function, Context: append([]string{}, f.Context...),
		ContextLine: f.ContextLine, InApp: f.InApp, Symbolicated: f.Mapped,
	}
}

// parseEventID reads the ID of an event, which consists of its report's ID, a hyphen and its position in the report.
func parseEventID(text string) (report uuid.UUID, index uint16, ok bool) {
	if len(text) <= len(rest.ExampleUUID) || text[len(rest.ExampleUUID)] != '-' {
		return uuid.Nil, 0, false
	}
	report, err := uuid.Parse(text[:len(rest.ExampleUUID)])
	position := text[len(rest.ExampleUUID)+1:]
	n, bad := strconv.ParseUint(position, 10, 16)
	return report, uint16(n), err == nil && bad == nil && !strings.HasPrefix(position, "+")
}
