package telemetry

import (
	"context"
	"fmt"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

// InsertExposures stores the serves, once, as InsertReports does.
func (c *ClickHouse) InsertExposures(ctx context.Context, token string, serves []models.Exposure) error {
	if err := insert(onceUnder(ctx, token), c, sqlInsertExposures, serves, appendExposure); err != nil {
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
		// What views derive from a block is added up already: the engine need not look for
		// what it could merge before it writes.
		"optimize_on_insert": 0,
		// A log that could not be emptied for months has a partition for each of its days.
		"max_partitions_per_insert_block": 0,
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

// appendExposure follows the column list of insert_serves.sql.
func appendExposure(batch driver.Batch, s models.Exposure) error {
	return batch.Append(
		s.ProjectID, s.ServedAt.UTC().Truncate(time.Millisecond), s.DeviceID, string(s.Platform), s.Channel,
		s.RuntimeVersion, s.UpdateUUID, string(s.Kind), s.ShareBucket,
	)
}
