package telemetry

import (
	"context"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

type eventRow struct {
	ID             string            `ch:"event_id"`
	ReceivedAt     time.Time         `ch:"received_at"`
	ReportID       uuid.UUID         `ch:"report_id"`
	Index          uint16            `ch:"event_index"`
	Type           string            `ch:"type"`
	Name           string            `ch:"name"`
	Message        string            `ch:"message"`
	ErrorName      string            `ch:"error_name"`
	IsFatal        bool              `ch:"is_fatal"`
	Count          uint32            `ch:"count"`
	StackTrace     string            `ch:"stack_trace"`
	ComponentStack string            `ch:"component_stack"`
	Tags           map[string]string `ch:"tags"`
	FlagStates     map[string]string `ch:"flag_states"`
	DeviceID       string            `ch:"device_id"`
	Platform       string            `ch:"platform"`
	Channel        string            `ch:"channel"`
	RuntimeVersion string            `ch:"runtime_version"`
	UpdateUUID     string            `ch:"update_uuid"`
}

// eventWindows are how far back events are looked for, in turn, each from where the one
// before ended, until a page is full: each day is a part of its own, and to begin in all
// of them costs more than the page. The last one is all that is kept.
var eventWindows = []time.Duration{24 * time.Hour, 7 * 24 * time.Hour, 60 * 24 * time.Hour}

// Events lists the project's events of the last 30 days, newest first. It fails with
// a models Unavailable error while ClickHouse is away.
func (c *ClickHouse) Events(
	ctx context.Context, projectID int64, q models.EventQuery, now time.Time,
) ([]models.TelemetryEvent, error) {
	// Another process's clock may be ahead.
	after := models.EventCursor{ReceivedAt: now.Add(time.Hour), ReportID: uuid.Max}
	if q.After != nil {
		after = *q.After
	}
	types := make([]string, len(q.Types))
	for i, t := range q.Types {
		types[i] = string(t)
	}
	var rows []eventRow
	windows := eventWindows
	if len(q.DeviceIDs) > 0 { // few, and an index finds them
		windows = windows[len(windows)-1:]
	}
	until := after
	for i, window := range windows {
		var more []eventRow
		from := after.ReceivedAt.Add(-window).Truncate(time.Millisecond)
		err := c.selectOf(ctx, projectID, "events", &more, sqlTelemetryEvents,
			milli("from", from),
			milli("at", until.ReceivedAt),
			clickhouse.Named("report_id", until.ReportID.String()),
			clickhouse.Named("event_index", uint32(until.Index)),
			clickhouse.Named("types", types),
			clickhouse.Named("channel", q.Channel),
			clickhouse.Named("platform", string(q.Platform)),
			clickhouse.Named("update_uuid", q.UpdateUUID),
			clickhouse.Named("device_ids", append([]string{}, q.DeviceIDs...)),
			clickhouse.Named("search", containing(q.Search)),
			clickhouse.Named("most", uint32(q.Limit-len(rows))),
			clickhouse.Named("skip", uint32(q.Skip)),
		)
		if err != nil {
			return nil, err
		}
		if rows = append(rows, more...); len(rows) == q.Limit || i == len(windows)-1 {
			break
		}
		if q.Skip > 0 { // how many were passed over is not known
			rows = nil
		} else {
			until = models.EventCursor{ReceivedAt: from} // whatever is older
		}
	}
	events := make([]models.TelemetryEvent, len(rows))
	for i, r := range rows {
		events[i] = r.event()
	}
	return events, nil
}

// containing is the pattern of LIKE for texts that contain the given one; "" is for no
// text.
func containing(text string) string {
	if text == "" {
		return ""
	}
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text) + "%"
}

func (r eventRow) event() models.TelemetryEvent {
	return models.TelemetryEvent{
		ID: r.ID, ReceivedAt: r.ReceivedAt.UTC(), ReportID: r.ReportID, Index: r.Index, DeviceID: r.DeviceID,
		Platform: models.Platform(r.Platform), Channel: r.Channel, RuntimeVersion: r.RuntimeVersion, UpdateUUID: r.UpdateUUID,
		HealthEvent: models.HealthEvent{
			Type: models.HealthEventType(r.Type), Name: r.Name, Message: r.Message, ErrorName: r.ErrorName,
			StackTrace: r.StackTrace, ComponentStack: r.ComponentStack, IsFatal: r.IsFatal, Count: int64(r.Count),
			Tags: r.Tags, FlagStates: r.FlagStates,
		},
	}
}
