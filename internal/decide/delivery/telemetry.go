package delivery

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// DeviceIdentity returns what telemetry calls a device: its id (lower case) or, when the project hashes ids, HMAC-SHA-256 of
// it in hex.
func (s *Snapshot) DeviceIdentity(deviceID string) string {
	if s.hashKey == nil || deviceID == "" {
		return deviceID
	}
	return models.HashDeviceID(s.hashKey, deviceID)
}

// ShareBucket returns the bucket of a device (lower case) in the share of the given release (update id in lower case), which
// telemetry stores beside a hash: a share cannot be computed from it. Without a known release that is rollout.Buckets, which
// only a share of 100 % includes. It is nil when the project does not hash ids.
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

// CanonicalUpdate returns the UUID by which telemetry counts the release with the given update
// id (lower case), its own or an alias. ok is false when the project has no such release.
func (s *Snapshot) CanonicalUpdate(updateUUID string) (canonical string, ok bool) {
	rel := s.releases[updateUUID]
	if rel == nil {
		return "", false
	}
	return rel.uuid, true
}

// Network returns the network of an address.
func (s *Snapshot) Network(from netip.Addr) models.NetworkHash {
	return models.HashNetwork(s.networkKey, from)
}

// Allocation returns the allocation of the network of an address.
func (s *Snapshot) Allocation(from netip.Addr) models.AllocationHash {
	return models.HashAllocation(s.networkKey, from)
}

// OriginAllocation returns the allocation that consists of all networks of an AS.
func (s *Snapshot) OriginAllocation(number uint32) models.AllocationHash {
	return models.HashOrigin(s.networkKey, number)
}

// Trusts reports whether the address is in one of the project's trusted networks.
func (s *Snapshot) Trusts(from netip.Addr) bool {
	from = from.Unmap().WithZone("")
	return slices.ContainsFunc(s.trusted, func(n netip.Prefix) bool { return n.Contains(from) })
}

// OwnNetwork returns the network of a device that is one by itself. identity is that of DeviceIdentity.
func (s *Snapshot) OwnNetwork(identity string) models.NetworkHash {
	return models.HashOwnNetwork(s.networkKey, identity)
}

// Launches reports whether the file with the given MD5 is the launch asset of the release with
// the given update id (lower case), its own or an alias. It is false for releases that are not
// served any more.
func (s *Snapshot) Launches(updateUUID, md5 string) bool {
	rel := s.releases[updateUUID]
	return rel != nil && rel.BuildID != nil && md5 != "" && s.launchAssets[*rel.BuildID] == md5
}

func launchAssets(builds map[int64]*models.Build) map[int64]string {
	md5s := make(map[int64]string, len(builds))
	for id, b := range builds {
		for _, a := range b.Assets {
			if a.IsLaunchAsset {
				md5s[id] = strings.Clone(a.MD5) // it must not keep the row that it was read from
			}
		}
	}
	return md5s
}
