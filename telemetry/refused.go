package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

// refusedDays is how long refusals are remembered, today included.
const refusedDays = 30

// InsertRefused stores the refusals, once, as InsertReports does.
func (c *ClickHouse) InsertRefused(ctx context.Context, token string, refusals []models.RefusedRequests) error {
	if err := insert(onceUnder(ctx, token), c, sqlInsertRefusedRequests, refusals, appendRefusal); err != nil {
		return queryError("insert refusals", err)
	}
	return nil
}

// appendRefusal follows the column list of insert_refusals.sql.
func appendRefusal(batch driver.Batch, r models.RefusedRequests) error {
	return batch.Append(
		r.ProjectID, r.At.UTC().Truncate(time.Millisecond), string(r.Reason), r.Channel, r.Platform, r.RuntimeVersion,
		r.DeviceID, uint64(r.Requests),
	)
}

type refusedRow struct {
	Reason         string    `ch:"reason"`
	Channel        string    `ch:"channel"`
	Platform       string    `ch:"platform"`
	RuntimeVersion string    `ch:"runtime_version"`
	Requests       uint64    `ch:"requests"`
	Devices        uint64    `ch:"devices"`
	LastSeenAt     time.Time `ch:"last_seen_at"`
}

// ListRefused lists why devices of the project got nothing in the last 30 days, the
// latest first, at most 500. It fails with a models Unavailable error while
// ClickHouse is away.
func (c *ClickHouse) ListRefused(ctx context.Context, projectID int64, now time.Time) ([]models.RefusedSummary, error) {
	var rows []refusedRow
	from := startOfDay(now, refusedDays-1)
	err := c.selectOf(ctx, projectID, "refused requests", &rows, sqlRefused,
		second("from", from), clickhouse.Named("most", uint32(mostRefusals)))
	if err != nil {
		return nil, err
	}
	refused := make([]models.RefusedSummary, len(rows))
	for i, r := range rows {
		refused[i] = models.RefusedSummary{
			Reason: models.RefusalReason(r.Reason), Channel: r.Channel, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion,
			Requests: int64(r.Requests), Devices: int64(r.Devices), LastSeenAt: r.LastSeenAt.UTC(),
		}
	}
	return refused, nil
}
