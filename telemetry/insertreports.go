package telemetry

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/telemetry/breadcrumbs"
)

// reportRow is a row of health_reports or, if event is set, of health_events.
type reportRow struct {
	*models.HealthReport
	id    uuid.UUID
	at    time.Time
	event *models.HealthEvent
	index uint16
}

// InsertReports stores the reports without their events, which InsertEvents and InsertErrors store. When it returns
// nil, queries see the reports. Decisions need only the reports. A call that is repeated with the same token and the
// same reports in the same order stores them only once, both in the tables and in the materialized views. Repeating a
// failed call completes it.
func (w Writer) InsertReports(ctx context.Context, token string, reports []models.HealthReport) error {
	rows, err := rowsOf(reports)
	if err != nil {
		return err
	}
	return w.insertRows(ctx, token, "health reports", sqlInsertHealthReports, rows, reportColumns)
}

// InsertEvents stores the events, other than errors and crashes, of reports that InsertReports stored. It can be
// repeated like InsertReports.
func (w Writer) InsertEvents(ctx context.Context, token string, reports []models.HealthReport) error {
	rows, err := rowsOf(reports)
	if err != nil {
		return err
	}
	others := eventsOf(rows, func(t models.HealthEventType) bool { return t.Known() && !t.Failed() })
	return w.insertRows(ctx, token, "health events", sqlInsertHealthEvents, others, eventColumns)
}

// InsertErrors stores the errors and crashes of reports that InsertReports stored, with their groups. It can be
// repeated like InsertReports.
//
// Errors and crashes have partitions of their own. ClickHouse splits a block with two partitions row by row, which
// takes about 150 of 230 ms for 80,000 events. A second insert of a few rows takes 10 to 35 ms, and its views about
// 30 ms.
func (w Writer) InsertErrors(ctx context.Context, token string, reports []models.HealthReport) error {
	rows, err := rowsOf(reports)
	if err != nil {
		return err
	}
	failures := eventsOf(rows, models.HealthEventType.Failed)
	// The groups are inserted first, so an event that is listed is already in its group.
	grouped := slices.DeleteFunc(slices.Clone(failures), func(r reportRow) bool { return r.event.Group.Fingerprint == 0 })
	if err := w.insertRows(ctx, token, "error groups", sqlInsertErrorEvents, grouped, errorColumns); err != nil {
		return err
	}
	return w.insertRows(ctx, token+"/failed", "health events", sqlInsertHealthEvents, failures, eventColumns)
}

func rowsOf(reports []models.HealthReport) ([]reportRow, error) {
	rows := make([]reportRow, len(reports))
	for i := range reports {
		r := &reports[i]
		id, err := uuid.Parse(r.ID)
		if err != nil {
			return nil, fmt.Errorf("report id %q: %w", r.ID, err)
		}
		rows[i] = reportRow{HealthReport: r, id: id, at: milliseconds(r.ReceivedAt)}
	}
	return rows, nil
}

// eventsOf returns a row for each event of the reports whose type is wanted.
func eventsOf(reports []reportRow, wanted func(models.HealthEventType) bool) (events []reportRow) {
	for _, row := range reports {
		for n := range row.Events {
			if wanted(row.Events[n].Type) {
				row.event, row.index = &row.Events[n], uint16(n)
				events = append(events, row)
			}
		}
	}
	return events
}

// originColumns returns the columns that identify the event, the report and the device.
func originColumns(rows []reportRow) []any {
	return []any{
		columnOf(rows, func(r reportRow) int64 { return r.ProjectID }),
		columnOf(rows, func(r reportRow) time.Time { return r.at }),
		columnOf(rows, func(r reportRow) uuid.UUID { return r.id }),
		columnOf(rows, func(r reportRow) uint16 { return r.index }),
		columnOf(rows, func(r reportRow) string { return r.DeviceID }),
		columnOf(rows, func(r reportRow) string { return string(r.Platform) }),
		columnOf(rows, func(r reportRow) string { return r.Channel }),
	}
}

// groupColumns returns the columns of an event's error group.
func groupColumns(rows []reportRow) []any {
	return []any{
		columnOf(rows, func(r reportRow) uint64 { return uint64(r.event.Group.Fingerprint) }),
		columnOf(rows, func(r reportRow) string { return r.event.Group.Culprit }),
		columnOf(rows, func(r reportRow) string { return r.event.Group.Title }),
	}
}

