package flags

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var (
	createRuleDoc = rest.Doc(tagFlags, "createFlagRule", "Add a rule to a feature flag",
		"Waft evaluates rules by priority, then by ID. The first rule that matches decides the variation. A rule ends in one value "+
			"(`variantValue`) or in a split (`ruleConfig.rollout`), which divides the contexts that match between several variations. "+
			"A split with weights below 100 leaves the rest of them to the next rule.", http.StatusCreated)
	patchRuleDoc = rest.Doc(tagFlags, "patchFlagRule", "Change a rule of a feature flag",
		"Fields that are absent keep their value. A new ruleType requires its ruleConfig. To apply the rule to all channels, "+
			"set channelName to null. A variantValue without a ruleConfig replaces a split, and a ruleConfig with rollout replaces the "+
			"variantValue.",
		http.StatusConflict)
	deleteRuleDoc = rest.Doc(tagFlags, "deleteFlagRule", "Delete a rule of a feature flag",
		"Devices get the variation of the next rule that matches.")
)

type createRuleBody struct {
	RuleType     models.RuleType `json:"ruleType" enum:"user_list,percentage_rollout,attribute,segment,ota_update"`
	RuleConfig   RuleConfig      `json:"ruleConfig"`
	VariantValue *string         `json:"variantValue,omitempty" doc:"Value of the variation, as a string. Required unless ruleConfig has rollout; a rule with both is refused, except for percentage rollouts, where it is optional."`
	Priority     *int            `json:"priority,omitempty" doc:"Priority; the lowest comes first. By default, the rule comes after all others."`
	ChannelName  *string         `json:"channelName,omitempty" doc:"Name of the only channel that the rule is for; all channels by default."`
}

func (b createRuleBody) Model() models.NewFlagRule {
	return models.NewFlagRule{
		RuleType: b.RuleType, Config: b.RuleConfig.Model(), VariantValue: b.VariantValue, Priority: b.Priority,
		ChannelName: b.ChannelName,
	}
}

func (b createRuleBody) Resolve(huma.Context) []error { return rest.BodyErrors(b.Model().Validate()) }

func (createRuleBody) Example() any {
	return createRuleBody{
		RuleType:   models.RulePercentageRollout,
		RuleConfig: RuleConfig{Rollout: []RuleShare{{VariantValue: new("true"), Weight: 10}, {VariantValue: new("false"), Weight: 90}}},
	}
}

func (h *Handlers) createRule(ctx context.Context, in *rest.IDBodyInput[createRuleBody]) (*rest.Output[FlagRule], error) {
	r, err := operations.Do(ctx, h.Operations, operations.CreateRule, rest.AuthorOf(ctx),
		operations.Of[models.NewFlagRule]{ID: in.ID, Change: in.Body.Model()})
	return &rest.Output[FlagRule]{Body: ruleRecord(r)}, err
}

type patchRuleBody struct {
	RuleType     rest.Patch[models.RuleType] `json:"ruleType,omitzero" enum:"user_list,percentage_rollout,attribute,segment,ota_update"`
	RuleConfig   rest.Patch[RuleConfig]      `json:"ruleConfig,omitzero" doc:"New configuration, which replaces the whole current one."`
	VariantValue rest.Patch[string]          `json:"variantValue,omitzero" nullable:"true" doc:"Value of the variation, as a string; null only for a rule with ruleConfig.rollout."`
	Priority     rest.Patch[int]             `json:"priority,omitzero"`
	ChannelName  rest.Patch[string]          `json:"channelName,omitzero" nullable:"true" doc:"Name of the only channel that the rule is for; null for all channels."`
}

func (b patchRuleBody) model() (models.FlagRulePatch, models.Problems) {
	var p models.Problems
	patch := models.FlagRulePatch{
		RuleType: b.RuleType.NotNull(&p, "ruleType"), VariantValue: b.VariantValue.Nullable(),
		Priority: b.Priority.NotNull(&p, "priority"), ChannelName: b.ChannelName.Nullable(),
	}
	if config := b.RuleConfig.NotNull(&p, "ruleConfig"); config != nil {
		patch.Config = new(config.Model())
	}
	return patch, p
}

func (b patchRuleBody) Resolve(huma.Context) []error { return rest.PatchErrors(b.model()) }
func (patchRuleBody) Example() any                   { return patchRuleBody{Priority: rest.PatchTo(5)} }

