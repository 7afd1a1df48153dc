package api

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// observedPerPage is how many events a page of observe has.
const observedPerPage = 50

var telemetryEventsDoc = huma.Operation{
	OperationID: "listTelemetryEvents", Tags: []string{tagTelemetry}, Summary: "List events of devices",
	Description: "Of the last 30 days, newest first. The Link header of a page has the cursor of the next.",
}

// EventFilter narrows a list of events.
type EventFilter struct {
	Channel    string          `query:"channel" maxLength:"128" doc:"Only events on this channel."`
	Platform   models.Platform `query:"platform" enum:"ios,android" doc:"Only events of this platform."`
	Search     string          `query:"search" maxLength:"256" doc:"Only events with this text in their message, name or error name, whatever the case."`
	UpdateUUID UUID            `query:"updateUuid" doc:"Only events of devices on this release."`
	DeviceID   string          `query:"deviceId" maxLength:"256" doc:"Only events of this device."`
	Cursor     EventCursor     `query:"cursor" doc:"Where the page before ended; from its Link header."`
}

type telemetryEventsInput struct {
	EventFilter
	Type  models.HealthEventType `query:"type" enum:"js_error,crash,custom,app_launch" doc:"Only events of this type."`
	Limit int                    `query:"limit" default:"100" minimum:"1" maximum:"200" doc:"Most events to answer."`
}

var observeEventsDoc = huma.Operation{
	OperationID: "listObservedEvents", Tags: []string{tagTelemetry}, Summary: "List errors, crashes and custom events",
	Description: "Of the last 30 days, newest first, 50 a page. The Link header of a page has the cursor of the next, which stays valid while events arrive.",
}

type observeEventsInput struct {
	EventFilter
	Type models.HealthEventType `query:"type" enum:"js_error,crash,custom" doc:"Only events of this type."`
	Page int                    `query:"page" default:"1" minimum:"1" maximum:"1000" doc:"Number of the page, counted from the cursor where there is one."`
}

func (h insightHandlers) telemetryEvents(ctx context.Context, in *telemetryEventsInput) (*List[TelemetryEvent], error) {
	q := h.query(ctx, in.EventFilter)
	q.Types = models.HealthEventTypes()
	q.Limit = in.Limit
	return h.events(ctx, q, in.Type)
}

func (h insightHandlers) observeEvents(ctx context.Context, in *observeEventsInput) (*List[TelemetryEvent], error) {
	q := h.query(ctx, in.EventFilter)
	q.Types = []models.HealthEventType{models.EventJSError, models.EventCrash, models.EventCustom}
	q.Limit, q.Skip = observedPerPage, (in.Page-1)*observedPerPage
	return h.events(ctx, q, in.Type)
}

func (h insightHandlers) query(ctx context.Context, f EventFilter) models.EventQuery {
	return models.EventQuery{
		Channel: f.Channel, Platform: f.Platform, Search: f.Search, UpdateUUID: h.update(ctx, f.UpdateUUID),
		DeviceIDs: h.devices(ctx, f.DeviceID), After: f.Cursor.after(),
	}
}

// events asks for one event more than the page holds, which tells whether another
// page follows.
func (h insightHandlers) events(ctx context.Context, q models.EventQuery, only models.HealthEventType) (*List[TelemetryEvent], error) {
	if only != "" {
		q.Types = []models.HealthEventType{only}
	}
	limit := q.Limit
	q.Limit++
	found, err := h.insights.Events(ctx, projectOf(ctx), q, h.now())
	if err != nil {
		return nil, err
	}
	out := &List[TelemetryEvent]{}
	if len(found) > limit {
		found = found[:limit]
		out.Link = eventsLink(callOf(ctx), found[limit-1].Cursor())
	}
	out.Body = rendered(found, telemetryEvent)
	return out, nil
}

// eventsLink is the Link to the page of the same list that begins behind a place.
func eventsLink(c *call, after models.EventCursor) string {
	query, err := url.ParseQuery(c.query)
	if err != nil {
		query = url.Values{} // huma has read what it could of such a query
	}
	query.Del("page") // the cursor stands where the page began to count from
	query.Set("cursor", cursorText(after))
	return fmt.Sprintf(`<%s?%s>; rel="next"`, c.path, query.Encode())
}

// EventCursor is a place in a list of events, as clients hand it back.
type EventCursor string

// A cursor is the millisecond of the event, its report's UUID and its position
// therein, big-endian.
const cursorBytes = 8 + 16 + 2

func cursorText(c models.EventCursor) string {
	at := binary.BigEndian.AppendUint64(make([]byte, 0, cursorBytes), uint64(c.ReceivedAt.UnixMilli()))
	at = append(at, c.ReportID[:]...)
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint16(at, c.Index))
}

// Schema is the text of a cursor.
func (EventCursor) Schema(huma.Registry) *huma.Schema {
	characters := base64.RawURLEncoding.EncodedLen(cursorBytes)
	return &huma.Schema{
		Type: huma.TypeString, MinLength: &characters, MaxLength: &characters,
		// The first character begins with six bits of the year, which are none for a long
		// time.
		Pattern: "^A[A-Za-z0-9_-]{" + strconv.Itoa(characters-1) + "}$",
	}
}

// after is nil for no cursor; the schema has refused what is none.
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
