package store

import (
	"crypto/rand"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// hashKeyBytes is as many as HMAC-SHA-256 makes use of.
const hashKeyBytes = 32

// prepareHashing gives the project the key that its device ids are hashed with,
// unless it has one. Turning it off keeps the key: the devices are known by it when
// it is turned on again, and their data can be found to delete it.
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

// hashKey is what telemetry hashes the project's device ids with, nil when it does
// not.
func (s *Store) hashKey(p models.Project) ([]byte, error) {
	if !p.HashIDs {
		return nil, nil
	}
	return s.everHashKey(p)
}

// everHashKey is the key of a project that hashes ids or has ever done so.
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

// checkHashing refuses thresholds that compare devices inside a share with those
// outside it, where telemetry knows devices by a hash of their ids: whether a share
// holds a device that was served nothing cannot be computed from that.
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

// checkNoControl refuses to hash ids while a policy says what checkHashing refuses.
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
