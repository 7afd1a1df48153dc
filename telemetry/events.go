package telemetry

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/telemetry/breadcrumbs"
)

// EventQueries are the queries about single events.
type EventQueries struct{ *database }

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
	Breadcrumbs    string            `ch:"breadcrumbs"`
	DeviceID       string            `ch:"device_id"`
	Platform       string            `ch:"platform"`
	Channel        string            `ch:"channel"`
	RuntimeVersion string            `ch:"runtime_version"`
	UpdateUUID     string            `ch:"update_uuid"`
	Fingerprint    uint64            `ch:"fingerprint"`
}

const (
	// firstWindow is the period that the first query reads. Each day is a part of its own, and opening all parts
	// costs more than reading the page.
	firstWindow = 24 * time.Hour
	// firstSearch is the first period for a text search and for errors and crashes. Both find few events, and a
	// second query costs more than a longer first query.
	firstSearch = 4 * 24 * time.Hour
	// wholeWindow is longer than the retention of events.
	wholeWindow = 60 * 24 * time.Hour
	// atOnce are settings for a query that finds a few events in each of many days. Parts are read concurrently, with
	// more threads than cores, because opening their files is most of the work. The string is appended to
	// queries/telemetry_events.sql, which ends with settings.
	atOnce = ", optimize_read_in_order = 0, max_threads = 4"
)

// nextWindow returns the period to read after a window with some of the wanted events: long enough to find the rest
// at the same rate, plus a quarter. If the window had no events, they are rare, and the indexes skip most of the
// remaining data.
func nextWindow(window time.Duration, found, wanted int) time.Duration {
	if found == 0 {
		return wholeWindow
	}
	reach := 1.25 * window.Seconds() * float64(wanted) / float64(found)
	return max(2*window, time.Duration(min(reach, wholeWindow.Seconds())*float64(time.Second)))
}

// eventsIn returns the query of a page of events, newest or oldest first.
func eventsIn(oldestFirst bool) projectQuery {
	compared, direction := "<", "DESC"
	if oldestFirst {
		compared, direction = ">", "ASC"
	}
	return projectQuery(strings.NewReplacer("{compared}", compared, "{direction}", direction).Replace(string(sqlTelemetryEvents)))
}

// maxCounted is the maximum number of events that are counted.
const maxCounted = 1_000_000

// CountEvents returns the number of events that Events lists on all pages. It returns nil if there are more than a
// million, or if counting them would take longer than two seconds. It fails like Events.
func (e EventQueries) CountEvents(ctx context.Context, projectID int64, q models.EventQuery, now time.Time) (*int64, error) {
	n, err := counted(ctx, e.database, projectID, "the number of events", sqlEventCount, append(eventFilters(q),
		milli("from", now.Add(-wholeWindow)), clickhouse.Named("most", uint64(maxCounted+1)))...)
	if n != nil && *n > maxCounted {
		return nil, err
	}
	return n, err
}

func eventFilters(q models.EventQuery) []driver.NamedValue {
	return []driver.NamedValue{
		clickhouse.Named("types", typesOf(q.Types)),
		clickhouse.Named("channel", q.Channel),
		clickhouse.Named("platform", string(q.Platform)),
		clickhouse.Named("update_uuid", q.UpdateUUID),
		clickhouse.Named("device_ids", append([]string{}, q.DeviceIDs...)),
		clickhouse.Named("search", containing(q.Search)),
	}
}

// Events lists the project's events of the last 30 days, newest first unless the query says otherwise. It returns a models.Unavailable error while
// ClickHouse is unavailable.
func (e EventQueries) Events(
	ctx context.Context, projectID int64, q models.EventQuery, now time.Time,
) ([]models.TelemetryEvent, error) {
	if q.OldestFirst {
		return e.oldestEvents(ctx, projectID, q, now)
	}
	// The clock of another process may be ahead.
	after := models.EventCursor{ReceivedAt: now.Add(time.Hour), ReportID: uuid.Max}
	if q.After != nil {
		after = *q.After
	}
	var rows []eventRow
	query, window, until := eventsIn(false), firstWindow, after
	switch {
	case len(q.DeviceIDs) > 0: // few, and an index finds them
		query, window = eventsIn(false)+atOnce, wholeWindow
	case q.Search != "" || onlyFailures(q.Types):
		window = firstSearch
	}
	for {
		from := after.ReceivedAt.Add(-window).Truncate(time.Millisecond)
		more, err := selectOf[eventRow](ctx, e.database, projectID, "events", query, append(eventFilters(q),
			milli("from", from),
			milli("to", until.ReceivedAt),
			milli("at", until.ReceivedAt),
			clickhouse.Named("report_id", until.ReportID.String()),
			clickhouse.Named("event_index", uint32(until.Index)),
			clickhouse.Named("most", uint32(q.Limit-len(rows))),
			clickhouse.Named("skip", uint32(q.Skip)))...,
		)
		if err != nil {
			return nil, err
		}
		if rows = append(rows, more...); len(rows) == q.Limit || window >= wholeWindow {
			break
		}
		switch {
		case q.Skip == 0:
			until = models.EventCursor{ReceivedAt: from}
			window = nextWindow(window, len(rows), q.Limit)
		case len(rows) == 0: // the number of skipped events is unknown
			window *= 7
		default:
			window, rows = nextWindow(window, q.Skip+len(rows), q.Skip+q.Limit), nil
		}
	}
	return eventRecords(rows), nil
}

