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
	"When the stages of a rollout would begin that starts now, and how soon it would find a release that crashes. It supposes that the "+
		"active devices of a share come back evenly within a day, that each is in a network of its own, and that nobody intervenes. Nothing is stored.")

type previewPolicyBody struct {
	Name           string          `json:"name,omitempty" doc:"It may be absent here."`
	Description    string          `json:"description,omitempty"`
	Channel        *string         `json:"channel,omitempty" doc:"Forecasts for the devices of this channel; of all when absent."`
	Platform       models.Platform `json:"platform,omitempty" enum:"ios,android" doc:"Forecasts for devices of this platform; of all when absent."`
	RuntimeVersion string          `json:"runtimeVersion,omitempty" maxLength:"255" doc:"Forecasts for devices of this runtime version; of all when absent."`
	IsActive       *bool           `json:"isActive,omitempty"`
	Stages         []Stage         `json:"stages" doc:"In order."`
	Thresholds     Thresholds      `json:"thresholds,omitzero" doc:"Limits in every stage; no limits when absent."`
	StartAt        *time.Time      `json:"startAt,omitempty" doc:"When the first stage begins at the earliest; at once when absent."`
	TimeZone       string          `json:"timeZone,omitempty" doc:"Zone of freezeWindows by its IANA name; UTC when absent."`
	FreezeWindows  []FreezeWindow  `json:"freezeWindows,omitempty" maxItems:"20" doc:"Periods in which no stage begins by itself."`
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

// includes reports whether the forecast is for the devices of a stream.
func (b previewPolicyBody) includes(s models.Stream) bool {
	return (b.Channel == nil || *b.Channel == s.Channel) && (b.Platform == "" || b.Platform == s.Platform) &&
		(b.RuntimeVersion == "" || b.RuntimeVersion == s.RuntimeVersion)
}

// PolicyForecast is how a rollout would go.
type PolicyForecast struct {
	ActiveDevices int64               `json:"activeDevices" doc:"Devices that reported within 24 hours, on which the forecast is based."`
	Stages        []StageForecast     `json:"stages"`
	EndsAt        *rest.Time          `json:"endsAt" nullable:"true" doc:"When the last stage would end; null when a stage would never have its minimum of devices."`
	Detection     []DetectionForecast `json:"detection" doc:"For true rates of 1, 2 and 5 % of crashing devices."`
}

// StageForecast is when a stage would begin.
type StageForecast struct {
	Percentage      float64    `json:"percentage"`
	StartsAt        *rest.Time `json:"startsAt" nullable:"true" doc:"Null for never."`
	ExpectedDevices int64      `json:"expectedDevices" doc:"Active devices in the share."`
}

// DetectionForecast is how soon a true rate would be found.
type DetectionForecast struct {
	Rate    float64  `json:"rate" doc:"Percentage of devices that crash."`
	Devices *int64   `json:"devices" nullable:"true" doc:"How many must have reported until the rate is a breach; null for a rate that the thresholds permit, or when there are too few."`
	Minutes *float64 `json:"minutes" nullable:"true" doc:"Since the first stage began; null for never."`
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
