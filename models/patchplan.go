package models

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// PatchBase is an update that devices may run when they download another one.
type PatchBase struct {
	UpdateUUID uuid.UUID `gorm:"column:update_uuid"`
	// ReleaseID is nil for an embedded update.
	ReleaseID *int64
	// MD5 is of the launch asset, in lower-case hex.
	MD5 string `gorm:"column:md5"`
	// OnBranch says that it is an enabled release of the target's branch.
	OnBranch bool
}

// PatchCandidates are the updates of a release's platform and runtime version whose
// bundles the project has, newest first: the embedded ones, and the others.
type PatchCandidates struct {
	TargetMD5          string
	Embedded, Releases []PatchBase
}

// Some reports whether there is a bundle that differs from the target's.
func (c PatchCandidates) Some() bool {
	differs := func(b PatchBase) bool { return b.MD5 != c.TargetMD5 }
	return slices.ContainsFunc(c.Embedded, differs) || slices.ContainsFunc(c.Releases, differs)
}

// RunningWithin is how long ago a device must have reported with an update for it
// to count as one that devices run, when patches are planned.
const RunningWithin = 30 * 24 * time.Hour

// PlanPatches chooses what patches are made against: the newest updates inside
// binaries, at most limit, and as many releases: the newest that devices run, then,
// since a release that was just published has no reports yet, and telemetry may be
// away, the newest that the branch delivers. Of several with the same bundle it
// takes the first, and none with the target's own.
func PlanPatches(c PatchCandidates, running map[uuid.UUID]bool, limit int) []PatchBase {
	var plan []PatchBase
	chosen := map[string]bool{c.TargetMD5: true}
	take := func(from []PatchBase, atMost int, wanted func(PatchBase) bool) (taken int) {
		for _, b := range from {
			if taken == atMost {
				break
			}
			if !chosen[b.MD5] && wanted(b) {
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
