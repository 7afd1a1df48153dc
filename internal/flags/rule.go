package flags

import (
	"encoding/json"
	"strings"

	"github.com/waft-ota/waft/models"
)

// rule is a rule on the wire.
type rule struct {
	Priority     int             `json:"priority"`
	RuleType     models.RuleType `json:"ruleType"`
	VariantValue json.RawMessage `json:"variantValue"` // null for a percentage rollout without one
	RuleConfig   any             `json:"ruleConfig"`
}

type userList struct {
	UserIDs any `json:"userIds"` // a list, or one text with commas, as it was given
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

type attributes struct {
	Conditions []condition `json:"conditions"`
}

type segment struct {
	SegmentKey string             `json:"segmentKey"`
	MatchType  models.MatchType   `json:"matchType"`
	Conditions []segmentCondition `json:"conditions"`
}

type condition struct {
	Attribute string          `json:"attribute"`
	Operator  models.Operator `json:"operator"`
	Values    []string        `json:"values"`
}

// segmentCondition has its values under both names that clients know.
type segmentCondition struct {
	ID int64 `json:"id"`
	condition
	ValuesJSON []string `json:"valuesJson"`
}

type otaUpdate struct {
	RuntimeVersion    *models.VersionCondition `json:"runtimeVersion,omitempty"`
	Branch            string                   `json:"branch,omitempty"`
	UpdatedWithinDays *float64                 `json:"updatedWithinDays,omitempty"`
	UpdateUUID        string                   `json:"updateUuid,omitempty"`
}

func (c *compiler) rule(f models.Flag, r models.FlagRule) (out rule, err error) {
	out = rule{Priority: r.Priority, RuleType: r.RuleType}
	if r.VariantValue != nil {
		if out.VariantValue, err = f.FlagType.Typed(*r.VariantValue); err != nil {
			return out, err
		}
	}
	switch r.RuleType {
	case models.RuleUserList:
		out.RuleConfig = userList{r.Config.UserIDs}
		if r.Config.UserIDsAsText {
			out.RuleConfig = userList{strings.Join(r.Config.UserIDs, ",")}
		}
	case models.RulePercentageRollout:
		out.RuleConfig, err = rollout(f, r.Config)
	case models.RuleAttribute:
		conditions := make([]condition, len(r.Config.Conditions))
		for i, c := range r.Config.Conditions {
			conditions[i] = conditionOf(c)
		}
		out.RuleConfig = attributes{conditions}
	case models.RuleSegment:
		s := c.segments[r.Config.SegmentKey]
		conditions := make([]segmentCondition, len(s.Conditions))
		for i, c := range s.Conditions {
			conditions[i] = segmentCondition{c.ID, conditionOf(c), texts(c.Values)}
		}
		out.RuleConfig = segment{s.Key, s.MatchType, conditions}
	case models.RuleOTAUpdate:
		out.RuleConfig = otaUpdate{r.Config.RuntimeVersion, r.Config.Branch, r.Config.UpdatedWithinDays, r.Config.UpdateUUID}
	}
	return out, err
}

func rollout(f models.Flag, c models.RuleConfig) (percentageRollout, error) {
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

func conditionOf(c models.Condition) condition {
	return condition{Attribute: c.Attribute, Operator: c.Operator, Values: texts(c.Values)}
}

// texts is never null.
func texts(values []string) []string { return append([]string{}, values...) }
