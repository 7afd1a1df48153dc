package models

import "time"

// RefusalReason says why a device that asked for its update got nothing.
type RefusalReason string

// Refusal reasons.
const (
	RefusedUnknownChannel        RefusalReason = "unknown_channel"
	RefusedMissingChannel        RefusalReason = "missing_channel"
	RefusedMissingPlatform       RefusalReason = "missing_platform"
	RefusedMissingRuntimeVersion RefusalReason = "missing_runtime_version"
	// RefusedBadRequest is for a request that says something that makes no sense.
	RefusedBadRequest RefusalReason = "bad_request"
	// RefusedNoRelease is for a runtime version that no release of the device's branch
	// is for.
	RefusedNoRelease RefusalReason = "no_release"
	// RefusedRateLimited is for a device whose address, or which itself, asks too often.
	RefusedRateLimited RefusalReason = "rate_limited"
)

// RefusedRequest is one manifest request that got nothing. What the device did not
// say is "".
type RefusedRequest struct {
	ProjectID      int64
	Reason         RefusalReason
	Channel        string
	Platform       string
	RuntimeVersion string
	// DeviceID is in lower case, or hashed where the project says so.
	DeviceID string
}

// RefusedRequests are requests that got nothing for the same reason, added up.
type RefusedRequests struct {
	RefusedRequest
	Requests int64
	At       time.Time
}

// RefusedSummary is how many devices get nothing for one reason.
type RefusedSummary struct {
	Reason         RefusalReason
	Channel        string
	Platform       string
	RuntimeVersion string
	Requests       int64
	// Devices are those that told their id.
	Devices    int64
	LastSeenAt time.Time
}
