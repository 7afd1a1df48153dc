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

// Evaluations stores how often clients evaluated flags.
type Evaluations interface {
	// AppendEvaluations returns nil once they are durable, and unavailable when that fails.
	AppendEvaluations(ctx context.Context, evaluations []models.FlagEvaluations) error
}

var reportEvaluationsDoc = huma.Operation{
	OperationID: "reportFlagEvaluations", Tags: []string{tagDevices}, Summary: "Report how often flags had which value",
	Description: "Counts from clients that evaluate flags themselves. At most 500 entries. Flags that the project " +
		"does not have are skipped; values that are not a variation of the flag count as (other). The contexts are " +
		"recorded within seconds: kind and name are those fields of context, its other fields are the attributes, " +
		"and the default kind is user. 204 means that they are durable; on 503 send them again.",
	Errors: reportErrors,
	RequestBody: &huma.RequestBody{
		Required: true, Content: rest.RecordContent("application/json", "EvaluationReport", EvaluationReport{}.Example()),
	},
	Responses: map[string]*huma.Response{"204": {Description: "They are durable."}},
}

// EvaluationReport documents what reports.ParseEvaluations reads.
type EvaluationReport struct {
	ProjectSlug *string           `json:"projectSlug,omitempty" nullable:"true" doc:"The project's slug or UUID; with a key in the header Authorization that of the key by default."`
	Channel     *string           `json:"channel,omitempty" nullable:"true" default:"default"`
	Evaluations []EvaluationCount `json:"evaluations" maxItems:"500"`
	Context     *map[string]any   `json:"context,omitempty" nullable:"true" doc:"The context of all entries that do not name another: targetingKey, kind, name and attributes."`
	_           struct{}          `additionalProperties:"true"`
}

// EvaluationCount is how often a flag had a value.
type EvaluationCount struct {
	FlagKey         string          `json:"flagKey"`
	Value           rest.FlagValue  `json:"value,omitzero" doc:"The value, or its text. Required, here or as variationValue."`
	VariationValue  rest.FlagValue  `json:"variationValue,omitzero" doc:"Another name of value."`
	Channel         *string         `json:"channel,omitempty" nullable:"true" doc:"By default that of the report."`
	Count           int64           `json:"count" minimum:"1" maximum:"1000000" doc:"How often."`
	LastEvaluatedAt *rest.Time      `json:"lastEvaluatedAt,omitempty" nullable:"true" doc:"When the last time was; now when absent."`
	TargetingKey    *string         `json:"targetingKey,omitempty" nullable:"true" maxLength:"256" doc:"The context that it was evaluated for; by default the targetingKey in context."`
	Context         *map[string]any `json:"context,omitempty" nullable:"true" doc:"The attributes that it was evaluated with. Up to 100 attributes of 16 KiB are recorded, else none."`
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

// noteContexts records the valid ones of the contexts.
func (h *Handlers) noteContexts(s *delivery.Snapshot, contexts []models.EvaluatedContext) {
	for _, c := range contexts {
		if c.TargetingKey == "" || c.Tidy() != nil {
			continue
		}
		c.ProjectID = s.Project().ID
		if c.Kind == "user" || c.Kind == "device" {
			if hash := s.DeviceIdentity(c.TargetingKey); hash != c.TargetingKey {
				// A project that hashes ids keeps no name beside the hash.
				c.TargetingKey, c.Name = hash, ""
			}
		}
		h.EvaluatedContexts.Evaluated(c)
	}
}
