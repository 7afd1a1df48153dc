package flagstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/releasestore"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// CreateRule adds a rule to a flag.
func (s *Flags) CreateRule(
	ctx context.Context, projectID int64, actor models.Actor, flagID int64, n models.NewFlagRule,
) (r models.FlagRule, err error) {
	if err := n.Validate(); err != nil {
		return r, err
	}
	err = s.changeFlag(ctx, projectID, actor, flagID, func(c *unit.Change, f models.Flag) error {
		if r, err = bindRule(c.Tx, f, n); err != nil {
			return err
		}
		if err := c.Quotas.Check(models.QuotaFlagRules, "rules of the flag", int64(len(f.Rules)), 1); err != nil {
			return err
		}
		if err := checkRuleUsers(c, nil, r.Config.UserIDs); err != nil {
			return err
		}
		r.ID, r.Flag = c.NextID(), touchFlag(c, f)
		addRule(c, r, f)
		checkPatterns(c, ruleConditions, nil, r.Config.Conditions) // before anyone is asked to approve the rule
		return askForRule(c, fmt.Sprintf("add a rule to flag %q", f.Key), r)
	})
	return r, err
}

// UpdateRule changes the set fields of a flag's rule.
func (s *Flags) UpdateRule(
	ctx context.Context, projectID int64, actor models.Actor, flagID, id int64, patch models.FlagRulePatch,
) (r models.FlagRule, err error) {
	if err := patch.Validate(); err != nil {
		return r, err
	}
	err = s.changeFlag(ctx, projectID, actor, flagID, func(c *unit.Change, f models.Flag) error {
		before, err := ruleOf(f, id)
		if err != nil {
			return err
		}
		n := patch.Over(before)
		if err := patch.ValidateOver(n); err != nil {
			return err
		}
		if r, err = bindRule(c.Tx, f, n); err != nil {
			return err
		}
		if err := checkRuleUsers(c, before.Config.UserIDs, r.Config.UserIDs); err != nil {
			return err
		}
		r.ID, r.Flag = id, f.Versioned
		changes := unit.MapDiff(ruleDetails(before), ruleDetails(r))
		if len(changes) == 0 {
			return unit.ErrUnchanged
		}
		row := r
		row.Config = r.Config.Stored()
		c.Update(&row, "RuleType", "Config", "VariationID", "IsSplit", "SegmentID", "Priority", "ChannelID")
		saveShares(c, r)
		checkPatterns(c, ruleConditions, before.Config.Conditions, r.Config.Conditions)
		r.Flag = touchFlag(c, f)
		if err := askForRule(c, fmt.Sprintf("change rule %d of flag %q", id, f.Key), before, r); err != nil {
			return err
		}
		auditRule(c, "rule.updated", r, f, changes)
		return nil
	})
	return r, err
}

// DeleteRule deletes a rule of a flag.
func (s *Flags) DeleteRule(ctx context.Context, projectID int64, actor models.Actor, flagID, id int64) error {
	return s.changeFlag(ctx, projectID, actor, flagID, func(c *unit.Change, f models.Flag) error {
		r, err := ruleOf(f, id)
		if err != nil {
			return err
		}
		touchFlag(c, f)
		if err := askForRule(c, fmt.Sprintf("delete rule %d of flag %q", id, f.Key), r); err != nil {
			return err
		}
		removeRule(c, r, f)
		return nil
	})
}

// ruleConditions is the name of the field that contains a rule's conditions.
const ruleConditions = "ruleConfig.conditions"

// askForRule requires approval for a change of a rule. states contains the rule before the change, if any, and after
// it. Devices notice the change on the channels of all states.
func askForRule(c *unit.Change, summary string, states ...models.FlagRule) error {
	names := pg.Each(states, func(r models.FlagRule) *string { return r.ChannelName })
	words, err := rulesInWords(c.Tx, states)
	if err != nil {
		return err
	}
	c.RequireApproval(unit.Effect{
		On: unit.ChannelsNamed(names...), Basis: words.facts,
		Summary: fmt.Sprintf("%s: %s", summary, strings.Join(words.sentences, "; new rule: ")),
	})
	return nil
}

// checkRuleUsers refuses a list of users that exceeds the quota, unless it is not longer than before.
func checkRuleUsers(c *unit.Change, before, after []string) error {
	return c.Quotas.Check(models.QuotaRuleUsers, "user IDs of the rule", int64(len(before)), int64(len(after)-len(before)))
}

