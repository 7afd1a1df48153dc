package flags

import (
	"encoding/json"

	"github.com/waft-ota/waft/models"
)

// Reason is the reason why a flag has its value.
type Reason string

const (
	ReasonReleaseOverride Reason = "RELEASE_OVERRIDE"
	ReasonDisabled        Reason = "DISABLED"
	ReasonTargetingMatch  Reason = "TARGETING_MATCH"
	ReasonSegmentMatch    Reason = "SEGMENT_MATCH"
	ReasonSplit           Reason = "SPLIT"
	ReasonDefault         Reason = "DEFAULT"
	// ReasonError is the reason of a flag that has its default because its rules need more steps than they may take.
	ReasonError Reason = "ERROR"
)

// reasonOf returns the reason of a rule that matches and gives one value. Shares have ReasonSplit.
func reasonOf(t models.RuleType) Reason {
	if t == models.RuleSegment {
		return ReasonSegmentMatch
	}
	return ReasonTargetingMatch
}

// Outcome is the result of a flag's evaluation. It is immutable, and all evaluations with the same result share it.
type Outcome struct {
	// Value is JSON of the flag's type. Text is the string under which telemetry counts it.
	Value json.RawMessage
	Text  string
	// Variant is the name of the variation with the value, or "".
	Variant string
	Reason  Reason
	// JSON is {"value":…,"variant":…,"reason":…}. It omits an empty variant.
	JSON []byte
}

// newOutcome returns the outcome for a value given as a string.
func newOutcome(f *models.Flag, text string, reason Reason) (*Outcome, error) {
	typed, err := f.FlagType.Typed(text)
	if err != nil {
		return nil, err
	}
	o := &Outcome{Value: typed, Text: text, Reason: reason}
	if v, ok := f.Variation(text); ok {
		o.Variant, o.Text = v.Name, v.Value
	}
	o.JSON, err = json.Marshal(struct {
		Value   json.RawMessage `json:"value"`
		Variant string          `json:"variant,omitempty"`
		Reason  Reason          `json:"reason"`
	}{o.Value, o.Variant, o.Reason})
	return o, err
}

// Same reports whether a client that has o would see no difference in p.
func (o *Outcome) Same(p *Outcome) bool {
	return o == p || o != nil && p != nil && string(o.JSON) == string(p.JSON)
}