// oldestEvents lists events like Events, oldest first. The whole retention is one window, because the oldest events are
// at its beginning.
func (e EventQueries) oldestEvents(
	ctx context.Context, projectID int64, q models.EventQuery, now time.Time,
) ([]models.TelemetryEvent, error) {
	after := models.EventCursor{ReceivedAt: now.Add(-wholeWindow)}
	if q.After != nil {
		after = *q.After
	}
	rows, err := selectOf[eventRow](ctx, e.database, projectID, "events", eventsIn(true), append(eventFilters(q),
		milli("from", after.ReceivedAt),
		milli("to", now.Add(clockSlack)),
		milli("at", after.ReceivedAt),
		clickhouse.Named("report_id", after.ReportID.String()),
		clickhouse.Named("event_index", uint32(after.Index)),
		clickhouse.Named("most", uint32(q.Limit)),
		clickhouse.Named("skip", uint32(q.Skip)))...,
	)
	return eventRecords(rows), err
}

func eventRecords(rows []eventRow) []models.TelemetryEvent {
	events := make([]models.TelemetryEvent, len(rows))
	for i, r := range rows {
		events[i] = r.event()
	}
	return events
}

const (
	// clockSlack is the maximum difference between the clocks of processes.
	clockSlack = time.Hour
	// timedVersion is the version of UUIDs that contain a time.
	timedVersion = 7
)

// Event returns an event of the last 30 days by the ID of its report and its position in the report. It returns
// CodeNotFound if the event does not exist, and a models.Unavailable error while ClickHouse is unavailable.
func (e EventQueries) Event(
	ctx context.Context, projectID int64, reportID uuid.UUID, index uint16, now time.Time,
) (models.TelemetryEvent, error) {
	windows := [][2]time.Time{{now.Add(-wholeWindow), now.Add(clockSlack)}}
	if reportID.Version() == timedVersion { // the ID of a report without an Idempotency-Key contains its time
		at := time.Unix(reportID.Time().UnixTime())
		windows = [][2]time.Time{{at.Add(-clockSlack), at.Add(clockSlack)}, windows[0]}
	}
	for _, w := range windows {
		rows, err := selectOf[eventRow](ctx, e.database, projectID, "an event", sqlEvent, milli("from", w[0]), milli("to", w[1]),
			clickhouse.Named("report_id", reportID.String()), clickhouse.Named("event_index", uint32(index)))
		if err != nil {
			return models.TelemetryEvent{}, err
		}
		if len(rows) > 0 {
			return rows[0].event(), nil
		}
	}
	return models.TelemetryEvent{}, models.Errorf(models.CodeNotFound, "event %s-%d does not exist", reportID, index)
}

// onlyFailures reports whether all types are errors and crashes, which have partitions of their own (see
// schema/00001_health_events.sql).
func onlyFailures(types []models.HealthEventType) bool {
	return len(types) > 0 && !slices.ContainsFunc(types, func(t models.HealthEventType) bool { return !t.Failed() })
}

// typesOf returns the types to filter by, or none if every type is included.
func typesOf(types []models.HealthEventType) []string {
	names := []string{}
	every := models.HealthEventTypes()
	for _, t := range every {
		if slices.Contains(types, t) {
			names = append(names, string(t))
		}
	}
	if len(names) == len(every) {
		return []string{}
	}
	return names
}

// containing returns the LIKE pattern of strings that contain the given text, or "" for "".
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
			Tags: models.TextsOf(r.Tags), FlagStates: models.TextsOf(r.FlagStates), Breadcrumbs: breadcrumbs.Of(r.Breadcrumbs),
			Group: models.EventGroup{Fingerprint: models.Fingerprint(r.Fingerprint)},
		},
	}
}
