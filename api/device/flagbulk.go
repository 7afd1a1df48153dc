package device

import (
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/flagcontext"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/flags"
)

var bulkDoc = huma.Operation{
	OperationID: "evaluateFlags", Tags: []string{tagDevices}, Summary: "Evaluate all feature flags for a device",
	Description: "Returns every flag of the project with its value, the name of the variation and the reason: " +
		"RELEASE_OVERRIDE, DISABLED, TARGETING_MATCH, SEGMENT_MATCH, SPLIT, DEFAULT, or ERROR. ERROR means that the rules " +
		"take too many steps, and the flag has its default value. attributes.update_id is the running update. Without a " +
		"channel, the flags' own settings apply. Evaluations are counted at most once per hour for a flag and device.",
	Errors: []int{
		http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
		http.StatusTooManyRequests,
	},
	RequestBody: &huma.RequestBody{
		Required: true, Content: rest.RecordContent("application/json", "BulkEvaluation", BulkEvaluation{}.Example()),
	},
	Responses: map[string]*huma.Response{"200": {
		Description: "Flags by key.",
		Content:     rest.RecordContent("application/json", "EvaluatedFlags", EvaluatedFlags{}.Example()),
	}},
}

// BulkEvaluation documents the body that evaluateBulk reads.
type BulkEvaluation struct {
	ProjectSlug    string         `json:"projectSlug" doc:"Slug or UUID of the project."`
	Channel        string         `json:"channel,omitempty" doc:"Name of the device's channel."`
	DeviceID       string         `json:"deviceId" maxLength:"256" doc:"Stable ID of the device."`
	TargetingKey   string         `json:"targetingKey,omitempty" maxLength:"256" doc:"Key that decides shares and user lists; the deviceId if absent or empty."`
	Platform       string         `json:"platform,omitempty" enum:"ios,android,web"`
	RuntimeVersion string         `json:"runtimeVersion,omitempty"`
	Attributes     map[string]any `json:"attributes,omitempty" doc:"Attributes that rules compare with. update_id is the running update."`
	_              struct{}       `additionalProperties:"true"`
}

func (BulkEvaluation) Example() any {
	return BulkEvaluation{
		ProjectSlug: rest.ExampleSlug, Channel: "production", DeviceID: "2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11", TargetingKey: "user-42",
		Platform: "ios", RuntimeVersion: "1.4.0", Attributes: map[string]any{"plan": "pro", "update_id": rest.ExampleUUID},
	}
}

// EvaluatedFlags are values of flags.
type EvaluatedFlags struct {
	Flags map[string]EvaluatedFlag `json:"flags" doc:"Values by the flag's key."`
}

// EvaluatedFlag is the value of a flag for one context.
type EvaluatedFlag struct {
	Value   rest.FlagValue `json:"value" doc:"Value of the flag's type."`
	Variant string         `json:"variant,omitempty" doc:"Name of the variation with the value; absent if no variation has it."`
	Reason  flags.Reason   `json:"reason" enum:"RELEASE_OVERRIDE,DISABLED,TARGETING_MATCH,SEGMENT_MATCH,SPLIT,DEFAULT,ERROR"`
}

func (EvaluatedFlags) Example() any {
	return EvaluatedFlags{Flags: map[string]EvaluatedFlag{"new-checkout": {rest.FlagValueOf("true"), "On", flags.ReasonSplit}}}
}

func (h *Handlers) evaluateBulk(c *gin.Context) {
	body, err := h.bulkAnswer(c)
	if err != nil {
		rest.Fail(c, err)
		return
	}
	c.Header("Cache-Control", "no-store")
	c.Data(http.StatusOK, "application/json", body)
}

func (h *Handlers) bulkAnswer(c *gin.Context) ([]byte, error) {
	body, err := h.readReport(c)
	if err != nil {
		return nil, err
	}
	slug, of, err := parseBulk(body)
	if err != nil {
		return nil, err
	}
	s, err := h.Snapshots.Project(slug)
	if err != nil {
		return nil, err
	}
	if err := h.Limits.Requests.CheckDevice(c, of.DeviceID); err != nil {
		return nil, err
	}
	if of, err = flagcontext.Completed(s, of, h.Now()); err != nil {
		return nil, err
	}
	set := s.Flags()
	var outcomes []*flags.Outcome
	err = h.Limits.Evaluations.Run(c.Request.Context(), s.Project().ID, &of, func() { outcomes = set.Evaluate(&of, nil) })
	if err != nil {
		return nil, err
	}
	h.countFlags(c, s, set, &of, "", outcomes)
	return append(set.AppendJSON([]byte(`{"flags":`), outcomes), '}'), nil
}

// parseBulk reads a BulkEvaluation. Its error names every bad field; unknown fields are skipped.
func parseBulk(body []byte) (projectSlug string, c flags.Context, err error) {
	var r flagcontext.ContextReader
	if r.Fields, err = flagcontext.BodyObject(body); err != nil {
		return "", c, err
	}
	projectSlug = r.Required("projectSlug")
	c = flags.Context{
		TargetingKey: r.Text("targetingKey"), DeviceID: r.Required("deviceId"), Channel: r.Text("channel"), Platform: r.Text("platform"),
		RuntimeVersion: r.Text("runtimeVersion"),
	}
	r.Platform(c.Platform)
	switch v := r.Fields["attributes"].(type) {
	case nil:
	case map[string]any:
		c.Attributes = v
		r.Attributes("attributes.", v, len(body))
	default:
		r.Problems.Add("attributes", "must be an object")
	}
	return projectSlug, c, r.Problems.Err()
}

// canonical returns the same text for equal contexts.
func canonical(fields map[string]any) []byte {
	text, _ := json.Marshal(fields) // cannot fail: the fields were read from JSON
	return text
}
