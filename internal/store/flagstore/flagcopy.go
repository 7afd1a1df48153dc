package flagstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/releasestore"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// OrderRules sets the priorities 0, 1, … of a flag's rules in the given order, which must list every rule.
func (s *Flags) OrderRules(
	ctx context.Context, projectID int64, actor models.Actor, flagID int64, order models.RuleOrder,
) (f models.Flag, err error) {
	if err := order.Validate(); err != nil {
		return f, err
	}
	err = s.changeFlag(ctx, projectID, actor, flagID, func(c *unit.Change, before models.Flag) error {
		f = before
		had := pg.Each(before.Rules, func(r models.FlagRule) int64 { return r.ID })
		if err := checkSameRules(had, order.RuleIDs); err != nil {
			return err
		}
		if slices.Equal(had, order.RuleIDs) {
			return unit.ErrUnchanged
		}
		for i, id := range order.RuleIDs {
			c.Exec("UPDATE flag_rules SET priority = ? WHERE id = ?", i, id)
		}
		touchFlag(c, before)
		if err := askForOrder(c, before, order.RuleIDs); err != nil {
			return err
		}
		c.Audit("flag.updated", "flag", f.ID, map[string]any{
			"key": f.Key, "ruleOrder": map[string]any{"before": had, "after": order.RuleIDs},
		})
		f, err = flagByID(c.Tx, projectID, flagID)
		return err
	})
	return f, err
}

// askForOrder requires approval for another order of a flag's rules.
func askForOrder(c *unit.Change, f models.Flag, order []int64) error {
	ordered := slices.Clone(f.Rules)
	slices.SortStableFunc(ordered, func(a, b models.FlagRule) int {
		return cmp.Compare(slices.Index(order, a.ID), slices.Index(order, b.ID))
	})
	rules, err := rulesInWords(c.Tx, ordered)
	if err != nil {
		return err
	}
	had := pg.Each(f.Rules, func(r models.FlagRule) int64 { return r.ID })
	c.RequireApproval(unit.Effect{
		On:      unit.ChannelsNamed(pg.Each(f.Rules, func(r models.FlagRule) *string { return r.ChannelName })...),
		Basis:   []any{f.ID, had, order, rules.facts},
		Summary: fmt.Sprintf("change the order in which the rules of flag %q are tried%s", f.Key, rules.list("new order")),
	})
	return nil
}

// checkSameRules refuses an order that lacks a rule or lists a rule of another flag.
func checkSameRules(had, order []int64) error {
	var p models.Problems
	for _, id := range order {
		if !slices.Contains(had, id) {
			p.Add("ruleIds", "the flag does not have a rule %d", id)
			return p.Err()
		}
	}
	for _, id := range had {
		if !slices.Contains(order, id) {
			p.Add("ruleIds", "rule %d is missing; list every rule of the flag", id)
			return p.Err()
		}
	}
	return nil
}

// CopyFlag copies a flag's settings and rules from one channel to another. It replaces the rules that are limited to
// the target channel; rules for all channels stay as they are.
func (s *Flags) CopyFlag(
	ctx context.Context, projectID int64, actor models.Actor, flagID int64, n models.FlagCopy,
) (f models.Flag, err error) {
	if err := n.Validate(); err != nil {
		return f, err
	}
	err = s.changeFlag(ctx, projectID, actor, flagID, func(c *unit.Change, before models.Flag) error {
		f = before
		from, err := releasestore.ChannelNamed(c.Tx, projectID, n.FromChannel)
		if err != nil {
			return err
		}
		to, err := releasestore.ChannelNamed(c.Tx, projectID, n.ToChannel)
		if err != nil {
			return err
		}
		settings := copyEnvironment(c, before, from, to)
		rules, err := copyRules(c, before, from, to)
		if err != nil {
			return err
		}
		if !settings && !rules {
			return unit.ErrUnchanged
		}
		if err := askForCopy(c, before, from, to); err != nil {
			return err
		}
		touchFlag(c, before)
		f, err = flagByID(c.Tx, projectID, flagID)
		return err
	})
	return f, err
}

