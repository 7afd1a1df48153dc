package models

import "slices"

// RuleOrder is a new order for the rules of a flag: the ID of each rule once, in the order of evaluation.
type RuleOrder struct {
	RuleIDs []int64 `json:"ruleIds"`
}

func (o RuleOrder) Validate() error {
	var p Problems
	for i, id := range o.RuleIDs {
		if slices.Contains(o.RuleIDs[:i], id) {
			p.Add("ruleIds", "rule %d is listed twice", id)
			break
		}
	}
	return p.Err()
}

// FlagCopy is a request to copy a flag's settings and rules from one channel to another.
type FlagCopy struct {
	FromChannel string `json:"fromChannel"`
	ToChannel   string `json:"toChannel"`
}

func (c FlagCopy) Validate() error {
	var p Problems
	if c.FromChannel == "" {
		p.Add("fromChannel", "must not be empty")
	}
	if c.ToChannel == "" {
		p.Add("toChannel", "must not be empty")
	} else if c.FromChannel == c.ToChannel {
		p.Add("toChannel", "must be a different channel than fromChannel")
	}
	return p.Err()
}
