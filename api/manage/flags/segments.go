package flags

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

// Segments stores segments.
type Segments interface {
	CreateSegment(ctx context.Context, projectID int64, actor models.Actor, n models.NewSegment) (models.Segment, error)
	ListSegments(ctx context.Context, projectID int64, page models.Page) ([]models.Segment, error)
	Segment(ctx context.Context, projectID, id int64) (models.Segment, error)
	DeleteSegment(ctx context.Context, projectID int64, actor models.Actor, id int64) error
}

// Segment is a named set of contexts.
type Segment struct {
	rest.Tagged
	ID               int64              `json:"id"`
	Key              string             `json:"key" doc:"Key of the segment in rules."`
	Name             string             `json:"name"`
	Description      string             `json:"description"`
	MatchType        models.MatchType   `json:"matchType" enum:"all,any" doc:"Whether all conditions must hold, or at least one."`
	Conditions       []SegmentCondition `json:"conditions"`
	EstimatedDevices *int64             `json:"estimatedDevices" doc:"Number of devices in the segment that reported within seven days: exact up to 256, otherwise an estimate. Null for a segment with conditions on other attributes than platform, channel, runtimeVersion, updateUuid, ota.branch, ota.runtime_version and ota.update_id, for a segment that takes too many steps, and while telemetry is unavailable."`
	ReferencedBy     []SegmentReference `json:"referencedBy" doc:"Flag rules that use the segment. It cannot be deleted while there are any."`
	CreatedAt        rest.Time          `json:"createdAt"`
	UpdatedAt        rest.Time          `json:"updatedAt"`
}

// SegmentCondition compares an attribute of a context.
type SegmentCondition struct {
	ID         int64    `json:"id,omitempty" doc:"ID of the condition that this one replaces, in a change."`
	Attribute  string   `json:"attribute"`
	Operator   Operator `json:"operator"`
	ValuesJSON Texts    `json:"valuesJson" required:"false" doc:"Values to compare with; empty for exists and not_exists."`
	Problem    string   `json:"problem,omitempty" doc:"Patterns that never match, and the reason. Only in responses; ignored in a change."`
}

// SegmentReference is a flag rule that refers to a segment.
type SegmentReference struct {
	FlagID  int64  `json:"flagId"`
	FlagKey string `json:"flagKey"`
	RuleID  int64  `json:"ruleId"`
}

// SegmentRecord returns the API's representation of a segment, without its estimate.
func SegmentRecord(g models.Segment) Segment {
	return Segment{
		Tagged: rest.Tagged{ETag: g.ETag(g.ID)},
		ID:     g.ID, Key: g.Key, Name: g.Name, Description: g.Description, MatchType: g.MatchType,
		Conditions: rest.Rendered(g.Conditions, func(c models.Condition) SegmentCondition {
			return SegmentCondition{c.ID, c.Attribute, Operator(c.Operator), append(Texts{}, c.Values...), c.PatternsProblem()}
		}),
		ReferencedBy: rest.Rendered(g.ReferencedBy, func(r models.SegmentReference) SegmentReference { return SegmentReference(r) }),
		CreatedAt:    rest.Time{Time: g.CreatedAt}, UpdatedAt: rest.Time{Time: g.UpdatedAt},
	}
}

func conditionModel(c SegmentCondition) models.Condition {
	return models.Condition{
		ID: c.ID, Attribute: c.Attribute, Operator: models.Operator(c.Operator), Values: append([]string{}, c.ValuesJSON...),
	}
}

func (Segment) Example() any {
	conditions := exampleConditions()
	conditions[0].ID = 42
	return Segment{
		ID: 41, Key: "beta", Name: "Beta", MatchType: models.MatchAll, Conditions: conditions,
		ReferencedBy: []SegmentReference{{FlagID: 31, FlagKey: "new-checkout", RuleID: 34}},
		CreatedAt:    rest.ExampleTime, UpdatedAt: rest.ExampleTime,
	}
}

func exampleConditions() []SegmentCondition {
	return []SegmentCondition{{Attribute: "plan", Operator: Operator(models.OpEq), ValuesJSON: Texts{"pro"}}}
}

