package delivery

import (
	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

// onlyFullShare is the bucket of a device whose place in a share nobody knows: no
// share below 100 % holds it.
const onlyFullShare = 100_000

// DeviceIdentity is what telemetry calls a device, whose id is in lower case: by
// that id or, where the project wants it, by a keyed hash of it, HMAC-SHA-256 in
// hex. A hash does not tell whether the release with the given update UUID (lower
// case) has the device in its share, so with one comes the device's bucket in it.
func (s *Snapshot) DeviceIdentity(deviceID, updateUUID string) (identity string, bucket *uint32) {
	if s.hashKey == nil || deviceID == "" {
		return deviceID, nil
	}
	place := uint32(onlyFullShare)
	if rel := s.releases[updateUUID]; rel != nil {
		place = rollout.Bucket(rel.share.salt, deviceID)
	}
	return models.HashDeviceID(s.hashKey, deviceID), &place
}

// Launches reports whether the file with the given MD5 is what the release with the
// given update UUID (lower case, its own or an alias) is launched from. It knows
// the releases that are served now.
func (s *Snapshot) Launches(updateUUID, md5 string) bool {
	rel := s.releases[updateUUID]
	if rel == nil || rel.BuildID == nil || s.builds[*rel.BuildID] == nil {
		return false
	}
	for i := range s.builds[*rel.BuildID].Assets {
		if a := &s.builds[*rel.BuildID].Assets[i]; a.IsLaunchAsset && a.MD5 == md5 {
			return true
		}
	}
	return false
}

// ServeKind is what a device is served that gets the decision as an update or as
// a directive to roll back; "" for what concerns no release.
func (d *Decision) ExposureKind() models.ExposureKind {
	switch d.Outcome {
	case OutcomeUpdate:
		return models.ExposureManifest
	case OutcomeRollbackToEmbedded:
		return models.ExposureRollback
	default:
		return ""
	}
}