func auditRule(c *unit.Change, action string, r models.FlagRule, f models.Flag, details map[string]any) {
	details["flagId"], details["flagKey"] = f.ID, f.Key
	c.Audit(action, "rule", r.ID, withNames(details, f))
}

// findRule returns the rule of a flag with the ID.
func findRule(f models.Flag, id int64) (r models.FlagRule, ok bool) {
	i := slices.IndexFunc(f.Rules, func(r models.FlagRule) bool { return r.ID == id })
	if i < 0 {
		return r, false
	}
	return f.Rules[i], true
}

func ruleOf(f models.Flag, id int64) (models.FlagRule, error) {
	r, ok := findRule(f, id)
	if !ok {
		return r, models.Errorf(models.CodeNotFound, "flag %q does not have a rule %d", f.Key, id)
	}
	return r, nil
}

// bindRule returns the rule of f that n describes, without an ID.
func bindRule(tx *gorm.DB, f models.Flag, n models.NewFlagRule) (models.FlagRule, error) {
	r, err := f.BindRule(n)
	if err != nil {
		return r, err
	}
	if n.ChannelName != nil {
		c, err := releasestore.ChannelNamed(tx, f.ProjectID, *n.ChannelName)
		if err != nil {
			return r, err
		}
		r.ChannelID, r.ChannelName = &c.ID, &c.Name
	}
	if n.RuleType == models.RuleSegment {
		segment, err := pg.One[models.Segment](tx.Where("project_id = ? AND key = ?", f.ProjectID, n.Config.SegmentKey),
			"segment %q", n.Config.SegmentKey)
		if err != nil {
			return r, err
		}
		r.SegmentID, r.SegmentKey = &segment.ID, &segment.Key
	}
	switch {
	case n.Priority != nil:
		r.Priority = *n.Priority
	case len(f.Rules) > 0:
		r.Priority = f.Rules[len(f.Rules)-1].Priority + 1
	}
	return r, nil
}

// saveShares replaces the stored shares of a split.
func saveShares(c *unit.Change, r models.FlagRule) {
	c.Exec("DELETE FROM flag_rule_shares WHERE rule_id = ?", r.ID)
	for i, s := range r.Config.Rollout {
		c.Create(&models.FlagRuleShare{
			RuleID: r.ID, ProjectID: r.ProjectID, FlagID: r.FlagID, Position: i, VariationID: s.VariationID, Weight: s.Weight,
		})
	}
}

// ruleDetails returns the audit log's representation of a rule.
func ruleDetails(r models.FlagRule) map[string]any {
	return map[string]any{
		"ruleType": r.RuleType, "ruleConfig": configDetails(r.Config), "variantValue": r.VariantValue,
		"priority": r.Priority, "channelName": r.ChannelName,
	}
}

// listedIDs is the maximum number of user IDs that an audit entry lists. For longer lists, the entry contains a hash.
const listedIDs = 100

func configDetails(c models.RuleConfig) map[string]any {
	d := map[string]any{}
	switch {
	case len(c.UserIDs) > listedIDs:
		digest := sha256.Sum256([]byte(strings.Join(c.UserIDs, "\n")))
		d["userIds"] = map[string]any{"count": len(c.UserIDs), "sha256": hex.EncodeToString(digest[:])}
	case len(c.UserIDs) > 0:
		d["userIds"] = c.UserIDs
	}
	if len(c.Rollout) > 0 {
		d["rollout"] = pg.Each(c.Rollout, func(s models.RolloutShare) map[string]any {
			return map[string]any{"variationId": s.VariationID, "variantValue": s.VariantValue, "weight": s.Weight}
		})
	}
	if len(c.Conditions) > 0 {
		d["conditions"] = c.Conditions
	}
	if c.RuntimeVersion != nil {
		d["runtimeVersion"] = *c.RuntimeVersion
	}
	if c.UpdatedWithinDays != nil {
		d["updatedWithinDays"] = *c.UpdatedWithinDays
	}
	for field, text := range map[string]string{
		"bucketBy": c.BucketBy, "segmentKey": c.SegmentKey, "branch": c.Branch, "updateUuid": c.UpdateUUID,
	} {
		if text != "" {
			d[field] = text
		}
	}
	return d
}