// askForCopy requires approval for a copy of a flag's settings and rules to another channel.
func askForCopy(c *unit.Change, f models.Flag, from, to models.Channel) error {
	source := environmentOn(f, from)
	rules, err := rulesInWords(c.Tx, rulesOn(f, from))
	if err != nil {
		return err
	}
	on, value := source.Effective(f)
	c.RequireApproval(unit.Effect{
		On: unit.OneChannel(to),
		Basis: []any{
			f.ID, from.ID, to.ID, on, value, environmentChanges(environmentOn(f, to), source), pg.Each(rulesOn(f, to), ruleDetails), rules.facts,
		},
		Summary: fmt.Sprintf("set flag %q on channel %q as on channel %q: %s, with the default value %s%s",
			f.Key, to.Name, from.Name, onOrOff(on), unit.Shown(value), rules.list("rules of the channel")),
	})
	return nil
}

// copyEnvironment copies the flag's settings from one channel to another and reports whether they differed.
func copyEnvironment(c *unit.Change, f models.Flag, from, to models.Channel) bool {
	source, before := environmentOn(f, from), environmentOn(f, to)
	after := before
	after.Enabled, after.DefaultValue = source.Enabled, source.DefaultValue
	changes := environmentChanges(before, after)
	if len(changes) > 0 {
		saveEnvironment(c, f, &after, changes)
	}
	return len(changes) > 0
}

// copyRules replaces the rules limited to the channel to with the rules of the channel from, and reports whether they
// differed.
func copyRules(c *unit.Change, f models.Flag, from, to models.Channel) (bool, error) {
	source, before := rulesOn(f, from), rulesOn(f, to)
	if slices.EqualFunc(source, before, sameRule) {
		return false, nil
	}
	if err := c.Quotas.Check(models.QuotaFlagRules, "rules of the flag", int64(len(f.Rules)), int64(len(source)-len(before))); err != nil {
		return false, err
	}
	for _, r := range before {
		removeRule(c, r, f)
	}
	for _, r := range source {
		r.ID, r.ChannelID, r.ChannelName = c.NextID(), &to.ID, &to.Name
		addRule(c, r, f)
	}
	return true, nil
}

// sameRule reports whether two rules, apart from their channels, do the same.
func sameRule(a, b models.FlagRule) bool {
	changes := unit.MapDiff(ruleDetails(a), ruleDetails(b))
	delete(changes, "channelName")
	return len(changes) == 0 && slices.Equal(a.Config.UserIDs, b.Config.UserIDs)
}

func rulesOn(f models.Flag, ch models.Channel) []models.FlagRule {
	return slices.DeleteFunc(slices.Clone(f.Rules), func(r models.FlagRule) bool { return r.ChannelID == nil || *r.ChannelID != ch.ID })
}

// environmentOn returns the flag's settings on a channel. The ID is 0 if it does not have settings of its own there.
func environmentOn(f models.Flag, ch models.Channel) models.FlagEnvironment {
	if i := slices.IndexFunc(f.Environments, func(e models.FlagEnvironment) bool { return e.ChannelID == ch.ID }); i >= 0 {
		return f.Environments[i]
	}
	return models.FlagEnvironment{ProjectID: f.ProjectID, FlagID: f.ID, ChannelID: ch.ID, ChannelName: ch.Name}
}

// environmentChanges returns the differences between a flag's settings on a channel before and after a change.
func environmentChanges(before, after models.FlagEnvironment) unit.Diff {
	return unit.MapDiff(map[string]any{"enabled": before.Enabled, "defaultValue": before.DefaultValue},
		map[string]any{"enabled": after.Enabled, "defaultValue": after.DefaultValue})
}

// saveEnvironment writes and audits changed settings of a flag on a channel.
func saveEnvironment(c *unit.Change, f models.Flag, e *models.FlagEnvironment, changes unit.Diff) {
	e.UpdatedAt = c.Now()
	if e.ID == 0 {
		c.Create(e)
	} else {
		c.Update(e, "Enabled", "DefaultValue", "UpdatedAt")
	}
	auditEnvironment(c, f, *e, changes)
}

// addRule writes and audits a new rule, which already has an ID.
func addRule(c *unit.Change, r models.FlagRule, f models.Flag) {
	row := r
	row.Config = r.Config.Stored()
	c.Create(&row)
	saveShares(c, r)
	auditRule(c, "rule.created", r, f, ruleDetails(r))
}

// removeRule deletes a rule and audits its former content.
func removeRule(c *unit.Change, r models.FlagRule, f models.Flag) {
	c.ExecEach(r.ID, "DELETE FROM flag_rule_shares WHERE rule_id = ?", "DELETE FROM flag_rules WHERE id = ?")
	auditRule(c, "rule.deleted", r, f, ruleDetails(r))
}