// RulePath identifies a rule of a flag.
type RulePath struct {
	rest.IDPath
	RuleID int64 `path:"ruleId" minimum:"1" doc:"ID of the rule." example:"34"`
}

type patchRuleInput struct {
	RulePath
	Body patchRuleBody
}

func (h *Handlers) patchRule(ctx context.Context, in *patchRuleInput) (*rest.Output[FlagRule], error) {
	patch, _ := in.Body.model()
	r, err := operations.Do(ctx, h.Operations, operations.PatchRule, rest.AuthorOf(ctx),
		operations.PartChange[models.FlagRulePatch]{FlagPart: operations.FlagPart{FlagID: in.ID, ID: in.RuleID}, Change: patch})
	return &rest.Output[FlagRule]{Body: ruleRecord(r)}, err
}

func (h *Handlers) deleteRule(ctx context.Context, in *RulePath) (*struct{}, error) {
	_, err := operations.Do(ctx, h.Operations, operations.DeleteRule, rest.AuthorOf(ctx), operations.FlagPart{FlagID: in.ID, ID: in.RuleID})
	return nil, err
}

// FlagRule gives a variation to the contexts that it matches.
type FlagRule struct {
	rest.Tagged
	ID           int64           `json:"id"`
	RuleType     models.RuleType `json:"ruleType" enum:"user_list,percentage_rollout,attribute,segment,ota_update"`
	RuleConfig   RuleConfig      `json:"ruleConfig"`
	VariantValue *string         `json:"variantValue" doc:"Value of the variation, as a string; null for a split, whose shares in ruleConfig.rollout have the values."`
	Priority     int             `json:"priority" doc:"Priority; the lowest comes first."`
	ChannelName  *string         `json:"channelName" doc:"Name of the only channel that the rule is for; null for all channels."`
}

func ruleRecord(r models.FlagRule) FlagRule {
	return FlagRule{
		Tagged: rest.Tagged{ETag: r.Flag.ETag(r.FlagID)},
		ID:     r.ID, RuleType: r.RuleType, RuleConfig: ruleConfigRecord(r.Config), VariantValue: r.VariantValue,
		Priority: r.Priority, ChannelName: r.ChannelName,
	}
}

func (FlagRule) Example() any {
	return FlagRule{ID: 34, RuleType: models.RuleSegment, RuleConfig: RuleConfig{SegmentKey: "beta"}, VariantValue: new("true")}
}

// RuleConfig holds the parameters of a rule. Each rule type has its own fields.
type RuleConfig struct {
	UserIDs           *UserIDs          `json:"userIds,omitempty" doc:"Targeting keys of users, for a user_list rule."`
	Rollout           []RuleShare       `json:"rollout,omitempty" doc:"Shares of a split: required for a percentage_rollout, and instead of variantValue for a rule of another type, which splits the contexts that match its conditions. Weights add up to at most 100; the remaining contexts fall through to the next rule."`
	BucketBy          string            `json:"bucketBy,omitempty" doc:"Attribute that assigns a context to a share of rollout; the targeting key by default."`
	Conditions        []RuleCondition   `json:"conditions,omitempty" doc:"Conditions that must all hold, for an attribute rule."`
	SegmentKey        string            `json:"segmentKey,omitempty" doc:"Key of the segment, for a segment rule."`
	RuntimeVersion    *VersionCondition `json:"runtimeVersion,omitempty" doc:"Condition on the runtime version, for an ota_update rule. All conditions of the rule must hold."`
	Branch            string            `json:"branch,omitempty" doc:"Branch of the running update, for an ota_update rule."`
	UpdatedWithinDays *float64          `json:"updatedWithinDays,omitempty" doc:"Maximum age of the running update in days, for an ota_update rule."`
	UpdateUUID        string            `json:"updateUuid,omitempty" doc:"ID of the running update, for an ota_update rule."`
}

// RuleShare gives a variation, which it names by value or ID, to a share of the contexts that match the rule.
type RuleShare struct {
	VariantValue *string `json:"variantValue,omitempty" doc:"Value of the variation, as a string."`
	VariationID  *int64  `json:"variationId,omitempty" minimum:"1"`
	Weight       float64 `json:"weight" minimum:"0" maximum:"100" doc:"Percentage of the contexts that match the rule."`
}

