package telemetry

import (
	"context"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

// comparedHealth is how devices inside q's share fare beside those outside it, as
// q.Control asks: exact distinct devices.
func (c *ClickHouse) comparedHealth(ctx context.Context, q models.HealthQuery) (compared models.ComparedHealth, err error) {
	rows, err := c.conn.Query(seeingOnly(ctx, q.ProjectID), sqlComparedDevices,
		clickhouse.Named("project_id", q.ProjectID),
		clickhouse.Named("salt", q.Salt),
		clickhouse.Named("threshold", rollout.Threshold(q.Percentage)),
		clickhouse.DateNamed("since", q.Control.Since.UTC(), clickhouse.MilliSeconds),
		clickhouse.Named("platform", string(q.Control.Platform)),
		clickhouse.Named("runtime_version", q.Control.RuntimeVersion),
		clickhouse.Named("channel", q.Control.Channel),
	)
	if err != nil {
		return compared, queryError("compare devices inside and outside the share", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var inside bool
		var devices, errored, crashed uint64
		if err := rows.Scan(&inside, &devices, &errored, &crashed); err != nil {
			return compared, queryError("compare devices inside and outside the share", err)
		}
		group := &compared.Outside
		if inside {
			group = &compared.Inside
		}
		*group = models.GroupHealth{Devices: int64(devices), ErroredDevices: int64(errored), CrashedDevices: int64(crashed)}
	}
	if err := rows.Err(); err != nil {
		return compared, queryError("compare devices inside and outside the share", err)
	}
	return compared, nil
}
