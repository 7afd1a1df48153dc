package flags

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var (
	estimateSegmentDoc = rest.Doc(tagSegments, "estimateSegment", "Estimate a segment",
		"Returns the number of devices of the last seven days that match the conditions, like estimatedDevices of a segment. "+
			"Does not store anything.")
)

type estimateSegmentBody struct {
	MatchType  models.MatchType   `json:"matchType" enum:"all,any" doc:"Whether all conditions must hold, or at least one."`
	Conditions []SegmentCondition `json:"conditions"`
}

func (b estimateSegmentBody) Model() models.NewSegment {
	n := models.NewSegment{Name: "estimate", MatchType: b.MatchType, Conditions: rest.Rendered(b.Conditions, conditionModel)}
	n.Normalize()
	return n
}

func (b estimateSegmentBody) Resolve(huma.Context) []error {
	return rest.BodyErrors(b.Model().Validate())
}

func (estimateSegmentBody) Example() any {
	return estimateSegmentBody{MatchType: models.MatchAll, Conditions: []SegmentCondition{
		{Attribute: "platform", Operator: Operator(models.OpEq), ValuesJSON: Texts{"ios"}},
	}}
}

// SegmentEstimate is the number of devices that match conditions.
type SegmentEstimate struct {
	EstimatedDevices *int64 `json:"estimatedDevices" nullable:"true" doc:"Number of matching devices, as in a segment: null for conditions that only the app can evaluate, for conditions that take too many steps, and while telemetry is unavailable."`
}

func (SegmentEstimate) Example() any { return SegmentEstimate{EstimatedDevices: new(int64(1200))} }

func (h *Handlers) estimateSegment(ctx context.Context, in *rest.BodyInput[estimateSegmentBody]) (*rest.Output[SegmentEstimate], error) {
	n := in.Body.Model()
	g := models.Segment{MatchType: n.MatchType, Conditions: n.Conditions}
	return &rest.Output[SegmentEstimate]{Body: SegmentEstimate{h.estimateSegments(ctx, g)[g.ID]}}, nil
}
