package flags

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// ruleDefinition is a rule on the wire.
type ruleDefinition struct {
	Priority int             `json:"priority"`
	RuleType models.RuleType `json:"ruleType"`
	// VariantValue is null for a percentage rollout without a value, and absent for a rule of type split.
	VariantValue json.RawMessage `json:"variantValue,omitempty"`
	RuleConfig   any             `json:"ruleConfig"`
}

// typeSplit is the type, on the wire only, of a rule with both conditions and shares. Clients that know only the types of
// models.RuleType skip it; if the rule had one of those types, they would give its contexts a missing value.
const typeSplit models.RuleType = "split"

// splitRule is the configuration of a rule of type split.
type splitRule struct {
	When splitCondition `json:"when"`
	percentageRollout
}

// splitCondition has the conditions of a rule of type split, as a rule of their own type has them.
type splitCondition struct {
	RuleType   models.RuleType `json:"ruleType"`
	RuleConfig any             `json:"ruleConfig"`
}

type userList struct {
	UserIDs string `json:"userIds"` // separated by commas, as in the request
}

type percentageRollout struct {
	Rollout  []share `json:"rollout"`
	BucketBy string  `json:"bucketBy,omitempty"`
}

type share struct {
	VariationID  int64           `json:"variationId"`
	VariantValue json.RawMessage `json:"variantValue"`
	Weight       float64         `json:"weight"`
}

type segment struct {
	SegmentKey string             `json:"segmentKey"`
	MatchType  models.MatchType   `json:"matchType"`
	Conditions []segmentCondition `json:"conditions"`
}

// segmentCondition has its values under both names that clients use.
type segmentCondition struct {
	models.Condition
	ValuesJSON []string `json:"valuesJson"`
}

func (c *compiler) rule(f models.Flag, r models.FlagRule) (out ruleDefinition, err error) {
	out = ruleDefinition{Priority: r.Priority, RuleType: r.RuleType, VariantValue: json.RawMessage("null")}
	if r.VariantValue != nil {
		if out.VariantValue, err = f.FlagType.Typed(*r.VariantValue); err != nil {
			return out, err
		}
	}
	if r.RuleType == models.RulePercentageRollout {
		out.RuleConfig, err = shares(f, r.Config)
		return out, err
	}
	out.RuleConfig = c.conditions(r)
	if len(r.Config.Rollout) > 0 {
		config := splitRule{When: splitCondition{r.RuleType, out.RuleConfig}}
		config.percentageRollout, err = shares(f, r.Config)
		out.RuleType, out.VariantValue, out.RuleConfig = typeSplit, nil, config
	}
	return out, err
}

// conditions returns the configuration of a rule without its shares.
func (c *compiler) conditions(r models.FlagRule) any {
	switch r.RuleType {
	case models.RuleUserList:
		return userList{strings.Join(r.Config.UserIDs, ",")}
	case models.RuleAttribute:
		return models.RuleConfig{Conditions: c.withValues(r.Config.Conditions)}
	case models.RuleSegment:
		s := c.segments[r.Config.SegmentKey]
		compiled := segment{s.Key, s.MatchType, make([]segmentCondition, len(s.Conditions))}
		for i, c := range c.withValues(s.Conditions) {
			compiled.Conditions[i] = segmentCondition{c, c.Values}
		}
		return compiled
	default:
		config := r.Config
		config.Rollout, config.BucketBy = nil, ""
		return config
	}
}

func shares(f models.Flag, c models.RuleConfig) (percentageRollout, error) {
	out := percentageRollout{Rollout: make([]share, len(c.Rollout)), BucketBy: c.BucketBy}
	for i, s := range c.Rollout {
		typed, err := f.FlagType.Typed(s.VariantValue)
		if err != nil {
			return out, err
		}
		out.Rollout[i] = share{s.VariationID, typed, s.Weight}
	}
	return out, nil
}

// withValues returns the conditions with values that are never null in JSON. It removes patterns that never match,
// because clients cannot recognize them.
func (c *compiler) withValues(conditions []models.Condition) []models.Condition {
	conditions = slices.Clone(conditions)
	for i := range conditions {
		if conditions[i].Values == nil {
			conditions[i].Values = []string{}
		}
		if conditions[i].Operator == models.OpMatches {
			conditions[i].Values = slices.DeleteFunc(slices.Clone(conditions[i].Values), func(text string) bool {
				p := c.patterns[text]
				return p == nil || p.problem != ""
			})
		}
	}
	return conditions
}
