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
		settings = models.Settings{BuildRetentionDays: p.BuildRetentionDays}
		return err
	})
	return settings, err
}

// UpdateSettings changes the set settings.
func (s *Store) UpdateSettings(ctx context.Context, projectID int64, actor models.Actor, patch models.SettingsPatch) (settings models.Settings, err error) {
	if err := patch.Validate(); err != nil {
		return models.Settings{}, err
	}
	err = s.write(ctx, func(tx *gorm.DB) error {
		p, err := lockProject(tx, projectID)
		if err != nil {
			return err
		}
		before := p.BuildRetentionDays
		patch.BuildRetentionDays.Apply(&p.BuildRetentionDays)
		settings = models.Settings{BuildRetentionDays: p.BuildRetentionDays}
		changes := diff{}
		noteNullable(changes, "buildRetentionDays", before, p.BuildRetentionDays)
		if len(changes) == 0 {
			return nil
		}
		if err := tx.Model(&p).Select("BuildRetentionDays").Updates(&p).Error; err != nil {
			return err
		}
		return audit(tx, projectID, actor, actionProjectUpdated, entityProject, projectID, changes)
	})
	return settings, err
}
