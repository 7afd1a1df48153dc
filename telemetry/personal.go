package telemetry

import (
	"context"
	"fmt"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
)

// Eraser deletes what is stored of devices.
type Eraser struct{ *database }

// deviceTable is a table with rows of single devices, unlike those of sums and sketches.
type deviceTable struct {
	Name string `ch:"name"`
	// ByID is false for a table with the column device_key and not device_id.
	ByID bool `ch:"by_id"`
	// AgedBy is the column with the age of a row.
	AgedBy string `ch:"aged_by"`
}

// DeleteDevices deletes all rows of the project's devices with these identities from
// every table that has rows of devices; nil means that no query sees them any more.
// It fails with a models Unavailable error while ClickHouse is away; then some tables may
// still have them, and it can be repeated.
func (e Eraser) DeleteDevices(ctx context.Context, projectID int64, identities []string) error {
	return e.inDeviceTables(ctx, func(t deviceTable) error {
		statement := sqlDeleteDevicesByID
		if !t.ByID {
			statement = sqlDeleteDevicesByKey
		}
		return e.conn.Exec(ctx, e.everywhere(statement), clickhouse.Named("table", t.Name),
			clickhouse.Named("project_id", projectID), clickhouse.Named("device_ids", identities))
	})
}

// DeleteBefore deletes the project's rows from days before that of the moment (UTC)
// from every table that has rows of devices. It may be repeated.
func (e Eraser) DeleteBefore(ctx context.Context, projectID int64, before time.Time) error {
	return e.inDeviceTables(ctx, func(t deviceTable) error {
		return e.conn.Exec(ctx, e.everywhere(sqlDeleteAged), clickhouse.Named("table", t.Name), clickhouse.Named("aged_by", t.AgedBy),
			clickhouse.Named("project_id", projectID), clickhouse.DateNamed("before", before.UTC(), clickhouse.MilliSeconds))
	})
}

// inDeviceTables finds the tables in the schema itself, so that it includes those of later
// versions. On a cluster they are the local tables.
func (e Eraser) inDeviceTables(ctx context.Context, do func(deviceTable) error) error {
	var tables []deviceTable
	if err := e.conn.Select(ctx, &tables, sqlDeviceTables); err != nil {
		return queryError("find the tables with rows of devices", err)
	}
	for _, t := range tables {
		if t.AgedBy == "" {
			return fmt.Errorf("table %s has rows of devices and no column with their age", t.Name)
		}
		if err := do(t); err != nil {
			return queryError("delete from "+t.Name, err)
		}
	}
	return nil
}
