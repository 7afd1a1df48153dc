package unit

import (
	"crypto/rand"
	"fmt"

	"github.com/waft-ota/waft/models"
)

// hashKeyBytes is the length of keys for HMAC-SHA-256 and models.HashNetwork.
const hashKeyBytes = 32

// NewHashKey makes the key that device ids and networks of a project are hashed with.
// Turning hashIds off keeps it: when it is turned on again devices keep their hashes, and
// their data can be found to delete it.
func NewHashKey() []byte {
	key := make([]byte, hashKeyBytes)
	_, _ = rand.Read(key) // it never fails
	return key
}

// HashKey returns the key that networks are hashed with, and device ids where hashIds is on
// or was once.
func (s *Units) HashKey(p models.Project) ([]byte, error) {
	key, err := s.Unseal(HashKeyColumn, p.ID, p.SealedHashKey)
	if err != nil {
		return nil, fmt.Errorf("what devices and networks are hashed with: %w", err)
	}
	return key, nil
}

// CheckHashing refuses thresholds that compare devices inside a share with those outside it
// when telemetry has only hashes of device ids: whether a device is in a share cannot be
// computed from its hash.
func CheckHashing(p models.Project, stages []models.Stage, t models.Thresholds) error {
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
