package models

import "time"

// AdoptionWindows are the supported values of Adoption.Days.
var AdoptionWindows = []int{7, 14, 30, 90}

// Adoption counts the devices per release, over a window of whole days (UTC) that ends today.
type Adoption struct {
	Days int
	// Exact is false if some numbers are estimates.
	Exact bool
	// ActiveDevices is the number of devices that reported anything in the window.
	ActiveDevices int64
	// Downloads contains every day of the window once, oldest first.
	Downloads []DownloadDay
	// Updates are the numbers of devices per release, largest first. A device counts for the release that it last reported.
	Updates []UpdateDevices
	// ByDay are the numbers of devices per release and day, oldest day first.
	ByDay []UpdateDay
}

// DownloadDay counts the downloads of a day. Downloads counts a device once per new release; Devices counts it once.
type DownloadDay struct {
	Day                time.Time
	Downloads, Devices int64
}

// UpdateDevices is the number of devices that ran a release. UpdateUUID is "" for the embedded update.
type UpdateDevices struct {
	UpdateUUID     string
	Platform       Platform
	RuntimeVersion string
	Devices        int64
}

// UpdateDay is the number of devices that ran a release on one day.
type UpdateDay struct {
	Day        time.Time
	UpdateUUID string
	Devices    int64
}

// TimeseriesPeriod is the length of a timeseries: 1h, 6h, 24h, 7d, 14d, 30d or 90d.
type TimeseriesPeriod string

const day = 24 * time.Hour

// timeseriesShapes are chosen so that every chart has about 12 to 170 points.
var timeseriesShapes = map[TimeseriesPeriod]struct{ length, bucket time.Duration }{
	"1h": {time.Hour, 5 * time.Minute}, "6h": {6 * time.Hour, 5 * time.Minute}, "24h": {day, time.Hour},
	"7d": {7 * day, time.Hour}, "14d": {14 * day, 6 * time.Hour}, "30d": {30 * day, day}, "90d": {90 * day, day},
}

// Buckets returns the length of each bucket of the period, the start of the first bucket and the number of buckets, which is
// 0 for an unknown period. The last bucket contains now. Buckets start at multiples of their length since 1970, UTC.
func (p TimeseriesPeriod) Buckets(now time.Time) (length time.Duration, first time.Time, n int) {
	shape, known := timeseriesShapes[p]
	if !known {
		return 0, time.Time{}, 0
	}
	n = int(shape.length / shape.bucket)
	last := now.UTC().Truncate(shape.bucket)
	return shape.bucket, last.Add(-time.Duration(n-1) * shape.bucket), n
}

// TimeseriesQuery selects a project's activity; empty fields do not filter.
type TimeseriesQuery struct {
	Period         TimeseriesPeriod
	Channel        string
	Platform       Platform
	RuntimeVersion string
	// UpdateUUID is in lower case.
	UpdateUUID string
}

// Timeseries is the activity of devices over time, one point for every bucket.
type Timeseries struct {
	Period TimeseriesPeriod
	Bucket time.Duration
	// Exact is false if some numbers are estimates.
	Exact  bool
	Points []TimeseriesPoint
	// Total is the activity of the whole period, in which each device counts once.
	Total Activity
}

// TimeseriesPoint is one bucket of time.
type TimeseriesPoint struct {
	Time time.Time
	Activity
}

// Activity counts the reports of devices in a period.
type Activity struct {
	DeviceCounts
	// Launches, Errors and Crashes sum the counts of app_launch, js_error and crash events.
	Launches, Errors, Crashes int64
}

// OtherValue replaces values that are not variations, so that clients cannot create an unlimited number of values.
const OtherValue = "(other)"

// FlagEvaluations counts how often a client evaluated a flag to a value.
type FlagEvaluations struct {
	ProjectID        int64
	FlagKey, Channel string
	// Value is a value of the flag, as text.
	Value string
	Count int64
	// ReceivedAt is a time of the API's clock. LastAt is a time of the client's clock, but never in the future.
	ReceivedAt, LastAt time.Time
}

// FlagEvaluationSummary covers a window of whole days (UTC) that ends today.
type FlagEvaluationSummary struct {
	Total int64
	// LastEvaluatedAt may be before the window; nil if the flag was never evaluated.
	LastEvaluatedAt *time.Time
	// Days are oldest first. Days without evaluations are omitted.
	Days []FlagEvaluationDay
}

// FlagEvaluationDay counts how often a flag was evaluated to a value on one day.
type FlagEvaluationDay struct {
	Day   time.Time
	Value string
	Count int64
}
