package delivery

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// DeviceIdentity returns the identity of a device in telemetry: its ID (lower case) or, if the project hashes IDs,
// the HMAC-SHA-256 of its ID in hex.
func (s *Snapshot) DeviceIdentity(deviceID string) string {
	if s.hashKey == nil || deviceID == "" {
		return deviceID
	}
	return models.HashDeviceID(s.hashKey, deviceID)
}

// ShareBucket returns the bucket of a device (lower-case ID) for the given release (update ID in lower case).
// Telemetry stores it with a hashed ID, because the bucket cannot be computed from the hash. Without a known release
// the bucket is rollout.Buckets, which only a rollout percentage of 100% includes. The result is nil if the project
// does not hash IDs.
func (s *Snapshot) ShareBucket(deviceID, updateUUID string) *uint32 {
	if s.hashKey == nil || deviceID == "" {
		return nil
	}
	bucket := uint32(rollout.Buckets)
	if rel := s.releases[updateUUID]; rel != nil {
		bucket = rollout.Bucket(rel.share.salt, deviceID)
	}
	return &bucket
}

// CanonicalUpdate returns the UUID under which telemetry counts the release with the given update ID (lower case),
// its own or an alias. ok is false if the project has no such release.
func (s *Snapshot) CanonicalUpdate(updateUUID string) (canonical string, ok bool) {
	rel := s.releases[updateUUID]
	if rel == nil {
		return "", false
	}
	return rel.uuid, true
}

// Network returns the network of an address as a keyed hash.
func (s *Snapshot) Network(from netip.Addr) models.NetworkHash {
	return models.HashNetwork(s.networkKey, from)
}

// Allocation returns the allocation of an address as a keyed hash.
func (s *Snapshot) Allocation(from netip.Addr) models.AllocationHash {
	return models.HashAllocation(s.networkKey, from)
}

// OriginAllocation returns the allocation that consists of all networks of an AS, as a keyed hash.
func (s *Snapshot) OriginAllocation(number uint32) models.AllocationHash {
	return models.HashOrigin(s.networkKey, number)
}

// Trusts reports whether the address is in one of the project's trusted networks.
func (s *Snapshot) Trusts(from netip.Addr) bool {
	from = from.Unmap().WithZone("")
	return slices.ContainsFunc(s.trusted, func(n netip.Prefix) bool { return n.Contains(from) })
}

// OwnNetwork returns the network of a device that counts as its own network. identity is the result of
// DeviceIdentity.
func (s *Snapshot) OwnNetwork(identity string) models.NetworkHash {
	return models.HashOwnNetwork(s.networkKey, identity)
}

// Launches reports whether the file with the given MD5 is the launch asset of the release with the given update ID
// (lower case), its own or an alias. It is false for releases that are no longer served.
func (s *Snapshot) Launches(updateUUID, md5 string) bool {
	rel := s.releases[updateUUID]
	return rel != nil && rel.BuildID != nil && md5 != "" && s.launchAssets[*rel.BuildID] == md5
}

func launchAssets(builds map[int64]*models.Build) map[int64]string {
	md5s := make(map[int64]string, len(builds))
	for id, b := range builds {
		for _, a := range b.Assets {
			if a.IsLaunchAsset {
				md5s[id] = strings.Clone(a.MD5) // a substring would keep the whole row in memory
			}
		}
	}
	return md5s
}
