package insights

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// observedPerPage is the length of a page of listObservedEvents.
const observedPerPage = 50

var (
	telemetryEventsDoc = rest.Doc(TagTelemetry, "listTelemetryEvents", "List events of devices",
		"Returns events of the last 30 days, newest first unless sort is set. The Link header of a page has the cursor for the next page.")
	observeEventsDoc = rest.Doc(TagTelemetry, "listObservedEvents", "List errors, crashes and custom events",
		"Returns events of the last 30 days, newest first unless sort is set, 50 per page. The Link header of a page has the cursor for the next "+
			"page, which stays valid while events arrive.")
)

// EventFilter selects events.
type EventFilter struct {
	Channel    string          `query:"channel" maxLength:"128" doc:"Channel of the events."`
	Platform   models.Platform `query:"platform" enum:"ios,android,web" doc:"Platform of the events."`
	Search     string          `query:"search" maxLength:"256" doc:"String that the message, name or error name must contain, ignoring case."`
	UpdateUUID rest.UUID       `query:"updateUuid" doc:"Update ID of the release that the devices ran."`
	DeviceID   string          `query:"deviceId" maxLength:"256" doc:"ID of the device."`
	Sort       string          `query:"sort" default:"-receivedAt" enum:"-receivedAt,receivedAt" doc:"Order of the events: newest first, or oldest first."`
	Count      bool            `query:"count" doc:"Whether to return the number of events on all pages in the header X-Total-Count. The header is absent if more than a million events match, or if counting them would take longer than two seconds."`
	Cursor     EventCursor     `query:"cursor" doc:"Cursor for the page, from the Link header of the previous page."`
}

type telemetryEventsInput struct {
	EventFilter
	Type  models.HealthEventType `query:"type" enum:"js_error,crash,custom,app_launch" doc:"Type of the events."`
	Limit int                    `query:"limit" default:"100" minimum:"1" maximum:"200" doc:"Maximum number of events to return."`
}

type observeEventsInput struct {
	EventFilter
	Type models.HealthEventType `query:"type" enum:"js_error,crash,custom" doc:"Type of the events."`
	Page int                    `query:"page" default:"1" minimum:"1" maximum:"1000" doc:"Number of the page, counted from the cursor if there is one."`
}

func (h *Handlers) telemetryEvents(ctx context.Context, in *telemetryEventsInput) (*rest.List[TelemetryEvent], error) {
	q := h.eventQuery(ctx, in.EventFilter)
	q.Types = models.HealthEventTypes()
	q.Limit = in.Limit
	return h.events(ctx, q, in.Type, in.Count)
}

func (h *Handlers) observeEvents(ctx context.Context, in *observeEventsInput) (*rest.List[TelemetryEvent], error) {
	q := h.eventQuery(ctx, in.EventFilter)
	q.Types = []models.HealthEventType{models.EventJSError, models.EventCrash, models.EventCustom}
	q.Limit, q.Skip = observedPerPage, (in.Page-1)*observedPerPage
	return h.events(ctx, q, in.Type, in.Count)
}

func (h *Handlers) eventQuery(ctx context.Context, f EventFilter) models.EventQuery {
	return models.EventQuery{
		Channel: f.Channel, Platform: f.Platform, Search: f.Search, UpdateUUID: releases.CanonicalUpdate(ctx, h.Snapshots, f.UpdateUUID),
		DeviceIDs: releases.DeviceNames(ctx, h.Snapshots, f.DeviceID), After: f.Cursor.after(),
		OldestFirst: f.Sort == "receivedAt",
	}
}

// events returns a page of q.Limit events. Unless only is "", it returns only events of that type.
func (h *Handlers) events(
	ctx context.Context, q models.EventQuery, only models.HealthEventType, counts bool,
) (*rest.List[TelemetryEvent], error) {
	if only != "" {
		q.Types = []models.HealthEventType{only}
	}
	limit := q.Limit
	q.Limit++
	found, err := h.Insights.Events(ctx, rest.ProjectOf(ctx), q, h.Now())
	if err != nil {
		return nil, err
	}
	reported, err := releases.ReportedOf(ctx, h.Names, h.Snapshots, updatesOf(found, updateOfEvent)...)
	if err != nil {
		return nil, err
	}
	record := func(e models.TelemetryEvent) TelemetryEvent { return telemetryEvent(e, reported) }
	page := rest.PageOf(ctx, found, limit, record, func(last models.TelemetryEvent) (cursor, value string) {
		return "cursor", cursorText(last.Cursor())
	})
	if !counts {
		return page, nil
	}
	total, err := h.Insights.CountEvents(ctx, rest.ProjectOf(ctx), q, h.Now())
	return page.Counted(total), err
}

// updateOfEvent returns the update ID that the device of an event ran.
func updateOfEvent(e models.TelemetryEvent) string { return e.UpdateUUID }

// updatesOf returns the update IDs of records, without repeats and without the embedded update.
func updatesOf[T any](records []T, update func(T) string) []string {
	ids := map[string]bool{}
	for _, r := range records {
		ids[update(r)] = true
	}
	delete(ids, "")
	return slices.Sorted(maps.Keys(ids))
}

// EventCursor is a position in a list of events, as clients send it back.
type EventCursor string

