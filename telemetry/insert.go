package telemetry

import (
	"context"
	"fmt"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/models"
)

// Writer stores the reports of devices, and observations of rollouts.
type Writer struct{ *database }

// InsertExposures stores the exposures, exactly once like InsertReports.
func (w Writer) InsertExposures(ctx context.Context, token string, exposures []models.Exposure) error {
	return insert(ctx, w.database, token, "exposures", sqlInsertExposures, exposures, func(e models.Exposure) []any {
		return []any{
			e.ProjectID, milliseconds(e.ServedAt), e.DeviceID, string(e.Platform), e.Channel, e.RuntimeVersion, e.UpdateUUID,
			string(e.Kind), e.ShareBucket, uint64(e.Network), uint64(e.Allocation),
		}
	})
}

// InsertEvaluations stores the evaluations, exactly once like InsertReports.
func (w Writer) InsertEvaluations(ctx context.Context, token string, evaluations []models.FlagEvaluations) error {
	return insert(ctx, w.database, token, "flag evaluations", sqlInsertFlagEvaluations, evaluations, func(e models.FlagEvaluations) []any {
		return []any{
			e.ProjectID, e.FlagKey, startOfDay(e.ReceivedAt, 0), e.Channel, e.Value, uint64(e.Count), milliseconds(e.LastAt),
		}
	})
}

// InsertRefused stores the refused requests, exactly once like InsertReports.
func (w Writer) InsertRefused(ctx context.Context, token string, refused []models.RefusedRequests) error {
	return insert(ctx, w.database, token, "refused requests", sqlInsertRefusedRequests, refused, func(r models.RefusedRequests) []any {
		return []any{
			r.ProjectID, milliseconds(r.At), string(r.Reason), r.Channel, r.Platform, r.RuntimeVersion, r.DeviceID, uint64(r.Requests),
		}
	})
}

// InsertLimited stores the devices whose reports exceeded the rate limit, exactly once like InsertReports.
func (w Writer) InsertLimited(ctx context.Context, token string, limited []models.LimitedReports) error {
	return insert(ctx, w.database, token, "devices above the rate limit", sqlInsertLimited, limited, func(l models.LimitedReports) []any {
		return []any{l.ProjectID, l.UpdateUUID, l.DeviceID, milliseconds(l.At)}
	})
}

// InsertObservations stores observations of rollouts, exactly once like InsertReports.
func (w Writer) InsertObservations(ctx context.Context, token string, observations []models.RolloutObservation) error {
	return insert(ctx, w.database, token, "observations", sqlInsertRolloutObservations, observations, func(o models.RolloutObservation) []any {
		return []any{
			o.ProjectID, o.ExecutionID, milliseconds(o.At), uint16(o.StageIndex), o.Percentage, uint64(o.Devices), uint64(o.ErroredDevices),
			uint64(o.CrashedDevices), o.Evidence, uint64(o.IgnoredDevices),
			columnOf(o.Events, func(e models.EventCounts) string { return e.Name }),
			columnOf(o.Events, func(e models.EventCounts) string { return string(e.Direction) }),
			columnOf(o.Events, func(e models.EventCounts) uint64 { return uint64(e.Devices) }),
			columnOf(o.Events, func(e models.EventCounts) uint64 { return uint64(e.ReportedDevices) }),
		}
	})
}

// insert stores a row for each element, exactly once per token. values are in the order of the statement's columns.
func insert[T any](
	ctx context.Context, db *database, token, what, statement string, all []T, values func(T) []any,
) (err error) {
	defer func() {
		if err != nil {
			err = queryError("insert "+what, err)
		}
	}()
	batch, err := db.conn.PrepareBatch(onceUnder(ctx, token), statement)
	if err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	// Before Send, Close returns the connection to the pool. After Send it has no effect.
	defer func() { _ = batch.Close() }()
	for _, one := range all {
		if err := batch.Append(values(one)...); err != nil {
			return err
		}
	}
	if batch.Rows() == 0 {
		return nil
	}
	return batch.Send()
}

// onceUnder returns a context in which inserts with the same token are stored only once.
func onceUnder(ctx context.Context, token string) context.Context {
	return clickhouse.Context(ctx, clickhouse.WithSettings(clickhouse.Settings{
		"insert_deduplicate":                                 1,
		"insert_deduplication_token":                         token,
		"deduplicate_blocks_in_dependent_materialized_views": 1,
		// An acknowledged insert is stored, and a call is one block under one token.
		"async_insert": 0,
		// Decisions wait for reports, so the seven tables of a report are written concurrently.
		"parallel_view_processing": 1,
		// Views already aggregate a block, so the engine does not have to merge rows before it writes.
		"optimize_on_insert": 0,
		// A log that could not be emptied for months has a partition for each of its days.
		"max_partitions_per_insert_block": 0,
	}))
}

// milliseconds returns the time in UTC, with the precision of the tables.
func milliseconds(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
