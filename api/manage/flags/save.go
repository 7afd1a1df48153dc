package flags

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var saveFlagDoc = rest.Doc(tagFlags, "saveFlag", "Save a whole feature flag",
	"Replaces the fields, the variations, the rules and the channel settings of the flag in one step. A rule with an id is kept or "+
		"changed, a rule without one is created, and a rule that is not listed is deleted. The order of the rules becomes their "+
		"priority. A channel that is not listed uses the flag's own settings. The body may be the flag as you have read it, with "+
		"your changes. If-Match is required.",
	http.StatusConflict)

type saveFlagBody struct {
	Name         string                 `json:"name" doc:"Display name of the flag."`
	Description  string                 `json:"description,omitempty" doc:"Description of the flag, empty by default."`
	Enabled      bool                   `json:"enabled" doc:"Whether the flag is on for channels without a setting of their own."`
	DefaultValue rest.FlagValue         `json:"defaultValue" doc:"Default value: a value of the flag's type, or a string that contains it."`
	Variations   []variationBody        `json:"variations" doc:"All variations of the flag."`
	Rules        []savedRuleBody        `json:"rules" doc:"All rules of the flag, in the order of evaluation."`
	Environments []savedEnvironmentBody `json:"environments,omitempty" doc:"Channels with settings of their own."`
}

type savedRuleBody struct {
	ID           *int64          `json:"id,omitempty" minimum:"1" doc:"ID of the rule that is kept or changed. A rule without an ID is created."`
	RuleType     models.RuleType `json:"ruleType" enum:"user_list,percentage_rollout,attribute,segment,ota_update"`
	RuleConfig   RuleConfig      `json:"ruleConfig"`
	VariantValue *string         `json:"variantValue,omitempty" nullable:"true" doc:"Value of the variation, as a string; null for a rule whose shares have the values."`
	ChannelName  *string         `json:"channelName,omitempty" nullable:"true" doc:"Name of the only channel that the rule is for; all channels by default."`
	Priority     *int            `json:"priority,omitempty" nullable:"true" doc:"Ignored: the position in the list is the priority."`
}

type savedEnvironmentBody struct {
	ChannelName        string         `json:"channelName" doc:"Name of the channel."`
	Enabled            *bool          `json:"enabled,omitempty" nullable:"true" doc:"Whether the flag is on for the channel; by default, the channel uses the flag's own setting."`
	DefaultValue       rest.FlagValue `json:"defaultValue,omitzero" doc:"Default value for the channel: a value of the flag's type, or a string that contains it. By default, the channel uses the flag's own value."`
	IsEnabledInherited bool           `json:"isEnabledInherited,omitempty" doc:"Whether enabled is ignored, and the channel uses the flag's own setting."`
	IsDefaultInherited bool           `json:"isDefaultInherited,omitempty" doc:"Whether defaultValue is ignored, and the channel uses the flag's own value."`
}

func (b saveFlagBody) Model() models.FlagSave {
	return models.FlagSave{
		Name: b.Name, Description: b.Description, Enabled: b.Enabled, DefaultValue: b.DefaultValue.RawMessage,
		Variations: rest.Rendered(b.Variations, variationModel),
		Rules: rest.Rendered(b.Rules, func(r savedRuleBody) models.RuleSave {
			return models.RuleSave{ID: r.ID, NewFlagRule: models.NewFlagRule{
				RuleType: r.RuleType, Config: r.RuleConfig.Model(), VariantValue: r.VariantValue, ChannelName: r.ChannelName,
			}}
		}),
		Environments: rest.Rendered(b.Environments, func(e savedEnvironmentBody) models.EnvironmentSave {
			s := models.EnvironmentSave{ChannelName: e.ChannelName, Enabled: e.Enabled, DefaultValue: e.DefaultValue.RawMessage}
			if e.IsEnabledInherited {
				s.Enabled = nil
			}
			if e.IsDefaultInherited {
				s.DefaultValue = nil
			}
			return s
		}),
	}
}

func (b saveFlagBody) Resolve(huma.Context) []error { return rest.BodyErrors(b.Model().Validate()) }

func (saveFlagBody) Example() any {
	return saveFlagBody{
		Name: "New checkout", Enabled: true, DefaultValue: rest.FlagValueOf("false"),
		Variations: []variationBody{{new(int64(32)), "On", "true"}, {new(int64(33)), "Off", "false"}},
		Rules: []savedRuleBody{
			{ID: new(int64(34)), RuleType: models.RuleSegment, RuleConfig: RuleConfig{SegmentKey: "beta"}, VariantValue: new("true")},
			{RuleType: models.RulePercentageRollout, RuleConfig: RuleConfig{Rollout: []RuleShare{{VariantValue: new("true"), Weight: 10}}}},
		},
		Environments: []savedEnvironmentBody{{ChannelName: "staging", Enabled: new(true), DefaultValue: rest.FlagValueOf(`"true"`)}},
	}
}

func (h *Handlers) saveFlag(ctx context.Context, in *rest.IDBodyInput[saveFlagBody]) (*rest.Output[Flag], error) {
	f, err := operations.Do(ctx, h.Operations, operations.SaveFlag, rest.AuthorOf(ctx),
		operations.Of[models.FlagSave]{ID: in.ID, Change: in.Body.Model()})
	return &rest.Output[Flag]{Body: flagRecord(f)}, err
}
