package flagstore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// flagDifference contains the parts of a flag that a save changes.
type flagDifference struct {
	before, after models.Flag
	// fields are the changed fields of the flag itself.
	fields unit.Diff
	// was and is are the changed, removed and new rules, before and after the change.
	was, is []models.FlagRule
	// isReordered reports whether rules that are in both flags have another order, or new rules stand before others.
	isReordered bool
	// channels are the changed settings of channels, before and after the change.
	channels [][2]models.FlagEnvironment
}

// differenceOf compares a flag with its next content. A new rule of after does not need an ID.
func differenceOf(before, after models.Flag) flagDifference {
	d := flagDifference{before: before, after: after, fields: unit.MapDiff(flagDetails(before), flagDetails(after))}
	var had, has []int64
	for _, r := range before.Rules {
		had = append(had, r.ID)
		if _, kept := findRule(after, r.ID); !kept {
			d.was = append(d.was, r)
			had = had[:len(had)-1]
		}
	}
	for _, r := range after.Rules {
		has = append(has, r.ID)
		was, kept := findRule(before, r.ID)
		if !kept {
			had = append(had, r.ID) // a new rule comes last unless the order is changed
			d.is = append(d.is, r)
			continue
		}
		was.Priority = r.Priority
		if len(unit.MapDiff(ruleDetails(was), ruleDetails(r))) > 0 || !slices.Equal(was.Config.UserIDs, r.Config.UserIDs) {
			d.was, d.is = append(d.was, was), append(d.is, r)
		}
	}
	d.isReordered = !slices.Equal(had, has)
	for i, e := range after.Environments {
		was := models.FlagEnvironment{ProjectID: e.ProjectID, FlagID: e.FlagID, ChannelID: e.ChannelID, ChannelName: e.ChannelName}
		if i < len(before.Environments) {
			was = before.Environments[i]
		}
		if len(environmentChanges(was, e)) > 0 {
			d.channels = append(d.channels, [2]models.FlagEnvironment{was, e})
		}
	}
	return d
}

func (d flagDifference) isEmpty() bool {
	return len(d.fields) == 0 && len(d.was) == 0 && len(d.is) == 0 && !d.isReordered && len(d.channels) == 0
}

// details returns the audit log's representation of the difference: each changed field before and after the change.
func (d flagDifference) details() unit.Diff {
	all := unit.Diff{}
	for field, change := range d.fields {
		all[field] = change
	}
	if len(d.was)+len(d.is) > 0 {
		all["rules"] = map[string]any{"before": pg.Each(d.was, savedDetails), "after": pg.Each(d.is, savedDetails)}
	}
	if d.isReordered {
		ids := func(f models.Flag) []int64 { return pg.Each(f.Rules, func(r models.FlagRule) int64 { return r.ID }) }
		all["ruleOrder"] = map[string]any{"before": ids(d.before), "after": ids(d.after)}
	}
	if len(d.channels) > 0 {
		was, is := map[string]any{}, map[string]any{}
		for _, c := range d.channels {
			was[c[0].ChannelName], is[c[1].ChannelName] = environmentDetails(c[0]), environmentDetails(c[1])
		}
		all["environments"] = map[string]any{"before": was, "after": is}
	}
	return all
}

// savedDetails returns the audit log's representation of a rule within its flag.
func savedDetails(r models.FlagRule) map[string]any {
	d := ruleDetails(r)
	d["id"] = r.ID
	return d
}

func environmentDetails(e models.FlagEnvironment) map[string]any {
	return map[string]any{"enabled": e.Enabled, "defaultValue": e.DefaultValue}
}

// words describes the difference in one phrase.
func (d flagDifference) words(c *unit.Change) (text string, err error) {
	var parts []string
	if len(d.fields) > 0 {
		parts = append(parts, unit.ChangesSummary(d.fields))
	}
	for _, pair := range d.channels {
		parts = append(parts, onChannel(pair))
	}
	text = strings.Join(parts, "; ")
	if len(d.was)+len(d.is) == 0 && !d.isReordered {
		return text, nil
	}
	rules, err := rulesInWords(c.Tx, d.after.Rules)
	return strings.TrimPrefix(text+rules.list("its new rules"), "; "), err
}

