package models

import "time"

// ProjectSnapshot is everything of one project that decides what a device is
// served, read in one transaction. It is immutable once read: a later one shares
// with it what did not change.
type ProjectSnapshot struct {
	Project Project
	// Branches are live and by id; Channels are by id.
	Branches []Branch
	Channels []Channel
	// UserOverrides map the ids of users to those of the branches that they are sent
	// to.
	UserOverrides map[string]int64
	// Releases are by NewestFirst and hold, besides the live ones, the newest deleted
	// ones, which devices may still have stored. They lack what no device is told:
	// their Git commit and branch, and their execution.
	Releases []*Release
	// Builds by id: those of the releases in Answers, with their files. They lack
	// what the uploader said of them.
	Builds map[int64]*Build
	// Blobs are all files that a build of the project has, published or not.
	Blobs Blobs
	// Aliases are of the releases in Releases, in the order of their commit times.
	Aliases []ReleaseAlias
	// Signing is what answers are signed with, nil where the project has no key.
	Signing *SigningCredentials
	// HashKey is what telemetry hashes device ids with, nil where it does not.
	HashKey []byte
	// RolloutWorkflows maps the id of a release with an open execution to the id of
	// the workflow that drives it.
	RolloutWorkflows map[int64]string
	// Flags are complete, without the channels on which they have no settings of their
	// own.
	Flags    []Flag
	Segments []Segment

	// Patches are those to the launch assets of Builds, once for every update that they
	// can be applied to.
	Patches []OfferedPatch

	// Cursor is where the next reading goes on.
	Cursor SnapshotCursor
}

// SnapshotCursor says which transactions a ProjectSnapshot has seen. The zero value
// is that of one that was not read from Postgres.
type SnapshotCursor struct {
	// Seen is Postgres' own text for it, of type pg_snapshot.
	Seen string
	// ServerStart tells one Postgres from another that took its place, whose
	// transactions have other numbers. ReadAt is when the snapshot was read. Both are
	// by the clock of Postgres.
	ServerStart, ReadAt time.Time
}

// everybodyShare is the share, in percent, that holds every device.
const everybodyShare = 100

// Answers are the releases that can be an answer to a device: on each branch, for
// each platform and runtime version, the enabled ones from the newest to the first
// whose share holds everybody. releases are by NewestFirst.
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
		if r.RolloutPercentage >= everybodyShare {
			closed[at] = true
		}
	}
	return answers
}
