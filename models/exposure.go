package models

import "time"

// ExposureKind is what a device was served of a release.
type ExposureKind string

// Kinds of exposure. ExposureFailure is none: with it a device says that an update which it
// was served failed before its first render.
const (
	ExposureManifest ExposureKind = "manifest"
	ExposureRollback ExposureKind = "rollback"
	ExposureAsset    ExposureKind = "asset"
	ExposurePatch    ExposureKind = "patch"
	ExposureFailure  ExposureKind = "failure"
)

// Exposure records that a device was served a release. Only such devices
// count in a decision, so that reports alone cannot move a rollout.
type Exposure struct {
	ProjectID int64
	// DeviceID is in lower case, or hashed where the project says so; never "".
	DeviceID string
	// Platform, Channel and RuntimeVersion are what the device said; "" where it was
	// not asked, as with a file.
	Platform       Platform
	Channel        string
	RuntimeVersion string
	// UpdateUUID is the release's own update UUID in lower case.
	UpdateUUID string
	Kind       ExposureKind
	// ServedAt is when; the zero value is for the ingest log to fill in.
	ServedAt time.Time
	// ShareBucket is HealthReport.ShareBucket.
	ShareBucket *uint32
}
