package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/internal/reports"
	"github.com/waft-ota/waft/models"
)

// Evaluations takes in how often clients evaluated flags.
type Evaluations interface {
	// AppendEvaluations returns nil once they survive the end of any process, and
	// unavailable when they do not.
	AppendEvaluations(ctx context.Context, evaluations []models.FlagEvaluations) error
}

type evaluationHandlers struct {
	reportHandlers
	evaluations Evaluations
	contexts    contextBook
}

var reportEvaluationsDoc = huma.Operation{
	OperationID: "reportFlagEvaluations", Tags: []string{tagDevices}, Summary: "Report how often flags had which value",
	Description: "From clients that evaluate flags themselves, added up. At most 500 entries. Flags that the project does not have are skipped; values that are no variation of theirs count as one, (other). Whom they were evaluated for is recorded as a context within seconds: of the kind that the context names as kind, else user, with its name and its other fields as attributes. 204 means that they are durable; on 503 send them again.",
	Errors: []int{
		http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge,
		http.StatusUnsupportedMediaType, http.StatusTooManyRequests, http.StatusServiceUnavailable,
	},
	Responses: map[string]*huma.Response{"204": {Description: "They are durable."}},
}

// EvaluationReport documents the report; reports.ParseEvaluations reads it.
type EvaluationReport struct {
	ProjectSlug string            `json:"projectSlug" doc:"The project's slug or UUID."`
	Channel     string            `json:"channel,omitempty" default:"default"`
	Evaluations []EvaluationCount `json:"evaluations" maxItems:"500"`
	_           struct{}          `additionalProperties:"true"`
}

// EvaluationCount is how often a flag had a value.
type EvaluationCount struct {
	FlagKey         string          `json:"flagKey"`
	Value           EvaluatedValue  `json:"value" doc:"The value, or its text."`
	Count           int64           `json:"count" minimum:"1" maximum:"1000000" doc:"How often."`
	LastEvaluatedAt *Time           `json:"lastEvaluatedAt,omitempty" nullable:"true" doc:"When the last time was; now when absent."`
	TargetingKey    string          `json:"targetingKey,omitempty" maxLength:"256" doc:"Whom it was evaluated for; the context's targetingKey when absent."`
	Context         *map[string]any `json:"context,omitempty" nullable:"true" doc:"With what it was evaluated. Up to 100 attributes of 16 KiB are recorded, else none."`
	_               struct{}        `additionalProperties:"true"`
}

// EvaluatedValue is any JSON.
type EvaluatedValue json.RawMessage

// MarshalJSON writes it as it is.
func (v EvaluatedValue) MarshalJSON() ([]byte, error) { return json.RawMessage(v).MarshalJSON() }

// Schema is any value.
func (EvaluatedValue) Schema(huma.Registry) *huma.Schema { return &huma.Schema{} }

func (EvaluationReport) example() any {
	return EvaluationReport{ProjectSlug: exampleSlug, Channel: "production", Evaluations: []EvaluationCount{
		{FlagKey: "new-checkout", Value: EvaluatedValue("true"), Count: 12, LastEvaluatedAt: &exampleTime, TargetingKey: "user-42"},
	}}
}

func (h evaluationHandlers) report(c *gin.Context) {
	if err := h.accept(c); err != nil {
		fail(c, err)
		return
	}
	c.Status(http.StatusNoContent)
}

func (h evaluationHandlers) accept(c *gin.Context) error {
	var body bytes.Buffer
	if err := h.read(c, &body); err != nil {
		return err
	}
	now := h.now().UTC()
	slug, reported, err := reports.ParseEvaluations(body.Bytes(), now)
	if err != nil {
		return err
	}
	snapshot, ok := h.snapshots.Project(slug)
	if !ok {
		return models.Errorf(models.CodeNotFound, "there is no project %.100q", slug)
	}
	kept := make([]models.FlagEvaluations, 0, len(reported))
	contexts := make([]models.EvaluatedContext, 0, len(reported))
	for _, r := range reported {
		value, ok := snapshot.EvaluatedValue(r.FlagKey, r.Raw)
		if !ok {
			continue
		}
		r.ProjectID, r.Value = snapshot.Project().ID, value
		kept, contexts = append(kept, r.FlagEvaluations), append(contexts, r.Context)
	}
	if len(kept) == 0 {
		return nil
	}
	if err := h.evaluations.AppendEvaluations(c.Request.Context(), kept); err != nil {
		return err
	}
	h.contexts.note(snapshot, contexts)
	return nil
}
