package models

import "time"

// AdoptionWindows are the supported values of Adoption.Days.
var AdoptionWindows = []int{7, 14, 30, 90}

// Adoption is which releases devices run, over a window of whole days (UTC) that ends today.
type Adoption struct {
	Days int
	// Exact says that no number is an estimate.
	Exact bool
	// ActiveDevices reported anything in the window.
	ActiveDevices int64
	// Downloads has every day of the window once, oldest first.
	Downloads []DownloadDay
	// Updates are the devices of each release, most first. A device counts for the one that it last reported.
	Updates []UpdateDevices
	// ByDay are the devices of each release by day, oldest day first.
	ByDay []UpdateDay
}

// DownloadDay counts a device in Downloads once for each new release, in Devices once.
type DownloadDay struct {
	Day                time.Time
	Downloads, Devices int64
}

// UpdateDevices is how many devices ran a release, "" for the embedded update.
type UpdateDevices struct {
	UpdateUUID     string
	Platform       Platform
	RuntimeVersion string
	Devices        int64
}

// UpdateDay is how many devices ran a release in a day.
type UpdateDay struct {
	Day        time.Time
	UpdateUUID string
	Devices    int64
}

// TimeseriesPeriod is the length of a timeseries: 1h, 6h, 24h, 7d, 14d, 30d or 90d.
type TimeseriesPeriod string

const day = 24 * time.Hour

// timeseriesShapes give every chart about 12 to 170 points.
var timeseriesShapes = map[TimeseriesPeriod]struct{ length, bucket time.Duration }{
	"1h": {time.Hour, 5 * time.Minute}, "6h": {6 * time.Hour, 5 * time.Minute}, "24h": {day, time.Hour},
	"7d": {7 * day, time.Hour}, "14d": {14 * day, 6 * time.Hour}, "30d": {30 * day, day}, "90d": {90 * day, day},
}

// Buckets returns the length of each bucket of the period, the start of the first and their number,
// 0 for an unknown period. The last bucket contains now. Buckets start at multiples of their length
// since 1970, UTC.
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
	// Exact says that no number is an estimate.
	Exact  bool
	Points []TimeseriesPoint
}

// TimeseriesPoint is one bucket of time.
type TimeseriesPoint struct {
	Time time.Time
	DeviceCounts
	// Launches, Errors and Crashes sum the counts of app_launch, js_error and crash events.
	Launches, Errors, Crashes int64
}

// OtherValue stands for values that are not variations, so that clients cannot add any number.
const OtherValue = "(other)"

// FlagEvaluations is how often a client evaluated a flag to a value.
type FlagEvaluations struct {
	ProjectID        int64
	FlagKey, Channel string
	// Value is the text of a value of the flag.
	Value string
	Count int64
	// ReceivedAt is by the clock of the API, LastAt by the client's, but never in the future.
	ReceivedAt, LastAt time.Time
}

// FlagEvaluationSummary covers a window of whole days (UTC) that ends today.
type FlagEvaluationSummary struct {
	Total int64
	// LastEvaluatedAt may be before the window; nil when the flag was never evaluated.
	LastEvaluatedAt *time.Time
	// Days are oldest first, without days that have no evaluation.
	Days []FlagEvaluationDay
}

// FlagEvaluationDay is how often a flag had a value in a day.
type FlagEvaluationDay struct {
	Day   time.Time
	Value string
	Count int64
}
