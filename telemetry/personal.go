package telemetry

import (
	"context"
	"fmt"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
)

// Eraser deletes the stored data of devices.
type Eraser struct{ *database }

// deviceTable is a table with rows of single devices, as opposed to sums and sketches.
type deviceTable struct {
	Name string `ch:"name"`
	// ByID is false for a table with the column device_key instead of device_id.
	ByID bool `ch:"by_id"`
	// AgedBy is the column with the age of a row.
	AgedBy string `ch:"aged_by"`
}

// DeleteDevices deletes all rows of the project's devices with these identities from every table with rows of
// devices. When it returns nil, queries no longer see the rows. It returns a models.Unavailable error while
// ClickHouse is unavailable. Some tables may then still have the rows, and the call can be repeated.
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

// DeleteBefore deletes the project's rows of days before the day of the given time (UTC) from every table with rows
// of devices. The call can be repeated.
func (e Eraser) DeleteBefore(ctx context.Context, projectID int64, before time.Time) error {
	return e.inDeviceTables(ctx, func(t deviceTable) error {
		return e.conn.Exec(ctx, e.everywhere(sqlDeleteAged), clickhouse.Named("table", t.Name), clickhouse.Named("aged_by", t.AgedBy),
			clickhouse.Named("project_id", projectID), clickhouse.DateNamed("before", before.UTC(), clickhouse.MilliSeconds))
	})
}

// inDeviceTables calls do for every table with rows of devices. It finds the tables in the schema itself, so it
// includes tables of later versions. On a cluster they are the local tables.
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
