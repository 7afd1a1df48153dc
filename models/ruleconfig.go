package models

import (
	"fmt"
	"math"
	"strings"
)

// RuleConfig is the configuration of a rule. The type of the rule determines which fields may be set.
type RuleConfig struct {
	// UserIDs are the IDs of a user_list. UserIDsAsText means that requests and responses contain them as one string with
	// commas.
	UserIDs       []string `json:"userIds,omitempty"`
	UserIDsAsText bool     `json:"userIdsAsText,omitempty"`

	// Rollout contains the shares of a split. A percentage_rollout always has them. A rule of another type has either shares or
	// one variation.
	Rollout []RolloutShare `json:"rollout,omitempty"`
	// BucketBy is the attribute that determines the share of a context; "" means the targeting key.
	BucketBy string `json:"bucketBy,omitempty"`

	// Conditions are the conditions of an attribute rule. All of them must be true.
	Conditions []Condition `json:"conditions,omitempty"`

	// SegmentKey is the key of the segment of a segment rule.
	SegmentKey string `json:"segmentKey,omitempty"`

	// RuntimeVersion and the following fields are the criteria of an ota_update rule. All criteria that are set must be met.
	RuntimeVersion *VersionCondition `json:"runtimeVersion,omitempty"`
	Branch         string            `json:"branch,omitempty"`
	// UpdatedWithinDays is the maximum number of days since the device got its update; fractions are allowed.
	UpdatedWithinDays *float64 `json:"updatedWithinDays,omitempty"`
	UpdateUUID        string   `json:"updateUuid,omitempty"`
}

// Stored returns the part of the configuration that the rule's row stores. Shares have their own rows, and the row refers to the
// segment by ID.
func (c RuleConfig) Stored() RuleConfig {
	c.Rollout, c.SegmentKey = nil, ""
	return c
}

// RolloutShare gives a variation to a part of all contexts.
type RolloutShare struct {
	// VariationID identifies the variation by ID, VariantValue by its value. At least one is set; HasValue means that
	// VariantValue is.
	VariationID  int64  `json:"variationId,omitempty"`
	VariantValue string `json:"variantValue,omitempty"`
	HasValue     bool   `json:"hasValue,omitempty"`
	// Weight is the percentage of contexts.
	Weight float64 `json:"weight"`
}

// VersionCondition compares a runtime version.
type VersionCondition struct {
	// Operator is one of gte, gt, lte, lt and eq.
	Operator Operator `json:"operator"`
	Value    string   `json:"value"`
}

// MaxUserIDs is the maximum number of user IDs in a rule, whatever the quota.
const MaxUserIDs = 50_000

const (
	maxListedIDBytes = 256
	maxUpdateDays    = 3650
)

