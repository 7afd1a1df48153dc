package telemetry

import (
	"context"
	"slices"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/models"
)

// ReleaseCounts returns the devices that reported on each of some updates in this hour and the 23 hours before, in all
// targets, and the devices on which the update failed to start. The result is by update ID; updates without devices are
// missing. As in a timeseries, an update with at most 25,000 reports is counted exactly, and all updates that are counted
// exactly have at most 150,000 reports together. ReleaseCounts returns a models.Unavailable error while ClickHouse is
// unavailable.
func (s StreamQueries) ReleaseCounts(
	ctx context.Context, projectID int64, updates []string, now time.Time,
) (map[string]models.DeviceCounts, error) {
	counts, reports := map[string]models.DeviceCounts{}, map[string]uint64{}
	rows, err := s.releaseRows(ctx, projectID, sqlReleaseCounts, updates, now)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		counts[r.UpdateUUID], reports[r.UpdateUUID] = deviceCounts(r.Devices, r.Errored, r.Crashed), r.Reports
	}
	estimated := s.withTooManyReports(reports)
	exact := slices.DeleteFunc(slices.Clone(updates), func(update string) bool {
		_, reported := reports[update]
		return !reported || estimated[update]
	})
	if rows, err = s.releaseRows(ctx, projectID, sqlReleaseReports, exact, now); err != nil {
		return nil, err
	}
	for _, r := range rows {
		counts[r.UpdateUUID] = deviceCounts(r.Devices, r.Errored, r.Crashed)
	}
	return counts, nil
}

func (s StreamQueries) releaseRows(
	ctx context.Context, projectID int64, query projectQuery, updates []string, now time.Time,
) ([]servedRow, error) {
	if len(updates) == 0 {
		return nil, nil
	}
	return selectOf[servedRow](ctx, s.database, projectID, "the devices of releases", query, second("from", overviewFrom(now)),
		clickhouse.Named("updates", updates))
}
