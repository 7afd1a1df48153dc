package models

// ProjectSnapshot is everything of one project that decides what a device is
// served, read in one transaction.
type ProjectSnapshot struct {
	Project  Project
	Branches []Branch
	Channels []Channel
	// UserOverrides are in no particular order.
	UserOverrides []UserOverride
	// Releases are newest first and hold, besides the live ones, the newest deleted
	// ones, which devices may still have stored.
	Releases []Release
	// Builds by id: every build that a live release refers to, with its assets.
	Builds map[int64]*Build
	// RolloutWorkflows maps the id of a release with an open execution to the id of
	// the workflow that drives it.
	RolloutWorkflows map[int64]string
	// Flags are complete but for the channels on which they have no settings of their
	// own.
	Flags    []Flag
	Segments []Segment
}
