package models

import "slices"

// RuleOrder is the order that the rules of a flag are to have, as their ids: each once, the one that decides first first.
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

// FlagCopy is a request to give a flag on one channel the settings and rules that it has on another.
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
		p.Add("toChannel", "must be another channel than fromChannel")
	}
	return p.Err()
}
