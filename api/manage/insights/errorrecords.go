package insights

import (
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/errorgroup"
	"github.com/waft-ota/waft/internal/guard/cardinality"
	"github.com/waft-ota/waft/models"
)

// ErrorGroup is errors or crashes that are one.
type ErrorGroup struct {
	Fingerprint     string                 `json:"fingerprint" doc:"Names the group within the project; the same in every release."`
	Type            models.HealthEventType `json:"type" enum:"js_error,crash"`
	ErrorName       string                 `json:"errorName"`
	Message         string                 `json:"message" doc:"The message without its numbers and ids, for which there is a #."`
	Culprit         string                 `json:"culprit" doc:"Function and file of the app's own code where it occurs; empty when that is not known."`
	Devices         int64                  `json:"devices" doc:"Distinct devices that had it in the window; exact while the project has up to 1.5 million errors there and none older than 30 days, otherwise an estimate above 256, to about 1.1 %."`
	Events          int64                  `json:"events" doc:"How often it occurred in the window: the sum of the counts of its events."`
	FirstSeenAt     rest.Time              `json:"firstSeenAt" doc:"Of its lifetime, as lastSeenAt and the updates below."`
	LastSeenAt      rest.Time              `json:"lastSeenAt"`
	FirstUpdateUUID *uuid.UUID             `json:"firstUpdateUuid" nullable:"true" format:"uuid" doc:"The oldest release that had it; null for the embedded update."`
	LastUpdateUUID  *uuid.UUID             `json:"lastUpdateUuid" nullable:"true" format:"uuid" doc:"The newest release that had it; null for the embedded update."`
	State           models.GroupState      `json:"state" enum:"new,regressed,ongoing"`
	Trend           []int64                `json:"trend" minItems:"24" maxItems:"24" doc:"Events in each of the 24 hours that end with the window, oldest first."`
}

func errorGroup(g models.GroupFigures, releases errorgroup.Releases, trend []int64) ErrorGroup {
	first, last := releases.Ends(g.Seen)
	out := ErrorGroup{
		Fingerprint: g.Fingerprint.String(), Type: g.Type, ErrorName: g.ErrorName, Message: g.Title, Culprit: g.Culprit,
		Devices: g.Devices, Events: g.Events, FirstSeenAt: rest.Time{Time: g.FirstAt}, LastSeenAt: rest.Time{Time: g.LastAt},
		FirstUpdateUUID: rest.ParsedUUID(first), LastUpdateUUID: rest.ParsedUUID(last), State: releases.State(g.Seen), Trend: trend,
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
		LastUpdateUUID: new(uuid.MustParse(rest.ExampleUUID)), State: models.GroupNew, Trend: trend,
	}
}

// ErrorGroupDetail is an error group with what its events have in common.
type ErrorGroupDetail struct {
	ErrorGroup
	ByUpdate   []GroupUpdate   `json:"byUpdate" doc:"Most events first."`
	ByPlatform []GroupPlatform `json:"byPlatform"`
	ByFlag     []GroupFlag     `json:"byFlag"`
	Samples    []EventDetail   `json:"samples" doc:"Some of its latest events, newest first, at most 10."`
	Frames     []StackFrame    `json:"frames" doc:"The stack of the newest sample."`
}

// GroupUpdate is the part of an error group on an update.
type GroupUpdate struct {
	UpdateUUID *uuid.UUID `json:"updateUuid" nullable:"true" format:"uuid" doc:"Null for the embedded update."`
	UpdateID   *int64     `json:"updateId" nullable:"true" doc:"Null for an update that is not a release of the project."`
	Events     int64      `json:"events"`
	Devices    int64      `json:"devices"`
}

// GroupPlatform is the part of an error group on a platform.
type GroupPlatform struct {
	Platform models.Platform `json:"platform" enum:"ios,android,web"`
	Events   int64           `json:"events"`
	Devices  int64           `json:"devices"`
}

// GroupFlag is the part of an error group under a variation of a flag.
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
		ByUpdate:   []GroupUpdate{{UpdateUUID: new(uuid.MustParse(rest.ExampleUUID)), UpdateID: new(int64(17)), Events: 43, Devices: 28}},
		ByPlatform: []GroupPlatform{{Platform: models.IOS, Events: 43, Devices: 28}},
		ByFlag:     []GroupFlag{{FlagKey: "new-checkout", Variation: "true", Events: 40, Devices: 26}},
		Samples:    []EventDetail{event}, Frames: event.Frames,
	}
}

// EventDetail is an event with its stack read.
type EventDetail struct {
	TelemetryEvent
	Frames []StackFrame `json:"frames" doc:"The calls of stackTrace, innermost first."`
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

// StackFrame is a call of a stack.
type StackFrame struct {
	File         string   `json:"file" doc:"As the source map names it; without one, as the engine does. Empty in code of the engine itself."`
	Line         int      `json:"line" doc:"Begins at 1; 0 where the engine says none."`
	Column       int      `json:"column" doc:"Begins at 1; 0 where the engine says none. Without a source map, of Hermes bytecode, the address after its first byte."`
	Function     string   `json:"function" doc:"Empty when it is not known."`
	Context      []string `json:"context" doc:"The lines of the source around the line; empty without a source map."`
	ContextLine  int      `json:"contextLine" doc:"Number of the first line of the context; 0 without one."`
	InApp        bool     `json:"inApp" doc:"Whether it is the app's own code, and not that of a library or of the engine."`
	Symbolicated bool     `json:"symbolicated" doc:"Whether a source map says where it comes from."`
}

func stackFrame(f models.StackFrame) StackFrame {
	return StackFrame{
		File: f.File, Line: f.Line, Column: f.Column, Function: f.Function, Context: append([]string{}, f.Context...),
		ContextLine: f.ContextLine, InApp: f.InApp, Symbolicated: f.Mapped,
	}
}

// parseEventID reads the id of an event: that of its report, - and its position there.
func parseEventID(text string) (report uuid.UUID, index uint16, ok bool) {
	if len(text) <= len(rest.ExampleUUID) || text[len(rest.ExampleUUID)] != '-' {
		return uuid.Nil, 0, false
	}
	report, err := uuid.Parse(text[:len(rest.ExampleUUID)])
	position := text[len(rest.ExampleUUID)+1:]
	n, bad := strconv.ParseUint(position, 10, 16)
	return report, uint16(n), err == nil && bad == nil && !strings.HasPrefix(position, "+")
}
