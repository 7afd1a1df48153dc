package telemetry

import (
	"context"
	"fmt"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// InsertReports stores the reports and their events; nil means that queries see
// them. A call repeated with the same token and reports, in the same order, stores
// nothing twice, in the tables and in what the materialised views derive; a call
// that failed half-way is completed by its repetition.
func (c *ClickHouse) InsertReports(ctx context.Context, token string, reports []models.HealthReport) error {
	ctx = clickhouse.Context(ctx, clickhouse.WithSettings(clickhouse.Settings{
		"insert_deduplicate":                                 1,
		"insert_deduplication_token":                         token,
		"deduplicate_blocks_in_dependent_materialized_views": 1,
		// An acknowledged insert is stored, and one call is one block under one token.
		"async_insert": 0,
	}))
	if err := c.insert(ctx, sqlInsertHealthEvents, reports, appendEvents); err != nil {
		return queryError("insert health events", err)
	}
	// Reports come last: what a decision reads is complete only when all is stored.
	if err := c.insert(ctx, sqlInsertHealthReports, reports, appendReport); err != nil {
		return queryError("insert health reports", err)
	}
	return nil
}

func (c *ClickHouse) insert(
	ctx context.Context, statement string, reports []models.HealthReport,
	add func(driver.Batch, uuid.UUID, models.HealthReport) error,
) error {
	batch, err := c.conn.PrepareBatch(ctx, statement)
	if err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	// After Send it has nothing to do; before, it gives the connection back.
	defer func() { _ = batch.Close() }()
	for _, r := range reports {
		id, err := uuid.Parse(r.ID)
		if err != nil {
			return fmt.Errorf("report id %q: %w", r.ID, err)
		}
		if err := add(batch, id, r); err != nil {
			return fmt.Errorf("report %s: %w", r.ID, err)
		}
	}
	if batch.Rows() == 0 {
		return nil
	}
	if err := batch.Send(); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	return nil
}

// appendEvents follows the column list of insert_health_events.sql.
func appendEvents(batch driver.Batch, id uuid.UUID, r models.HealthReport) error {
	at := r.ReceivedAt.UTC().Truncate(time.Millisecond)
	for i, e := range r.Events {
		if !e.Type.Known() {
			continue
		}
		err := batch.Append(
			r.ProjectID, at, id, uint16(i), r.DeviceID, string(r.Platform), r.Channel,
			r.RuntimeVersion, r.UpdateUUID, string(e.Type), e.Name, e.Message, e.ErrorName, e.StackTrace,
			e.ComponentStack, e.IsFatal, uint32(e.Count), e.Tags, e.FlagStates,
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// appendReport follows the column list of insert_health_reports.sql.
func appendReport(batch driver.Batch, id uuid.UUID, r models.HealthReport) error {
	counts := map[models.HealthEventType]uint64{}
	for _, e := range r.Events {
		counts[e.Type] += uint64(e.Count)
	}
	return batch.Append(
		r.ProjectID, r.ReceivedAt.UTC().Truncate(time.Millisecond), id, r.DeviceID, string(r.Platform), r.Channel,
		r.RuntimeVersion, r.UpdateUUID,
		counts[models.EventAppLaunch], counts[models.EventJSError], counts[models.EventCrash], counts[models.EventCustom],
	)
}