// A cursor encodes the millisecond of the event, the report's UUID and the event's position in the report,
// big-endian.
const cursorBytes = 8 + 16 + 2

func cursorText(c models.EventCursor) string {
	at := binary.BigEndian.AppendUint64(make([]byte, 0, cursorBytes), uint64(c.ReceivedAt.UnixMilli()))
	at = append(at, c.ReportID[:]...)
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint16(at, c.Index))
}

// Schema returns the schema of a cursor in a query.
func (EventCursor) Schema(huma.Registry) *huma.Schema {
	characters := base64.RawURLEncoding.EncodedLen(cursorBytes)
	return &huma.Schema{
		Type: huma.TypeString, MinLength: &characters, MaxLength: &characters,
		// The first six bits of the time are zero for thousands of years.
		Pattern: "^A[A-Za-z0-9_-]{" + strconv.Itoa(characters-1) + "}$",
	}
}

// after returns the cursor's position, or nil without a cursor. The schema has rejected invalid strings.
func (c EventCursor) after() *models.EventCursor {
	at, err := base64.RawURLEncoding.DecodeString(string(c))
	if err != nil || len(at) != cursorBytes {
		return nil
	}
	return &models.EventCursor{
		ReceivedAt: time.UnixMilli(int64(binary.BigEndian.Uint64(at))).UTC(), ReportID: uuid.UUID(at[8:24]),
		Index: binary.BigEndian.Uint16(at[24:]),
	}
}

// TelemetryEvent is one event of a device's report.
type TelemetryEvent struct {
	ID             string                            `json:"id" doc:"ID of the event: the ID of its report and its position in the report."`
	ReceivedAt     rest.Time                         `json:"receivedAt" doc:"Time of receipt by the server's clock."`
	Type           models.HealthEventType            `json:"type" enum:"js_error,crash,custom,app_launch"`
	Name           string                            `json:"name"`
	Message        string                            `json:"message"`
	ErrorName      string                            `json:"errorName"`
	IsFatal        bool                              `json:"isFatal"`
	Count          int64                             `json:"count" doc:"Number of occurrences."`
	StackTrace     string                            `json:"stackTrace"`
	ComponentStack string                            `json:"componentStack"`
	Tags           map[string]string                 `json:"tags"`
	FlagStates     map[string]string                 `json:"flagStates" doc:"Flag variations that were active at the time."`
	Breadcrumbs    []Breadcrumb                      `json:"breadcrumbs" doc:"Events in the app before an error or crash, oldest first; empty for launches and custom events."`
	DeviceID       string                            `json:"deviceId" doc:"Device ID, or a hash of it if the project's settings require that."`
	Platform       models.Platform                   `json:"platform" enum:"ios,android,web"`
	Channel        string                            `json:"channel"`
	RuntimeVersion string                            `json:"runtimeVersion"`
	UpdateUUID     *uuid.UUID                        `json:"updateUuid" nullable:"true" format:"uuid" doc:"Update ID; null for the embedded update."`
	Release        rest.OrNull[releases.ReleaseName] `json:"release" doc:"Release of updateUuid; null for the embedded update and for an update that is not a release of the project."`
	Fingerprint    *string                           `json:"fingerprint" nullable:"true" doc:"Error group of an error or crash; null for other events."`
}

func telemetryEvent(e models.TelemetryEvent, reported releases.Reported) TelemetryEvent {
	var group *string
	if f := e.Group.Fingerprint; f != 0 {
		group = new(f.String())
	}
	return TelemetryEvent{
		ID: e.ID, ReceivedAt: rest.Time{Time: e.ReceivedAt}, Type: e.Type, Name: e.Name, Message: e.Message, ErrorName: e.ErrorName,
		IsFatal: e.IsFatal, Count: e.Count, StackTrace: e.StackTrace, ComponentStack: e.ComponentStack, Tags: e.Tags.Map(),
		FlagStates: e.FlagStates.Map(), Breadcrumbs: rest.Rendered(e.Breadcrumbs, breadcrumb),
		DeviceID: e.DeviceID, Platform: e.Platform, Channel: e.Channel, RuntimeVersion: e.RuntimeVersion, UpdateUUID: rest.ParsedUUID(e.UpdateUUID),
		Release: reported.Name(e.UpdateUUID), Fingerprint: group,
	}
}

func (TelemetryEvent) Example() any {
	return TelemetryEvent{
		ID: rest.ExampleUUID + "-1", ReceivedAt: rest.ExampleTime, Type: models.EventJSError, Message: "undefined is not an object",
		ErrorName: "TypeError", Count: 2, Tags: map[string]string{"screen": "cart"}, FlagStates: map[string]string{"new-checkout": "true"},
		Breadcrumbs: []Breadcrumb{{
			Timestamp: new(rest.ExampleTime), Category: "navigation", Message: "to the cart", Level: models.BreadcrumbInfo, Data: map[string]string{"from": "home"},
		}},
		DeviceID: "2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11", Platform: models.IOS, Channel: "production", RuntimeVersion: "1.4.0",
		UpdateUUID: new(uuid.MustParse(rest.ExampleUUID)), Release: rest.Present(releases.ExampleName), Fingerprint: new("9f86d081884c7d65"),
	}
}