var (
	listSegmentsDoc  = rest.Doc(tagSegments, "listSegments", "List segments", "Each segment with the flag rules that use it.")
	createSegmentDoc = rest.Doc(tagSegments, "createSegment", "Create a segment",
		"The key of a segment cannot be changed later.", http.StatusCreated)
	getSegmentDoc   = rest.Doc(tagSegments, "getSegment", "Get a segment", "Returns the current state of the segment.")
	patchSegmentDoc = rest.Doc(tagSegments, "patchSegment", "Change a segment",
		"Fields that are absent keep their value. A list of conditions replaces all existing ones.")
	deleteSegmentDoc = rest.Doc(tagSegments, "deleteSegment", "Delete a segment",
		"A segment cannot be deleted while a flag rule uses it (in_use).", http.StatusConflict)
)

func (h *Handlers) listSegments(ctx context.Context, in *rest.ListInput) (*rest.List[Segment], error) {
	var estimates map[int64]*int64
	return rest.Listed(ctx, in.ListQuery,
		func(g models.Segment) Segment {
			record := SegmentRecord(g)
			record.EstimatedDevices = estimates[g.ID]
			return record
		},
		func(p models.Page) ([]models.Segment, error) {
			segments, err := h.Segments.ListSegments(ctx, rest.ProjectOf(ctx), p)
			if err == nil {
				estimates = h.estimateSegments(ctx, segments...)
			}
			return segments, err
		})
}

type createSegmentBody struct {
	Key         string             `json:"key,omitempty" doc:"Key: 1 to 128 lower-case letters, digits or . _ -. Derived from the name by default."`
	Name        string             `json:"name" doc:"Display name of the segment."`
	Description string             `json:"description,omitempty"`
	MatchType   models.MatchType   `json:"matchType" enum:"all,any" doc:"Whether all conditions must hold, or at least one."`
	Conditions  []SegmentCondition `json:"conditions"`
}

func (b createSegmentBody) Model() models.NewSegment {
	n := models.NewSegment{
		Key: b.Key, Name: b.Name, Description: b.Description, MatchType: b.MatchType,
		Conditions: rest.Rendered(b.Conditions, conditionModel),
	}
	n.Normalize()
	return n
}

func (b createSegmentBody) Resolve(huma.Context) []error {
	return rest.BodyErrors(b.Model().Validate())
}

func (createSegmentBody) Example() any {
	return createSegmentBody{Name: "Beta", MatchType: models.MatchAll, Conditions: exampleConditions()}
}

func (h *Handlers) createSegment(ctx context.Context, in *rest.BodyInput[createSegmentBody]) (*rest.Output[Segment], error) {
	g, err := h.Segments.CreateSegment(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.Body.Model())
	return h.segmentAnswer(ctx, g, err)
}

func (h *Handlers) getSegment(ctx context.Context, in *rest.IDInput) (*rest.Output[Segment], error) {
	g, err := h.Segments.Segment(ctx, rest.ProjectOf(ctx), in.ID)
	return h.segmentAnswer(ctx, g, err)
}

type patchSegmentBody struct {
	Name        rest.Patch[string]             `json:"name,omitzero"`
	Description rest.Patch[string]             `json:"description,omitzero" nullable:"true" doc:"Description of the segment; null clears it."`
	MatchType   rest.Patch[models.MatchType]   `json:"matchType,omitzero" enum:"all,any"`
	Conditions  rest.Patch[[]SegmentCondition] `json:"conditions,omitzero" doc:"New conditions, which replace all current ones."`
}

func (b patchSegmentBody) Model() (models.SegmentPatch, models.Problems) {
	var p models.Problems
	patch := models.SegmentPatch{
		Name: b.Name.NotNull(&p, "name"), Description: rest.Cleared(b.Description), MatchType: b.MatchType.NotNull(&p, "matchType"),
	}
	if listed := b.Conditions.NotNull(&p, "conditions"); listed != nil {
		patch.Conditions = new(rest.Rendered(*listed, conditionModel))
	}
	return patch, p
}

func (b patchSegmentBody) Resolve(huma.Context) []error { return rest.PatchErrors(b.Model()) }
func (patchSegmentBody) Example() any {
	return patchSegmentBody{MatchType: rest.PatchTo(models.MatchAny)}
}

func (h *Handlers) patchSegment(ctx context.Context, in *rest.IDBodyInput[patchSegmentBody]) (*rest.Output[Segment], error) {
	patch, _ := in.Body.Model()
	g, err := operations.Do(ctx, h.Operations, operations.PatchSegment, rest.AuthorOf(ctx),
		operations.Of[models.SegmentPatch]{ID: in.ID, Change: patch})
	return h.segmentAnswer(ctx, g, err)
}

