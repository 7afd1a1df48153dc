package models

import (
	"time"

	"github.com/google/uuid"
)

// Project is the tenant: everything else belongs to exactly one.
type Project struct {
	ID        int64
	UUID      uuid.UUID
	Name      string
	Slug      string
	CreatedAt time.Time
	// SnapshotVersion grows with every committed change that devices could
	// notice; API processes rebuild their snapshot when it differs from theirs.
	SnapshotVersion int64
	// LastReleaseMillis is the project's release clock: the Unix time in
	// milliseconds of the newest release or rollback. It only grows.
	LastReleaseMillis int64
	// BuildRetentionDays is Settings.BuildRetentionDays.
	BuildRetentionDays *int
	// TelemetryRetentionDays and HashIDs are those of Settings. SealedHashKey is what
	// device ids are hashed with, nil until they were for the first time.
	TelemetryRetentionDays *int
	HashIDs                bool `gorm:"column:hash_ids"`
	SealedHashKey          *string
}

// NewProject is what a caller says to create a project.
type NewProject struct {
	Name string
	// Slug is made from Name when empty.
	Slug string
}

// Normalize fills what the caller may leave out.
func (n *NewProject) Normalize() {
	if n.Slug == "" {
		n.Slug = slugify(n.Name)
	}
}

// Validate reports every bad field.
func (n NewProject) Validate() error {
	var p Problems
	checkRequiredText(&p, "name", n.Name, 200)
	if !slugPattern.MatchString(n.Slug) {
		p.Add("slug", "must be 1 to 63 lower-case letters, digits or hyphens and begin with a letter or digit")
	}
	return p.Err()
}

// DefaultStreams are the branch-and-channel pairs that every new project has.
var DefaultStreams = []string{"production", "staging"}
