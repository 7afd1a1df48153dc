package flags

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// Explanation is an evaluation with its reasons.
type Explanation struct {
	Flag    *Flag
	Outcome *Outcome
	// Enabled reports whether the flag is on for the context's channel.
	Enabled bool
	// Detail explains an error. It is "" if the reason is not an error.
	Detail string
	// Rules are the rules that apply on the channel, in order. They include the rules after the deciding rule.
	Rules []RuleExplanation
}

// RuleExplanation describes whether and why a rule matches a context.
type RuleExplanation struct {
	Rule *models.FlagRule
	// Matched reports whether the rule matches. Decided reports whether the flag has its value from this rule.
	Matched, Decided bool
	// Bucket is the context's bucket in a split whose conditions hold, or nil without an ID. Threshold is the end of the
	// share that contains the bucket, or the end of the last share.
	Bucket, Threshold *uint32
	// Conditions are the conditions of the rule or of its segment.
	Conditions []ConditionExplanation
	// applies reports whether the rule's conditions hold. A split can hold without a match.
	applies bool
	// Detail explains the match in a sentence.
	Detail string
}

// ConditionExplanation describes whether a condition holds.
type ConditionExplanation struct {
	models.Condition
	// Actual is the context's attribute, or nil if it is missing.
	Actual any
	Holds  bool
	// Note describes the parts of the condition that were not evaluated and the reason, or "".
	Note string
}

// Explain evaluates the flag and explains the result.
func (f *Flag) Explain(c *Context) Explanation {
	c.meter = meter{}
	return f.explain(c, &meter{})
}

// Explain evaluates the flags like Evaluate and explains the results.
func (s *Set) Explain(c *Context) []Explanation {
	c.meter = meter{}
	trying, all := &meter{}, make([]Explanation, len(s.flags))
	for i, f := range s.flags {
		all[i] = f.explain(c, trying)
	}
	return all
}

// explain explains like Explain, with the steps that other flags have left of the request's steps. Rules that an
// evaluation does not reach have a separate budget of MaxRequestSteps, which trying counts.
func (f *Flag) explain(c *Context, trying *meter) Explanation {
	s := f.in(c.Channel)
	e := Explanation{Flag: f, Enabled: s.enabled, Rules: make([]RuleExplanation, len(s.rules))}
	rule := -1
	if e.Outcome = s.withoutRules(c); e.Outcome == nil {
		e.Outcome, rule = s.byRules(c)
	}
	if e.Outcome == s.overBudget {
		e.Detail = fmt.Sprintf("the flag has its default because its rules need more steps than the maximum (%d per flag, %d per request): "+
			"use fewer or shorter patterns and lists, or shorter attributes", MaxEvaluationSteps, MaxRequestSteps)
	}
	tried := *c
	for i := range s.rules {
		told := &e.Rules[i]
		told.Rule = s.rules[i].FlagRule
		tried.meter = meter{used: trying.used}
		tried.begin()
		told.Decided = i == rule
		told.Matched = s.rules[i].match(&tried, told) != nil && !tried.meter.isOver || told.Decided
		told.Detail = s.rules[i].detail(c, told)
		if tried.meter.isOver {
			told.Detail = notTried
		}
		trying.used = tried.meter.used
		c.meter.isSlow = c.meter.isSlow || tried.meter.isSlow
	}
	return e
}

// notTried is the reason for parts that an explanation omits.
const notTried = "not evaluated, because the explanation would need too many steps"

// detail explains in a sentence why the rule matches the context or not.
func (r *rule) detail(c *Context, told *RuleExplanation) string {
	why := r.appliesDetail(c, told)
	switch {
	case !told.applies || len(r.shares) == 0:
		return why
	case why == "":
		return r.shareDetail(told)
	}
	return why + "; " + r.shareDetail(told)
}

// appliesDetail explains why the rule's conditions hold or not. It returns "" for a percentage rollout, which has none.
func (r *rule) appliesDetail(c *Context, told *RuleExplanation) string {
	switch r.RuleType {
	case models.RuleUserList:
		switch {
		case c.TargetingKey == "":
			return "the context has no targeting key"
		case told.applies:
			return fmt.Sprintf("the list of user IDs contains the targeting key %q", c.TargetingKey)
		}
		return fmt.Sprintf("the list of user IDs does not contain the targeting key %q", c.TargetingKey)
	case models.RulePercentageRollout:
		return ""
	case models.RuleOTAUpdate:
		return r.update.detail(c)
	default:
		return r.conditionsDetail(told)
	}
}

