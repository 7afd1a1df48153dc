package models

import "time"

// ExposureKind is the part of a release that a device was served.
type ExposureKind string

const (
	ExposureManifest ExposureKind = "manifest"
	ExposureRollback ExposureKind = "rollback"
	ExposureAsset    ExposureKind = "asset"
	ExposurePatch    ExposureKind = "patch"
	// ExposureFailure means that a served update failed before its first render. It is not an exposure.
	ExposureFailure ExposureKind = "failure"
)

// Exposure records that a device was served a release. Reports of other devices do not count.
type Exposure struct {
	ProjectID int64
	// DeviceID is in lower case, or hashed if the project has enabled that; never "".
	DeviceID string
	// Platform, Channel and RuntimeVersion are copied from the request; "" for a file.
	Platform                Platform
	Channel, RuntimeVersion string
	// UpdateUUID is the release's own, not an alias, in lower case.
	UpdateUUID string
	Kind       ExposureKind
	// ServedAt is set by the ingest log if it is zero.
	ServedAt time.Time
	// OfferChange identifies the last change to what the channel offered before the device was served: its Unix time in
	// nanoseconds. It tells the exposures of a device that returns to a release from repetitions, and is not stored. It
	// is 0 for files and with ExposureFailure.
	OfferChange int64
	// ShareBucket is as in HealthReport.
	ShareBucket *uint32
	// Network is the network that the device was served from. A device's first exposure of a release determines the device's
	// network in the health of the release. Network is not set with ExposureFailure.
	Network NetworkHash
	// Allocation is the allocation of Network. Zero means that Network counts as its own allocation. It is not set with
	// ExposureFailure.
	Allocation AllocationHash
}

// RefusalReason is the reason why Waft refused a device's request for its update.
type RefusalReason string

const (
	RefusedUnknownChannel        RefusalReason = "unknown_channel"
	RefusedMissingChannel        RefusalReason = "missing_channel"
	RefusedMissingPlatform       RefusalReason = "missing_platform"
	RefusedMissingRuntimeVersion RefusalReason = "missing_runtime_version"
	// RefusedBadRequest means that the request has an invalid header.
	RefusedBadRequest RefusalReason = "bad_request"
	// RefusedNoRelease means that the device's branch does not have a release for its runtime version.
	RefusedNoRelease RefusalReason = "no_release"
	// RefusedRateLimited means that the address or device exceeded its rate limit.
	RefusedRateLimited RefusalReason = "rate_limited"
)

// RefusedRequest is a manifest request that got no update. Fields that the device did not send are "".
type RefusedRequest struct {
	ProjectID      int64
	Reason         RefusalReason
	Channel        string
	Platform       string
	RuntimeVersion string
	// DeviceID is in lower case, or hashed if the project has enabled that.
	DeviceID string
}

// RefusedRequests counts equal refused requests.
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
	// Devices counts the distinct devices among the requests that contained a device ID.
	Devices    int64
	LastSeenAt time.Time
}

// LimitedReport is a device whose health report was refused because of a rate limit.
type LimitedReport struct {
	ProjectID int64
	// DeviceID is in lower case, or hashed if the project has enabled that.
	DeviceID string
	// UpdateUUID is the release's own, not an alias, in lower case.
	UpdateUUID string
}

// LimitedReports are refused reports of a device within a short time, the last of them at At.
type LimitedReports struct {
	LimitedReport
	At time.Time
}