// onChannel describes the changed settings of one channel.
func onChannel(pair [2]models.FlagEnvironment) string {
	return fmt.Sprintf("on channel %q: %s", pair[1].ChannelName, unit.ChangesSummary(environmentChanges(pair[0], pair[1])))
}

// ask requires approval for the parts of the difference that give devices more or something else. Turning the flag off,
// for all channels or for one, never waits for approval on its own.
func (d flagDifference) ask(c *unit.Change) error {
	var asks, exempt []*string // names of channels; nil means all
	var parts []string
	served := unit.Diff{}
	for field, values := range d.fields {
		switch field {
		case "name", "description": // devices get neither
			continue
		case "enabled":
			if !d.after.Enabled {
				exempt = append(exempt, nil) // turning a flag off never waits
			} else {
				asks = append(asks, nil)
			}
		default:
			asks = append(asks, nil)
		}
		served[field] = values
	}
	if len(served) > 0 {
		parts = append(parts, unit.ChangesSummary(served))
	}
	for _, pair := range d.channels {
		was, value := pair[0].Effective(d.before)
		is, newValue := pair[1].Effective(d.after)
		name := &pair[1].ChannelName
		if was && !is && value == newValue {
			exempt = append(exempt, name)
		} else {
			asks = append(asks, name)
		}
		parts = append(parts, onChannel(pair))
	}
	changed := append(slices.Clone(d.was), d.is...)
	if d.isReordered {
		changed = append(changed, d.after.Rules...)
	}
	asks = append(asks, pg.Each(changed, func(r models.FlagRule) *string { return r.ChannelName })...)
	if len(exempt) > 0 || len(asks) == 0 {
		c.ExemptFromApproval(unit.ChannelsNamed(exempt...)) // devices get less, or only the name is changed
	}
	if len(asks) == 0 {
		return nil
	}
	before, err := rulesInWords(c.Tx, d.before.Rules)
	if err != nil {
		return err
	}
	after, err := rulesInWords(c.Tx, d.repeatable())
	if err != nil {
		return err
	}
	title := "its rules"
	if len(changed) > 0 {
		title = "its new rules"
	}
	c.RequireApproval(unit.Effect{
		On:    unit.ChannelsNamed(asks...),
		Basis: []any{flagFacts(d.before), before.facts, flagFacts(d.after), after.facts, d.keptRules()},
		Summary: fmt.Sprintf("save flag %q: %s", d.after.Key,
			strings.TrimPrefix(strings.Join(parts, "; ")+after.list(title), "; ")),
	})
	return nil
}

// keptRules returns the ID of each rule after the change, and 0 for a new rule.
func (d flagDifference) keptRules() []int64 {
	return pg.Each(d.after.Rules, func(r models.FlagRule) int64 {
		was, _ := findRule(d.before, r.ID)
		return was.ID
	})
}

// repeatable returns the rules after the change, without the IDs of new variations, which would differ if the same call
// ran again.
func (d flagDifference) repeatable() []models.FlagRule {
	known := func(id int64) int64 {
		v, _ := d.before.VariationByID(id)
		return v.ID
	}
	return pg.Each(d.after.Rules, func(r models.FlagRule) models.FlagRule {
		if r.VariationID != nil {
			r.VariationID = new(known(*r.VariationID))
		}
		r.Config.Rollout = pg.Each(r.Config.Rollout, func(s models.RolloutShare) models.RolloutShare {
			s.VariationID = known(s.VariationID)
			return s
		})
		return r
	})
}

// flagFacts returns everything that determines what a flag does, apart from its rules.
func flagFacts(f models.Flag) []any {
	facts := []any{f.ID, flagDetails(f)}
	for _, e := range f.Environments {
		if e.Enabled != nil || e.DefaultValue != nil {
			facts = append(facts, e.ChannelID, environmentDetails(e))
		}
	}
	return facts
}
