package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// CreateFlag makes a feature flag with its variations.
func (s *Store) CreateFlag(ctx context.Context, projectID int64, actor models.Actor, n models.NewFlag) (f models.Flag, err error) {
	n.Normalize()
	if err := n.Validate(); err != nil {
		return models.Flag{}, err
	}
	err = s.change(ctx, projectID, func(tx *gorm.DB, _ *models.Project) error {
		if f, err = n.Flag(); err != nil {
			return err
		}
		f.ProjectID = projectID
		f.CreatedAt = tx.NowFunc()
		f.UpdatedAt = f.CreatedAt
		if err := tx.Create(&f).Error; err != nil {
			return err
		}
		for i := range f.Variations {
			f.Variations[i].ProjectID, f.Variations[i].FlagID = projectID, f.ID
		}
		if len(f.Variations) > 0 {
			if err := tx.Create(&f.Variations).Error; err != nil {
				return err
			}
		}
		if err := audit(tx, projectID, actor, actionFlagCreated, entityFlag, f.ID, flagDetails(f)); err != nil {
			return err
		}
		f, err = flagByID(tx, projectID, f.ID)
		return err
	})
	return f, err
}

// ListFlags returns a page of the project's flags, newest first.
func (s *Store) ListFlags(ctx context.Context, projectID int64, page models.Page) ([]models.Flag, error) {
	return reading(ctx, s, func(tx *gorm.DB) ([]models.Flag, error) {
		return allWith(tx, pageOf(tx, "flags", projectID, page), completeFlags)
	})
}

// Flag returns one flag.
func (s *Store) Flag(ctx context.Context, projectID, id int64) (models.Flag, error) {
	return reading(ctx, s, func(tx *gorm.DB) (models.Flag, error) {
		return flagByID(tx, projectID, id)
	})
}

// UpdateFlag changes the set fields of a flag. A variation that goes must not be
// in use.
func (s *Store) UpdateFlag(ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.FlagPatch) (f models.Flag, err error) {
	if err := patch.Validate(); err != nil {
		return models.Flag{}, err
	}
	err = s.changeFlag(ctx, projectID, id, func(tx *gorm.DB, before models.Flag) error {
		after, err := before.Patched(patch)
		if err != nil {
			return err
		}
		changes := mapDiff(flagDetails(before), flagDetails(after))
		if len(changes) == 0 {
			f = before
			return errUnchanged
		}
		if err := saveVariations(tx, actor, before, after); err != nil {
			return err
		}
		if err := saveFlag(tx, actor, before, after); err != nil {
			return err
		}
		if err := auditFlagChanges(tx, after, actor, changes); err != nil {
			return err
		}
		f, err = flagByID(tx, projectID, id)
		return err
	})
	return f, err
}

// changeFlag is change for one flag, which fn gets complete.
func (s *Store) changeFlag(ctx context.Context, projectID, id int64, fn func(*gorm.DB, models.Flag) error) error {
	return s.change(ctx, projectID, func(tx *gorm.DB, _ *models.Project) error {
		f, err := flagByID(tx, projectID, id)
		if err != nil {
			return err
		}
		return fn(tx, f)
	})
}

// saveFlag writes the fields of a flag that may change, with the defaults of its
// environments, which follow the values of variations, and records those.
func saveFlag(tx *gorm.DB, actor models.Actor, before, after models.Flag) error {
	after.UpdatedAt = tx.NowFunc()
	err := tx.Model(&after).Select("Name", "Description", "Enabled", "DefaultValue", "UpdatedAt").Updates(&after).Error
	if err != nil {
		return err
	}
	for i, e := range after.Environments {
		was := before.Environments[i].DefaultValue
		if e.ID == 0 || e.DefaultValue == nil || *was == *e.DefaultValue {
			continue
		}
		if err := tx.Model(&e).Select("DefaultValue").Updates(&e).Error; err != nil {
			return err
		}
		changes := environmentDetails(after, e.ChannelName)
		note(changes, "defaultValue", was, e.DefaultValue)
		if err := audit(tx, after.ProjectID, actor, actionEnvSettingUpdated, entityEnvSetting, e.ID, changes); err != nil {
			return err
		}
	}
	return nil
}

// auditFlagChanges records that a flag was switched apart from whatever else
// changed.
func auditFlagChanges(tx *gorm.DB, f models.Flag, actor models.Actor, changes diff) error {
	if toggled, ok := changes["enabled"]; ok {
		delete(changes, "enabled")
		details := map[string]any{"key": f.Key, "enabled": toggled}
		if err := audit(tx, f.ProjectID, actor, actionFlagToggled, entityFlag, f.ID, details); err != nil {
			return err
		}
	}
	if len(changes) == 0 {
		return nil
	}
	changes["key"] = f.Key
	return audit(tx, f.ProjectID, actor, actionFlagUpdated, entityFlag, f.ID, changes)
}

// touchFlag notes that something of the flag changed.
func touchFlag(tx *gorm.DB, f models.Flag) error {
	return tx.Model(&f).Update("updated_at", tx.NowFunc()).Error
}

// DeleteFlag deletes a flag with all its rules; no live release may link it.
func (s *Store) DeleteFlag(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.changeFlag(ctx, projectID, id, func(tx *gorm.DB, f models.Flag) error {
		var updates []int64
		err := liveLinks(tx).Where("release_flags.flag_id = ?", id).Order("release_id").Limit(maxReferrers+1).Pluck("release_id", &updates).Error
		if err != nil {
			return err
		}
		if len(updates) > 0 {
			return models.Errorf(models.CodeInUse, "flag %q is linked by %s; unlink it first", f.Key, namedIDs("update", updates))
		}
		err = execEach(tx, id,
			"DELETE FROM release_flags WHERE flag_id = ?",
			"DELETE FROM flag_rule_shares WHERE flag_id = ?",
			"DELETE FROM flag_rules WHERE flag_id = ?",
			"DELETE FROM flag_environments WHERE flag_id = ?",
			"DELETE FROM flag_variations WHERE flag_id = ?",
			"DELETE FROM flags WHERE id = ?")
		if err != nil {
			return err
		}
		return audit(tx, projectID, actor, actionFlagDeleted, entityFlag, id, flagDetails(f))
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