// SegmentDevices counts the devices of a project by their reported attributes.
type SegmentDevices interface {
	DeviceGroups(ctx context.Context, projectID int64, now time.Time) ([]models.DeviceGroup, error)
	// GroupDevices counts the distinct devices of each union of groups.
	GroupDevices(ctx context.Context, projectID int64, unions [][]uint64, now time.Time) ([]int64, error)
}

// reportedAttributes are the context attributes that devices report.
var reportedAttributes = []string{
	"platform", "channel", "runtimeVersion", "updateUuid", "ota.update_id", "ota.runtime_version", "ota.branch",
}

// groupContext returns the attributes of the devices of a group. For devices on the embedded update it omits the
// update's attributes.
func groupContext(g models.DeviceGroup, releases map[string]models.Release) flags.Context {
	c := flags.Context{Platform: string(g.Platform), Channel: g.Channel, RuntimeVersion: g.RuntimeVersion}
	c.Update.UUID = g.UpdateUUID
	if r, ok := releases[g.UpdateUUID]; ok {
		c.Update.Branch = r.BranchName
	}
	return c
}

// estimateSegments counts the devices of the last seven days in each segment, by segment ID. It omits segments with
// attributes that devices do not report. It returns an empty result while telemetry is unavailable.
func (h *Handlers) estimateSegments(ctx context.Context, segments ...models.Segment) map[int64]*int64 {
	ctx, cancel := context.WithTimeout(ctx, rest.EstimateTime)
	defer cancel()
	counted := slices.DeleteFunc(slices.Clone(segments), func(g models.Segment) bool {
		return slices.ContainsFunc(g.Conditions, func(c models.Condition) bool {
			return !slices.Contains(reportedAttributes, c.Attribute)
		})
	})
	if len(counted) == 0 {
		return nil
	}
	_, done, err := h.Limits.Estimates.Turn(ctx, rest.ProjectOf(ctx))
	if err != nil {
		return nil
	}
	defer done()
	groups, err := h.SegmentDevices.DeviceGroups(ctx, rest.ProjectOf(ctx), h.Now())
	if err != nil {
		return nil
	}
	releases, err := releases.ReleasesOf(ctx, h.Names, groups, func(g models.DeviceGroup) string { return g.UpdateUUID })
	if err != nil {
		return nil
	}
	compiled := make([]*flags.Segment, len(counted))
	for i, segment := range counted {
		compiled[i] = flags.CompileSegment(segment)
	}
	unions, known, err := h.groupsIn(ctx, compiled, groups, releases)
	if err != nil {
		return nil
	}
	devices, err := h.SegmentDevices.GroupDevices(ctx, rest.ProjectOf(ctx), unions, h.Now())
	if err != nil {
		return nil
	}
	estimates := make(map[int64]*int64, len(counted))
	for i, segment := range counted {
		if known[i] {
			estimates[segment.ID] = &devices[i]
		}
	}
	return estimates
}

// groupsIn returns the keys of the groups in each segment, and whether they are known. The groups of a segment are
// unknown if it takes more evaluation steps than one request may use.
func (h *Handlers) groupsIn(
	ctx context.Context, segments []*flags.Segment, groups []models.DeviceGroup, releases map[string]models.Release,
) (unions [][]uint64, known []bool, err error) {
	var devices flags.Context
	err = h.Limits.Evaluations.Run(ctx, rest.ProjectOf(ctx), &devices, func() {
		unions, known = make([][]uint64, len(segments)), make([]bool, len(segments))
		for i, segment := range segments {
			devices.Refill()
			known[i] = true
			for _, g := range groups {
				devices.Become(groupContext(g, releases))
				included, ok := segment.Includes(&devices)
				if known[i] = ok; !ok {
					break
				}
				if included {
					unions[i] = append(unions[i], g.Key)
				}
			}
		}
	})
	return unions, known, err
}

// segmentAnswer returns the response with a segment and its estimate.
func (h *Handlers) segmentAnswer(ctx context.Context, g models.Segment, err error) (*rest.Output[Segment], error) {
	if err != nil {
		return nil, err
	}
	record := SegmentRecord(g)
	record.EstimatedDevices = h.estimateSegments(ctx, g)[g.ID]
	return &rest.Output[Segment]{Body: record}, nil
}

func (r Segment) RecordID() int64 { return r.ID }
