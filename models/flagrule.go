package models

import "math"

// RuleType says what a rule compares.
type RuleType string

// Rule types.
const (
	RuleUserList          RuleType = "user_list"
	RulePercentageRollout RuleType = "percentage_rollout"
	RuleAttribute         RuleType = "attribute"
	RuleSegment           RuleType = "segment"
	RuleOTAUpdate         RuleType = "ota_update"
)

// FlagRule gives a variation to the contexts that it matches.
type FlagRule struct {
	ID        int64
	ProjectID int64
	FlagID    int64
	RuleType  RuleType
	Config    RuleConfig `gorm:"column:rule_config;type:jsonb;serializer:json"`
	// VariationID is what a match gives, nil for a percentage rollout, whose shares
	// say it.
	VariationID *int64
	// SegmentID is the segment of a rule of type segment.
	SegmentID *int64
	// Priority orders the rules of a flag, the lowest first.
	Priority int
	// ChannelID is the only channel that the rule is for, nil for all.
	ChannelID *int64

	// VariantValue is the text of the variation's value.
	VariantValue *string `gorm:"->"`
	ChannelName  *string `gorm:"->"`
	// SegmentKey is Config.SegmentKey as the store reads it.
	SegmentKey *string `gorm:"->"`
}

// FlagRuleShare is one entry of a percentage rollout.
type FlagRuleShare struct {
	RuleID      int64
	ProjectID   int64
	FlagID      int64
	Position    int
	VariationID int64
	// Weight is percent of contexts.
	Weight float64

	// VariantValue is the text of the variation's value.
	VariantValue string `gorm:"->"`
}

// NewFlagRule is what a caller says to create a rule.
type NewFlagRule struct {
	RuleType RuleType
	Config   RuleConfig
	// VariantValue is the text of a variation's value.
	VariantValue *string
	// Priority puts the rule after all others when nil.
	Priority *int
	// ChannelName is the only channel that the rule is for, nil for all.
	ChannelName *string
}

// Validate reports every bad field that can be seen without the flag.
func (n NewFlagRule) Validate() error {
	var p Problems
	n.Config.check(&p, n.RuleType)
	if n.VariantValue == nil && n.RuleType != RulePercentageRollout {
		p.Add("variantValue", "is required: the value that devices get when the rule matches")
	}
	if n.Priority != nil {
		checkPriority(&p, *n.Priority)
	}
	if n.ChannelName != nil {
		checkStreamName(&p, "channelName", *n.ChannelName)
	}
	return p.Err()
}

// FlagRulePatch changes the fields that are set.
type FlagRulePatch struct {
	RuleType     *RuleType
	Config       *RuleConfig
	VariantValue Nullable[string]
	Priority     *int
	ChannelName  Nullable[string]
}

// Validate reports every bad field that can be seen without the rule.
func (c FlagRulePatch) Validate() error {
	var p Problems
	if c.RuleType != nil && c.Config != nil {
		c.Config.check(&p, *c.RuleType)
	}
	if c.Priority != nil {
		checkPriority(&p, *c.Priority)
	}
	if v := c.ChannelName.Value; v != nil {
		checkStreamName(&p, "channelName", *v)
	}
	return p.Err()
}

// Over is the rule as the patch makes it, in the words of a new one.
func (c FlagRulePatch) Over(r FlagRule) NewFlagRule {
	n := NewFlagRule{
		RuleType: r.RuleType, Config: r.Config, VariantValue: r.VariantValue, Priority: &r.Priority, ChannelName: r.ChannelName,
	}
	Assign(&n.RuleType, c.RuleType)
	Assign(&n.Config, c.Config)
	if c.Priority != nil {
		n.Priority = c.Priority
	}
	c.VariantValue.Apply(&n.VariantValue)
	c.ChannelName.Apply(&n.ChannelName)
	if n.RuleType == RulePercentageRollout && r.RuleType != n.RuleType && !c.VariantValue.Set {
		n.VariantValue = nil // its shares say what it gives
	}
	return n
}

func checkPriority(p *Problems, priority int) {
	if priority < math.MinInt32 || priority > math.MaxInt32 {
		p.Add("priority", "must be a 32-bit integer")
	}
}

// BindRule resolves the values that n names to variations of the flag. The
// channel and the segment stay for the caller to find.
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

// bindShares names the variation of each share by both its id and its value.
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
			p.Add(field, "the variation %q is there twice", v.Name)
		}
		seen[v.ID] = true
		bound = append(bound, RolloutShare{VariationID: v.ID, VariantValue: v.Value, HasValue: true, Weight: s.Weight})
	}
	return bound
}
