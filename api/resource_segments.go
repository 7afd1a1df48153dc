package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// Segments stores segments.
type Segments interface {
	CreateSegment(ctx context.Context, projectID int64, actor models.Actor, n models.NewSegment) (models.Segment, error)
	ListSegments(ctx context.Context, projectID int64, page models.Page) ([]models.Segment, error)
	Segment(ctx context.Context, projectID, id int64) (models.Segment, error)
	UpdateSegment(
		ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.SegmentPatch,
	) (models.Segment, error)
	DeleteSegment(ctx context.Context, projectID int64, actor models.Actor, id int64) error
}

// Segment is a named set of contexts.
type Segment struct {
	ID               int64              `json:"id"`
	Key              string             `json:"key" doc:"What rules name it by."`
	Name             string             `json:"name"`
	Description      string             `json:"description"`
	MatchType        models.MatchType   `json:"matchType" enum:"all,any" doc:"How many of the conditions must hold."`
	Conditions       []SegmentCondition `json:"conditions"`
	EstimatedDevices *int64             `json:"estimatedDevices" doc:"How many of the devices that reported within seven days it holds, as their reports tell: exact up to 256, then about. Null for a segment with conditions on anything but platform, channel, runtimeVersion, updateUuid, ota.branch, ota.runtime_version and ota.update_id, and while telemetry is away."`
	ReferencedBy     []SegmentReference `json:"referencedBy" doc:"The flag rules that refer to it; while there are any it cannot be deleted."`
	CreatedAt        Time               `json:"createdAt"`
	UpdatedAt        Time               `json:"updatedAt"`
}

// SegmentCondition compares an attribute of a context.
type SegmentCondition struct {
	ID         int64    `json:"id,omitempty" doc:"In a change: of the condition that it takes the place of."`
	Attribute  string   `json:"attribute"`
	Operator   Operator `json:"operator"`
	ValuesJSON Texts    `json:"valuesJson" required:"false" doc:"Empty for exists and not_exists."`
}

// SegmentReference is a flag rule that refers to a segment.
type SegmentReference struct {
	FlagID  int64  `json:"flagId"`
	FlagKey string `json:"flagKey"`
	RuleID  int64  `json:"ruleId"`
}

func segmentRecord(g models.Segment) Segment {
	return Segment{
		ID: g.ID, Key: g.Key, Name: g.Name, Description: g.Description, MatchType: g.MatchType,
		Conditions: rendered(g.Conditions, func(c models.Condition) SegmentCondition {
			return SegmentCondition{c.ID, c.Attribute, Operator(c.Operator), append(Texts{}, c.Values...)}
		}),
		ReferencedBy: rendered(g.ReferencedBy, func(r models.SegmentReference) SegmentReference { return SegmentReference(r) }),
		CreatedAt:    Time{g.CreatedAt}, UpdatedAt: Time{g.UpdatedAt},
	}
}

func conditionModel(c SegmentCondition) models.Condition {
	return models.Condition{
		ID: c.ID, Attribute: c.Attribute, Operator: models.Operator(c.Operator), Values: append([]string{}, c.ValuesJSON...),
	}
}

func (Segment) example() any {
	conditions := exampleConditions()
	conditions[0].ID = 42
	return Segment{
		ID: 41, Key: "beta", Name: "Beta", MatchType: models.MatchAll, Conditions: conditions,
		ReferencedBy: []SegmentReference{{FlagID: 31, FlagKey: "new-checkout", RuleID: 34}},
		CreatedAt:    exampleTime, UpdatedAt: exampleTime,
	}
}

func exampleConditions() []SegmentCondition {
	return []SegmentCondition{{Attribute: "plan", Operator: Operator(models.OpEq), ValuesJSON: Texts{"pro"}}}
}

