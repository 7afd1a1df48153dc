package models

import (
	"cmp"
	"time"

	"github.com/google/uuid"
)

// ReleaseKind says what a release does to a device.
type ReleaseKind string

// Release kinds.
const (
	KindUpdate             ReleaseKind = "update"
	KindRollbackToEmbedded ReleaseKind = "rollback_to_embedded"
)

// Release is a build published to a branch, or an order to go back to the bundle
// inside the app.
type Release struct {
	ID         int64
	ProjectID  int64
	UpdateUUID uuid.UUID `gorm:"column:update_uuid"`
	GroupID    uuid.UUID
	// BuildID is nil for a rollback to the embedded bundle.
	BuildID  *int64
	BranchID int64
	// Channel is the name of the channel it was published to, nil when it was
	// published straight to a branch.
	Channel           *string
	Platform          Platform
	RuntimeVersion    string
	IsEnabled         bool
	IsCritical        bool
	RolloutPercentage float64
	// ReachedPercentage is the greatest share it ever had while enabled: these
	// devices may hold it.
	ReachedPercentage float64
	// ShareSalt decides which devices the share holds. It is "release:<groupId>",
	// except for the successor of a reverted release, which has that one's salt.
	ShareSalt           string
	ReleaseMessage      string
	Kind                ReleaseKind
	RepublishedFromID   *int64
	RolledBackUpdateIDs []int64 `gorm:"column:rolled_back_update_ids;type:jsonb;serializer:json"`
	GitCommitHash       string
	GitBranch           string
	AssetCount          int
	SizeBytes           int64
	// CreatedAt is the protocol's commit time: whole milliseconds, strictly
	// increasing over the project's releases.
	CreatedAt time.Time
	// PlaceAt is the release's place in the order of its branch when that is not
	// CreatedAt: a successor has the place of the release that it replaces.
	PlaceAt   *time.Time
	UpdatedAt time.Time
	DeletedAt *time.Time

	// BranchName is read from the branch.
	BranchName string `gorm:"->"`
	// RolloutExecutionID is the running or paused execution, if any.
	RolloutExecutionID *int64 `gorm:"->"`
	// LinkedFlags are by flag id, nil for none.
	LinkedFlags []LinkedFlag `gorm:"->;type:jsonb;serializer:json"`
	// Restamped is how many releases got an alias when it was published, known only to
	// its publisher.
	Restamped int `gorm:"-"`
}

// Place is the release's place in the order of its branch.
func (r *Release) Place() time.Time {
	if r.PlaceAt != nil {
		return *r.PlaceAt
	}
	return r.CreatedAt
}

// NewestFirst compares releases by their place: a device gets the first whose share
// holds it. A successor comes before the release that it replaces.
func NewestFirst(a, b *Release) int {
	return cmp.Or(b.Place().Compare(a.Place()), b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
}

// ReleaseSalt is the salt of a release's own share.
func ReleaseSalt(groupID uuid.UUID) string { return "release:" + groupID.String() }

// Publish is what a caller says to make a release of a build. Exactly one of
// Channel and Branch is set.
type Publish struct {
	BuildID           int64
	Channel           string
	Branch            string
	RolloutPercentage *float64
	IsEnabled         *bool
	IsCritical        bool
	ReleaseMessage    string
	GroupID           *uuid.UUID
	RolloutPolicyID   *int64
	LinkedFlags       []FlagLink
	// Direct marks a release made as an update of its own rather than by publishing
	// its build: the audit log then says update.created, not build.published. A
	// release straight to a branch is always direct.
	Direct bool
}

// Validate reports every bad field.
func (r Publish) Validate() error {
	var p Problems
	if r.BuildID <= 0 {
		p.Add("buildId", "is required")
	}
	switch {
	case r.Channel == "" && r.Branch == "":
		p.Add("channel", "is required (or branchName)")
	case r.Channel != "" && r.Branch != "":
		p.Add("branchName", "cannot be given together with channel")
	case r.Channel != "":
		checkStreamName(&p, "channel", r.Channel)
	default:
		checkStreamName(&p, "branchName", r.Branch)
	}
	if r.RolloutPercentage != nil {
		CheckPercentage(&p, "rolloutPercentage", *r.RolloutPercentage)
		if r.RolloutPolicyID != nil {
			p.Add("rolloutPercentage", "is set by the policy's stages; leave it out with rolloutPolicyId")
		}
	}
	if r.RolloutPolicyID != nil && r.IsEnabled != nil && !*r.IsEnabled {
		p.Add("isEnabled", "must be true with rolloutPolicyId: a disabled release cannot roll out")
	}
	checkText(&p, "releaseMessage", r.ReleaseMessage, 4096)
	checkFlagLinks(&p, r.LinkedFlags)
	return p.Err()
}

// ReleasePatch changes the fields that are set.
type ReleasePatch struct {
	IsEnabled         *bool
	IsCritical        *bool
	RolloutPercentage *float64
	ReleaseMessage    *string
	// LinkedFlags replace all that the release links.
	LinkedFlags *[]FlagLink
}

// Validate reports every bad field.
func (r ReleasePatch) Validate() error {
	var p Problems
	if r.RolloutPercentage != nil {
		CheckPercentage(&p, "rolloutPercentage", *r.RolloutPercentage)
	}
	ifSet(checkText, &p, "releaseMessage", r.ReleaseMessage, 4096)
	if r.LinkedFlags != nil {
		checkFlagLinks(&p, *r.LinkedFlags)
	}
	return p.Err()
}

// ReleaseFilter narrows a list of releases; zero fields do not filter.
type ReleaseFilter struct {
	Channel        string
	Branch         string
	Platform       Platform
	RuntimeVersion string
	GroupID        *uuid.UUID
	IsEnabled      *bool
}
