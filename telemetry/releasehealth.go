package telemetry

import (
	"context"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

// ReleaseHealth is what devices that Waft served the release, and that lie in its
// share, reported of it since q.Since: exact distinct devices, errors within 24 h of
// a device's first report on the release (contract, sections 5 and 6). Devices that
// reported without being both are counted apart. Compared is filled as q.Control asks. It fails with a models Unavailable error
// while ClickHouse is away.
func (c *ClickHouse) ReleaseHealth(ctx context.Context, q models.HealthQuery) (models.ReleaseHealth, error) {
	ctx = seeingOnly(ctx, q.ProjectID)
	args := []any{
		clickhouse.Named("project_id", q.ProjectID),
		clickhouse.Named("update_uuid", q.UpdateUUID),
		clickhouse.Named("salt", q.Salt),
		clickhouse.Named("threshold", rollout.Threshold(q.Percentage)),
		clickhouse.DateNamed("since", q.Since.UTC(), clickhouse.MilliSeconds),
	}
	var devices, launches, errored, crashed, carried, notServed, notInShare uint64
	row := c.conn.QueryRow(ctx, sqlReleaseDevices, args...)
	if err := row.Scan(&devices, &launches, &errored, &crashed, &carried, &notServed, &notInShare); err != nil {
		return models.ReleaseHealth{}, queryError("read the release's devices", err)
	}
	if carried > 0 {
		var carriedErrored, carriedCrashed uint64
		row := c.conn.QueryRow(ctx, sqlCarriedErrors, args...)
		if err := row.Scan(&carriedErrored, &carriedCrashed); err != nil {
			return models.ReleaseHealth{}, queryError("read the errors of earlier devices", err)
		}
		if err := c.conn.QueryRow(ctx, sqlCarriedLaunches, args...).Scan(&launches); err != nil {
			return models.ReleaseHealth{}, queryError("read the release's launches", err)
		}
		errored += carriedErrored
		crashed += carriedCrashed
	}
	var limited uint64
	if err := c.conn.QueryRow(ctx, sqlLimitedDevices, args...).Scan(&limited); err != nil {
		return models.ReleaseHealth{}, queryError("read the devices that were refused", err)
	}
	var compared models.ComparedHealth
	if q.Control != nil {
		var err error
		if compared, err = c.comparedHealth(ctx, q); err != nil {
			return models.ReleaseHealth{}, err
		}
	}
	return models.ReleaseHealth{
		Devices:  int64(devices),
		Launches: int64(launches),
		// The three reads see three moments; a device that came in between must not
		// make more devices errored than there are.
		ErroredDevices: int64(min(errored, devices)),
		CrashedDevices: int64(min(crashed, devices)),

		NotServedDevices:   int64(notServed),
		NotInShareDevices:  int64(notInShare),
		RateLimitedDevices: int64(limited),

		Compared: compared,
	}, nil
}
