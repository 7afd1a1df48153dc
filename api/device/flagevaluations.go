package device

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/decide/reports"
	"github.com/waft-ota/waft/models"
)

// Evaluations stores the numbers of evaluations by clients.
type Evaluations interface {
	// AppendEvaluations returns nil once the evaluations are durable, and unavailable if that fails.
	AppendEvaluations(ctx context.Context, evaluations []models.FlagEvaluations) error
}

var reportEvaluationsDoc = huma.Operation{
	OperationID: "reportFlagEvaluations", Tags: []string{tagDevices}, Summary: "Report evaluations of flags",
	Description: "Counts from clients that evaluate flags themselves, at most 500 entries. Flags that the project does not " +
		"have are skipped. Values that are not a variation of the flag count as (other). Contexts are recorded within " +
		"seconds: kind and name are the context's fields of these names, its other fields are the attributes, and the default " +
		"kind is user. 204 means that the counts are durable. After 503, send them again.",
	Errors: reportErrors,
	RequestBody: &huma.RequestBody{
		Required: true, Content: rest.RecordContent("application/json", "EvaluationReport", EvaluationReport{}.Example()),
	},
	Responses: map[string]*huma.Response{"204": {Description: "The counts are durable."}},
}

// EvaluationReport documents the body that reports.ParseEvaluations reads.
type EvaluationReport struct {
	ProjectSlug *string           `json:"projectSlug,omitempty" nullable:"true" doc:"Slug or UUID of the project; by default the project of the key in the header Authorization."`
	Channel     *string           `json:"channel,omitempty" nullable:"true" default:"default"`
	Evaluations []EvaluationCount `json:"evaluations" maxItems:"500"`
	Context     *map[string]any   `json:"context,omitempty" nullable:"true" doc:"Context of all entries without a context of their own: targetingKey, kind, name and attributes."`
	_           struct{}          `additionalProperties:"true"`
}

// EvaluationCount is the number of evaluations of a flag that gave one value.
type EvaluationCount struct {
	FlagKey         string          `json:"flagKey"`
	Value           rest.FlagValue  `json:"value,omitzero" doc:"Value, or a string that contains it. Required, here or as variationValue."`
	VariationValue  rest.FlagValue  `json:"variationValue,omitzero" doc:"Same as value."`
	Channel         *string         `json:"channel,omitempty" nullable:"true" doc:"Name of the channel; by default the channel of the report."`
	Count           int64           `json:"count" minimum:"1" maximum:"1000000" doc:"Number of evaluations."`
	LastEvaluatedAt *rest.Time      `json:"lastEvaluatedAt,omitempty" nullable:"true" doc:"Time of the last evaluation; now by default."`
	TargetingKey    *string         `json:"targetingKey,omitempty" nullable:"true" maxLength:"256" doc:"Targeting key of the context that the flag was evaluated for; by default the targetingKey in context."`
	Context         *map[string]any `json:"context,omitempty" nullable:"true" doc:"Attributes that the flag was evaluated with. They are recorded if there are at most 100 of them, with 16 KiB in total."`
	_               struct{}        `additionalProperties:"true"`
}

func (EvaluationReport) Example() any {
	return EvaluationReport{ProjectSlug: new(rest.ExampleSlug), Channel: new("production"), Evaluations: []EvaluationCount{
		{FlagKey: "new-checkout", Value: rest.FlagValueOf("true"), Count: 12, LastEvaluatedAt: &rest.ExampleTime, TargetingKey: new("user-42")},
	}}
}

func (h *Handlers) reportEvaluations(c *gin.Context) { acknowledge(c, h.acceptEvaluations(c)) }

func (h *Handlers) acceptEvaluations(c *gin.Context) error {
	body, err := h.readReport(c)
	if err != nil {
		return err
	}
	key := rest.CallOf(c.Request.Context()).Caller.Key
	slug, reported, err := reports.ParseEvaluations(body, key != nil, h.Now())
	if err != nil {
		return err
	}
	snapshot, err := h.Snapshots.Project(slug)
	if slug == "" {
		snapshot, err = h.Snapshots.ProjectByID(key.ProjectID)
	}
	if err != nil {
		return err
	}
	var kept []models.FlagEvaluations
	var contexts []models.EvaluatedContext
	sender, project := h.Limits.Device(c, snapshot, ""), snapshot.Project().ID
	from := sender.Source()
	for _, r := range reported {
		if value, ok := snapshot.EvaluatedValue(r.FlagKey, r.Raw); ok {
			r.ProjectID, r.Value, r.Channel = project, value, h.nameLimits.LimitChannel(project, snapshot, from, r.Channel)
			kept, contexts = append(kept, r.FlagEvaluations), append(contexts, r.Context)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	if err := h.Evaluations.AppendEvaluations(c.Request.Context(), kept); err != nil {
		return err
	}
	h.noteContexts(snapshot, contexts)
	return nil
}

// EvaluatedContexts records the contexts that flags are evaluated for.
type EvaluatedContexts interface {
	// Evaluated neither waits nor fails.
	Evaluated(c models.EvaluatedContext)
}

// noteContexts records the valid contexts.
func (h *Handlers) noteContexts(s *delivery.Snapshot, contexts []models.EvaluatedContext) {
	for _, c := range contexts {
		h.noteContext(s, c, nil)
	}
}

// noteContext records the context, if it is valid, with more attributes.
func (h *Handlers) noteContext(s *delivery.Snapshot, c models.EvaluatedContext, more map[string]any) {
	if c.TargetingKey == "" || c.Tidy() != nil {
		return
	}
	if len(more) > 0 {
		c.Describe(more)
	}
	c.ProjectID = s.Project().ID
	if c.Kind == "user" || c.Kind == "device" {
		if hash := s.DeviceIdentity(c.TargetingKey); hash != c.TargetingKey {
			// A project that hashes IDs does not keep a name next to the hash.
			c.TargetingKey, c.Name = hash, ""
		}
	}
	h.EvaluatedContexts.Evaluated(c)
}
