package models

import "time"

// TimeseriesPeriod is a window that a timeseries may span.
type TimeseriesPeriod string

// timeseriesShape is how a period is cut up.
type timeseriesShape struct{ length, bucket time.Duration }

const day = 24 * time.Hour

// timeseriesShapes keep every chart between a dozen and a good hundred points.
var timeseriesShapes = map[TimeseriesPeriod]timeseriesShape{
	"1h": {time.Hour, 5 * time.Minute}, "6h": {6 * time.Hour, 5 * time.Minute}, "24h": {day, time.Hour},
	"7d": {7 * day, time.Hour}, "14d": {14 * day, 6 * time.Hour}, "30d": {30 * day, day}, "90d": {90 * day, day},
}

// Buckets returns how long each bucket of the period is and when the first begins, of
// those that end with the one that now lies in; 0 for a period that there is none of.
// Buckets begin at whole multiples of their length since 1970, UTC.
func (p TimeseriesPeriod) Buckets(now time.Time) (length time.Duration, first time.Time, n int) {
	shape := timeseriesShapes[p]
	if shape.bucket == 0 {
		return 0, time.Time{}, 0
	}
	n = int(shape.length / shape.bucket)
	last := now.UTC().Truncate(shape.bucket)
	return shape.bucket, last.Add(-time.Duration(n-1) * shape.bucket), n
}

// TimeseriesQuery asks for a project's activity; empty filters let everything pass.
type TimeseriesQuery struct {
	Period         TimeseriesPeriod
	Channel        string
	Platform       Platform
	RuntimeVersion string
	// UpdateUUID is in lower case.
	UpdateUUID string
}

// Timeseries is what devices did over time, one point for every bucket.
type Timeseries struct {
	Period TimeseriesPeriod
	Bucket time.Duration
	// Exact says that no figure is an estimate.
	Exact  bool
	Points []TimeseriesPoint
}

// TimeseriesPoint is one bucket.
type TimeseriesPoint struct {
	Time time.Time
	DeviceCounts
	// Launches, Errors and Crashes are sums of the counts of app_launch, js_error and
	// crash events.
	Launches int64
	Errors   int64
	Crashes  int64
}
