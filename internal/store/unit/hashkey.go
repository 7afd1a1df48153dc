package unit

import (
	"crypto/rand"
	"fmt"

	"github.com/waft-ota/waft/models"
)

// hashKeyBytes is the length of keys for HMAC-SHA-256 and models.HashNetwork.
const hashKeyBytes = 32

// NewHashKey returns a new random key with which a project's device IDs and networks are hashed. The project keeps its
// key when hashIds is turned off. If hashIds is turned on again, devices keep their hashes and their data can still be
// found and deleted.
func NewHashKey() []byte {
	key := make([]byte, hashKeyBytes)
	_, _ = rand.Read(key) // it never fails
	return key
}

// HashKey returns the project's key for hashing networks, and device IDs if hashIds is on or has ever been on.
func (s *Units) HashKey(p models.Project) ([]byte, error) {
	key, err := s.Unseal(HashKeyColumn, p.ID, p.SealedHashKey)
	if err != nil {
		return nil, fmt.Errorf("key for hashing device IDs and networks: %w", err)
	}
	return key, nil
}

// CheckHashing refuses thresholds that compare devices inside the rollout with devices outside it if telemetry stores
// only hashed device IDs. Whether a device is inside the rollout cannot be computed from its hash.
func CheckHashing(p models.Project, stages []models.Stage, t models.Thresholds) error {
	var problems models.Problems
	if !p.HashIDs {
		return nil
	}
	const why = "cannot be control in a project with the setting hashIds, because Waft cannot derive from a hashed device ID " +
		"whether the device is inside the rollout"
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
