package models

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
)

// PatchStatus is the state of a patch.
type PatchStatus string

const (
	// PatchPending means that the patch is planned or being created.
	PatchPending PatchStatus = "pending"
	PatchOffered PatchStatus = "offered"
	// PatchSkipped means that the patch is not offered: devices get the whole bundle.
	PatchSkipped PatchStatus = "skipped"
)

// Patch is the binary patch from one launch asset of a project, the base, to another, the target.
type Patch struct {
	ProjectID int64
	// TargetMD5 and BaseMD5 are lower-case hex.
	TargetMD5 string `gorm:"column:target_md5"`
	BaseMD5   string `gorm:"column:base_md5"`
	// BaseUpdateUUID is the update whose bundle is the base. BaseReleaseID is the ID of its release, nil for an embedded update.
	// Devices that run another update with the same bundle get the same patch.
	BaseUpdateUUID uuid.UUID `gorm:"column:base_update_uuid"`
	BaseReleaseID  *int64
	// BaseRelease is the release with the ID BaseReleaseID. It is only set where patches are read for the API.
	BaseRelease *Release `gorm:"-"`
	Status      PatchStatus
	Reason      string
	// SizeBytes and SHA256 (base64url without padding) are zero if a patch was not created.
	SizeBytes int64
	SHA256    string `gorm:"column:sha256"`
	// FullBytes is the size of the target; CompressedBytes is the size of its smallest variant.
	FullBytes, CompressedBytes int64
	// DurationMillis is the time that it took to create and check the patch.
	DurationMillis       int64
	CreatedAt, UpdatedAt time.Time
}

// OfferedPatch is a patch for devices that run an update.
type OfferedPatch struct {
	TargetMD5 string `gorm:"column:target_md5"`
	BaseMD5   string `gorm:"column:base_md5"`
	SizeBytes int64
	// BaseUpdate is the UUID of the running update: a release's own UUID, or an embedded update's.
	BaseUpdate uuid.UUID
}

// PatchBuild requests the patches to the launch asset of a release.
type PatchBuild struct {
	ProjectID  int64  `json:"projectId"`
	ReleaseID  int64  `json:"releaseId"`
	WorkflowID string `json:"workflowId"`
	// Summary describes the release in Temporal's UI on one line.
	Summary string `json:"summary,omitempty"`
	// Project is the project's slug, for the link in Temporal's UI. It may be empty.
	Project string `json:"project,omitempty"`
}

// PatchJob is a patch to create.
type PatchJob struct {
	ProjectID int64  `json:"projectId"`
	TargetMD5 string `json:"targetMd5"`
	BaseMD5   string `json:"baseMd5"`
	// TargetSHA256 and BaseSHA256 are base64url without padding.
	TargetSHA256 string `json:"targetSha256"`
	BaseSHA256   string `json:"baseSha256"`
	TargetBytes  int64  `json:"targetBytes"`
	BaseBytes    int64  `json:"baseBytes"`
	// CompressedBytes is the size of the download without the patch.
	CompressedBytes int64 `json:"compressedBytes"`
}

// maxPatchShare is the maximum size of a patch, in percent of the smallest download without the patch. It is below 100 because a patch
// has other costs: the device reads the old bundle and checks the new bundle, caches cannot share the response, and a failed patch
// causes a second download.
const maxPatchShare = 70

// TooLarge returns the reason why a patch of this size is not offered, "" if it is offered.
func (j PatchJob) TooLarge(size int64) string {
	if size*100 <= j.CompressedBytes*maxPatchShare {
		return ""
	}
	return fmt.Sprintf("the patch has %d bytes, more than %d%% of the %d bytes of the compressed bundle",
		size, maxPatchShare, j.CompressedBytes)
}

// PatchOutcome is the result of a job: offered, or skipped for a reason.
type PatchOutcome struct {
	Status         PatchStatus `json:"status"`
	Reason         string      `json:"reason,omitempty"`
	SizeBytes      int64       `json:"sizeBytes,omitempty"`
	SHA256         string      `json:"sha256,omitempty"`
	DurationMillis int64       `json:"durationMillis"`
}

// PatchBase is an update that devices may run when they download another one.
type PatchBase struct {
	UpdateUUID uuid.UUID `gorm:"column:update_uuid"`
	// ReleaseID is nil for an embedded update.
	ReleaseID *int64
	// MD5 is the MD5 of the launch asset, in lower-case hex.
	MD5 string `gorm:"column:md5"`
	// OnBranch means that the update is an enabled release of the target's branch.
	OnBranch bool
}

// PatchCandidates are the updates of a platform and runtime version with known bundles, newest first.
type PatchCandidates struct {
	TargetMD5 string
	// TargetPending means that the target's compressed variants still have to be created.
	TargetPending      bool
	Embedded, Releases []PatchBase
}

// Some reports whether at least one bundle differs from the target's bundle.
func (c PatchCandidates) Some() bool {
	differs := func(b PatchBase) bool { return b.MD5 != c.TargetMD5 }
	return slices.ContainsFunc(c.Embedded, differs) || slices.ContainsFunc(c.Releases, differs)
}

// RunningWithin is the period in which a device must have reported an update for the update to count as running.
const RunningWithin = 30 * 24 * time.Hour

// PlanPatches returns the bases of patches: at most limit of the newest embedded updates, and at most limit of the newest releases
// that devices run. If devices run fewer releases, it adds the newest enabled releases of the branch, because a new release does not
// have reports yet and ClickHouse may be unavailable. It returns one update per bundle, and skips the target's own bundle.
func PlanPatches(c PatchCandidates, running map[uuid.UUID]bool, limit int) []PatchBase {
	var plan []PatchBase
	chosen := map[string]bool{c.TargetMD5: true}
	take := func(from []PatchBase, atMost int, wanted func(PatchBase) bool) (taken int) {
		for _, b := range from {
			if taken < atMost && !chosen[b.MD5] && wanted(b) {
				chosen[b.MD5] = true
				plan = append(plan, b)
				taken++
			}
		}
		return taken
	}
	take(c.Embedded, limit, func(PatchBase) bool { return true })
	taken := take(c.Releases, limit, func(b PatchBase) bool { return running[b.UpdateUUID] })
	take(c.Releases, limit-taken, func(b PatchBase) bool { return b.OnBranch })
	return plan
}
