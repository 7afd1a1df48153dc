package models

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// HashDeviceID is what telemetry calls a device of a project that hashes ids:
// HMAC-SHA-256 of its id in lower case under the project's key, in hex.
func HashDeviceID(key []byte, deviceID string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(strings.ToLower(deviceID)))
	return hex.EncodeToString(mac.Sum(nil))
}

// DeviceErasure is a device whose data is deleted. Reports from before may still be
// on their way to telemetry when it is asked for, so it is carried out several
// times.
type DeviceErasure struct {
	ID        int64
	ProjectID int64
	// Identities are all that telemetry may know the device by: its id in lower case
	// and, where the project hashes ids or did so, the hash.
	Identities []string `gorm:"type:jsonb;serializer:json"`
	// ErasedAt is when it was asked for: what came in before is to go.
	ErasedAt time.Time
	// Passes is how often it was carried out.
	Passes int
}

// erasurePauses are how long after each time an erasure is carried out again: what
// was on its way within seconds or, when ClickHouse was away, for hours.
var erasurePauses = []time.Duration{time.Minute, 10 * time.Minute, time.Hour, 24 * time.Hour}

// NextPass is how long after the present time the erasure is to be carried out
// again; false when that is not needed.
func (e DeviceErasure) NextPass() (after time.Duration, again bool) {
	if e.Passes < 1 || e.Passes > len(erasurePauses) {
		return 0, false
	}
	return erasurePauses[e.Passes-1], true
}

// Aged is a project whose admins keep telemetry of devices for so many days only.
type Aged struct {
	ProjectID int64
	Days      int
}
