package flagstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/releasestore"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// UpdateVariation changes the set fields of a flag's variation. Rules, releases and default values with its value
// follow the change.
func (s *Flags) UpdateVariation(
	ctx context.Context, projectID int64, actor models.Actor, flagID, id int64, patch models.VariationPatch,
) (v models.Variation, err error) {
	if err := patch.Validate(); err != nil {
		return v, err
	}
	err = s.changeFlag(ctx, projectID, actor, flagID, func(c *unit.Change, before models.Flag) error {
		after, changed, err := before.PatchedVariation(id, patch)
		if err != nil {
			return err
		}
		v = changed
		was, _ := before.VariationByID(id)
		if was == v {
			v.Flag = before.Versioned
			return unit.ErrUnchanged
		}
		version := saveFlag(c, before, after)
		auditFlag(c, after, unit.MapDiff(flagDetails(before), flagDetails(after)))
		saveVariation(c, before, was, v)
		c.RequireApproval(unit.Effect{
			On: unit.EveryChannel, Basis: []any{was, v},
			Summary: fmt.Sprintf("change variation %q of flag %q: %s, value %s → %s", was.Name, before.Key, v.Name,
				unit.Shown(was.Value), unit.Shown(v.Value)),
		})
		v.Flag = version
		return nil
	})
	return v, err
}

// saveVariation writes a changed variation of f. The audit entry leaves out the variation's position.
func saveVariation(c *unit.Change, f models.Flag, before, after models.Variation) {
	c.Update(&after, "Name", "Value", "Position")
	changes := unit.MapDiff(map[string]any{"name": before.Name, "value": before.Value},
		map[string]any{"name": after.Name, "value": after.Value})
	if len(changes) > 0 {
		changes["flagId"], changes["flagKey"] = f.ID, f.Key
		c.Audit("variation.updated", "variation", after.ID, changes)
	}
}

// saveVariations replaces the stored variations of before with the variations of after.
func saveVariations(c *unit.Change, before, after models.Flag) error {
	if err := removeVariations(c, before, after); err != nil {
		return err
	}
	for _, v := range after.Variations {
		if was, kept := before.VariationByID(v.ID); !kept {
			c.Create(&v)
		} else if was != v {
			saveVariation(c, after, was, v)
		}
	}
	return nil
}

// checkVariationUnused returns an error that names everything that uses a variation that is to be removed from f.
func checkVariationUnused(tx *gorm.DB, f models.Flag, v models.Variation) error {
	var users []string
	if f.FlagType.Same(f.DefaultValue, v.Value) {
		users = append(users, "the default value")
	}
	for _, e := range f.Environments {
		if e.DefaultValue != nil && f.FlagType.Same(*e.DefaultValue, v.Value) {
			users = append(users, fmt.Sprintf("the default value on channel %q", e.ChannelName))
		}
	}
	for _, r := range f.Rules {
		if r.VariationID != nil && *r.VariationID == v.ID ||
			slices.ContainsFunc(r.Config.Rollout, func(s models.RolloutShare) bool { return s.VariationID == v.ID }) {
			users = append(users, fmt.Sprintf("rule %d", r.ID))
		}
	}
	updates, err := releasestore.LinkingReleases(tx, "variation_id", v.ID)
	if err != nil {
		return err
	}
	if len(updates) > 0 {
		users = append(users, pg.NamedIDs("release", updates))
	}
	if len(users) == 0 {
		return nil
	}
	return models.Errorf(models.CodeInUse, "variation %q of flag %q is used by %s", v.Name, f.Key, strings.Join(users, ", "))
}

// UpdateFlagEnvironment changes a flag's settings on one channel.
func (s *Flags) UpdateFlagEnvironment(
	ctx context.Context, projectID int64, actor models.Actor, flagID int64, channel string, patch models.FlagEnvironmentPatch,
) (f models.Flag, e models.FlagEnvironment, err error) {
	err = s.changeFlag(ctx, projectID, actor, flagID, func(c *unit.Change, flag models.Flag) error {
		f = flag
		on, err := releasestore.ChannelNamed(c.Tx, projectID, channel)
		if err != nil {
			return err
		}
		before := environmentOn(f, on)
		if e, err = before.Patched(f.FlagType, patch); err != nil {
			return err
		}
		changes := environmentChanges(before, e)
		if len(changes) == 0 {
			return unit.ErrUnchanged
		}
		if err := askForEnvironment(c, f, before, e, on, changes); err != nil {
			return err
		}
		saveEnvironment(c, f, &e, changes)
		f.Versioned = touchFlag(c, f)
		return nil
	})
	return f, e, err
}

// askForEnvironment requires approval for a change of a flag on one channel. Turning the flag off there never waits for
// approval.
func askForEnvironment(c *unit.Change, f models.Flag, before, after models.FlagEnvironment, on models.Channel, changes unit.Diff) error {
	was, value := before.Effective(f)
	enabled, newValue := after.Effective(f)
	if was && !enabled && value == newValue {
		c.ExemptFromApproval(unit.OneChannel(on)) // turning a flag off never waits
		return nil
	}
	rules, err := rulesInWords(c.Tx, slices.DeleteFunc(slices.Clone(f.Rules), func(r models.FlagRule) bool {
		return r.ChannelID != nil && *r.ChannelID != on.ID
	}))
	if err != nil {
		return err
	}
	c.RequireApproval(unit.Effect{
		On: unit.OneChannel(on), Basis: []any{f.ID, on.ID, enabled, changes, rules.facts},
		Summary: fmt.Sprintf("change flag %q on channel %q: %s%s", f.Key, on.Name, unit.ChangesSummary(changes), rules.whenOn(enabled)),
	})
	return nil
}

func auditEnvironment(c *unit.Change, f models.Flag, e models.FlagEnvironment, changes unit.Diff) {
	changes["flagId"], changes["flagKey"], changes["channelName"] = f.ID, f.Key, e.ChannelName
	c.Audit("env_setting.updated", "env_setting", e.ID, withNames(changes, f))
}
