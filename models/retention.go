package models

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// SeenWithin is how long a build is kept after a device last reported a release of the build.
const SeenWithin = 90 * 24 * time.Hour

// MaxGarbageBuilds is the maximum number of builds that one cleanup deletes.
const MaxGarbageBuilds = 500

// Garbage contains the builds and counts the files that the cleanup deletes, or would delete.
type Garbage struct {
	// Builds are oldest first, without their files, at most MaxGarbageBuilds.
	Builds []Build
	// Blobs counts the files that no other build needs. Partials counts the partial files that were not completed in time.
	// Bytes is the size of both together.
	Blobs, Partials, Bytes int64
	// Pending counts the unused files that are still in the asset bucket.
	Pending int64
}

// BlobHold protects files from the cleanup while an upload needs them.
type BlobHold struct {
	ID int64
	// Known maps the MD5 of each file that the project has to its SHA-256.
	Known map[string]string
}

// HashDeviceID returns the keyed hash of a device ID: the HMAC-SHA-256 of the ID in lower case, in hex.
func HashDeviceID(key []byte, deviceID string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(strings.ToLower(deviceID)))
	return hex.EncodeToString(mac.Sum(nil))
}

// DeviceErasure is a request to delete a device's data. Waft deletes the data in several passes, because reports may arrive
// late.
type DeviceErasure struct {
	ID, ProjectID int64
	// Identities are the names of the device in telemetry: its ID in lower case, and its hash.
	Identities []string `gorm:"type:jsonb;serializer:json"`
	// ErasedAt is the time of the request. Waft deletes the data that it received before.
	ErasedAt time.Time
	// Passes is the number of completed passes.
	Passes int
}

// erasurePauses are the times between passes. Reports are late by seconds, or by hours after ClickHouse was unavailable.
var erasurePauses = []time.Duration{time.Minute, 10 * time.Minute, time.Hour, 24 * time.Hour}

// NextPass returns the time until the next pass; again is false after the last pass.
func (e DeviceErasure) NextPass() (after time.Duration, again bool) {
	if e.Passes < 1 || e.Passes > len(erasurePauses) {
		return 0, false
	}
	return erasurePauses[e.Passes-1], true
}

// Aged is a project with its own limit, in days, on how long telemetry of devices is kept.
type Aged struct {
	ProjectID int64
	Days      int
}