var (
	listSegmentsDoc = doc(tagSegments, "listSegments", "List segments",
		"Each segment with the flag rules that use it.")
	createSegmentDoc = doc(tagSegments, "createSegment", "Create a segment",
		"The key never changes.", http.StatusCreated)
	getSegmentDoc   = doc(tagSegments, "getSegment", "Get a segment", "The current state.")
	patchSegmentDoc = doc(tagSegments, "patchSegment", "Change a segment",
		"Absent fields keep their value. Given conditions replace all existing ones.")
	deleteSegmentDoc = doc(tagSegments, "deleteSegment", "Delete a segment",
		"A segment that a flag rule uses cannot be deleted (in_use).", http.StatusConflict)
)

func (h *handlers) listSegments(ctx context.Context, in *listInput) (*List[Segment], error) {
	var estimates map[int64]*int64
	return listed(ctx, in.PageQuery,
		func(g models.Segment) Segment {
			record := segmentRecord(g)
			record.EstimatedDevices = estimates[g.ID]
			return record
		},
		func(p models.Page) ([]models.Segment, error) {
			segments, err := h.Segments.ListSegments(ctx, projectOf(ctx), p)
			if err == nil {
				estimates = h.estimateSegments(ctx, segments...)
			}
			return segments, err
		})
}

type createSegmentBody struct {
	Key         string             `json:"key,omitempty" doc:"1 to 128 lower-case letters, digits or . _ -; made from the name when absent."`
	Name        string             `json:"name" doc:"Display name."`
	Description string             `json:"description,omitempty"`
	MatchType   models.MatchType   `json:"matchType" enum:"all,any" doc:"How many of the conditions must hold."`
	Conditions  []SegmentCondition `json:"conditions"`
}

func (b createSegmentBody) model() models.NewSegment {
	n := models.NewSegment{
		Key: b.Key, Name: b.Name, Description: b.Description, MatchType: b.MatchType,
		Conditions: rendered(b.Conditions, conditionModel),
	}
	n.Normalize()
	return n
}

func (b createSegmentBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (createSegmentBody) example() any {
	return createSegmentBody{Name: "Beta", MatchType: models.MatchAll, Conditions: exampleConditions()}
}

func (h *handlers) createSegment(ctx context.Context, in *bodyInput[createSegmentBody]) (*output[Segment], error) {
	g, err := h.Segments.CreateSegment(ctx, projectOf(ctx), actorOf(ctx), in.Body.model())
	return h.segmentAnswer(ctx, g, err)
}

func (h *handlers) getSegment(ctx context.Context, in *idInput) (*output[Segment], error) {
	g, err := h.Segments.Segment(ctx, projectOf(ctx), in.ID)
	return h.segmentAnswer(ctx, g, err)
}

type patchSegmentBody struct {
	Name        Patch[string]             `json:"name,omitzero"`
	Description Patch[string]             `json:"description,omitzero" nullable:"true" doc:"Null clears it."`
	MatchType   Patch[models.MatchType]   `json:"matchType,omitzero" enum:"all,any"`
	Conditions  Patch[[]SegmentCondition] `json:"conditions,omitzero" doc:"All conditions from now on."`
}

func (b patchSegmentBody) model() (models.SegmentPatch, models.Problems) {
	var p models.Problems
	patch := models.SegmentPatch{
		Name: b.Name.notNull(&p, "name"), Description: cleared(b.Description), MatchType: b.MatchType.notNull(&p, "matchType"),
	}
	if listed := b.Conditions.notNull(&p, "conditions"); listed != nil {
		patch.Conditions = new(rendered(*listed, conditionModel))
	}
	return patch, p
}

func (b patchSegmentBody) Resolve(huma.Context) []error { return patchErrors(b.model()) }

func (patchSegmentBody) example() any { return patchSegmentBody{MatchType: patchTo(models.MatchAny)} }

func (h *handlers) patchSegment(ctx context.Context, in *idBodyInput[patchSegmentBody]) (*output[Segment], error) {
	patch, _ := in.Body.model()
	g, err := h.Segments.UpdateSegment(ctx, projectOf(ctx), actorOf(ctx), in.ID, patch)
	return h.segmentAnswer(ctx, g, err)
}
