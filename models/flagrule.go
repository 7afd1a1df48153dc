package models

import (
	"cmp"
	"math"
)

// RuleType is what a rule compares.
type RuleType string

const (
	RuleUserList          RuleType = "user_list"
	RulePercentageRollout RuleType = "percentage_rollout"
	RuleAttribute         RuleType = "attribute"
	RuleSegment           RuleType = "segment"
	RuleOTAUpdate         RuleType = "ota_update"
)

// FlagRule gives a variation to the contexts that it matches.
type FlagRule struct {
	ID, ProjectID, FlagID int64
	RuleType              RuleType
	Config                RuleConfig `gorm:"column:rule_config;type:jsonb;serializer:json"`
	// VariationID is the variation that the rule gives, nil for a percentage rollout with its shares.
	VariationID *int64
	// SegmentID is the segment of a rule of type segment.
	SegmentID *int64
	// Priority orders the rules of a flag, the lowest first.
	Priority int
	// ChannelID limits the rule to one channel, nil means all.
	ChannelID *int64

	// VariantValue is the text of the variation's value.
	VariantValue *string `gorm:"->"`
	ChannelName  *string `gorm:"->"`
	// SegmentKey is Config.SegmentKey as the store reads it.
	SegmentKey *string `gorm:"->"`
	// Flag is the version that the flag has with a changed rule.
	Flag Versioned `gorm:"-" json:"-"`
}

// FlagRuleShare is one share of a percentage rollout.
type FlagRuleShare struct {
	RuleID, ProjectID, FlagID int64
	Position                  int
	VariationID               int64
	// Weight is percent of contexts.
	Weight float64

	// VariantValue is the text of the variation's value.
	VariantValue string `gorm:"->"`
}

type NewFlagRule struct {
	RuleType RuleType   `json:"ruleType"`
	Config   RuleConfig `json:"ruleConfig"`
	// VariantValue is the text of a variation's value.
	VariantValue *string `json:"variantValue,omitempty"`
	// Priority puts the rule after all others when nil.
	Priority *int `json:"priority,omitempty"`
	// ChannelName limits the rule to one channel, nil means all.
	ChannelName *string `json:"channelName,omitempty"`
}

// Validate reports every bad field that can be seen without the flag.
func (n NewFlagRule) Validate() error {
	var p Problems
	n.Config.check(&p, n.RuleType)
	n.checkRest(&p)
	return p.Err()
}

// checkRest checks all but the configuration.
func (n NewFlagRule) checkRest(p *Problems) {
	if n.VariantValue == nil && n.RuleType != RulePercentageRollout {
		p.Add("variantValue", "is required: the value that devices get when the rule matches")
	}
	ifSet(p, "priority", n.Priority, checkPriority)
	ifSet(p, "channelName", n.ChannelName, checkStreamName)
}

type FlagRulePatch struct {
	RuleType     *RuleType        `json:"ruleType,omitempty"`
	Config       *RuleConfig      `json:"ruleConfig,omitempty"`
	VariantValue Nullable[string] `json:"variantValue,omitzero"`
	Priority     *int             `json:"priority,omitempty"`
	ChannelName  Nullable[string] `json:"channelName,omitzero"`
}

// Validate reports every bad field that can be seen without the rule.
func (c FlagRulePatch) Validate() error {
	var p Problems
	if c.RuleType != nil && c.Config != nil {
		c.Config.check(&p, *c.RuleType)
	}
	ifSet(&p, "priority", c.Priority, checkPriority)
	ifSet(&p, "channelName", c.ChannelName.Value, checkStreamName)
	return p.Err()
}

// ValidateOver reports every bad field of the rule that Over makes. A configuration that stays is not checked: it may be older
// than a limit of today.
func (c FlagRulePatch) ValidateOver(n NewFlagRule) error {
	if c.RuleType != nil || c.Config != nil {
		return n.Validate()
	}
	var p Problems
	n.checkRest(&p)
	return p.Err()
}

// Over is the rule as the patch makes it, in the words of a new one.
func (c FlagRulePatch) Over(r FlagRule) NewFlagRule {
	n := NewFlagRule{
		RuleType: r.RuleType, Config: r.Config, VariantValue: r.VariantValue, Priority: &r.Priority, ChannelName: r.ChannelName,
	}
	Assign(&n.RuleType, c.RuleType)
	Assign(&n.Config, c.Config)
	n.Priority = cmp.Or(c.Priority, n.Priority)
	c.VariantValue.Apply(&n.VariantValue)
	c.ChannelName.Apply(&n.ChannelName)
	if n.RuleType == RulePercentageRollout && r.RuleType != n.RuleType && !c.VariantValue.Set {
		n.VariantValue = nil // its shares have variations
	}
	return n
}

func checkPriority(p *Problems, field string, v int) {
	if v < math.MinInt32 || v > math.MaxInt32 {
		p.Add(field, "must be a 32-bit integer")
	}
}

// BindRule resolves values to variations of the flag. The caller resolves channel and segment.
func (f Flag) BindRule(n NewFlagRule) (FlagRule, error) {
	var p Problems
	r := FlagRule{ProjectID: f.ProjectID, FlagID: f.ID, RuleType: n.RuleType, Config: n.Config}
	if n.VariantValue != nil {
		v, ok := f.Variation(*n.VariantValue)
		if !ok {
			p.Add("variantValue", "the flag has no variation with the value %q", *n.VariantValue)
		}
		r.VariationID, r.VariantValue = &v.ID, &v.Value
	}
	r.Config.Rollout = f.bindShares(&p, n.Config.Rollout)
	return r, p.Err()
}

// bindShares sets both the id and the value of each share's variation.
func (f Flag) bindShares(p *Problems, shares []RolloutShare) []RolloutShare {
	var bound []RolloutShare
	seen := map[int64]bool{}
	for i, s := range shares {
		v, found := f.VariationByID(s.VariationID)
		by := "variationId"
		if s.VariationID == 0 {
			v, found = f.Variation(s.VariantValue)
			by = "variantValue"
		}
		field := indexed("ruleConfig.rollout", i, by)
		switch {
		case !found:
			p.Add(field, "the flag has no such variation")
		case s.VariationID != 0 && s.HasValue && !f.FlagType.Same(v.Value, s.VariantValue):
			p.Add(indexed("ruleConfig.rollout", i, "variantValue"), "is not the value of variation %d", v.ID)
		case seen[v.ID]:
			p.Add(field, "the variation %q is listed twice", v.Name)
		}
		seen[v.ID] = true
		bound = append(bound, RolloutShare{VariationID: v.ID, VariantValue: v.Value, HasValue: true, Weight: s.Weight})
	}
	return bound
}