func (r *rule) shareDetail(told *RuleExplanation) string {
	by := cmp.Or(r.bucketBy.name, "targetingKey")
	if told.Bucket == nil {
		if told.Matched {
			return "the first share includes everyone"
		}
		return "the context has no " + by + ", which determines the share"
	}
	from, end := uint32(0), r.shares[len(r.shares)-1].end
	for _, s := range r.shares {
		if *told.Bucket >= s.end {
			from = s.end
			continue
		}
		position := rollout.Position(*told.Bucket, s.end)
		if from == 0 {
			return fmt.Sprintf("in the first %s: the position of %s is %s, which gives %s", rollout.ShareEnd(s.end), by, position, s.outcome.Value)
		}
		return fmt.Sprintf("in the share from %s to %s: the position of %s is %s, which gives %s",
			rollout.ShareEnd(from), rollout.ShareEnd(s.end), by, position, s.outcome.Value)
	}
	return fmt.Sprintf("not in the %s: the position of %s is %s", rollout.ShareEnd(end), by, rollout.Position(*told.Bucket, end))
}

func (r *rule) conditionsDetail(told *RuleExplanation) string {
	of, how := "", "all"
	if r.any {
		how = "at least one"
	}
	if r.RuleType == models.RuleSegment {
		of = fmt.Sprintf(" of segment %q", r.Config.SegmentKey)
		if len(r.conditions) == 0 {
			return fmt.Sprintf("the segment %q does not exist", r.Config.SegmentKey)
		}
	}
	holding := 0
	for _, c := range told.Conditions {
		if c.Holds {
			holding++
		}
	}
	return fmt.Sprintf("%d of the %s%s %s met; %s must be met",
		holding, count.Of(len(told.Conditions), "condition"), of, count.Choose(holding, "is", "are"), how)
}

// versionNeeds are phrases for a version that a rule accepts.
var versionNeeds = map[models.Operator]string{
	models.OpEq: "%s", models.OpGt: "later than %s", models.OpGte: "%s or later", models.OpLt: "earlier than %s", models.OpLte: "%s or earlier",
}

// detail lists what the rule needs of the running release, with what the release has.
func (u *updateCondition) detail(c *Context) string {
	var parts []string
	say := func(what, has, needs string, holds bool) {
		text := fmt.Sprintf("the %s is %s", what, has)
		if has == "" {
			text = fmt.Sprintf("the %s is not set", what)
		}
		if !holds {
			text += "; the rule needs " + needs
		}
		parts = append(parts, text)
	}
	if u.runtimeVersion != nil {
		running, _ := c.get(attribute{"ota.runtime_version", builtinUpdateRuntimeVersion}).string()
		needs := fmt.Sprintf(versionNeeds[u.runtimeVersion.Operator], u.runtimeVersion.Value)
		say("runtime version of the running release", running, needs, u.fitsVersion(c))
	}
	if u.branch != "" {
		say("branch of the running release", c.Update.Branch, u.branch, u.branch == c.Update.Branch)
	}
	if u.updateUUID != "" {
		say("ID of the running release", c.Update.UUID, u.updateUUID, u.isUpdate(c))
	}
	if u.withinDays != nil {
		has := ""
		if days, known := c.updateAge(); known {
			has = fmt.Sprintf("%.3g days", days)
		}
		say("age of the running release", has, fmt.Sprintf("at most %v days", *u.withinDays), u.fitsAge(c))
	}
	return strings.Join(parts, "; ")
}

// explain returns the explanation of the condition, which holds or not.
func (c *condition) explain(of *Context, holds bool) ConditionExplanation {
	told := ConditionExplanation{Condition: c.Condition, Holds: holds}
	v := of.get(c.at)
	told.Note = c.note(of, v)
	switch v.kind {
	case missing:
	case text:
		told.Actual = v.text
	case number:
		told.Actual = v.number
	default:
		told.Actual = of.Attributes[c.at.name]
	}
	return told
}

// note describes the parts of the condition that were not evaluated.
func (c *condition) note(of *Context, v value) string {
	notes := c.problems
	if c.Operator == models.OpMatches {
		if longest := c.longest(of, v); longest > models.MaxMatchedBytes {
			notes = append(slices.Clone(notes), fmt.Sprintf("patterns do not match strings longer than %d bytes, and the attribute has %d",
				models.MaxMatchedBytes, longest))
		}
	}
	if of.meter.isOver {
		notes = append(slices.Clone(notes), notTried)
	}
	return strings.Join(notes, "; ")
}

// longest returns the length in bytes of the attribute as a string, or of the longest element of an array.
func (c *condition) longest(of *Context, v value) int {
	longest := len(v.text)
	if v.kind == list {
		elements, _ := of.Attributes[c.at.name].([]any)
		for _, element := range elements {
			longest = max(longest, len(valueOf(element).text))
		}
	}
	return longest
}
