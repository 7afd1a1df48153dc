package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// CreateFlag makes a feature flag with its variations.
func (s *Flags) CreateFlag(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewFlag,
) (models.Flag, error) {
	n.Normalize()
	return apply(ctx, s.units.change, projectID, actor, n, func(c *change) (models.Flag, error) {
		f, err := n.Flag()
		if err != nil {
			return f, err
		}
		f.ProjectID, f.CreatedAt, f.UpdatedAt = projectID, c.now(), c.now()
		c.makeRoom(models.QuotaFlags)
		c.create(&f)
		for i := range f.Variations {
			f.Variations[i].ProjectID, f.Variations[i].FlagID = projectID, f.ID
		}
		if len(f.Variations) > 0 {
			c.create(&f.Variations)
		}
		c.ask(effect{
			action: "flag.create", on: everyChannel, basis: flagDetails(f),
			summary: fmt.Sprintf("create flag %q (enabled: %t, default value: %s)", f.Key, f.Enabled, shown(f.DefaultValue)),
		})
		c.audit("flag.created", "flag", f.ID, flagDetails(f))
		return flagByID(c.tx, projectID, f.ID)
	})
}

// ListFlags returns a page of the project's flags, newest first.
func (s *Flags) ListFlags(ctx context.Context, projectID int64, f models.FlagFilter, page models.Page) ([]models.Flag, error) {
	return reading(ctx, s.db.read, func(tx *gorm.DB) ([]models.Flag, error) {
		q := tx
		if f.Search != "" {
			q = q.Where("search_words(project_id, id::text, key, name, description) @@ search_query(?, ?)", projectID, f.Search)
		}
		if f.Keys != nil {
			q = q.Where("key = ANY (?::text[])", arrayOf(*f.Keys))
		}
		if f.Stale != nil {
			q = q.Where("created_at < ? AND key <> ALL (?::text[])", f.Stale.MadeBefore, arrayOf(f.Stale.InUse))
		}
		return allWith(tx, pageOf(q, "flags", projectID, page), completeFlags)
	})
}

// Flag returns one flag.
func (s *Flags) Flag(ctx context.Context, projectID, id int64) (models.Flag, error) {
	return reading(ctx, s.db.read, func(tx *gorm.DB) (models.Flag, error) {
		return flagByID(tx, projectID, id)
	})
}

// UpdateFlag changes the set fields of a flag. A variation in use cannot be removed.
func (s *Flags) UpdateFlag(
	ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.FlagPatch,
) (models.Flag, error) {
	return apply(ctx, s.units.change, projectID, actor, patch, func(c *change) (models.Flag, error) {
		before, err := flagByID(c.tx, projectID, id)
		if err != nil {
			return before, err
		}
		after, err := before.Patched(patch)
		if err != nil {
			return after, err
		}
		changes := mapDiff(flagDetails(before), flagDetails(after))
		if len(changes) == 0 {
			return before, errUnchanged
		}
		if err := saveVariations(c, before, after); err != nil {
			return after, err
		}
		saveFlag(c, before, after)
		askForFlag(c, "flag.update", after, changes)
		auditFlag(c, after, changes)
		return flagByID(c.tx, projectID, id)
	})
}

// changeFlag is change for a part of a flag, which fn gets complete.
func (s *Flags) changeFlag(
	ctx context.Context, projectID int64, actor models.Actor, id int64, fn func(*change, models.Flag) error,
) error {
	return s.units.change(ctx, projectID, actor, func(c *change) error {
		f, err := flagByID(c.tx, projectID, id)
		if err != nil {
			return err
		}
		return fn(c, f)
	})
}

// saveFlag writes a flag, and its defaults on channels, which follow the values of variations.
func saveFlag(c *change, before, after models.Flag) {
	after.UpdatedAt = c.now()
	c.update(&after, "Name", "Description", "Enabled", "DefaultValue", "UpdatedAt")
	for i, e := range after.Environments {
		was := before.Environments[i].DefaultValue
		if e.ID == 0 || e.DefaultValue == nil || *was == *e.DefaultValue {
			continue
		}
		c.update(&e, "DefaultValue")
		auditEnvironment(c, after, e, mapDiff(map[string]any{"defaultValue": was}, map[string]any{"defaultValue": e.DefaultValue}))
	}
}

// askForFlag asks for a change of a flag itself, which devices of all channels notice. Turning it off
// never waits: devices get its default value, and a switch for an emergency must work at once.
func askForFlag(c *change, action string, after models.Flag, changes diff) {
	served := diff{}
	for field, values := range changes {
		if field != "name" && field != "description" {
			served[field] = values
		}
	}
	_, toggled := served["enabled"]
	switch {
	case len(served) == 0:
		c.neverWaits("devices get neither the name nor the description", noChannel)
	case len(served) == 1 && toggled && !after.Enabled:
		c.neverWaits("a flag is turned off at once", everyChannel)
	default:
		c.ask(effect{
			action: action, on: everyChannel, basis: served,
			summary: fmt.Sprintf("change flag %q: %s", after.Key, changesSummary(served)),
		})
	}
}

// auditFlag records what changed of a flag, and in another entry that it was turned on or off.
func auditFlag(c *change, f models.Flag, changes diff) {
	if toggled, ok := changes["enabled"]; ok {
		delete(changes, "enabled")
		c.audit("flag.toggled", "flag", f.ID, map[string]any{"key": f.Key, "enabled": toggled})
	}
	if len(changes) > 0 {
		changes["key"] = f.Key
		c.audit("flag.updated", "flag", f.ID, changes)
	}
}

// touchFlag records when a part of the flag changed.
func touchFlag(c *change, f models.Flag) {
	f.UpdatedAt = c.now()
	c.update(&f, "UpdatedAt")
}

// DeleteFlag deletes a flag with all its rules; no live release may link it.
func (s *Flags) DeleteFlag(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.changeFlag(ctx, projectID, actor, id, func(c *change, f models.Flag) error {
		updates, err := linkingReleases(c.tx, "flag_id", id)
		if err != nil {
			return err
		}
		if len(updates) > 0 {
			return models.Errorf(models.CodeInUse, "flag %q is linked by %s; unlink it first", f.Key, namedIDs("update", updates))
		}
		c.execEach(id,
			"DELETE FROM release_flags WHERE flag_id = ?",
			"DELETE FROM flag_rule_shares WHERE flag_id = ?",
			"DELETE FROM flag_rules WHERE flag_id = ?",
			"DELETE FROM flag_environments WHERE flag_id = ?",
			"DELETE FROM flag_variations WHERE flag_id = ?",
			"DELETE FROM flags WHERE id = ?")
		c.ask(effect{
			action: "flag.delete", on: everyChannel, basis: flagDetails(f),
			summary: fmt.Sprintf("delete flag %q with its %d rules", f.Key, len(f.Rules)),
		})
		c.audit("flag.deleted", "flag", id, flagDetails(f))
		return nil
	})
}

// flagDetails returns what the audit log records of a flag.
func flagDetails(f models.Flag) map[string]any {
	variations := each(f.Variations, func(v models.Variation) map[string]any {
		return map[string]any{"name": v.Name, "value": v.Value}
	})
	return map[string]any{
		"key": f.Key, "name": f.Name, "description": f.Description, "flagType": f.FlagType,
		"defaultValue": f.DefaultValue, "enabled": f.Enabled, "variations": variations,
	}
}
