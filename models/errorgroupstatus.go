package models

import "time"

// ErrorStatus is the status of an error group: open, resolved or regressed.
type ErrorStatus string

const (
	ErrorOpen     ErrorStatus = "open"
	ErrorResolved ErrorStatus = "resolved"
	// ErrorRegressed means that a resolved group was reported on a newer release.
	ErrorRegressed ErrorStatus = "regressed"
)

// ErrorGroupStatus contains the decisions of people about an error group. A group that no person has changed has the zero value.
type ErrorGroupStatus struct {
	Versioned
	ID, ProjectID int64
	// Fingerprint is the result of Fingerprint.String.
	Fingerprint        string
	ErrorName, Message string
	// AssigneeID is the user who works on the group, nil for nobody.
	AssigneeID *int64
	Note       string
	// ResolvedAt and ResolvedBy, the name of the actor, are nil unless the group is resolved or regressed.
	ResolvedAt *time.Time
	ResolvedBy *string
	// ResolvedAfter is the creation time of the newest release of each platform that had the group when it was resolved.
	ResolvedAfter map[Platform]time.Time `gorm:"type:jsonb;serializer:json"`
	// RegressedAt and RegressedUpdate, an update ID, are nil unless the group is regressed.
	RegressedAt     *time.Time
	RegressedUpdate *string
	// SeenAt is a time at which the group was in ClickHouse.
	SeenAt time.Time
	// AssigneeName and AssigneeEmail are copied from the user.
	AssigneeName  string `gorm:"->;-:migration"`
	AssigneeEmail string `gorm:"->;-:migration"`
}

func (ErrorGroupStatus) TableName() string { return "error_group_statuses" }

// Status returns the status of the group.
func (s ErrorGroupStatus) Status() ErrorStatus {
	switch {
	case s.ResolvedAt == nil:
		return ErrorOpen
	case s.RegressedAt == nil:
		return ErrorResolved
	default:
		return ErrorRegressed
	}
}

// IsNewer reports whether a release that was created at a time is newer than the releases for which the group was
// resolved. On a platform that did not have the group, only releases after the resolution are newer.
func (s ErrorGroupStatus) IsNewer(platform Platform, created time.Time) bool {
	after, ok := s.ResolvedAfter[platform]
	if !ok && s.ResolvedAt != nil {
		after = *s.ResolvedAt
	}
	return created.After(after)
}

// GroupToChange is the error group that a patch is about, as ClickHouse has it.
type GroupToChange struct {
	Fingerprint        Fingerprint
	ErrorName, Message string
	LastAt             time.Time
	// Newest is the creation time of the newest release of each platform that had the group.
	Newest map[Platform]time.Time
}

// ErrorGroupPatch changes the set fields of an error group.
type ErrorGroupPatch struct {
	Assignee Nullable[int64]
	Resolved *bool
	Note     *string
}

func (p ErrorGroupPatch) Validate() error {
	var problems Problems
	ifSet(&problems, "note", p.Note, checkNote)
	return problems.Err()
}

// ErrorReport is a sighting of an error group on a release.
type ErrorReport struct {
	Fingerprint string
	Platform    Platform
	UpdateUUID  string
}
