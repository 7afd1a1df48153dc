package models

import "time"

// ProjectSnapshot contains all data that determines what the devices of a project get. It is immutable.
type ProjectSnapshot struct {
	Project Project
	// Branches are the branches that are not deleted. Branches and Channels are sorted by ID.
	Branches      []Branch
	Channels      []Channel
	UserOverrides map[string]int64
	// Releases are sorted by NewestFirst. They include the newest deleted releases, which devices may still have. The git
	// commit, git branch and rollout are not read.
	Releases []*Release
	// Builds maps IDs to the builds of the releases that Answers returns. The builds have their files, but not their message,
	// configuration and git fields.
	Builds map[int64]*Build
	Blobs  Blobs
	// Aliases are the aliases of Releases, sorted by commit time.
	Aliases []ReleaseAlias
	// Signing signs responses, nil if the project does not have a signing key.
	Signing *SigningCredentials
	// HashKey hashes device IDs for telemetry, nil if the project has not enabled that.
	HashKey []byte
	// NetworkKey hashes networks; see HashNetwork. Each project has its own key, which never changes.
	NetworkKey []byte
	// RolloutWorkflows maps the ID of a release with an open rollout to the ID of the rollout's workflow.
	RolloutWorkflows map[int64]string
	// Flags contain only the environments with settings.
	Flags    []Flag
	Segments []Segment
	// Patches are the patches to the launch assets of Builds, once for every update that can use them.
	Patches []OfferedPatch
	Cursor  SnapshotCursor
}

// SnapshotCursor identifies the transactions that a snapshot includes. It is zero if the snapshot was not read from Postgres.
type SnapshotCursor struct {
	// Seen is a value of Postgres' type pg_snapshot, as a string.
	Seen string
	// ServerStart identifies the Postgres server, because transaction IDs are only valid on one server. ReadAt is the time
	// when the snapshot was read. Both are times of Postgres' clock.
	ServerStart, ReadAt time.Time
}

// Answers returns the releases that a device can get. For each branch, platform and runtime version, these are the enabled
// releases from the newest to the first release that every device gets. releases must be sorted by NewestFirst.
func Answers(releases []*Release) []*Release {
	type stream struct {
		branchID       int64
		platform       Platform
		runtimeVersion string
	}
	var answers []*Release
	closed := map[stream]bool{}
	for _, r := range releases {
		at := stream{r.BranchID, r.Platform, r.RuntimeVersion}
		if r.DeletedAt != nil || !r.IsEnabled || closed[at] {
			continue
		}
		answers = append(answers, r)
		closed[at] = r.RolloutPercentage >= 100
	}
	return answers
}
