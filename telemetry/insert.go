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
	ctx = onceUnder(ctx, token)
	if err := insert(ctx, c, sqlInsertHealthEvents, reports, appendEvents); err != nil {
		return queryError("insert health events", err)
	}
	// Reports come last: what a decision reads is complete only when all is stored.
	if err := insert(ctx, c, sqlInsertHealthReports, reports, appendReport); err != nil {
		return queryError("insert health reports", err)
	}
	return nil
}

// InsertServes stores the serves, once, as InsertReports does.
func (c *ClickHouse) InsertServes(ctx context.Context, token string, serves []models.Serve) error {
	if err := insert(onceUnder(ctx, token), c, sqlInsertServes, serves, appendServe); err != nil {
		return queryError("insert serves", err)
	}
	return nil
}

// onceUnder makes an insert under the token one that happens once.
func onceUnder(ctx context.Context, token string) context.Context {
	return clickhouse.Context(ctx, clickhouse.WithSettings(clickhouse.Settings{
		"insert_deduplicate":                                 1,
		"insert_deduplication_token":                         token,
		"deduplicate_blocks_in_dependent_materialized_views": 1,
		// An acknowledged insert is stored, and one call is one block under one token.
		"async_insert": 0,
	}))
}

func insert[T any](
	ctx context.Context, c *ClickHouse, statement string, all []T, add func(driver.Batch, T) error,
) error {
	batch, err := c.conn.PrepareBatch(ctx, statement)
	if err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	// After Send it has nothing to do; before, it gives the connection back.
	defer func() { _ = batch.Close() }()
	for _, one := range all {
		if err := add(batch, one); err != nil {
			return err
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
func appendEvents(batch driver.Batch, r models.HealthReport) error {
	id, err := reportID(r)
	if err != nil {
		return err
	}
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
			return fmt.Errorf("report %s: %w", r.ID, err)
		}
	}
	return nil
}

func reportID(r models.HealthReport) (uuid.UUID, error) {
	id, err := uuid.Parse(r.ID)
	if err != nil {
		return id, fmt.Errorf("report id %q: %w", r.ID, err)
	}
	return id, nil
}

// appendReport follows the column list of insert_health_reports.sql.
func appendReport(batch driver.Batch, r models.HealthReport) error {
	id, err := reportID(r)
	if err != nil {
		return err
	}
	counts := map[models.HealthEventType]uint64{}
	for _, e := range r.Events {
		counts[e.Type] += uint64(e.Count)
	}
	err = batch.Append(
		r.ProjectID, r.ReceivedAt.UTC().Truncate(time.Millisecond), id, r.DeviceID, string(r.Platform), r.Channel,
		r.RuntimeVersion, r.UpdateUUID,
		counts[models.EventAppLaunch], counts[models.EventJSError], counts[models.EventCrash], counts[models.EventCustom],
		r.ShareBucket,
	)
	if err != nil {
		return fmt.Errorf("report %s: %w", r.ID, err)
	}
	return nil
}

// appendServe follows the column list of insert_serves.sql.
func appendServe(batch driver.Batch, s models.Serve) error {
	return batch.Append(
		s.ProjectID, s.ServedAt.UTC().Truncate(time.Millisecond), s.DeviceID, string(s.Platform), s.Channel,
		s.RuntimeVersion, s.UpdateUUID, string(s.Kind), s.ShareBucket,
	)
}
