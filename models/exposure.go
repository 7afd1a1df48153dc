package models

import "time"

// ExposureKind is what a device was served of a release.
type ExposureKind string

const (
	ExposureManifest ExposureKind = "manifest"
	ExposureRollback ExposureKind = "rollback"
	ExposureAsset    ExposureKind = "asset"
	ExposurePatch    ExposureKind = "patch"
	// ExposureFailure says that a served update failed before its first render. It is not an exposure.
	ExposureFailure ExposureKind = "failure"
)

// Exposure records that a device was served a release. Reports of other devices do not count.
type Exposure struct {
	ProjectID int64
	// DeviceID is in lower case, or hashed if the project wants that; never "".
	DeviceID string
	// Platform, Channel and RuntimeVersion are those of the request; "" for a file.
	Platform                Platform
	Channel, RuntimeVersion string
	// UpdateUUID is the release's own, not an alias, in lower case.
	UpdateUUID string
	Kind       ExposureKind
	// ServedAt is filled in by the ingest log when it is zero.
	ServedAt time.Time
	// ShareBucket is HealthReport.ShareBucket.
	ShareBucket *uint32
	// Network is where the device was served from. Its first exposure of a release decides to which
	// network it belongs in the release's health. It is not set with ExposureFailure.
	Network NetworkHash
	// Allocation is the allocation of Network. Zero makes Network an allocation by itself. It is not set with ExposureFailure.
	Allocation AllocationHash
}

// RefusalReason says why a device that asked for its update got nothing.
type RefusalReason string

const (
	RefusedUnknownChannel        RefusalReason = "unknown_channel"
	RefusedMissingChannel        RefusalReason = "missing_channel"
	RefusedMissingPlatform       RefusalReason = "missing_platform"
	RefusedMissingRuntimeVersion RefusalReason = "missing_runtime_version"
	// RefusedBadRequest is for a request with an invalid header.
	RefusedBadRequest RefusalReason = "bad_request"
	// RefusedNoRelease is for a runtime version without a release on the device's branch.
	RefusedNoRelease RefusalReason = "no_release"
	// RefusedRateLimited is for an address or device above its rate limit.
	RefusedRateLimited RefusalReason = "rate_limited"
)

// RefusedRequest is a manifest request that got no update. Fields that the device did not send are "".
type RefusedRequest struct {
	ProjectID      int64
	Reason         RefusalReason
	Channel        string
	Platform       string
	RuntimeVersion string
	// DeviceID is in lower case, or hashed if the project wants that.
	DeviceID string
}

// RefusedRequests is the number of equal refused requests.
type RefusedRequests struct {
	RefusedRequest
	Requests int64
	At       time.Time
}

// RefusedSummary counts the refused requests of one reason, channel, platform and runtime version.
type RefusedSummary struct {
	Reason         RefusalReason
	Channel        string
	Platform       string
	RuntimeVersion string
	Requests       int64
	// Devices counts those that sent their id.
	Devices    int64
	LastSeenAt time.Time
}

// LimitedReport is a device whose health report was refused because of a rate limit.
type LimitedReport struct {
	ProjectID int64
	// DeviceID is in lower case, or hashed if the project wants that.
	DeviceID string
	// UpdateUUID is the release's own, not an alias, in lower case.
	UpdateUUID string
}

// LimitedReports are refused reports of a device within a short time, the last of them at At.
type LimitedReports struct {
	LimitedReport
	At time.Time
}
