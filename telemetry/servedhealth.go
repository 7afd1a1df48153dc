package telemetry

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/waft-ota/waft/models"
)

// servedRow has the devices of a target on one update. If Together is 1, it has the devices on any of the target's updates.
type servedRow struct {
	streamRow
	Together uint64 `ch:"together"`
	Reports  uint64 `ch:"reports"`
}

// ServedHealth returns the health of the devices that reported on the served updates of some targets in this hour and the
// 23 hours before. As in a timeseries, an update with at most 25,000 reports is counted exactly. All updates that are
// counted exactly have at most 150,000 reports together. ServedHealth returns a models.Unavailable error while ClickHouse
// is unavailable.
func (s StreamQueries) ServedHealth(
	ctx context.Context, projectID int64, served []models.ServedStream, now time.Time,
) (models.ServedHealth, error) {
	health := models.ServedHealth{}
	rows, err := s.servedRows(ctx, projectID, sqlServedCounts, served, now)
	if err != nil {
		return nil, err
	}
	addServed(health, rows)
	exact := withoutUpdates(served, s.estimated(rows))
	if rows, err = s.servedRows(ctx, projectID, sqlServedReports, exact, now); err != nil {
		return nil, err
	}
	addServed(health, rows)
	return health, nil
}

func (s StreamQueries) servedRows(
	ctx context.Context, projectID int64, query projectQuery, served []models.ServedStream, now time.Time,
) ([]servedRow, error) {
	var channels, platforms, runtimeVersions, updates []string
	for _, stream := range served {
		for _, u := range stream.Served {
			channels, platforms = append(channels, stream.Channel), append(platforms, string(stream.Platform))
			runtimeVersions, updates = append(runtimeVersions, stream.RuntimeVersion), append(updates, u.UpdateUUID)
		}
	}
	if len(updates) == 0 {
		return nil, nil
	}
	return selectOf[servedRow](ctx, s.database, projectID, "the devices of served releases", query, second("from", overviewFrom(now)),
		clickhouse.Named("channels", channels), clickhouse.Named("platforms", platforms),
		clickhouse.Named("runtime_versions", runtimeVersions), clickhouse.Named("updates", updates))
}

// estimated returns the updates with too many reports for an exact count.
func (s StreamQueries) estimated(rows []servedRow) map[string]bool {
	reports := map[string]uint64{}
	for _, r := range rows {
		if r.Together == 0 {
			reports[r.UpdateUUID] += r.Reports
		}
	}
	return s.withTooManyReports(reports)
}

// withTooManyReports returns the updates that are not counted exactly, from the number of reports of each update.
func (s StreamQueries) withTooManyReports(reports map[string]uint64) map[string]bool {
	fewest := slices.SortedFunc(maps.Keys(reports), func(a, b string) int {
		return cmp.Or(cmp.Compare(reports[a], reports[b]), cmp.Compare(a, b))
	})
	estimated, read := map[string]bool{}, uint64(0)
	for _, update := range fewest {
		if read += reports[update]; reports[update] > s.exactReports || read > s.exactRows {
			estimated[update] = true
		}
	}
	return estimated
}

// withoutUpdates returns the targets without the updates. A target that has one of them loses the others too, because a
// device may have reported on several: the figures of a target are either all exact or all estimates.
func withoutUpdates(served []models.ServedStream, updates map[string]bool) (rest []models.ServedStream) {
	for _, stream := range served {
		if !slices.ContainsFunc(stream.Served, func(u models.ServedUpdate) bool { return updates[u.UpdateUUID] }) {
			rest = append(rest, stream)
		}
	}
	return rest
}

func addServed(health models.ServedHealth, rows []servedRow) {
	for _, r := range rows {
		h, counts := health[r.stream()], deviceCounts(r.Devices, r.Errored, r.Crashed)
		if r.Together == 1 {
			h.DeviceCounts = counts
		} else {
			if h.Updates == nil {
				h.Updates = map[string]models.DeviceCounts{}
			}
			h.Updates[r.UpdateUUID] = counts
		}
		health[r.stream()] = h
	}
}

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
