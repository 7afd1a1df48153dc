package models

import "time"

// ProjectSnapshot decides what the devices of a project are served. It is immutable.
type ProjectSnapshot struct {
	Project Project
	// Branches are the live ones. Branches and Channels are in the order of their ids.
	Branches      []Branch
	Channels      []Channel
	UserOverrides map[string]int64
	// Releases are sorted by NewestFirst. They include the newest deleted ones, which devices may
	// still have. Git commit, Git branch and execution are not read.
	Releases []*Release
	// Builds are those of Answers by id, with their files, without message, configuration and Git fields.
	Builds map[int64]*Build
	Blobs  Blobs
	// Aliases are of the releases in Releases, in the order of their commit times.
	Aliases []ReleaseAlias
	// Signing signs answers, nil when the project has no key.
	Signing *SigningCredentials
	// HashKey hashes device ids for telemetry, nil when the project does not want that.
	HashKey []byte
	// NetworkKey hashes networks, see HashNetwork. It is of the project and never changes.
	NetworkKey []byte
	// RolloutWorkflows maps the id of a release with an open execution to its workflow's id.
	RolloutWorkflows map[int64]string
	// Flags have only the environments with settings.
	Flags    []Flag
	Segments []Segment
	// Patches are those to the launch assets of Builds, once for every update that can use them.
	Patches []OfferedPatch
	Cursor  SnapshotCursor
}

// SnapshotCursor is the transactions that a snapshot includes, zero if not read from Postgres.
type SnapshotCursor struct {
	// Seen is a text of Postgres' type pg_snapshot.
	Seen string
	// ServerStart identifies the Postgres server, since another one has other transaction ids. ReadAt
	// is when the snapshot was read. Both are by the clock of Postgres.
	ServerStart, ReadAt time.Time
}

// Answers returns the releases that a device can get: on each branch, for each platform and runtime
// version, the enabled ones from the newest to the first that is for every device. releases are
// sorted by NewestFirst.
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
