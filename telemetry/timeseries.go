package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

type timeseriesCost struct {
	Reports uint64 `ch:"reports"`
}

type timeseriesRow struct {
	Time     time.Time `ch:"time"`
	Reports  uint64    `ch:"reports"`
	Launches uint64    `ch:"launches"`
	JSErrors uint64    `ch:"js_errors"`
	Crashes  uint64    `ch:"crashes"`
	Devices  uint64    `ch:"devices"`
	Errored  uint64    `ch:"errored"`
	Crashed  uint64    `ch:"crashed"`
}

// Timeseries is what the project's devices did over the query's period, up to now.
// It fails with a models Unavailable error while ClickHouse is away.
func (c *ClickHouse) Timeseries(
	ctx context.Context, projectID int64, q models.TimeseriesQuery, now time.Time,
) (models.Timeseries, error) {
	bucket, first, n := q.Period.Buckets(now)
	args := []driver.NamedValue{
		clickhouse.Named("bucket", uint32(bucket.Seconds())),
		clickhouse.Named("grain", grainOf(bucket)),
		clickhouse.Named("dims", dimsOf(q, bucket)),
		second("from", first),
		second("until", first.Add(time.Duration(n)*bucket)),
		clickhouse.Named("update_uuid", q.UpdateUUID),
		clickhouse.Named("channel", q.Channel),
		clickhouse.Named("platform", string(q.Platform)),
		clickhouse.Named("runtime_version", q.RuntimeVersion),
	}
	t := models.Timeseries{Period: q.Period, Bucket: bucket}
	if grainOf(bucket) == "slot" { // few hours seldom have too many reports, and nobody wants their sketches then
		var cost []timeseriesCost
		if err := c.selectOf(ctx, projectID, "the timeseries", &cost, sqlTimeseriesCost, args...); err != nil {
			return t, err
		}
		t.Exact = cost[0].Reports <= c.exactReports
	}
	var rows []timeseriesRow
	if !t.Exact {
		if err := c.selectOf(ctx, projectID, "the timeseries", &rows, sqlTimeseries, args...); err != nil {
			return t, err
		}
		t.Exact = reportsOf(rows) <= c.exactReports
	}
	if t.Exact {
		query := sqlTimeseriesReports
		if grainOf(bucket) == "day" { // the reports of 90 days are gone
			query = sqlTimeseriesDays
		}
		rows = nil
		if err := c.selectOf(ctx, projectID, "the timeseries", &rows, query, args...); err != nil {
			return t, err
		}
	}
	t.Points = points(rows, first, bucket, n)
	return t, nil
}

// dailyReports is how many reports the project's devices sent in the days from a moment on.
func (c *ClickHouse) dailyReports(ctx context.Context, projectID int64, from driver.NamedValue, now time.Time) (uint64, error) {
	var cost []timeseriesCost
	err := c.selectOf(ctx, projectID, "the number of reports", &cost, sqlTimeseriesCost, from, second("until", now.Add(24*time.Hour)),
		clickhouse.Named("grain", "day"), clickhouse.Named("dims", uint8(0)), clickhouse.Named("update_uuid", ""),
		clickhouse.Named("channel", ""), clickhouse.Named("platform", ""), clickhouse.Named("runtime_version", ""))
	if err != nil {
		return 0, err
	}
	return cost[0].Reports, nil
}

// reportsOf is how many reports stand behind the rows.
func reportsOf(rows []timeseriesRow) (n uint64) {
	for _, r := range rows {
		n += r.Reports
	}
	return n
}

// grainOf is the grain of the roll-up that buckets of a length are made of.
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

// dimsOf is the kind of rows of activity that has the columns to filter by and the
// fewest besides.
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

// points puts the rows into their buckets; the others are empty.
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
		points[i].Launches, points[i].Errors, points[i].Crashes = int64(r.Launches), int64(r.JSErrors), int64(r.Crashes)
		points[i].DeviceCounts = deviceCounts(r.Devices, r.Errored, r.Crashed)
	}
	return points
}
