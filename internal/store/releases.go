package store

// Releases has the records of what devices are served: releases, branches, channels, user overrides, rollouts and patches.
// It is safe for concurrent use.
type Releases struct {
	db    *DB
	units *Units
}

// newReleases reads from db, and changes records in units of work.
func newReleases(db *DB, units *Units) *Releases { return &Releases{db, units} }
