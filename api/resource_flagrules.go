package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

var (
	createRuleDoc = doc(tagFlags, "createFlagRule", "Add a rule to a feature flag",
		"Rules are evaluated by priority, then by id; the first that matches decides the variation.", http.StatusCreated)
	patchRuleDoc = doc(tagFlags, "patchFlagRule", "Change a rule of a feature flag",
		"Absent fields keep their value. A new ruleType requires its ruleConfig; null for channelName applies the rule to all channels.")
	deleteRuleDoc = doc(tagFlags, "deleteFlagRule", "Delete a rule of a feature flag",
		"Devices get the variation of the next rule that matches.")
)

type createRuleBody struct {
	RuleType     models.RuleType `json:"ruleType" enum:"user_list,percentage_rollout,attribute,segment,ota_update"`
	RuleConfig   RuleConfig      `json:"ruleConfig"`
	VariantValue *string         `json:"variantValue,omitempty" doc:"The text of a variation's value; percentage rollouts may leave it out."`
	Priority     *int            `json:"priority,omitempty" doc:"The lowest comes first; after all others when absent."`
	ChannelName  *string         `json:"channelName,omitempty" doc:"The only channel that it is for; all when absent."`
}

func (b createRuleBody) model() models.NewFlagRule {
	return models.NewFlagRule{
		RuleType: b.RuleType, Config: b.RuleConfig.model(), VariantValue: b.VariantValue, Priority: b.Priority,
		ChannelName: b.ChannelName,
	}
}

func (b createRuleBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (createRuleBody) example() any {
	return createRuleBody{
		RuleType:   models.RulePercentageRollout,
		RuleConfig: RuleConfig{Rollout: []RuleShare{{VariantValue: new("true"), Weight: 10}, {VariantValue: new("false"), Weight: 90}}},
	}
}

func (h *handlers) createRule(ctx context.Context, in *idBodyInput[createRuleBody]) (*output[FlagRule], error) {
	r, err := h.Flags.CreateRule(ctx, projectOf(ctx), actorOf(ctx), in.ID, in.Body.model())
	return &output[FlagRule]{ruleRecord(r)}, err
}

type patchRuleBody struct {
	RuleType     Patch[models.RuleType] `json:"ruleType,omitzero" enum:"user_list,percentage_rollout,attribute,segment,ota_update"`
	RuleConfig   Patch[RuleConfig]      `json:"ruleConfig,omitzero" doc:"The whole configuration from now on."`
	VariantValue Patch[string]          `json:"variantValue,omitzero" nullable:"true" doc:"The text of a variation's value; null only for a percentage rollout."`
	Priority     Patch[int]             `json:"priority,omitzero"`
	ChannelName  Patch[string]          `json:"channelName,omitzero" nullable:"true" doc:"The only channel that it is for; null for all."`
}

func (b patchRuleBody) model() (models.FlagRulePatch, models.Problems) {
	var p models.Problems
	patch := models.FlagRulePatch{
		RuleType: b.RuleType.notNull(&p, "ruleType"), VariantValue: b.VariantValue.nullable(),
		Priority: b.Priority.notNull(&p, "priority"), ChannelName: b.ChannelName.nullable(),
	}
	if config := b.RuleConfig.notNull(&p, "ruleConfig"); config != nil {
		patch.Config = new(config.model())
	}
	return patch, p
}

func (b patchRuleBody) Resolve(huma.Context) []error { return patchErrors(b.model()) }

func (patchRuleBody) example() any { return patchRuleBody{Priority: patchTo(5)} }

// RulePath is a rule of a flag.
type RulePath struct {
	IDPath
	RuleID int64 `path:"ruleId" minimum:"1" doc:"Id of the rule." example:"34"`
}

type patchRuleInput struct {
	RulePath
	Body patchRuleBody
}

func (h *handlers) patchRule(ctx context.Context, in *patchRuleInput) (*output[FlagRule], error) {
	patch, _ := in.Body.model()
	r, err := h.Flags.UpdateRule(ctx, projectOf(ctx), actorOf(ctx), in.ID, in.RuleID, patch)
	return &output[FlagRule]{ruleRecord(r)}, err
}

type deleteRuleInput struct{ RulePath }

func (h *handlers) deleteRule(ctx context.Context, in *deleteRuleInput) (*struct{}, error) {
	return nil, h.Flags.DeleteRule(ctx, projectOf(ctx), actorOf(ctx), in.ID, in.RuleID)
}

// FlagRule gives a variation to the contexts that it matches.
type FlagRule struct {
	ID           int64           `json:"id"`
	RuleType     models.RuleType `json:"ruleType" enum:"user_list,percentage_rollout,attribute,segment,ota_update"`
	RuleConfig   RuleConfig      `json:"ruleConfig"`
	VariantValue *string         `json:"variantValue" doc:"The text of the variation's value; null for a percentage rollout, whose shares have the values."`
	Priority     int             `json:"priority" doc:"The lowest comes first."`
	ChannelName  *string         `json:"channelName" doc:"The only channel that it is for, null for all."`
}

func ruleRecord(r models.FlagRule) FlagRule {
	return FlagRule{
		ID: r.ID, RuleType: r.RuleType, RuleConfig: ruleConfigRecord(r.Config), VariantValue: r.VariantValue,
		Priority: r.Priority, ChannelName: r.ChannelName,
	}
}

func (FlagRule) example() any {
	value := "true"
	return FlagRule{ID: 34, RuleType: models.RuleSegment, RuleConfig: RuleConfig{SegmentKey: "beta"}, VariantValue: &value}
}
