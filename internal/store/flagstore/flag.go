package flagstore

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/releasestore"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// CreateFlag creates a feature flag with its variations.
func (s *Flags) CreateFlag(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewFlag,
) (models.Flag, error) {
	n.Normalize()
	return unit.Apply(ctx, s.changeServed, projectID, actor, n, func(c *unit.Change) (models.Flag, error) {
		f, err := n.Flag()
		if err != nil {
			return f, err
		}
		f.ProjectID, f.CreatedAt, f.UpdatedAt = projectID, c.Now(), c.Now()
		c.MakeRoom(models.QuotaFlags)
		c.Create(&f)
		for i := range f.Variations {
			f.Variations[i].ProjectID, f.Variations[i].FlagID = projectID, f.ID
		}
		if len(f.Variations) > 0 {
			c.Create(&f.Variations)
		}
		c.RequireApproval(unit.Effect{
			On: unit.EveryChannel, Basis: flagDetails(f),
			Summary: fmt.Sprintf("create flag %q, which is %s and has the default value %s", f.Key, onOrOff(f.Enabled), unit.Shown(f.DefaultValue)),
		})
		c.Audit("flag.created", "flag", f.ID, flagDetails(f))
		return flagByID(c.Tx, projectID, f.ID)
	})
}

var flagList = pg.List{
	Table: "flags", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"createdAt": pg.ByTime("flags.created_at"), "enabled": pg.ByBool("flags.enabled"), "flagType": pg.ByText("flags.flag_type"),
		"key": pg.ByText("flags.key"), "name": pg.ByText("flags.name"),
		"rules":     pg.ByNumber("SELECT count(*) FROM flag_rules WHERE flag_rules.flag_id = flags.id"),
		"updatedAt": pg.ByTime("flags.updated_at"),
	},
	Matches: "search_words(project_id, '{}', key, name, description) @@ search_query(?, ?)",
	Texts:   []string{"flags.key", "flags.name"},
}

// ListFlags returns a page of the project's flags, newest first.
func (s *Flags) ListFlags(ctx context.Context, projectID int64, f models.FlagFilter, page models.Page) ([]models.Flag, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Flag, error) {
		q := tx
		if f.Keys != nil {
			q = q.Where("key = ANY (?::text[])", pg.ArrayOf(*f.Keys))
		}
		if f.Stale != nil {
			q = q.Where("created_at < ? AND key <> ALL (?::text[])", f.Stale.MadeBefore, pg.ArrayOf(f.Stale.InUse))
		}
		return pg.RowsWith(tx, q, flagList, projectID, page, completeFlags)
	})
}

// Flag returns one flag.
func (s *Flags) Flag(ctx context.Context, projectID, id int64) (models.Flag, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.Flag, error) {
		return flagByID(tx, projectID, id)
	})
}

// UpdateFlag changes the set fields of a flag. A variation that is in use cannot be removed.
func (s *Flags) UpdateFlag(
	ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.FlagPatch,
) (models.Flag, error) {
	return unit.Apply(ctx, s.changeServed, projectID, actor, patch, func(c *unit.Change) (models.Flag, error) {
		before, err := flagByID(c.Tx, projectID, id)
		if err != nil {
			return before, err
		}
		c.Match(id, before)
		after, err := before.Patched(patch)
		if err != nil {
			return after, err
		}
		changes := unit.MapDiff(flagDetails(before), flagDetails(after))
		if len(changes) == 0 {
			return before, unit.ErrUnchanged
		}
		if err := saveVariations(c, before, after); err != nil {
			return after, err
		}
		saveFlag(c, before, after)
		if err := askForFlag(c, after, changes); err != nil {
			return after, err
		}
		auditFlag(c, after, changes)
		return flagByID(c.Tx, projectID, id)
	})
}

// changeFlag runs fn like changeServed, for a change of a part of a flag. fn receives the complete flag.
func (s *Flags) changeFlag(
	ctx context.Context, projectID int64, actor models.Actor, id int64, fn func(*unit.Change, models.Flag) error,
) error {
	return s.changeServed(ctx, projectID, actor, func(c *unit.Change) error {
		f, err := flagByID(c.Tx, projectID, id)
		if err != nil {
			return err
		}
		c.Match(id, f)
		return fn(c, f)
	})
}

