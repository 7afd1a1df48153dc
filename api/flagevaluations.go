package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

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
}

var reportEvaluationsDoc = huma.Operation{
	OperationID: "reportFlagEvaluations", Tags: []string{tagDevices}, Summary: "Report how often flags had which value",
	Description: "From clients that evaluate flags themselves, added up. At most 500 entries. Flags that the project does not have are skipped; values that are no variation of theirs count as one, (other). 204 means that they are durable; on 503 send them again.",
	Errors: []int{
		http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge,
		http.StatusUnsupportedMediaType, http.StatusTooManyRequests, http.StatusServiceUnavailable,
	},
	Responses: map[string]*huma.Response{"204": {Description: "They are durable."}},
}

// EvaluationReport documents the report; parseEvaluations is what reads it.
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
	TargetingKey    string          `json:"targetingKey,omitempty" doc:"Whom it was evaluated for."`
	Context         *map[string]any `json:"context,omitempty" nullable:"true" doc:"With what it was evaluated."`
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
	body, err := h.read(c)
	if err != nil {
		return err
	}
	now := h.now().UTC()
	slug, reported, err := parseEvaluations(body, now)
	if err != nil {
		return err
	}
	snapshot, ok := h.snapshots.Project(slug)
	if !ok {
		return models.Errorf(models.CodeNotFound, "there is no project %.100q", slug)
	}
	kept := make([]models.FlagEvaluations, 0, len(reported))
	for _, r := range reported {
		value, ok := snapshot.EvaluatedValue(r.FlagKey, r.raw)
		if !ok {
			continue
		}
		r.ProjectID, r.Value = snapshot.Project().ID, value
		kept = append(kept, r.FlagEvaluations)
	}
	if len(kept) == 0 {
		return nil
	}
	return h.evaluations.AppendEvaluations(c.Request.Context(), kept)
}

// reportedEvaluations still have their value as it came.
type reportedEvaluations struct {
	models.FlagEvaluations
	raw json.RawMessage
}

type looseEvaluations struct {
	ProjectSlug loose[string]            `json:"projectSlug"`
	Channel     loose[string]            `json:"channel"`
	Evaluations loose[[]json.RawMessage] `json:"evaluations"`
}

type looseEvaluation struct {
	FlagKey         loose[string]   `json:"flagKey"`
	Value           json.RawMessage `json:"value"`
	Count           loose[float64]  `json:"count"`
	LastEvaluatedAt loose[string]   `json:"lastEvaluatedAt"`
}

// parseEvaluations reads a report of evaluations. The error is CodeInvalid and names
// every bad field; unknown fields are skipped.
func parseEvaluations(body []byte, now time.Time) (projectSlug string, all []reportedEvaluations, err error) {
	var in looseEvaluations
	if err := json.Unmarshal(body, &in); err != nil {
		return "", nil, notAReport(err)
	}
	p := reportProblems{}
	projectSlug = p.text("projectSlug", in.ProjectSlug, 63)
	channel := "default"
	if in.Channel.given && (in.Channel.wrong || in.Channel.value != "") {
		channel = p.text("channel", in.Channel, 128)
	}
	switch {
	case in.Evaluations.wrong:
		p.Add("evaluations", "must be an array")
	case !in.Evaluations.given:
		p.Add("evaluations", "is required")
	case len(in.Evaluations.value) > maxReportEvents:
		p.Add("evaluations", "must hold at most %d entries", maxReportEvents)
		return "", nil, p.Err()
	}
	for i, raw := range in.Evaluations.value {
		e := p.evaluation(fmt.Sprintf("evaluations[%d]", i), raw, now)
		e.Channel, e.ReceivedAt = channel, now
		all = append(all, e)
	}
	return projectSlug, all, p.Err()
}

func (p *reportProblems) evaluation(at string, raw json.RawMessage, now time.Time) (e reportedEvaluations) {
	var in *looseEvaluation
	if err := json.Unmarshal(raw, &in); err != nil || in == nil {
		p.Add(at, "must be an object")
		return e
	}
	e.FlagKey = p.text(at+".flagKey", in.FlagKey, maxShortText)
	e.Count = p.count(at+".count", in.Count)
	if e.raw = bytes.TrimSpace(in.Value); len(e.raw) == 0 || slices.Equal(e.raw, []byte("null")) {
		p.Add(at+".value", "is required")
	}
	e.LastAt = now
	if in.LastEvaluatedAt.given {
		if last, err := lastEvaluated(in.LastEvaluatedAt); err != nil {
			p.Add(at+".lastEvaluatedAt", "must be a time as in RFC 3339")
		} else if last.Before(now) {
			e.LastAt = last
		}
	}
	return e
}

// lastEvaluated reads a time that lies in this age: others are mistakes of a clock
// that telemetry cannot hold.
func lastEvaluated(l loose[string]) (time.Time, error) {
	if l.wrong {
		return time.Time{}, errors.New("it is no text")
	}
	at, err := time.Parse(time.RFC3339, l.value)
	if oldest := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC); err == nil && at.Before(oldest) {
		at = oldest
	}
	return at.UTC(), err
}
