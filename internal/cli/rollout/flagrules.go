package rollout

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/models"
)

// RuleLine returns a rule of a flag: its type, the contexts that it matches in the terms of the JSON file, and what it gives.
func RuleLine(r client.FlagRule) string {
	line := fmt.Sprintf("  rule %d: %s", r.ID, command.Words(string(r.RuleType)))
	if matched := ruleMatches(r.RuleConfig); matched != "" {
		line += " (" + command.OneLine(matched, 200) + ")"
	}
	line += ruleResult(r)
	if r.ChannelName != nil {
		line += " on channel " + *r.ChannelName
	}
	return line
}

// ruleMatches describes the contexts that a rule matches, or returns "" if the rule matches every context.
func ruleMatches(c client.RuleConfig) string {
	var parts []string
	if c.UserIds != nil {
		parts = append(parts, valuesText(c.UserIds))
	}
	if c.Conditions != nil {
		for _, condition := range *c.Conditions {
			text := condition.Attribute + " " + string(condition.Operator)
			if condition.Values != nil && len(*condition.Values) > 0 {
				text += " " + valuesText(*condition.Values)
			}
			parts = append(parts, text)
		}
	}
	if c.SegmentKey != nil {
		parts = append(parts, *c.SegmentKey)
	}
	if c.Branch != nil {
		parts = append(parts, "branch "+*c.Branch)
	}
	if c.RuntimeVersion != nil {
		parts = append(parts, fmt.Sprintf("runtimeVersion %s %s", c.RuntimeVersion.Operator, c.RuntimeVersion.Value))
	}
	if c.UpdateUUID != nil {
		parts = append(parts, "updateUuid "+*c.UpdateUUID)
	}
	if c.UpdatedWithinDays != nil {
		parts = append(parts, fmt.Sprintf("updatedWithinDays %g", *c.UpdatedWithinDays))
	}
	return strings.Join(parts, " and ")
}

// valuesText returns a list of values, or a list that is one string, separated by commas.
func valuesText(values any) string {
	raw, err := json.Marshal(values)
	if err != nil {
		return ""
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var list []any
	_ = json.Unmarshal(raw, &list) // the client's types are a string or a list
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = fmt.Sprint(v)
	}
	return strings.Join(parts, ", ")
}

// ruleResult returns the value that a rule gives, or the values of a split with their percentages.
func ruleResult(r client.FlagRule) string {
	if r.VariantValue != nil {
		return " gives " + command.OneLine(*r.VariantValue, 60)
	}
	var shares []string
	if r.RuleConfig.Rollout != nil {
		for _, share := range *r.RuleConfig.Rollout {
			value := ""
			models.Assign(&value, share.VariantValue)
			shares = append(shares, fmt.Sprintf("%s to %g%%", command.OneLine(value, 60), share.Weight))
		}
	}
	text := " gives " + strings.Join(shares, ", ")
	if r.RuleConfig.BucketBy != nil {
		text += ", split by " + *r.RuleConfig.BucketBy
	}
	return text
}
