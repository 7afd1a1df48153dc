package models

import (
	"cmp"
	"math"
)

// RuleType is the type of a rule: it determines which contexts the rule matches.
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
	// VariationID is the ID of the variation that the rule gives. It is nil for a split, whose shares have variations.
	VariationID *int64
	// IsSplit reports whether a rule of another type than percentage_rollout has shares instead of a variation.
	IsSplit bool
	// SegmentID is the segment of a rule of type segment.
	SegmentID *int64
	// Priority determines the order of the rules of a flag, the lowest first.
	Priority int
	// ChannelID restricts the rule to one channel; nil means all channels.
	ChannelID *int64

	// VariantValue is the variation's value, as text.
	VariantValue *string `gorm:"->"`
	ChannelName  *string `gorm:"->"`
	// SegmentKey is the value of Config.SegmentKey as read by the store.
	SegmentKey *string `gorm:"->"`
	// Flag is the version of the flag after the rule was changed.
	Flag Versioned `gorm:"-" json:"-"`
}

// FlagRuleShare is one share of a split.
type FlagRuleShare struct {
	RuleID, ProjectID, FlagID int64
	Position                  int
	VariationID               int64
	// Weight is the percentage of contexts.
	Weight float64

	// VariantValue is the variation's value, as text.
	VariantValue string `gorm:"->"`
}

type NewFlagRule struct {
	RuleType RuleType   `json:"ruleType"`
	Config   RuleConfig `json:"ruleConfig"`
	// VariantValue is the value of a variation, as text.
	VariantValue *string `json:"variantValue,omitempty"`
	// Priority is the position among the flag's rules; nil puts the rule after all others.
	Priority *int `json:"priority,omitempty"`
	// ChannelName restricts the rule to one channel; nil means all channels.
	ChannelName *string `json:"channelName,omitempty"`
}

// Validate checks every field as far as possible without the flag.
func (n NewFlagRule) Validate() error {
	var p Problems
	n.Config.check(&p, n.RuleType)
	n.checkRest(&p)
	return p.Err()
}

// checkRest checks all fields except the configuration.
func (n NewFlagRule) checkRest(p *Problems) {
	switch {
	case n.RuleType == RulePercentageRollout:
	case n.VariantValue == nil && n.Config.Rollout == nil:
		p.Add("variantValue", "is required: it is the value that devices get if the rule matches (or ruleConfig.rollout, to split them)")
	case n.VariantValue != nil && n.Config.Rollout != nil:
		p.Add("variantValue", "must be absent from a rule that has ruleConfig.rollout, because the shares have the values")
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

// Validate checks every field as far as possible without the rule.
func (c FlagRulePatch) Validate() error {
	var p Problems
	if c.RuleType != nil && c.Config != nil {
		c.Config.check(&p, *c.RuleType)
	}
	ifSet(&p, "priority", c.Priority, checkPriority)
	ifSet(&p, "channelName", c.ChannelName.Value, checkStreamName)
	return p.Err()
}

// ValidateOver checks n, the rule that Over returned. It does not check a configuration that the patch leaves unchanged, because
// the configuration may be older than a current limit.
func (c FlagRulePatch) ValidateOver(n NewFlagRule) error {
	if c.RuleType != nil || c.Config != nil {
		return n.Validate()
	}
	var p Problems
	n.checkRest(&p)
	return p.Err()
}

// Over returns the rule with the patch applied, in the form of a new rule.
func (c FlagRulePatch) Over(r FlagRule) NewFlagRule {
	n := NewFlagRule{
		RuleType: r.RuleType, Config: r.Config, VariantValue: r.VariantValue, Priority: &r.Priority, ChannelName: r.ChannelName,
	}
	Assign(&n.RuleType, c.RuleType)
	Assign(&n.Config, c.Config)
	n.Priority = cmp.Or(c.Priority, n.Priority)
	c.VariantValue.Apply(&n.VariantValue)
	c.ChannelName.Apply(&n.ChannelName)
	c.replaceResult(&n, r)
	return n
}

// replaceResult removes the variation of r from n if the patch gives the rule shares, and the shares if it gives the rule a variation.
func (c FlagRulePatch) replaceResult(n *NewFlagRule, r FlagRule) {
	isRollout := n.RuleType == RulePercentageRollout
	switch {
	case !c.VariantValue.Set && (isRollout && r.RuleType != n.RuleType || !isRollout && n.Config.Rollout != nil):
		n.VariantValue = nil
	case c.VariantValue.Value != nil && c.Config == nil && !isRollout:
		n.Config.Rollout, n.Config.BucketBy = nil, ""
	}
}

func checkPriority(p *Problems, field string, v int) {
	if v < math.MinInt32 || v > math.MaxInt32 {
		p.Add(field, "must be a 32-bit integer")
	}
}

// BindRule returns the rule with its values resolved to variations of the flag. The caller resolves the channel and the segment.
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
	r.IsSplit = n.RuleType != RulePercentageRollout && n.Config.Rollout != nil
	return r, p.Err()
}

// bindShares returns the shares with both the ID and the value of each share's variation set.
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
			p.Add(field, "the flag does not have this variation")
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
