package flagstore

import (
	"context"
	"slices"

	"github.com/waft-ota/waft/internal/store/releasestore"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// SaveFlag replaces the whole content of a flag in one transaction, with one audit entry. If the flag already has the
// content, it does not change.
func (s *Flags) SaveFlag(
	ctx context.Context, projectID int64, actor models.Actor, id int64, n models.FlagSave,
) (saved models.Flag, err error) {
	if err := n.Validate(); err != nil {
		return saved, err
	}
	err = s.changeFlag(ctx, projectID, actor, id, func(c *unit.Change, before models.Flag) error {
		saved = before
		d, err := save(c, before, n)
		if err != nil {
			return err
		}
		c.Audit("flag.updated", "flag", id, withNames(map[string]any{"key": d.after.Key, "changes": d.details()}, before, d.after))
		saved, err = flagByID(c.Tx, projectID, id)
		return err
	})
	return saved, err
}

// save writes the content of a flag and requires approval for it. It returns unit.ErrUnchanged if the flag already has the
// content.
func save(c *unit.Change, before models.Flag, n models.FlagSave) (d flagDifference, err error) {
	after, err := before.Saved(n)
	if err != nil {
		return d, err
	}
	if after.Environments, err = savedEnvironments(c, before, n); err != nil {
		return d, err
	}
	writeVariations(c, before, &after)
	if after.Rules, err = savedRules(c, before, after, n); err != nil {
		return d, err
	}
	if differenceOf(before, after).isEmpty() {
		return d, unit.ErrUnchanged
	}
	writeRules(c, before, &after)
	checkPatterns(c, "rules", conditionsOf(before.Rules), conditionsOf(after.Rules)) // before anyone is asked to approve
	writeEnvironments(c, before, after)
	if err := removeVariations(c, before, after); err != nil {
		return d, err
	}
	row := after
	row.UpdatedAt = c.Now()
	c.Update(&row, "Name", "Description", "Enabled", "DefaultValue", "UpdatedAt")
	d = differenceOf(before, after)
	return d, d.ask(c)
}

// savedEnvironments returns the settings of the flag on all channels: the listed settings on the listed channels, and
// none on the others.
func savedEnvironments(c *unit.Change, f models.Flag, n models.FlagSave) ([]models.FlagEnvironment, error) {
	all := slices.Clone(f.Environments)
	for i := range all {
		all[i].Enabled, all[i].DefaultValue = nil, nil
	}
	for i, listed := range n.Environments {
		at := slices.IndexFunc(all, func(e models.FlagEnvironment) bool { return e.ChannelName == listed.ChannelName })
		if at < 0 {
			channel, err := releasestore.ChannelNamed(c.Tx, f.ProjectID, listed.ChannelName)
			if err != nil {
				return nil, err
			}
			all, at = append(all, environmentOn(f, channel)), len(all)
		}
		e, err := all[at].Saved(f.FlagType, i, listed)
		if err != nil {
			return nil, err
		}
		all[at] = e
	}
	return all, nil
}

// savedRules returns the listed rules with their priorities, and with IDs if they are stored already.
func savedRules(c *unit.Change, before, after models.Flag, n models.FlagSave) ([]models.FlagRule, error) {
	more := int64(len(n.Rules) - len(before.Rules))
	if err := c.Quotas.Check(models.QuotaFlagRules, "rules of the flag", int64(len(before.Rules)), more); err != nil {
		return nil, err
	}
	rules := make([]models.FlagRule, len(n.Rules))
	for i, listed := range n.Rules {
		listed.Priority = &i
		r, err := bindRule(c.Tx, after, listed.NewFlagRule)
		if err != nil {
			return nil, models.WithinRule(i, err)
		}
		var was models.FlagRule
		if listed.ID != nil {
			if was, err = ruleOf(before, *listed.ID); err != nil {
				return nil, err
			}
			r.ID = was.ID
		}
		if !sameConfig(was, r) {
			if err := listed.Validate(); err != nil {
				return nil, models.WithinRule(i, err)
			}
		}
		if err := checkRuleUsers(c, was.Config.UserIDs, r.Config.UserIDs); err != nil {
			return nil, err
		}
		rules[i] = r
	}
	return rules, nil
}

// sameConfig reports whether two rules have the same type and configuration. The configuration of a stored rule may be
// older than a current limit.
func sameConfig(a, b models.FlagRule) bool {
	changes := unit.MapDiff(ruleDetails(a), ruleDetails(b))
	return changes["ruleType"] == nil && changes["ruleConfig"] == nil && slices.Equal(a.Config.UserIDs, b.Config.UserIDs)
}

// conditionsOf returns the conditions of all rules.
func conditionsOf(rules []models.FlagRule) (all []models.Condition) {
	for _, r := range rules {
		all = append(all, r.Config.Conditions...)
	}
	return all
}

// writeVariations creates the new variations of after, gives them IDs, and changes the kept ones.
func writeVariations(c *unit.Change, before models.Flag, after *models.Flag) {
	for i := range after.Variations {
		v := &after.Variations[i]
		if was, kept := before.VariationByID(v.ID); !kept {
			c.Create(v)
		} else if was != *v {
			c.Update(v, "Name", "Value", "Position")
		}
	}
}

// removeVariations deletes the variations that after lacks. It returns an error if after still uses one of them.
func removeVariations(c *unit.Change, before, after models.Flag) error {
	for _, v := range before.Variations {
		if _, kept := after.VariationByID(v.ID); kept {
			continue
		}
		if err := checkVariationUnused(c.Tx, after, v); err != nil {
			return err
		}
		c.ExecEach(v.ID,
			"DELETE FROM release_flags WHERE variation_id = ?", // links of deleted releases
			"DELETE FROM flag_variations WHERE id = ?")
	}
	return nil
}

// writeRules deletes, changes and creates rules, and gives the new rules of after their IDs.
func writeRules(c *unit.Change, before models.Flag, after *models.Flag) {
	for _, was := range before.Rules {
		if _, kept := findRule(*after, was.ID); !kept {
			c.ExecEach(was.ID, "DELETE FROM flag_rule_shares WHERE rule_id = ?", "DELETE FROM flag_rules WHERE id = ?")
		}
	}
	for i := range after.Rules {
		r := &after.Rules[i]
		row := *r
		row.Config = r.Config.Stored()
		if r.ID == 0 {
			r.ID = c.NextID()
			row.ID = r.ID
			c.Create(&row)
		} else {
			c.Update(&row, "RuleType", "Config", "VariationID", "IsSplit", "SegmentID", "Priority", "ChannelID")
		}
		saveShares(c, *r)
	}
}

// writeEnvironments writes the channel settings that differ. Both flags list the channels in the same order; after may
// have more.
func writeEnvironments(c *unit.Change, before, after models.Flag) {
	for i, e := range after.Environments {
		var was models.FlagEnvironment
		if i < len(before.Environments) {
			was = before.Environments[i]
		}
		if len(environmentChanges(was, e)) == 0 {
			continue
		}
		e.UpdatedAt = c.Now()
		if e.ID == 0 {
			c.Create(&e)
		} else {
			c.Update(&e, "Enabled", "DefaultValue", "UpdatedAt")
		}
	}
}