// RuleCondition compares an attribute of a context.
type RuleCondition struct {
	Attribute string   `json:"attribute"`
	Operator  Operator `json:"operator"`
	Values    Texts    `json:"values,omitempty" doc:"Values to compare with; empty for exists and not_exists."`
	Problem   string   `json:"problem,omitempty" doc:"Patterns that never match, and the reason. Only in responses; ignored in a change."`
}

// VersionCondition compares a runtime version.
type VersionCondition struct {
	Operator models.Operator `json:"operator" enum:"gte,gt,lte,lt,eq"`
	Value    string          `json:"value"`
}

func ruleConfigRecord(c models.RuleConfig) RuleConfig {
	record := RuleConfig{
		BucketBy: c.BucketBy, SegmentKey: c.SegmentKey, RuntimeVersion: (*VersionCondition)(c.RuntimeVersion),
		Branch: c.Branch, UpdatedWithinDays: c.UpdatedWithinDays, UpdateUUID: c.UpdateUUID,
	}
	if c.UserIDs != nil {
		record.UserIDs = &UserIDs{c.UserIDs, c.UserIDsAsText}
	}
	for _, s := range c.Rollout {
		record.Rollout = append(record.Rollout, RuleShare{&s.VariantValue, &s.VariationID, s.Weight})
	}
	for _, c := range c.Conditions {
		record.Conditions = append(record.Conditions, RuleCondition{c.Attribute, Operator(c.Operator), c.Values, c.PatternsProblem()})
	}
	return record
}

func (c RuleConfig) Model() models.RuleConfig {
	m := models.RuleConfig{
		BucketBy: c.BucketBy, SegmentKey: c.SegmentKey, RuntimeVersion: (*models.VersionCondition)(c.RuntimeVersion),
		Branch: c.Branch, UpdatedWithinDays: c.UpdatedWithinDays, UpdateUUID: c.UpdateUUID,
	}
	if c.UserIDs != nil {
		m.UserIDs, m.UserIDsAsText = append([]string{}, c.UserIDs.ids...), c.UserIDs.asText
	}
	if c.Rollout != nil {
		m.Rollout = rest.Rendered(c.Rollout, shareModel)
	}
	if c.Conditions != nil {
		m.Conditions = rest.Rendered(c.Conditions, func(c RuleCondition) models.Condition {
			return models.Condition{Attribute: c.Attribute, Operator: models.Operator(c.Operator), Values: append([]string{}, c.Values...)}
		})
	}
	return m
}

func shareModel(s RuleShare) models.RolloutShare {
	share := models.RolloutShare{Weight: s.Weight}
	if s.VariantValue != nil {
		share.VariantValue, share.HasValue = *s.VariantValue, true
	}
	if s.VariationID != nil {
		share.VariationID = *s.VariationID
	}
	return share
}

// Operator compares an attribute with values.
type Operator models.Operator

func (Operator) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, o := range models.Operators {
		s.Enum = append(s.Enum, string(o))
	}
	return s
}

// Texts are values to compare with. It accepts numbers and booleans and keeps them as strings.
type Texts []string

// UnmarshalJSON reads strings, numbers and booleans.
func (t *Texts) UnmarshalJSON(data []byte) error {
	var values []json.RawMessage
	if err := json.Unmarshal(data, &values); err != nil {
		return err
	}
	*t = make(Texts, len(values))
	for i, v := range values {
		if json.Unmarshal(v, &(*t)[i]) == nil {
			continue
		}
		if strings.ContainsAny(string(v[:1]), "{[n") {
			return errors.New("values must be strings, numbers or booleans")
		}
		(*t)[i] = string(v)
	}
	return nil
}

func (Texts) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{
		AnyOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeNumber}, {Type: huma.TypeBoolean}},
	}}
}

// UserIDs is a list of user IDs, or one string with commas.
type UserIDs struct {
	ids    []string
	asText bool
}

// UnmarshalJSON reads either form.
func (u *UserIDs) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*u = UserIDs{models.SplitUserIDs(text), true}
		return nil
	}
	u.asText = false
	return json.Unmarshal(data, &u.ids)
}

// MarshalJSON returns the form that was read.
func (u UserIDs) MarshalJSON() ([]byte, error) {
	if u.asText {
		return json.Marshal(strings.Join(u.ids, ","))
	}
	return json.Marshal(append([]string{}, u.ids...))
}

func (UserIDs) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{r.Schema(reflect.TypeFor[[]string](), true, ""), {Type: huma.TypeString}}}
}
