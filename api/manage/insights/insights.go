package insights

import (
	"context"
	"time"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Insights queries telemetry.
type Insights interface {
	Adoption(ctx context.Context, projectID int64, days int, now time.Time) (models.Adoption, error)
	Timeseries(ctx context.Context, projectID int64, q models.TimeseriesQuery, now time.Time) (models.Timeseries, error)
	Events(ctx context.Context, projectID int64, q models.EventQuery, now time.Time) ([]models.TelemetryEvent, error)
	// CountEvents and CountDevices return the numbers of records on all pages, or nil if counting would take too long.
	CountEvents(ctx context.Context, projectID int64, q models.EventQuery, now time.Time) (*int64, error)
	CountDevices(ctx context.Context, projectID int64, q models.DeviceQuery) (*int64, error)
	ListRefused(ctx context.Context, projectID int64, now time.Time) ([]models.RefusedSummary, error)
	Devices(ctx context.Context, projectID int64, q models.DeviceQuery) ([]models.Device, error)
	// DeviceReleases returns the history of a device with some releases, most recent first. names are the device's
	// stored IDs.
	DeviceReleases(ctx context.Context, projectID int64, names, updates []string) ([]models.DeviceRelease, error)
}

var timeseriesDoc = rest.Doc(TagTelemetry, "getTimeseries", "Show devices, errors and crashes over time",
	"Returns a point for each bucket of the period, oldest first, including buckets without devices. The last bucket contains "+
		"the current time. Rates are percentages of distinct devices. `total` is about the whole period, in which each device "+
		"counts once. With `withPrevious`, the response also has the points of the release before the given one, to compare the two.")

type timeseriesInput struct {
	Period         models.TimeseriesPeriod `query:"period" default:"24h" enum:"1h,6h,24h,7d,14d,30d,90d" doc:"Length of the period."`
	Channel        string                  `query:"channel" maxLength:"128" doc:"Channel of the devices."`
	Platform       models.Platform         `query:"platform" enum:"ios,android,web" doc:"Platform of the devices."`
	RuntimeVersion string                  `query:"runtimeVersion" maxLength:"255" doc:"Runtime version of the devices."`
	UpdateUUID     rest.UUID               `query:"updateUuid" doc:"Update ID of the release that the devices ran."`
	WithPrevious   bool                    `query:"withPrevious" doc:"Whether to return the points of the previous release too: the release before updateUuid on its branch, platform and runtime version."`
}

func (h *Handlers) timeseries(ctx context.Context, in *timeseriesInput) (*rest.Output[Timeseries], error) {
	q := models.TimeseriesQuery{
		Period: in.Period, Channel: in.Channel, Platform: in.Platform, RuntimeVersion: in.RuntimeVersion,
		UpdateUUID: releases.CanonicalUpdate(ctx, h.Snapshots, in.UpdateUUID),
	}
	t, err := h.Insights.Timeseries(ctx, rest.ProjectOf(ctx), q, h.Now())
	if err != nil {
		return nil, err
	}
	body := timeseriesRecord(t)
	if in.WithPrevious {
		body.Previous, err = h.previousTimeseries(ctx, q)
	}
	return &rest.Output[Timeseries]{Body: body}, err
}

// previousTimeseries returns the points of the release before the release that q selects, or null if it is the first.
func (h *Handlers) previousTimeseries(ctx context.Context, q models.TimeseriesQuery) (out rest.OrNull[PreviousTimeseries], err error) {
	before, found, err := h.Overviews.PreviousRelease(ctx, rest.ProjectOf(ctx), q.UpdateUUID)
	if err != nil || !found {
		return out, err
	}
	q.UpdateUUID = before.UpdateUUID.String()
	t, err := h.Insights.Timeseries(ctx, rest.ProjectOf(ctx), q, h.Now())
	return rest.Present(PreviousTimeseries{
		UpdateID: before.ID, Release: releases.NameOf(&before), Total: timeseriesTotal(t.Total),
		Points: rest.Rendered(t.Points, timeseriesPoint),
	}), err
}

// Timeseries counts devices, errors and crashes over time.
type Timeseries struct {
	Period        models.TimeseriesPeriod `json:"period" enum:"1h,6h,24h,7d,14d,30d,90d"`
	BucketSeconds int64                   `json:"bucketSeconds" doc:"Length of a bucket in seconds."`
	Exact         bool                    `json:"exact" doc:"Whether the counts are exact. If there are many devices, distinct devices are estimated to about 1.1%."`
	Total         TimeseriesTotal         `json:"total" doc:"Activity of the whole period. A device counts once, even if it is in several buckets."`
	Points        []TimeseriesPoint       `json:"points"`

	Previous rest.OrNull[PreviousTimeseries] `json:"previous" doc:"Points of the previous release; null without withPrevious, and if updateUuid is the first release of its branch, platform and runtime version."`
}

// PreviousTimeseries has the points of the release before another one.
type PreviousTimeseries struct {
	UpdateID int64                `json:"updateId" doc:"ID of the previous release."`
	Release  releases.ReleaseName `json:"release"`
	Total    TimeseriesTotal      `json:"total" doc:"Activity of the previous release in the whole period."`
	Points   []TimeseriesPoint    `json:"points" doc:"Points for the same buckets as the points of the release."`
}

// TimeseriesTotal is the activity of a whole period.
type TimeseriesTotal struct {
	Devices             int64    `json:"devices" doc:"Number of distinct devices that sent a report or failed to start the release. The percentages are of these."`
	ErroredDevices      int64    `json:"erroredDevices" doc:"Number of these devices with a js_error or crash."`
	CrashedDevices      int64    `json:"crashedDevices" doc:"Number of these devices with a crash."`
	Launches            int64    `json:"launches" doc:"Number of app launches."`
	Errors              int64    `json:"errors" doc:"Number of errors (js_error)."`
	Crashes             int64    `json:"crashes" doc:"Number of crashes."`
	ErrorRate           *float64 `json:"errorRate" nullable:"true" doc:"Percentage of devices with a js_error or crash; null without devices."`
	CrashRate           *float64 `json:"crashRate" nullable:"true" doc:"Percentage of devices with a crash; null without devices."`
	CrashFreePercentage *float64 `json:"crashFreePercentage" nullable:"true" doc:"Percentage of devices without a crash; null without devices."`
}

// TimeseriesPoint is one bucket.
type TimeseriesPoint struct {
	Time                rest.Time `json:"time" doc:"Start of the bucket."`
	Devices             int64     `json:"devices" doc:"Number of distinct devices that sent a report."`
	Launches            int64     `json:"launches" doc:"Number of app launches."`
	Errors              int64     `json:"errors" doc:"Number of errors (js_error)."`
	Crashes             int64     `json:"crashes" doc:"Number of crashes."`
	ErrorRate           float64   `json:"errorRate" doc:"Percentage of devices with a js_error or crash."`
	CrashRate           float64   `json:"crashRate" doc:"Percentage of devices with a crash."`
	CrashFreePercentage float64   `json:"crashFreePercentage" doc:"Percentage of devices without a crash."`
}

func timeseriesRecord(t models.Timeseries) Timeseries {
	return Timeseries{
		Period: t.Period, BucketSeconds: int64(t.Bucket.Seconds()), Exact: t.Exact, Total: timeseriesTotal(t.Total),
		Points: rest.Rendered(t.Points, timeseriesPoint),
	}
}

func timeseriesTotal(a models.Activity) TimeseriesTotal {
	out := TimeseriesTotal{
		Devices: a.Devices, ErroredDevices: a.ErroredDevices, CrashedDevices: a.CrashedDevices, Launches: a.Launches, Errors: a.Errors,
		Crashes: a.Crashes, CrashFreePercentage: rest.CrashFree(a.DeviceCounts),
	}
	if a.Devices > 0 {
		out.ErrorRate, out.CrashRate = new(rest.Percent(a.ErrorRate())), new(rest.Percent(a.CrashRate()))
	}
	return out
}

func timeseriesPoint(p models.TimeseriesPoint) TimeseriesPoint {
	return TimeseriesPoint{
		Time: rest.Time{Time: p.Time}, Devices: p.Devices, Launches: p.Launches, Errors: p.Errors, Crashes: p.Crashes,
		ErrorRate: rest.Percent(p.ErrorRate()), CrashRate: rest.Percent(p.CrashRate()),
		CrashFreePercentage: rest.Percent(p.CrashFreePercentage()),
	}
}

func (Timeseries) Example() any {
	return Timeseries{
		Period: "24h", BucketSeconds: 3600, Exact: true,
		Total: TimeseriesTotal{
			Devices: 1000, ErroredDevices: 15, CrashedDevices: 4, Launches: 2400, Errors: 31, Crashes: 4, ErrorRate: new(1.5),
			CrashRate: new(0.4), CrashFreePercentage: new(99.6),
		},
		Points: []TimeseriesPoint{{
			Time: rest.ExampleTime, Devices: 1000, Launches: 2400, Errors: 31, Crashes: 4, ErrorRate: 1.5, CrashRate: 0.4,
			CrashFreePercentage: 99.6,
		}},
	}
}

var refusedDoc = rest.Doc(TagTelemetry, "listRefused", "List refused requests",
	"Returns refused manifest requests of the last 30 days, most recent first. A new request is listed within seconds.")

func (h *Handlers) listRefused(ctx context.Context, _ *struct{}) (*rest.Output[[]RefusedRequests], error) {
	refused, err := h.Insights.ListRefused(ctx, rest.ProjectOf(ctx), h.Now())
	return &rest.Output[[]RefusedRequests]{Body: rest.Rendered(refused, refusedRequests)}, err
}

// RefusedRequests counts the devices that are refused an update for one reason.
type RefusedRequests struct {
	Reason         models.RefusalReason `json:"reason" enum:"unknown_channel,missing_channel,missing_platform,missing_runtime_version,bad_request,no_release,rate_limited" doc:"Reason of the refusal. no_release: the branch has no release for the platform and runtime version. rate_limited: the device or its address exceeded the rate limit."`
	Channel        string               `json:"channel" doc:"Channel as the device sends it; empty if it sends none, (other) beyond the cardinality limit."`
	Platform       string               `json:"platform"`
	RuntimeVersion string               `json:"runtimeVersion"`
	Devices        int64                `json:"devices" doc:"Number of distinct devices among the requests with a device ID."`
	Requests       int64                `json:"requests"`
	LastSeenAt     rest.Time            `json:"lastSeenAt"`
}

func refusedRequests(r models.RefusedSummary) RefusedRequests {
	return RefusedRequests{
		Reason: r.Reason, Channel: r.Channel, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion, Devices: r.Devices,
		Requests: r.Requests, LastSeenAt: rest.Time{Time: r.LastSeenAt},
	}
}

func (RefusedRequests) Example() any {
	return RefusedRequests{
		Reason: models.RefusedUnknownChannel, Channel: "prodution", Platform: "ios", RuntimeVersion: "1.4.0", Devices: 12, Requests: 340,
		LastSeenAt: rest.ExampleTime,
	}
}
