package models

import (
	"fmt"
	"time"

	"github.com/google/uuid"
)

// PatchStatus says what became of a patch.
type PatchStatus string

// Patch statuses.
const (
	// PatchPending is planned, and perhaps being made.
	PatchPending PatchStatus = "pending"
	PatchOffered PatchStatus = "offered"
	// PatchSkipped devices get the whole bundle.
	PatchSkipped PatchStatus = "skipped"
)

// Patch is the difference between two launch assets of a project: what makes the
// target's content of the base's.
type Patch struct {
	ProjectID int64
	// TargetMD5 and BaseMD5 are lower-case hex.
	TargetMD5 string `gorm:"column:target_md5"`
	BaseMD5   string `gorm:"column:base_md5"`
	// BaseUpdateUUID is the update for which the base was chosen, and BaseReleaseID
	// its release, nil for an embedded update. Others of the same content are
	// served the same patch.
	BaseUpdateUUID uuid.UUID `gorm:"column:base_update_uuid"`
	BaseReleaseID  *int64
	Status         PatchStatus
	// Reason is why a patch is skipped.
	Reason string
	// SizeBytes and SHA256 (base64url without padding) are of the patch, 0 and "" when
	// none was made. A patch that is too large to be offered has its size.
	SizeBytes int64
	SHA256    string `gorm:"column:sha256"`
	// FullBytes is the size of the target, CompressedBytes that of its smallest
	// variant.
	FullBytes       int64
	CompressedBytes int64
	// DurationMillis is how long the patch took to make and to check.
	DurationMillis int64
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// OfferedPatch says that devices running an update can get a launch asset as a
// patch.
type OfferedPatch struct {
	TargetMD5 string `gorm:"column:target_md5"`
	BaseMD5   string `gorm:"column:base_md5"`
	SizeBytes int64
	// BaseUpdate is what the device runs: a release under its own UUID, or an update
	// inside a binary.
	BaseUpdate uuid.UUID
}

// PatchBuild asks for the patches to the launch asset of a release.
type PatchBuild struct {
	ProjectID  int64  `json:"projectId"`
	ReleaseID  int64  `json:"releaseId"`
	WorkflowID string `json:"workflowId"`
	// Summary names the release for people in Temporal's UI, on one line.
	Summary string `json:"summary,omitempty"`
}

// PatchJob is a patch to be made.
type PatchJob struct {
	ProjectID int64  `json:"projectId"`
	TargetMD5 string `json:"targetMd5"`
	BaseMD5   string `json:"baseMd5"`
	// TargetSHA256 and BaseSHA256 are base64url without padding.
	TargetSHA256 string `json:"targetSha256"`
	BaseSHA256   string `json:"baseSha256"`
	TargetBytes  int64  `json:"targetBytes"`
	BaseBytes    int64  `json:"baseBytes"`
	// CompressedBytes is what a device downloads without the patch.
	CompressedBytes int64 `json:"compressedBytes"`
}

// maxPatchShare is the largest part, in percent, of the smallest download without
// it that a patch may have to be offered. A patch costs the device more than its
// bytes: it reads the old bundle, unpacks and checks, and answers that differ from
// device to device are lost to every cache on the way. And a failed patch costs a
// second download. Below 70 % there is something left to win for all that.
const maxPatchShare = 70

// TooLarge is why a patch of the size is not worth offering, "" when it is.
func (j PatchJob) TooLarge(size int64) string {
	if size*100 <= j.CompressedBytes*maxPatchShare {
		return ""
	}
	return fmt.Sprintf("the patch has %d bytes, more than %d %% of the %d of the compressed bundle", size, maxPatchShare, j.CompressedBytes)
}

// PatchOutcome is how a job ended: offered, or skipped for a reason.
type PatchOutcome struct {
	Status         PatchStatus `json:"status"`
	Reason         string      `json:"reason,omitempty"`
	SizeBytes      int64       `json:"sizeBytes,omitempty"`
	SHA256         string      `json:"sha256,omitempty"`
	DurationMillis int64       `json:"durationMillis"`
}
