package telemetry

import (
	"context"
	"slices"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

// timeseriesRow is a bucket, or the whole period if Whole is 1.
type timeseriesRow struct {
	Whole    uint64    `ch:"whole"`
	Time     time.Time `ch:"time"`
	Reports  uint64    `ch:"reports"`
	Launches uint64    `ch:"launches"`
	JSErrors uint64    `ch:"js_errors"`
	Crashes  uint64    `ch:"crashes"`
	Devices  uint64    `ch:"devices"`
	Errored  uint64    `ch:"errored"`
	Crashed  uint64    `ch:"crashed"`
}

// Timeseries returns the reports of the project's devices over the query's period, up to now. It returns a
// models.Unavailable error while ClickHouse is unavailable.
func (u UsageQueries) Timeseries(
	ctx context.Context, projectID int64, q models.TimeseriesQuery, now time.Time,
) (t models.Timeseries, err error) {
	bucket, first, n := q.Period.Buckets(now)
	args := timeseriesArgs(q, bucket, first, first.Add(time.Duration(n)*bucket))
	t = models.Timeseries{Period: q.Period, Bucket: bucket}
	rows := func(query projectQuery) ([]timeseriesRow, error) {
		return selectOf[timeseriesRow](ctx, u.database, projectID, "the timeseries", query, args...)
	}
	var found []timeseriesRow
	if grainOf(bucket) == "slot" { // a few hours rarely have too many reports, so the sketches are rarely needed
		found, err = rows(sqlTimeseriesCost)
	} else {
		found, err = rows(sqlTimeseries)
	}
	if err != nil {
		return t, err
	}
	t.Exact = reportsOf(found) <= u.exactReports
	switch {
	case t.Exact && grainOf(bucket) == "day": // reports of 90 days ago are not stored
		found, err = rows(sqlTimeseriesDays)
	case t.Exact:
		found, err = rows(sqlTimeseriesReports)
	case grainOf(bucket) == "slot":
		found, err = rows(sqlTimeseries)
	}
	whole := func(r timeseriesRow) bool { return r.Whole == 1 }
	for _, r := range found {
		if whole(r) {
			t.Total = activity(r)
		}
	}
	t.Points = points(slices.DeleteFunc(found, whole), first, bucket, n)
	return t, err
}

func timeseriesArgs(q models.TimeseriesQuery, bucket time.Duration, from, until time.Time) []driver.NamedValue {
	return []driver.NamedValue{
		clickhouse.Named("bucket", uint32(bucket.Seconds())),
		clickhouse.Named("grain", grainOf(bucket)),
		clickhouse.Named("dims", dimsOf(q, bucket)),
		second("from", from),
		second("until", until),
		clickhouse.Named("update_uuid", q.UpdateUUID),
		clickhouse.Named("channel", q.Channel),
		clickhouse.Named("platform", string(q.Platform)),
		clickhouse.Named("runtime_version", q.RuntimeVersion),
	}
}

// reportsOf returns the number of reports behind the rows.
func reportsOf(rows []timeseriesRow) (n uint64) {
	for _, r := range rows {
		if r.Whole == 0 {
			n += r.Reports
		}
	}
	return n
}

// grainOf returns the grain of the roll-up for buckets of the given length.
func grainOf(bucket time.Duration) string {
	switch {
	case bucket < time.Hour:
		return "slot"
	case bucket < 24*time.Hour:
		return "hour"
	default:
		return "day"
	}
}

// dimsOf returns the dimensions of the rows in activity that have the columns to filter by and the fewest other
// columns.
func dimsOf(q models.TimeseriesQuery, bucket time.Duration) uint8 {
	const channel, platform, runtimeVersion, update = 1, 2, 4, 8
	switch {
	case q.UpdateUUID != "" && (q.Channel != "" || grainOf(bucket) == "slot"):
		return update | runtimeVersion | platform | channel
	case q.UpdateUUID != "":
		return update | runtimeVersion | platform
	case q.RuntimeVersion != "":
		return runtimeVersion | platform | channel
	case q.Platform != "":
		return platform | channel
	case q.Channel != "":
		return channel
	default:
		return 0
	}
}

// points puts the rows into their buckets. Buckets without rows stay empty.
func points(rows []timeseriesRow, first time.Time, bucket time.Duration, n int) []models.TimeseriesPoint {
	points := make([]models.TimeseriesPoint, n)
	for i := range points {
		points[i].Time = first.Add(time.Duration(i) * bucket)
	}
	for _, r := range rows {
		i := int(r.Time.Sub(first) / bucket)
		if i < 0 || i >= n {
			continue
		}
		points[i].Activity = activity(r)
	}
	return points
}

func activity(r timeseriesRow) models.Activity {
	return models.Activity{
		DeviceCounts: deviceCounts(r.Devices, r.Errored, r.Crashed),
		Launches:     int64(r.Launches), Errors: int64(r.JSErrors), Crashes: int64(r.Crashes),
	}
}
