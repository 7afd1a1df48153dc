package flags

import (
	"context"
	"encoding/json"
	"math"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/flagcontext"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

var (
	explainFlagDoc = rest.Doc(tagFlags, "explainFlag", "Explain the value of a feature flag",
		"Evaluates the flag for a context. The response lists every rule of the channel with its result and the reason."+
			"reason.")
	explainFlagsDoc = rest.Doc(tagFlags, "explainFlags", "Explain the values of all feature flags",
		"Evaluates every flag for one context. The response has the flags by key.")
)

type explainBody struct {
	Context map[string]any `json:"context" doc:"Context with targetingKey, deviceId, channel, platform, runtimeVersion, updateUuid and any attributes, which may also be in an object named attributes."`
}

func (explainBody) Example() any {
	return explainBody{map[string]any{"targetingKey": "user-42", "channel": "production", "plan": "pro"}}
}

// read returns the context and its problems.
func (b explainBody) read() (flags.Context, models.Problems) {
	r := flagcontext.ContextReader{Fields: b.Context, Prefix: "context."}
	c := r.Flat()
	if nested, ok := c.Attributes["attributes"].(map[string]any); ok {
		delete(c.Attributes, "attributes")
		for name, value := range nested {
			c.Attributes[name] = value
		}
	}
	r.Attributes(r.Prefix, c.Attributes, math.MaxInt)
	return c, r.Problems
}

func (b explainBody) Resolve(huma.Context) []error {
	_, problems := b.read()
	return rest.BodyErrors(problems.Err())
}

// flagsFor returns the flags of the request's project and the context from the body.
func (h *Handlers) flagsFor(ctx context.Context, b explainBody) (*flags.Set, flags.Context, error) {
	s, err := releases.OwnSnapshot(ctx, h.Snapshots)
	if err != nil {
		return nil, flags.Context{}, err
	}
	read, _ := b.read()
	if problem := flagcontext.CheckChannel(s, read); problem != "" {
		return nil, read, rest.Invalid("context.channel", "%s", problem)
	}
	c, err := flagcontext.Completed(s, read, h.Now())
	return s.Flags(), c, err
}

func (h *Handlers) explainFlag(ctx context.Context, in *rest.IDBodyInput[explainBody]) (*rest.Output[FlagExplanation], error) {
	set, c, err := h.flagsFor(ctx, in.Body)
	if err != nil {
		return nil, err
	}
	f, ok := set.FlagByID(in.ID)
	if !ok {
		return nil, models.Errorf(models.CodeNotFound, "flag %d does not exist in this project", in.ID)
	}
	var e flags.Explanation
	err = h.Limits.Evaluations.Run(ctx, rest.ProjectOf(ctx), &c, func() { e = f.Explain(&c) })
	if err != nil {
		return nil, err
	}
	return &rest.Output[FlagExplanation]{Body: explanationRecord(e)}, nil
}

func (h *Handlers) explainFlags(ctx context.Context, in *rest.BodyInput[explainBody]) (*rest.Output[[]FlagExplanation], error) {
	set, c, err := h.flagsFor(ctx, in.Body)
	if err != nil {
		return nil, err
	}
	var all []flags.Explanation
	err = h.Limits.Evaluations.Run(ctx, rest.ProjectOf(ctx), &c, func() { all = set.Explain(&c) })
	if err != nil {
		return nil, err
	}
	return &rest.Output[[]FlagExplanation]{Body: rest.Rendered(all, explanationRecord)}, nil
}

// FlagExplanation is the value of a flag for a context, with the reasons.
type FlagExplanation struct {
	FlagID   int64             `json:"flagId"`
	FlagKey  string            `json:"flagKey"`
	FlagType models.FlagType   `json:"flagType" enum:"boolean,string,number,json"`
	Value    rest.FlagValue    `json:"value" doc:"Value of the flag's type."`
	Variant  string            `json:"variant,omitempty" doc:"Name of the variation with the value; absent if no variation has it."`
	Reason   flags.Reason      `json:"reason" enum:"RELEASE_OVERRIDE,DISABLED,TARGETING_MATCH,SEGMENT_MATCH,SPLIT,DEFAULT,ERROR"`
	Enabled  bool              `json:"enabled" doc:"Whether the flag is on for the channel."`
	Detail   string            `json:"detail,omitempty" doc:"Explanation if the reason is ERROR."`
	Rules    []RuleExplanation `json:"rules" doc:"Rules for the channel in the order of evaluation, including the rules after the deciding one."`
}

// RuleExplanation is the result of matching a rule against a context, with the reason.
type RuleExplanation struct {
	RuleID      int64                  `json:"ruleId"`
	RuleType    models.RuleType        `json:"ruleType" enum:"user_list,percentage_rollout,attribute,segment,ota_update"`
	Priority    int                    `json:"priority"`
	ChannelName *string                `json:"channelName" doc:"Name of the only channel that the rule is for; null for all channels."`
	Matched     bool                   `json:"matched"`
	Decided     bool                   `json:"decided" doc:"Whether this rule decided the value of the flag."`
	Detail      string                 `json:"detail" doc:"Reason, as a sentence."`
	Bucket      *uint32                `json:"bucket,omitempty" doc:"Bucket of the context, 0 to 99999. Only for a split whose conditions hold."`
	Threshold   *uint32                `json:"threshold,omitempty" doc:"Exclusive end of the share that contains the bucket, or of the last share if none does. Only for a split whose conditions hold."`
	Conditions  []ConditionExplanation `json:"conditions,omitempty" doc:"Conditions of an attribute rule or of the segment."`
}

// ConditionExplanation is the result of evaluating a condition for a context.
type ConditionExplanation struct {
	Attribute string         `json:"attribute"`
	Operator  Operator       `json:"operator"`
	Values    Texts          `json:"values"`
	Actual    rest.FlagValue `json:"actual" doc:"Value of the context's attribute; null if it is missing."`
	Holds     bool           `json:"holds"`
	Note      string         `json:"note,omitempty" doc:"Part of the condition that was not evaluated, and the reason: a pattern above the limits, a string of more than 1,024 bytes for a pattern, or too many steps."`
}

func explanationRecord(e flags.Explanation) FlagExplanation {
	return FlagExplanation{
		FlagID: e.Flag.ID(), FlagKey: e.Flag.Key(), FlagType: e.Flag.Type(), Value: rest.FlagValue{RawMessage: e.Outcome.Value},
		Variant: e.Outcome.Variant,
		Reason:  e.Outcome.Reason, Enabled: e.Enabled, Detail: e.Detail, Rules: rest.Rendered(e.Rules, ruleExplanationRecord),
	}
}

func ruleExplanationRecord(r flags.RuleExplanation) RuleExplanation {
	return RuleExplanation{
		RuleID: r.Rule.ID, RuleType: r.Rule.RuleType, Priority: r.Rule.Priority, ChannelName: r.Rule.ChannelName, Matched: r.Matched,
		Decided: r.Decided, Detail: r.Detail, Bucket: r.Bucket, Threshold: r.Threshold,
		Conditions: rest.Rendered(r.Conditions, func(c flags.ConditionExplanation) ConditionExplanation {
			actual, _ := json.Marshal(c.Actual) // cannot fail: the value was read from JSON
			return ConditionExplanation{c.Attribute, Operator(c.Operator), append(Texts{}, c.Values...), rest.FlagValue{RawMessage: actual}, c.Holds, c.Note}
		}),
	}
}

func (FlagExplanation) Example() any {
	return FlagExplanation{
		FlagID: 31, FlagKey: "new-checkout", FlagType: models.FlagBoolean, Value: rest.FlagValueOf("true"), Variant: "On",
		Reason: flags.ReasonSegmentMatch, Enabled: true, Rules: []RuleExplanation{{
			RuleID: 34, RuleType: models.RuleSegment, Matched: true, Decided: true,
			Detail:     `1 of the 1 conditions of segment "beta" hold; all must`,
			Conditions: []ConditionExplanation{{"plan", Operator(models.OpEq), Texts{"pro"}, rest.FlagValueOf(`"pro"`), true, ""}},
		}},
	}
}