// eventColumns returns the values for insert_health_events.sql in the order of its columns.
func eventColumns(rows []reportRow) []any {
	return slices.Concat(originColumns(rows), []any{
		columnOf(rows, func(r reportRow) string { return r.RuntimeVersion }),
		columnOf(rows, func(r reportRow) string { return r.UpdateUUID }),
		columnOf(rows, func(r reportRow) string { return string(r.event.Type) }),
		columnOf(rows, func(r reportRow) string { return r.event.Name }),
		columnOf(rows, func(r reportRow) string { return r.event.Message }),
		columnOf(rows, func(r reportRow) string { return r.event.ErrorName }),
		columnOf(rows, func(r reportRow) string { return r.event.StackTrace }),
		columnOf(rows, func(r reportRow) string { return r.event.ComponentStack }),
		columnOf(rows, func(r reportRow) bool { return r.event.IsFatal }),
		columnOf(rows, func(r reportRow) uint32 { return uint32(r.event.Count) }),
		columnOf(rows, func(r reportRow) models.Texts { return r.event.Tags }),
		columnOf(rows, func(r reportRow) models.Texts { return r.event.FlagStates }),
		columnOf(rows, func(r reportRow) string { return breadcrumbs.Text(r.event.Breadcrumbs) }),
	}, groupColumns(rows))
}

// errorColumns returns the values for insert_error_events.sql in the order of its columns.
func errorColumns(rows []reportRow) []any {
	return slices.Concat(originColumns(rows), []any{
		columnOf(rows, func(r reportRow) string { return r.UpdateUUID }),
		columnOf(rows, func(r reportRow) string { return string(r.event.Type) }),
		columnOf(rows, func(r reportRow) string { return r.event.ErrorName }),
		columnOf(rows, func(r reportRow) uint32 { return uint32(r.event.Count) }),
		columnOf(rows, func(r reportRow) models.Texts { return r.event.FlagStates }),
	}, groupColumns(rows))
}

// reportColumns returns the values for insert_health_reports.sql in the order of its columns.
func reportColumns(rows []reportRow) []any {
	return []any{
		columnOf(rows, func(r reportRow) int64 { return r.ProjectID }),
		columnOf(rows, func(r reportRow) time.Time { return r.at }),
		columnOf(rows, func(r reportRow) uuid.UUID { return r.id }),
		columnOf(rows, func(r reportRow) string { return r.DeviceID }),
		columnOf(rows, func(r reportRow) string { return string(r.Platform) }),
		columnOf(rows, func(r reportRow) string { return r.Channel }),
		columnOf(rows, func(r reportRow) string { return r.RuntimeVersion }),
		columnOf(rows, func(r reportRow) string { return r.UpdateUUID }),
		columnOf(rows, func(r reportRow) uint64 { return r.counted(models.EventAppLaunch) }),
		columnOf(rows, func(r reportRow) uint64 { return r.counted(models.EventJSError) }),
		columnOf(rows, func(r reportRow) uint64 { return r.counted(models.EventCrash) }),
		columnOf(rows, func(r reportRow) uint64 { return r.counted(models.EventCustom) }),
		columnOf(rows, func(r reportRow) []uint64 { return nameHashes(r.CustomNames()) }),
		columnOf(rows, func(r reportRow) *uint32 { return r.ShareBucket }),
	}
}

// nameHashes returns the hashes of names of custom events: xxHash64, like ClickHouse's function of the same name.
func nameHashes(names []string) []uint64 {
	hashes := make([]uint64, len(names))
	for i, name := range names {
		hashes[i] = xxhash.Sum64String(name)
	}
	return hashes
}

// counted returns the sum of the counts of the report's events of a type.
func (r reportRow) counted(t models.HealthEventType) (n uint64) {
	for i := range r.Events {
		if r.Events[i].Type == t {
			n += uint64(r.Events[i].Count)
		}
	}
	return n
}

func columnOf[R, T any](rows []R, value func(R) T) []T {
	values := make([]T, len(rows))
	for i, r := range rows {
		values[i] = value(r)
	}
	return values
}
