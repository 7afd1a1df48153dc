package api

import (
	"context"

	"github.com/waft-ota/waft/models"
)

var timeseriesDoc = doc(tagTelemetry, "getTimeseries", "Show devices, errors and crashes over time",
	"One point for each bucket of the period, oldest first, also those without devices; the last bucket contains the current time. Rates are of distinct devices.")

type timeseriesInput struct {
	Period         models.TimeseriesPeriod `query:"period" default:"24h" enum:"1h,6h,24h,7d,14d,30d,90d" doc:"Length of the period."`
	Channel        string                  `query:"channel" maxLength:"128" doc:"Only devices on this channel."`
	Platform       models.Platform         `query:"platform" enum:"ios,android" doc:"Only devices of this platform."`
	RuntimeVersion string                  `query:"runtimeVersion" maxLength:"255" doc:"Only devices of this runtime version."`
	UpdateUUID     UUID                    `query:"updateUuid" doc:"Only devices on this release."`
}

func (h *handlers) timeseries(ctx context.Context, in *timeseriesInput) (*output[Timeseries], error) {
	q := models.TimeseriesQuery{
		Period: in.Period, Channel: in.Channel, Platform: in.Platform, RuntimeVersion: in.RuntimeVersion,
		UpdateUUID: h.canonicalUpdate(ctx, in.UpdateUUID),
	}
	t, err := h.Insights.Timeseries(ctx, projectOf(ctx), q, h.Now())
	return &output[Timeseries]{timeseriesRecord(t)}, err
}

// Timeseries is what devices did over time.
type Timeseries struct {
	Period        models.TimeseriesPeriod `json:"period" enum:"1h,6h,24h,7d,14d,30d,90d"`
	BucketSeconds int64                   `json:"bucketSeconds" doc:"Length of a bucket."`
	Exact         bool                    `json:"exact" doc:"False when distinct devices are estimated, to about 1.1 %, because there are many."`
	Points        []TimeseriesPoint       `json:"points"`
}

// TimeseriesPoint is one bucket.
type TimeseriesPoint struct {
	Time                Time    `json:"time" doc:"Begin of the bucket."`
	Devices             int64   `json:"devices" doc:"Distinct devices that reported anything."`
	Launches            int64   `json:"launches" doc:"Sum of the counts of app_launch."`
	Errors              int64   `json:"errors" doc:"Sum of the counts of js_error."`
	Crashes             int64   `json:"crashes" doc:"Sum of the counts of crash."`
	ErrorRate           float64 `json:"errorRate" doc:"Percentage of devices with a js_error or crash."`
	CrashRate           float64 `json:"crashRate" doc:"Percentage of devices with a crash."`
	CrashFreePercentage float64 `json:"crashFreePercentage" doc:"100 less crashRate."`
}

func timeseriesRecord(t models.Timeseries) Timeseries {
	return Timeseries{
		Period: t.Period, BucketSeconds: int64(t.Bucket.Seconds()), Exact: t.Exact, Points: rendered(t.Points, timeseriesPoint),
	}
}

func timeseriesPoint(p models.TimeseriesPoint) TimeseriesPoint {
	return TimeseriesPoint{
		Time: Time{p.Time}, Devices: p.Devices, Launches: p.Launches, Errors: p.Errors, Crashes: p.Crashes,
		ErrorRate: percent(p.ErrorRate()), CrashRate: percent(p.CrashRate()), CrashFreePercentage: percent(p.CrashFreePercentage()),
	}
}

func (Timeseries) example() any {
	return Timeseries{
		Period: "24h", BucketSeconds: 3600, Exact: true,
		Points: []TimeseriesPoint{{
			Time: exampleTime, Devices: 1000, Launches: 2400, Errors: 31, Crashes: 4, ErrorRate: 1.5, CrashRate: 0.4,
			CrashFreePercentage: 99.6,
		}},
	}
}
