package rollouts

import (
	"cmp"
	"context"
	"math"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

var previewPolicyDoc = rest.Doc(tagPolicies, "previewRolloutPolicy", "Forecast a rollout policy",
	"Forecasts when the stages of a rollout that starts now would begin, and how soon it would detect a release that crashes. "+
		"The forecast assumes that the active devices return evenly within a day, that each device is in its own network, and "+
		"that people do not intervene. The policy is not stored.")

type previewPolicyBody struct {
	Name           string          `json:"name,omitempty" doc:"Display name, optional in a forecast."`
	Description    string          `json:"description,omitempty"`
	Channel        *string         `json:"channel,omitempty" doc:"Name of the channel whose devices the forecast is for; all by default."`
	Platform       models.Platform `json:"platform,omitempty" enum:"ios,android" doc:"Platform of the devices that the forecast is for; all by default."`
	RuntimeVersion string          `json:"runtimeVersion,omitempty" maxLength:"255" doc:"Runtime version of the devices that the forecast is for; all by default."`
	IsActive       *bool           `json:"isActive,omitempty"`
	Stages         []Stage         `json:"stages" doc:"Stages in order."`
	Thresholds     Thresholds      `json:"thresholds,omitzero" doc:"Thresholds in every stage; none by default."`
	StartAt        *time.Time      `json:"startAt,omitempty" doc:"Earliest start of the first stage; immediately by default."`
	TimeZone       string          `json:"timeZone,omitempty" doc:"IANA name of the time zone of freezeWindows; UTC by default."`
	FreezeWindows  []FreezeWindow  `json:"freezeWindows,omitempty" maxItems:"20" doc:"Periods in which stages do not begin automatically."`
}

func (b previewPolicyBody) Model() models.NewRolloutPolicy {
	return createPolicyBody{
		Name: cmp.Or(b.Name, "preview"), Description: b.Description, Channel: b.Channel, IsActive: b.IsActive, Stages: b.Stages,
		Thresholds: b.Thresholds, StartAt: b.StartAt, TimeZone: b.TimeZone, FreezeWindows: b.FreezeWindows,
	}.Model()
}

func (b previewPolicyBody) Resolve(huma.Context) []error {
	return rest.BodyErrors(b.Model().Validate())
}

func (previewPolicyBody) Example() any {
	return previewPolicyBody{
		Channel: new("production"), Platform: models.IOS, RuntimeVersion: "1.4.0", Stages: exampleStages(), Thresholds: exampleThresholds(),
	}
}

// includes reports whether the forecast is for the devices of the target s.
func (b previewPolicyBody) includes(s models.Stream) bool {
	return (b.Channel == nil || *b.Channel == s.Channel) && (b.Platform == "" || b.Platform == s.Platform) &&
		(b.RuntimeVersion == "" || b.RuntimeVersion == s.RuntimeVersion)
}

// PolicyForecast predicts the course of a rollout.
type PolicyForecast struct {
	ActiveDevices int64               `json:"activeDevices" doc:"Number of devices that reported within 24 hours, on which the forecast is based."`
	Stages        []StageForecast     `json:"stages"`
	EndsAt        *rest.Time          `json:"endsAt" nullable:"true" doc:"End of the last stage; null if a stage would never reach its minimum of devices."`
	Detection     []DetectionForecast `json:"detection" doc:"Forecasts for true rates of 1%, 2% and 5% of crashing devices."`
}

// StageForecast predicts when a stage begins.
type StageForecast struct {
	Percentage      float64    `json:"percentage"`
	StartsAt        *rest.Time `json:"startsAt" nullable:"true" doc:"Start of the stage; null if it would never begin."`
	ExpectedDevices int64      `json:"expectedDevices" doc:"Number of active devices inside the rollout."`
}

// DetectionForecast predicts how soon a true rate is detected.
type DetectionForecast struct {
	Rate    float64  `json:"rate" doc:"Percentage of devices that crash."`
	Devices *int64   `json:"devices" nullable:"true" doc:"Number of devices that must report until the rate is a breach; null if the thresholds permit the rate or there are too few devices."`
	Minutes *float64 `json:"minutes" nullable:"true" doc:"Minutes from the start of the first stage; null if the rate is never detected."`
}

func (h *Handlers) previewPolicy(ctx context.Context, in *rest.BodyInput[previewPolicyBody]) (*rest.Output[PolicyForecast], error) {
	streams, err := h.StreamActivities.StreamActivity(ctx, rest.ProjectOf(ctx), h.Now())
	if err != nil {
		return nil, err
	}
	var active int64
	for _, s := range streams {
		if in.Body.includes(s.Stream) {
			active += s.Devices
		}
	}
	n := in.Body.Model()
	f := rollout.ForecastOf(n.Stages, n.Thresholds, n.Schedule, active, h.Now())
	return &rest.Output[PolicyForecast]{Body: PolicyForecast{
		ActiveDevices: active, EndsAt: rest.TimeOrNull(f.EndsAt),
		Stages: rest.Rendered(f.Stages, func(s rollout.StageForecast) StageForecast {
			return StageForecast{s.Percentage, rest.TimeOrNull(s.StartsAt), s.ExpectedDevices}
		}),
		Detection: rest.Rendered(f.Detection, func(d rollout.Detection) DetectionForecast {
			out := DetectionForecast{Rate: d.Rate, Devices: d.Devices}
			if d.After != nil {
				out.Minutes = new(math.Ceil(d.After.Minutes()))
			}
			return out
		}),
	}}, nil
}

func (PolicyForecast) Example() any {
	return PolicyForecast{
		ActiveDevices: 12_000, EndsAt: &rest.ExampleTime,
		Stages:    []StageForecast{{Percentage: 5, StartsAt: &rest.ExampleTime, ExpectedDevices: 600}},
		Detection: []DetectionForecast{{Rate: 1}, {Rate: 2, Devices: new(int64(350)), Minutes: new(840.0)}, {Rate: 5, Devices: new(int64(120)), Minutes: new(288.0)}},
	}
}
