package models

import "time"

// Branch is a named stream of releases.
type Branch struct {
	ID        int64
	ProjectID int64
	Name      string
	CreatedAt time.Time
	// DeletedAt is set on a deleted branch, whose row stays for its releases.
	DeletedAt *time.Time

	// LatestUpdates are the newest live release of each platform and runtime
	// version, newest first; filled in lists of branches.
	LatestUpdates []Release `gorm:"-"`
}

// NewBranch is what a caller says to create a branch.
type NewBranch struct{ Name string }

// Validate reports every bad field.
func (n NewBranch) Validate() error {
	var p Problems
	checkStreamName(&p, "name", n.Name)
	return p.Err()
}