// saveFlag writes a flag and its default values on channels, which follow the values of variations. It returns the
// flag's new version.
func saveFlag(c *unit.Change, before, after models.Flag) models.Versioned {
	after.UpdatedAt = c.Now()
	c.Update(&after, "Name", "Description", "Enabled", "DefaultValue", "UpdatedAt")
	for i, e := range after.Environments {
		was := before.Environments[i].DefaultValue
		if e.ID == 0 || e.DefaultValue == nil || *was == *e.DefaultValue {
			continue
		}
		c.Update(&e, "DefaultValue")
		auditEnvironment(c, after, e, unit.MapDiff(map[string]any{"defaultValue": was}, map[string]any{"defaultValue": e.DefaultValue}))
	}
	return after.Versioned
}

// askForFlag requires approval for a change of a flag itself, which devices of all channels notice. Turning the flag
// off never waits for approval: devices get its default value, and an emergency switch must work immediately.
func askForFlag(c *unit.Change, after models.Flag, changes unit.Diff) error {
	served := unit.Diff{}
	for field, values := range changes {
		if field != "name" && field != "description" {
			served[field] = values
		}
	}
	_, toggled := served["enabled"]
	switch {
	case len(served) == 0:
		c.ExemptFromApproval(unit.NoChannel) // devices get neither the name nor the description
	case len(served) == 1 && toggled && !after.Enabled:
		c.ExemptFromApproval(unit.EveryChannel) // turning a flag off never waits
	default:
		rules, err := rulesInWords(c.Tx, after.Rules)
		if err != nil {
			return err
		}
		c.RequireApproval(unit.Effect{
			On: unit.EveryChannel, Basis: []any{after.ID, after.Enabled, served, rules.facts},
			Summary: fmt.Sprintf("change flag %q: %s%s", after.Key, unit.ChangesSummary(served), rules.whenOn(after.Enabled)),
		})
	}
	return nil
}

// auditFlag audits the changes of a flag. It uses a separate entry for turning the flag on or off.
func auditFlag(c *unit.Change, f models.Flag, changes unit.Diff) {
	if toggled, ok := changes["enabled"]; ok {
		delete(changes, "enabled")
		c.Audit("flag.toggled", "flag", f.ID, map[string]any{"key": f.Key, "enabled": toggled})
	}
	if len(changes) > 0 {
		changes["key"] = f.Key
		c.Audit("flag.updated", "flag", f.ID, withNames(changes, f))
	}
}

// touchFlag records the time at which a part of the flag changed, and returns the flag's new version.
func touchFlag(c *unit.Change, f models.Flag) models.Versioned {
	f.UpdatedAt = c.Now()
	c.Update(&f, "UpdatedAt")
	return f.Versioned
}

// DeleteFlag deletes a flag with all its rules. It refuses if a live release links the flag.
func (s *Flags) DeleteFlag(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.changeFlag(ctx, projectID, actor, id, func(c *unit.Change, f models.Flag) error {
		updates, err := releasestore.LinkingReleases(c.Tx, "flag_id", id)
		if err != nil {
			return err
		}
		if len(updates) > 0 {
			return models.Errorf(models.CodeInUse, "flag %q is linked by %s; unlink it first", f.Key, pg.NamedIDs("release", updates))
		}
		c.ExecEach(id,
			"DELETE FROM release_flags WHERE flag_id = ?",
			"DELETE FROM flag_rule_shares WHERE flag_id = ?",
			"DELETE FROM flag_rules WHERE flag_id = ?",
			"DELETE FROM flag_environments WHERE flag_id = ?",
			"DELETE FROM flag_variations WHERE flag_id = ?",
			"DELETE FROM flags WHERE id = ?")
		c.RequireApproval(unit.Effect{
			On: unit.EveryChannel, Basis: []any{f.ID, flagDetails(f), pg.Each(f.Rules, ruleDetails)},
			Summary: fmt.Sprintf("delete flag %q with its %s", f.Key, count.Of(len(f.Rules), "rule")),
		})
		c.Audit("flag.deleted", "flag", id, flagDetails(f))
		return nil
	})
}

// variationDetail is the audit log's representation of a variation within its flag.
type variationDetail struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Sentence describes the variation for the people who decide on it.
func (v variationDetail) Sentence() string {
	return fmt.Sprintf("%s = %s", v.Name, unit.Shown(v.Value))
}

// flagDetails returns the audit log's representation of a flag.
func flagDetails(f models.Flag) map[string]any {
	variations := pg.Each(f.Variations, func(v models.Variation) variationDetail { return variationDetail{v.Name, v.Value} })
	return map[string]any{
		"key": f.Key, "name": f.Name, "description": f.Description, "flagType": f.FlagType,
		"defaultValue": f.DefaultValue, "enabled": f.Enabled, "variations": variations,
	}
}
