package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// UpdateVariation changes the set fields of a flag's variation. Rules, releases and
// defaults that have its value follow it.
func (s *Store) UpdateVariation(
	ctx context.Context, projectID int64, actor models.Actor, flagID, id int64, patch models.VariationPatch,
) (v models.Variation, err error) {
	if err := patch.Validate(); err != nil {
		return models.Variation{}, err
	}
	err = s.changeFlag(ctx, projectID, flagID, func(tx *gorm.DB, before models.Flag) error {
		after, changed, err := before.PatchedVariation(id, patch)
		if err != nil {
			return err
		}
		v = changed
		was, _ := before.VariationByID(id)
		if was == v {
			return errUnchanged
		}
		if err := saveFlag(tx, actor, before, after); err != nil {
			return err
		}
		if err := auditFlagChanges(tx, after, actor, mapDiff(flagDetails(before), flagDetails(after))); err != nil {
			return err
		}
		return saveVariation(tx, actor, before, was, v)
	})
	return v, err
}

// saveVariation writes a variation of f that changed, and records what did, its
// place in the list aside.
func saveVariation(tx *gorm.DB, actor models.Actor, f models.Flag, before, after models.Variation) error {
	if err := tx.Model(&after).Select("Name", "Value", "Position").Updates(&after).Error; err != nil {
		return err
	}
	d := diff{}
	note(d, "name", before.Name, after.Name)
	note(d, "value", before.Value, after.Value)
	if len(d) == 0 {
		return nil
	}
	d["flagId"], d["flagKey"] = f.ID, f.Key
	return audit(tx, f.ProjectID, actor, actionVariationUpdated, entityVariation, after.ID, d)
}

// saveVariations writes the variations of after in the place of those of before,
// and records what changed of those that stay.
func saveVariations(tx *gorm.DB, actor models.Actor, before, after models.Flag) error {
	var gone []int64
	for _, v := range before.Variations {
		if _, kept := after.VariationByID(v.ID); kept {
			continue
		}
		if err := checkVariationUnused(tx, after, v); err != nil {
			return err
		}
		gone = append(gone, v.ID)
	}
	if len(gone) > 0 {
		// Only deleted releases can still link them.
		if err := tx.Exec("DELETE FROM release_flags WHERE variation_id IN ?", gone).Error; err != nil {
			return err
		}
		if err := tx.Where("id IN ?", gone).Delete(&models.Variation{}).Error; err != nil {
			return err
		}
	}
	for _, v := range after.Variations {
		was, kept := before.VariationByID(v.ID)
		var err error
		switch {
		case !kept:
			err = tx.Create(&v).Error
		case was != v:
			err = saveVariation(tx, actor, after, was, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkVariationUnused reports what keeps a variation from leaving the flag, which
// is otherwise as it is going to be.
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
	var updates []int64
	err := liveLinks(tx).Where("release_flags.variation_id = ?", v.ID).Order("release_id").Limit(maxReferrers+1).Pluck("release_id", &updates).Error
	if err != nil {
		return err
	}
	if len(updates) > 0 {
		users = append(users, namedIDs("update", updates))
	}
	if len(users) == 0 {
		return nil
	}
	return models.Errorf(models.CodeInUse, "variation %q of flag %q is used by %s", v.Name, f.Key, strings.Join(users, ", "))
}
