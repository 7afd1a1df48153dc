package store

import (
	"context"
	"crypto/rand"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// Settings returns the project's settings.
func (s *Store) Settings(ctx context.Context, projectID int64) (models.Settings, error) {
	return reading(ctx, s, func(tx *gorm.DB) (models.Settings, error) {
		p, err := oneProject(tx.Where("id = ?", projectID))
		return settingsOf(p), err
	})
}

func settingsOf(p models.Project) models.Settings {
	return models.Settings{
		BuildRetentionDays: p.BuildRetentionDays, TelemetryRetentionDays: p.TelemetryRetentionDays, HashIDs: p.HashIDs,
	}
}

// UpdateSettings changes the set settings. HashIDs is rollout_in_progress while a rollout
// is open, since telemetry would count each device as another one.
func (s *Store) UpdateSettings(
	ctx context.Context, projectID int64, actor models.Actor, patch models.SettingsPatch,
) (models.Settings, error) {
	return apply(ctx, s.inProject, projectID, actor, patch, func(c *change) (models.Settings, error) {
		before, p := c.project, c.project
		patch.BuildRetentionDays.Apply(&p.BuildRetentionDays)
		patch.TelemetryRetentionDays.Apply(&p.TelemetryRetentionDays)
		models.Assign(&p.HashIDs, patch.HashIDs)
		changes := mapDiff(settingsFields(before), settingsFields(p))
		if len(changes) == 0 {
			return settingsOf(p), nil
		}
		if before.HashIDs != p.HashIDs {
			if err := s.prepareHashing(c.tx, &p); err != nil {
				return settingsOf(p), err
			}
			c.bumpSnapshot()
		}
		c.update(&p, "BuildRetentionDays", "TelemetryRetentionDays", "HashIDs", "SealedHashKey")
		c.audit("project.updated", "project", projectID, changes)
		return settingsOf(p), nil
	})
}

func settingsFields(p models.Project) map[string]any {
	return map[string]any{
		"buildRetentionDays": p.BuildRetentionDays, "telemetryRetentionDays": p.TelemetryRetentionDays, "hashIds": p.HashIDs,
	}
}

// hashKeyBytes is the length of keys for HMAC-SHA-256.
const hashKeyBytes = 32

// prepareHashing gives the project the key that its device ids are hashed with, unless it
// has one. Turning the setting off keeps the key: when it is turned on again devices keep
// their hashes, and their data can be found to delete it.
func (s *Store) prepareHashing(tx *gorm.DB, p *models.Project) error {
	var open int64
	err := tx.Table("rollout_executions").Where("project_id = ? AND status IN ?", p.ID, openStatuses).Count(&open).Error
	if err != nil {
		return err
	}
	if open > 0 {
		return models.Errorf(models.CodeRolloutInProgress,
			"hashIds cannot change while %d rollouts are open: telemetry would take their devices for others", open)
	}
	if err := checkNoControl(tx, *p); err != nil || p.SealedHashKey != nil {
		return err
	}
	key := make([]byte, hashKeyBytes)
	_, _ = rand.Read(key) // it never fails
	sealed, err := s.seal(hashKey, p.ID, key)
	p.SealedHashKey = &sealed
	return err
}

// hashKey returns the key that telemetry hashes device ids with, nil when it does not hash them.
func (s *Store) hashKey(p models.Project) ([]byte, error) {
	if !p.HashIDs {
		return nil, nil
	}
	return s.everHashKey(p)
}

// everHashKey returns the key of a project that hashes ids or has ever done so.
func (s *Store) everHashKey(p models.Project) ([]byte, error) {
	if p.SealedHashKey == nil {
		return nil, nil
	}
	key, err := s.unseal(hashKey, p.ID, *p.SealedHashKey)
	if err != nil {
		return nil, fmt.Errorf("what device ids are hashed with: %w", err)
	}
	return key, nil
}

// checkHashing refuses thresholds that compare devices inside a share with those outside it
// when telemetry has only hashes of device ids: whether a device is in a share cannot be
// computed from its hash.
func checkHashing(p models.Project, stages []models.Stage, t models.Thresholds) error {
	var problems models.Problems
	if !p.HashIDs {
		return nil
	}
	const why = "cannot be control in a project with the setting hashIds: shares are made of device ids, which telemetry does not know there"
	if t.Baseline == models.BaselineControl {
		problems.Add("thresholds.baseline", why)
	}
	for i, stage := range stages {
		if stage.Thresholds != nil && stage.Thresholds.Baseline == models.BaselineControl {
			problems.Add(fmt.Sprintf("stages[%d].thresholds.baseline", i), why)
		}
	}
	return problems.Err()
}

// checkNoControl refuses to hash ids while checkHashing would refuse a policy.
func checkNoControl(tx *gorm.DB, p models.Project) error {
	if !p.HashIDs {
		return nil
	}
	policies, err := all[models.RolloutPolicy](tx.Where("project_id = ?", p.ID).Order("id"))
	if err != nil {
		return err
	}
	var problems models.Problems
	for _, policy := range policies {
		if checkHashing(p, policy.Stages, policy.Thresholds) != nil {
			problems.Add("hashIds", "cannot be on while the policy %q (%d) compares with control: that takes device ids", policy.Name, policy.ID)
		}
	}
	return problems.Err()
}
