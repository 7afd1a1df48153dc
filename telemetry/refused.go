package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/models"
)

// refusedDays is the number of days for which refused requests are kept, including today.
const refusedDays = 30

type refusedRow struct {
	Reason         string    `ch:"reason"`
	Channel        string    `ch:"channel"`
	Platform       string    `ch:"platform"`
	RuntimeVersion string    `ch:"runtime_version"`
	Requests       uint64    `ch:"requests"`
	Devices        uint64    `ch:"devices"`
	LastSeenAt     time.Time `ch:"last_seen_at"`
}

// ListRefused lists the refused requests of the project's devices in the last 30 days by reason, latest first, at
// most 500. It returns a models.Unavailable error while ClickHouse is unavailable.
func (s StreamQueries) ListRefused(ctx context.Context, projectID int64, now time.Time) ([]models.RefusedSummary, error) {
	rows, err := selectOf[refusedRow](ctx, s.database, projectID, "refused requests", sqlRefused,
		second("from", startOfDay(now, refusedDays-1)), clickhouse.Named("most", uint32(maxRefused)))
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
