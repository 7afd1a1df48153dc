package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

var (
	estimateSegmentDoc = doc(tagSegments, "estimateSegment", "Estimate a segment",
		"How many devices of the last seven days the conditions hold for, as estimatedDevices of a segment; nothing is stored.")
)

type estimateSegmentBody struct {
	MatchType  models.MatchType   `json:"matchType" enum:"all,any" doc:"How many of the conditions must hold."`
	Conditions []SegmentCondition `json:"conditions"`
}

func (b estimateSegmentBody) model() models.NewSegment {
	n := models.NewSegment{Name: "estimate", MatchType: b.MatchType, Conditions: rendered(b.Conditions, conditionModel)}
	n.Normalize()
	return n
}

func (b estimateSegmentBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (estimateSegmentBody) example() any {
	return estimateSegmentBody{MatchType: models.MatchAll, Conditions: []SegmentCondition{
		{Attribute: "platform", Operator: Operator(models.OpEq), ValuesJSON: Texts{"ios"}},
	}}
}

// SegmentEstimate is how many devices conditions hold for.
type SegmentEstimate struct {
	EstimatedDevices *int64 `json:"estimatedDevices" nullable:"true" doc:"As of a segment: null for conditions that only the app can evaluate, and while telemetry is unavailable."`
}

func (SegmentEstimate) example() any { return SegmentEstimate{EstimatedDevices: new(int64(1200))} }

func (h *FlagsHandlers) estimateSegment(ctx context.Context, in *bodyInput[estimateSegmentBody]) (*output[SegmentEstimate], error) {
	n := in.Body.model()
	g := models.Segment{MatchType: n.MatchType, Conditions: n.Conditions}
	return &output[SegmentEstimate]{SegmentEstimate{h.estimateSegments(ctx, g)[g.ID]}}, nil
}
