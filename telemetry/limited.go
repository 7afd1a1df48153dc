package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

// InsertLimited stores whose reports were refused, once, as InsertReports does.
func (c *ClickHouse) InsertLimited(ctx context.Context, token string, limited []models.LimitedReports) error {
	if err := insert(onceUnder(ctx, token), c, sqlInsertLimited, limited, appendLimited); err != nil {
		return queryError("insert devices whose reports were refused", err)
	}
	return nil
}

// appendLimited follows the column list of insert_limited.sql.
func appendLimited(batch driver.Batch, l models.LimitedReports) error {
	return batch.Append(l.ProjectID, l.UpdateUUID, l.DeviceID, l.At.UTC().Truncate(time.Millisecond))
}