// SplitUserIDs returns the user IDs in a string with commas between them.
func SplitUserIDs(text string) []string {
	ids := []string{}
	for id := range strings.SplitSeq(text, ",") {
		if id = strings.TrimSpace(id); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

func (c RuleConfig) check(p *Problems, t RuleType) {
	switch t {
	case RuleUserList:
		c.checkUserIDs(p)
	case RulePercentageRollout: // checkSplit checks it
	case RuleAttribute:
		checkConditions(p, "ruleConfig.conditions", "values", c.Conditions)
	case RuleSegment:
		if !keyPattern().MatchString(c.SegmentKey) {
			p.Add("ruleConfig.segmentKey", "must be the key of a segment")
		}
	case RuleOTAUpdate:
		c.checkUpdate(p)
	default:
		checkOneOf(p, "ruleType", t, RuleUserList, RulePercentageRollout, RuleAttribute, RuleSegment, RuleOTAUpdate)
		return
	}
	for _, field := range []struct {
		name string
		of   RuleType
		set  bool
	}{
		{"userIds", RuleUserList, c.UserIDs != nil},
		{"conditions", RuleAttribute, c.Conditions != nil},
		{"segmentKey", RuleSegment, c.SegmentKey != ""},
		{"runtimeVersion", RuleOTAUpdate, c.RuntimeVersion != nil},
		{"branch", RuleOTAUpdate, c.Branch != ""},
		{"updatedWithinDays", RuleOTAUpdate, c.UpdatedWithinDays != nil},
		{"updateUuid", RuleOTAUpdate, c.UpdateUUID != ""},
	} {
		if field.set && field.of != t {
			p.Add("ruleConfig."+field.name, "does not belong to a rule of type %s", t)
		}
	}
	c.checkSplit(p, t)
}

// checkSplit checks the shares of a percentage rollout, and the shares of another rule if it has any.
func (c RuleConfig) checkSplit(p *Problems, t RuleType) {
	switch {
	case t == RulePercentageRollout || c.Rollout != nil:
		c.checkRollout(p)
	case c.BucketBy != "":
		p.Add("ruleConfig.bucketBy", "requires ruleConfig.rollout, the shares that the attribute divides contexts into")
	}
}

func (c RuleConfig) checkUserIDs(p *Problems) {
	if len(c.UserIDs) == 0 || len(c.UserIDs) > MaxUserIDs {
		p.Add("ruleConfig.userIds", "must contain 1 to %d user IDs", MaxUserIDs)
		return
	}
	for i, id := range c.UserIDs {
		field := fmt.Sprintf("ruleConfig.userIds[%d]", i)
		checkRequiredText(p, field, id, maxListedIDBytes)
		// Clients get the IDs as one string with commas.
		if bare := strings.TrimSpace(id); bare != "" && (bare != id || strings.Contains(id, ",")) {
			p.Add(field, "must not contain a comma, nor begin or end with a space")
		}
	}
}

func (c RuleConfig) checkRollout(p *Problems) {
	checkText(p, "ruleConfig.bucketBy", c.BucketBy, maxAttributeBytes)
	if len(c.Rollout) == 0 || len(c.Rollout) > maxVariations {
		p.Add("ruleConfig.rollout", "must contain 1 to %d shares", maxVariations)
		return
	}
	thousandths := 0.0
	for i, s := range c.Rollout {
		if s.VariationID == 0 && !s.HasValue {
			p.Add(indexed("ruleConfig.rollout", i, "variantValue"), "is required (or variationId)")
		}
		CheckPercentage(p, indexed("ruleConfig.rollout", i, "weight"), s.Weight)
		thousandths += math.Round(s.Weight * 1000)
	}
	if thousandths > 100*1000 {
		p.Add("ruleConfig.rollout", "must have weights that add up to at most 100")
	}
}

func (c RuleConfig) checkUpdate(p *Problems) {
	if v := c.RuntimeVersion; v != nil {
		switch v.Operator {
		case OpEq:
			CheckRuntimeVersion(p, "ruleConfig.runtimeVersion.value", v.Value)
		case OpGte, OpGt, OpLte, OpLt:
			if err := isVersion(v.Value); err != nil {
				p.Add("ruleConfig.runtimeVersion.value", "%v for the operator %s", err, v.Operator)
			}
		default:
			p.Add("ruleConfig.runtimeVersion.operator", "must be gte, gt, lte, lt or eq")
		}
	}
	if c.Branch != "" {
		checkStreamName(p, "ruleConfig.branch", c.Branch)
	}
	if d := c.UpdatedWithinDays; d != nil && !(*d > 0 && *d <= maxUpdateDays) {
		p.Add("ruleConfig.updatedWithinDays", "must be above 0 and at most %d", maxUpdateDays)
	}
	checkUpdateID(p, "ruleConfig.updateUuid", c.UpdateUUID)
	if c.RuntimeVersion == nil && c.Branch == "" && c.UpdatedWithinDays == nil && c.UpdateUUID == "" {
		p.Add("ruleConfig", "must contain at least one of runtimeVersion, branch, updatedWithinDays and updateUuid")
	}
}
