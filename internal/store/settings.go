package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// Settings returns the project's settings.
func (s *Store) Settings(ctx context.Context, projectID int64) (settings models.Settings, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		p, err := oneProject(tx.Where("id = ?", projectID))
		settings = settingsOf(p)
		return err
	})
	return settings, err
}

func settingsOf(p models.Project) models.Settings {
	return models.Settings{
		BuildRetentionDays: p.BuildRetentionDays, TelemetryRetentionDays: p.TelemetryRetentionDays, HashIDs: p.HashIDs,
	}
}

// UpdateSettings changes the set settings. HashIDs is rollout_in_progress while a
// rollout is open: its devices would become others.
func (s *Store) UpdateSettings(ctx context.Context, projectID int64, actor models.Actor, patch models.SettingsPatch) (settings models.Settings, err error) {
	if err := patch.Validate(); err != nil {
		return models.Settings{}, err
	}
	err = s.write(ctx, func(tx *gorm.DB) error {
		p, err := lockProject(tx, projectID)
		if err != nil {
			return err
		}
		before := settingsOf(p)
		patch.BuildRetentionDays.Apply(&p.BuildRetentionDays)
		patch.TelemetryRetentionDays.Apply(&p.TelemetryRetentionDays)
		models.Assign(&p.HashIDs, patch.HashIDs)
		settings = settingsOf(p)
		changes := settingsDiff(before, settings)
		if len(changes) == 0 {
			return nil
		}
		rehashed := before.HashIDs != settings.HashIDs
		if rehashed {
			if err := s.prepareHashing(tx, &p); err != nil {
				return err
			}
		}
		err = tx.Model(&p).Select("BuildRetentionDays", "TelemetryRetentionDays", "HashIDs", "SealedHashKey").Updates(&p).Error
		if err != nil {
			return err
		}
		if err := audit(tx, projectID, actor, actionProjectUpdated, entityProject, projectID, changes); err != nil || !rehashed {
			return err
		}
		return bumpSnapshot(tx, projectID)
	})
	return settings, err
}

func settingsDiff(before, after models.Settings) diff {
	d := diff{}
	note(d, "buildRetentionDays", before.BuildRetentionDays, after.BuildRetentionDays)
	note(d, "telemetryRetentionDays", before.TelemetryRetentionDays, after.TelemetryRetentionDays)
	note(d, "hashIds", before.HashIDs, after.HashIDs)
	return d
}
