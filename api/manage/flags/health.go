package flags

import (
	"context"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/manage/insights"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// flagWindowInput selects a flag and a window of days.
type flagWindowInput struct {
	rest.IDPath
	Days int `query:"days" default:"7" minimum:"1" maximum:"90" doc:"Number of days in the window, including today."`
}

var (
	flagHealthDoc = rest.Doc(tagFlags, "getFlagHealth", "Show the health of a flag",
		"Rates by variation and channel, from the flagStates of reported events.")
	flagEvaluationsDoc = rest.Doc(tagFlags, "getFlagEvaluations", "Show the evaluations of a flag",
		"Counts of each value, from the evaluations that clients report.")
)

func (h *Handlers) flagHealth(ctx context.Context, in *flagWindowInput) (*rest.Output[FlagHealth], error) {
	flag, err := h.Flags.Flag(ctx, rest.ProjectOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	health, err := h.Health.FlagHealth(ctx, rest.ProjectOf(ctx), flag.Key, in.Days, h.Now())
	return &rest.Output[FlagHealth]{Body: flagHealthRecord(flag, health)}, err
}

func (h *Handlers) flagEvaluations(ctx context.Context, in *flagWindowInput) (*rest.Output[FlagEvaluations], error) {
	flag, err := h.Flags.Flag(ctx, rest.ProjectOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	summary, err := h.Health.FlagEvaluations(ctx, rest.ProjectOf(ctx), flag.Key, in.Days, h.Now())
	return &rest.Output[FlagEvaluations]{Body: flagEvaluationsRecord(flag, summary)}, err
}

// FlagImpact is the health of the devices with one variation of a flag, on one release and channel.
type FlagImpact struct {
	FlagKey             string     `json:"flagKey"`
	Variation           string     `json:"variation" doc:"Value in the devices' flagStates."`
	UpdateUUID          *uuid.UUID `json:"updateUuid" nullable:"true" format:"uuid" doc:"Update ID that the devices ran; null for the embedded update."`
	UpdateID            *int64     `json:"updateId" nullable:"true" doc:"ID of the release; null for an update that is not a release of the project."`
	RuntimeVersion      string     `json:"runtimeVersion"`
	Channel             string     `json:"channel"`
	Devices             int64      `json:"devices" doc:"Number of distinct devices."`
	ErroredDevices      int64      `json:"erroredDevices" doc:"Number of devices with a js_error or crash under the variation."`
	CrashedDevices      int64      `json:"crashedDevices" doc:"Number of devices with a crash under the variation."`
	ErrorRate           float64    `json:"errorRate" doc:"Percentage of devices with an error or crash."`
	ErrorRateDelta      float64    `json:"errorRateDelta" doc:"Percentage points by which errorRate is above the flag's other variations on the same release and channel; 0 without other variations."`
	CrashFreePercentage float64    `json:"crashFreePercentage"`
}

func flagImpact(f models.FlagImpact, releases map[string]models.Release) FlagImpact {
	out := FlagImpact{
		FlagKey: f.FlagKey, Variation: f.Variation, UpdateUUID: rest.ParsedUUID(f.UpdateUUID), RuntimeVersion: f.RuntimeVersion,
		Channel: f.Channel, Devices: f.Devices, ErroredDevices: f.ErroredDevices, CrashedDevices: f.CrashedDevices,
		ErrorRate: rest.Percent(f.ErrorRate()), ErrorRateDelta: rest.Percent(f.ErrorRateDelta),
		CrashFreePercentage: rest.Percent(f.CrashFreePercentage()),
	}
	if r, ok := releases[f.UpdateUUID]; ok {
		out.UpdateID = &r.ID
	}
	return out
}

func (FlagImpact) Example() any {
	return FlagImpact{
		FlagKey: "new-checkout", Variation: "true", UpdateUUID: rest.ParsedUUID(rest.ExampleUUID), UpdateID: new(int64(17)),
		RuntimeVersion: "1.4.0",
		Channel:        "production", Devices: 500, ErroredDevices: 10, CrashedDevices: 1, ErrorRate: 2, ErrorRateDelta: 1.5,
		CrashFreePercentage: 99.8,
	}
}

// FlagHealth is the health of the devices with a flag.
type FlagHealth struct {
	FlagKey             string             `json:"flagKey"`
	Status              rollout.FlagStatus `json:"status" enum:"healthy,degraded,incident" doc:"Worst status among the variations and all devices together."`
	ErrorRate           float64            `json:"errorRate" doc:"Percentage of the flag's devices with an error or crash."`
	ErrorRateDelta      float64            `json:"errorRateDelta" doc:"Greatest errorRateDelta of the variations."`
	CrashFreePercentage *float64           `json:"crashFreePercentage" nullable:"true" doc:"Percentage of devices without a crash; null without devices."`
	AffectedDevices     int64              `json:"affectedDevices" doc:"Number of devices with an error or crash under the flag."`
	Variations          []VariationHealth  `json:"variations" doc:"Variations, ordered by number of devices, most first."`
}

// VariationHealth is the health of the devices with one variation on one channel.
type VariationHealth struct {
	Variation           string             `json:"variation" doc:"Value in the devices' flagStates."`
	Name                string             `json:"name" doc:"Name of the variation; empty for a value that is not a variation of the flag."`
	Channel             string             `json:"channel"`
	Devices             int64              `json:"devices"`
	ErrorRate           float64            `json:"errorRate"`
	ErrorRateDelta      float64            `json:"errorRateDelta" doc:"Percentage points by which errorRate is above the flag's other variations on the channel; 0 without other variations."`
	CrashFreePercentage float64            `json:"crashFreePercentage"`
	Status              rollout.FlagStatus `json:"status" enum:"healthy,degraded,incident" doc:"Status of the variation. incident: evidence shows that fewer than 99% of devices are crash-free. degraded: fewer than 99.5% are, or significantly more of them have errors than under the other variations."`
}

func flagHealthRecord(f models.Flag, h models.FlagHealth) FlagHealth {
	out := FlagHealth{
		FlagKey: f.Key, Status: statusOfFlag(h), ErrorRate: rest.Percent(h.ErrorRate()),
		CrashFreePercentage: rest.CrashFree(h.DeviceCounts), AffectedDevices: h.ErroredDevices,
		Variations: make([]VariationHealth, len(h.Variations)),
	}
	for i, v := range h.Variations {
		others := h.Others(v)
		known, _ := f.Variation(v.Variation)
		out.Variations[i] = VariationHealth{
			Variation: v.Variation, Name: known.Name, Channel: v.Channel, Devices: v.Devices, ErrorRate: rest.Percent(v.ErrorRate()),
			ErrorRateDelta: rest.Percent(v.DeltaTo(others)), CrashFreePercentage: rest.Percent(v.CrashFreePercentage()),
			Status: rollout.StatusOf(v.DeviceCounts, others),
		}
		out.ErrorRateDelta = max(out.ErrorRateDelta, out.Variations[i].ErrorRateDelta)
	}
	return out
}

func (FlagHealth) Example() any {
	return FlagHealth{
		FlagKey: "new-checkout", Status: rollout.FlagDegraded, ErrorRate: 1.25, ErrorRateDelta: 1.5, CrashFreePercentage: new(99.8), AffectedDevices: 12,
		Variations: []VariationHealth{{
			Variation: "true", Name: "On", Channel: "production", Devices: 500, ErrorRate: 2, ErrorRateDelta: 1.5,
			CrashFreePercentage: 99.6, Status: rollout.FlagDegraded,
		}},
	}
}

// FlagEvaluations counts the evaluations of a flag by value.
type FlagEvaluations struct {
	FlagKey         string                 `json:"flagKey"`
	Total           int64                  `json:"total"`
	LastEvaluatedAt *rest.Time             `json:"lastEvaluatedAt" nullable:"true" doc:"Time of the last evaluation, even before the window; null if the flag was never evaluated."`
	Variations      []VariationEvaluations `json:"variations" doc:"Values of the flag's variations in their order, then other values."`
	Daily           []EvaluationDay        `json:"daily" doc:"Counts per day and value, oldest day first, without days and values that have no evaluations."`
}

// VariationEvaluations counts the evaluations of a flag that gave one value in the window.
type VariationEvaluations struct {
	Value      string  `json:"value" doc:"Value as a string; (other) for all values that are not a variation of the flag."`
	Name       string  `json:"name" doc:"Name of the variation; empty for any other value."`
	Count      int64   `json:"count"`
	Percentage float64 `json:"percentage" doc:"Percentage of all evaluations."`
}

// EvaluationDay counts the evaluations of a flag that gave one value in a day.
type EvaluationDay struct {
	Date  rest.Date `json:"date"`
	Value string    `json:"value"`
	Count int64     `json:"count"`
}

func flagEvaluationsRecord(f models.Flag, s models.FlagEvaluationSummary) FlagEvaluations {
	out := FlagEvaluations{
		FlagKey: f.Key, Total: s.Total, LastEvaluatedAt: rest.TimeOrNull(s.LastEvaluatedAt),
		Variations: make([]VariationEvaluations, 0, len(f.Variations)), Daily: make([]EvaluationDay, len(s.Days)),
	}
	at := map[string]int{}
	for i, v := range f.Variations {
		at[v.Value] = i
		out.Variations = append(out.Variations, VariationEvaluations{Value: v.Value, Name: v.Name})
	}
	for i, d := range s.Days {
		out.Daily[i] = EvaluationDay{Date: rest.Date{Time: d.Day}, Value: d.Value, Count: d.Count}
		k, ok := at[d.Value]
		if !ok {
			k = len(out.Variations)
			at[d.Value] = k
			out.Variations = append(out.Variations, VariationEvaluations{Value: d.Value})
		}
		out.Variations[k].Count += d.Count
	}
	for i := range out.Variations {
		if s.Total > 0 {
			out.Variations[i].Percentage = rest.Percent(100 * float64(out.Variations[i].Count) / float64(s.Total))
		}
	}
	return out
}

func (FlagEvaluations) Example() any {
	return FlagEvaluations{
		FlagKey: "new-checkout", Total: 400, LastEvaluatedAt: &rest.ExampleTime,
		Variations: []VariationEvaluations{{Value: "true", Name: "On", Count: 100, Percentage: 25}, {Value: "false", Name: "Off", Count: 300, Percentage: 75}},
		Daily:      []EvaluationDay{{Date: rest.Date(rest.ExampleTime), Value: "true", Count: 100}},
	}
}

var flagImpactsDoc = rest.Doc(insights.TagTelemetry, "listFlagImpacts", "Show the impact of flags",
	"Returns an entry for each flag variation, release and channel in the flagStates of reported events: most devices first, "+
		"at most 1,000. A device counts for a variation if any of its events names the variation.")

type flagImpactsInput struct {
	Days    int    `query:"days" default:"7" minimum:"1" maximum:"90" doc:"Number of days in the window, including today."`
	FlagKey string `query:"flagKey" maxLength:"128" doc:"Key of the flag."`
	Channel string `query:"channel" maxLength:"128" doc:"Name of the devices' channel."`
}

func (h *Handlers) flagImpacts(ctx context.Context, in *flagImpactsInput) (*rest.Output[[]FlagImpact], error) {
	q := models.FlagImpactQuery{Days: in.Days, FlagKey: in.FlagKey, Channel: in.Channel}
	impacts, err := h.Health.FlagImpacts(ctx, rest.ProjectOf(ctx), q, h.Now())
	if err != nil {
		return nil, err
	}
	releases, err := releases.ReleasesOf(ctx, h.Names, impacts, func(f models.FlagImpact) string { return f.UpdateUUID })
	return &rest.Output[[]FlagImpact]{Body: rest.Rendered(impacts, func(f models.FlagImpact) FlagImpact {
		return flagImpact(f,
			releases)
	})}, err
}
