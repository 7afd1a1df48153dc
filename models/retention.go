package models

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// SeenWithin is how long a build is kept after a device last reported a release of it.
const SeenWithin = 90 * 24 * time.Hour

// MaxGarbageBuilds is the largest number of builds that one cleanup deletes.
const MaxGarbageBuilds = 500

// Garbage is what the cleanup deletes, or would delete.
type Garbage struct {
	// Builds are oldest first, without their files, at most MaxGarbageBuilds.
	Builds []Build
	// Blobs counts the files that no other build needs, Partials those of which only a beginning arrived in time, and Bytes both.
	Blobs, Partials, Bytes int64
	// Pending counts files that no build needs and that the asset store still has.
	Pending int64
}

// BlobHold protects files from the cleanup while an upload needs them.
type BlobHold struct {
	ID int64
	// Known maps the MD5 of each file that the project has to its SHA-256.
	Known map[string]string
}

// HashDeviceID is a hashed device id: HMAC-SHA-256 of the id in lower case, in hex.
func HashDeviceID(key []byte, deviceID string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(strings.ToLower(deviceID)))
	return hex.EncodeToString(mac.Sum(nil))
}

// DeviceErasure deletes a device's data several times, since reports may still be on their way.
type DeviceErasure struct {
	ID, ProjectID int64
	// Identities are the names of the device in telemetry: its id in lower case, and its hash.
	Identities []string `gorm:"type:jsonb;serializer:json"`
	// ErasedAt is the time of the request; data received before it is deleted.
	ErasedAt time.Time
	// Passes is how often the erasure was carried out.
	Passes int
}

// erasurePauses are between passes: reports are late by seconds, or hours when ClickHouse was away.
var erasurePauses = []time.Duration{time.Minute, 10 * time.Minute, time.Hour, 24 * time.Hour}

// NextPass returns the time until the next pass; again is false when no further one is needed.
func (e DeviceErasure) NextPass() (after time.Duration, again bool) {
	if e.Passes < 1 || e.Passes > len(erasurePauses) {
		return 0, false
	}
	return erasurePauses[e.Passes-1], true
}

// Aged is a project that keeps the telemetry of devices for a number of days.
type Aged struct {
	ProjectID int64
	Days      int
}
