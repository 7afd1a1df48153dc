package main

import (
	"strconv"

	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

// newWaft evaluates as the server does: in the compiled flags of a project's snapshot.
func newWaft() (peer, error) {
	rules := []models.FlagRule{
		{RuleType: models.RuleUserList, Config: models.RuleConfig{UserIDs: listed}},
		{RuleType: models.RuleAttribute, Config: models.RuleConfig{Conditions: []models.Condition{
			{Attribute: "platform", Operator: models.OpEq, Values: []string{platform}},
			{Attribute: "runtimeVersion", Operator: models.OpSemverGte, Values: []string{atLeast}},
			{Attribute: "plan", Operator: models.OpIn, Values: plans},
		}}},
		{RuleType: models.RuleAttribute, Config: models.RuleConfig{Conditions: []models.Condition{
			{Attribute: "country", Operator: models.OpIn, Values: countries},
		}}},
		{RuleType: models.RulePercentageRollout, Config: models.RuleConfig{
			Rollout: []models.RolloutShare{{VariantValue: "true", Weight: float64(percentage)}},
		}},
	}
	for i := range rules {
		rules[i].ID, rules[i].Priority = int64(i), i
		if rules[i].RuleType != models.RulePercentageRollout {
			rules[i].VariantValue = new(strconv.FormatBool(true))
		}
	}
	set, err := flags.NewSet(models.ProjectSnapshot{Flags: []models.Flag{
		{ID: 1, Key: flagOn, FlagType: models.FlagBoolean, DefaultValue: "false", Enabled: true, Rules: rules},
		{ID: 2, Key: flagOff, FlagType: models.FlagBoolean, DefaultValue: "false", Rules: rules},
	}}, nil)
	if err != nil {
		return peer{}, err
	}
	return peer{name: "Waft", prepare: func(p person, flag string) (func() bool, error) {
		c := &flags.Context{
			TargetingKey: p.id, Platform: p.platform, RuntimeVersion: p.version,
			Attributes: map[string]any{"plan": p.plan, "country": p.country},
		}
		return func() bool {
			f, ok := set.Flag(flag)
			return ok && string(f.Evaluate(c).Value) == "true"
		}, nil
	}}, nil
}
