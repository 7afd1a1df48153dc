package flagstore

import (
	"fmt"
	"strings"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// This file builds the sentences that describe changes of flags to the people who approve them, and the facts behind
// the sentences.

// inWords describes rules for the people who decide on them.
type inWords struct {
	sentences []string
	// facts contains everything that determines what the rules do, including the conditions of the segments that they
	// refer to. It leaves out IDs that would differ if the same call ran again.
	facts []any
}

// rulesInWords returns descriptions of rules.
func rulesInWords(tx *gorm.DB, rules []models.FlagRule) (words inWords, err error) {
	var ids []int64
	for _, r := range rules {
		if r.SegmentID != nil {
			ids = append(ids, *r.SegmentID)
		}
	}
	segments := map[int64]models.Segment{}
	if len(ids) > 0 {
		found, err := pg.All[models.Segment](tx.Where("id IN ?", ids))
		if err != nil {
			return words, err
		}
		for _, g := range found {
			segments[g.ID] = g
		}
	}
	for _, r := range rules {
		facts := []any{ruleDetails(r), r.ChannelID, r.VariationID}
		var segment models.Segment
		if r.SegmentID != nil {
			segment = segments[*r.SegmentID]
			facts = append(facts, segment.ID, segmentMatch(segment))
		}
		words.facts = append(words.facts, facts)
		words.sentences = append(words.sentences, ruleSummary(r, segment))
	}
	return words, nil
}

// maxRules is the maximum number of rules that a sentence describes.
const maxRules = 5

// list returns a description of the rules, in their order, as part of a sentence.
func (w inWords) list(title string) string {
	if len(w.sentences) == 0 {
		return fmt.Sprintf("; %s: none", title)
	}
	text := fmt.Sprintf("; %s: %s", title, strings.Join(w.sentences[:min(len(w.sentences), maxRules)], "; then "))
	if more := len(w.sentences) - maxRules; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

// whenOn returns a list of a flag's rules if the flag is on, because they take effect only then.
func (w inWords) whenOn(on bool) string {
	if !on {
		return ""
	}
	return w.list("its rules")
}

func onOrOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// segmentSummary describes which devices are in a segment.
func segmentSummary(g models.Segment) string {
	return unit.ConditionsSummary(g.MatchType, g.Conditions)
}

// ruleSummary describes a rule's effect. segment is the segment that the rule refers to, if any.
func ruleSummary(r models.FlagRule, segment models.Segment) string {
	gives := "a value"
	switch {
	case len(r.Config.Rollout) > 0:
		gives = strings.Join(pg.Each(r.Config.Rollout, func(s models.RolloutShare) string {
			return fmt.Sprintf("%s for %g%%", unit.Shown(s.VariantValue), s.Weight)
		}), ", ")
		if r.IsSplit && r.Config.BucketBy != "" {
			gives += fmt.Sprintf(" (split by the attribute %s)", r.Config.BucketBy)
		}
	case r.VariantValue != nil:
		gives = unit.Shown(*r.VariantValue)
	}
	return fmt.Sprintf("on %s, devices %s get %s", unit.OnChannel(r.ChannelName), matched(r, segment), gives)
}

// matched returns a phrase for the devices that a rule applies to.
func matched(r models.FlagRule, segment models.Segment) string {
	switch r.RuleType {
	case models.RuleUserList:
		return "of the users " + unit.QuotedList(r.Config.UserIDs)
	case models.RulePercentageRollout:
		if r.Config.BucketBy != "" {
			return fmt.Sprintf("(split by the attribute %s)", r.Config.BucketBy)
		}
		return "(split by percentage)"
	case models.RuleAttribute:
		return "where " + unit.ConditionsSummary(models.MatchAll, r.Config.Conditions)
	case models.RuleSegment:
		return fmt.Sprintf("in segment %q (where %s)", segment.Key, segmentSummary(segment))
	case models.RuleOTAUpdate:
		return "whose release " + updateSummary(r.Config)
	}
	return "of rule type " + string(r.RuleType)
}

// updateSummary returns a phrase for the releases that a rule applies to.
func updateSummary(c models.RuleConfig) string {
	var parts []string
	if c.RuntimeVersion != nil {
		parts = append(parts, unit.ConditionsSummary(models.MatchAll, []models.Condition{
			{Attribute: "has a runtime version that", Operator: c.RuntimeVersion.Operator, Values: []string{c.RuntimeVersion.Value}},
		}))
	}
	if c.Branch != "" {
		parts = append(parts, fmt.Sprintf("is of branch %q", c.Branch))
	}
	if c.UpdatedWithinDays != nil {
		parts = append(parts, fmt.Sprintf("is at most %g days old", *c.UpdatedWithinDays))
	}
	if c.UpdateUUID != "" {
		parts = append(parts, "is "+c.UpdateUUID)
	}
	return strings.Join(parts, " and ")
}
