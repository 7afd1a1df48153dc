package models

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
)

// ReleaseKind is the kind of a release.
type ReleaseKind string

const (
	KindUpdate             ReleaseKind = "update"
	KindRollbackToEmbedded ReleaseKind = "rollback_to_embedded"
)

// Release is a build published to a branch, or a rollback to the embedded update.
type Release struct {
	Versioned
	ID, ProjectID int64
	UpdateUUID    uuid.UUID `gorm:"column:update_uuid"`
	GroupID       uuid.UUID
	// BuildID is nil for a rollback to the embedded update.
	BuildID  *int64
	BranchID int64
	// Channel is the name of the channel that the release was published to, nil if it was published to a branch.
	Channel               *string
	Platform              Platform
	RuntimeVersion        string
	IsEnabled, IsCritical bool
	RolloutPercentage     float64
	// ReachedPercentage is the highest rollout percentage that the release had while it was enabled. Devices inside that
	// percentage may have the release.
	ReachedPercentage float64
	// ShareSalt is "release:<groupId>". A successor has the salt of the release that it replaces.
	ShareSalt                string
	ReleaseMessage           string
	Kind                     ReleaseKind
	RepublishedFromID        *int64
	RolledBackUpdateIDs      []int64 `gorm:"column:rolled_back_update_ids;type:jsonb;serializer:json"`
	GitCommitHash, GitBranch string
	GitAuthor                string
	AssetCount               int
	SizeBytes                int64
	// CreatedAt is the commit time: whole milliseconds, strictly increasing within the project.
	CreatedAt time.Time
	// PlaceAt is set for a successor: it is the place of the release that the successor replaces.
	PlaceAt   *time.Time
	UpdatedAt time.Time
	DeletedAt *time.Time

	BranchName string `gorm:"->"`
	// RolloutExecutionID is the ID of the running or paused rollout, if any.
	RolloutExecutionID *int64 `gorm:"->"`
	// LinkedFlags are sorted by flag ID, nil for none.
	LinkedFlags []LinkedFlag `gorm:"->;type:jsonb;serializer:json"`
	// RepublishedFromMessage is the ReleaseMessage of the release RepublishedFromID, nil without one and where it is not read.
	RepublishedFromMessage *string `gorm:"->"`
	// Disabling is nil for an enabled release, and where releases are not read for the API.
	Disabling *Disabling `gorm:"->;type:jsonb;serializer:json"`
	// Restamped is the number of releases that got an alias when this release was published. It is set only by publishing.
	Restamped int `gorm:"-"`
}

// Place returns the release's place in the order of its branch.
func (r *Release) Place() time.Time {
	if r.PlaceAt != nil {
		return *r.PlaceAt
	}
	return r.CreatedAt
}

// NewestFirst compares two releases by place, the newest first. A successor comes before the release that it replaces.
func NewestFirst(a, b *Release) int {
	return cmp.Or(b.Place().Compare(a.Place()), b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
}

// ReleaseSalt returns the salt of the rollout percentages of the releases in a group.
func ReleaseSalt(groupID uuid.UUID) string { return "release:" + groupID.String() }

// Publish is a request to publish a build. Exactly one of Channel and Branch is set.
type Publish struct {
	BuildID           int64      `json:"buildId"`
	Channel           string     `json:"channel,omitempty"`
	Branch            string     `json:"branchName,omitempty"`
	RolloutPercentage *float64   `json:"rolloutPercentage,omitempty"`
	IsEnabled         *bool      `json:"isEnabled,omitempty"`
	IsCritical        bool       `json:"isCritical,omitempty"`
	ReleaseMessage    string     `json:"releaseMessage,omitempty"`
	GroupID           *uuid.UUID `json:"groupId,omitempty"`
	RolloutPolicyID   *int64     `json:"rolloutPolicyId,omitempty"`
	LinkedFlags       []FlagLink `json:"linkedFlags,omitempty"`
	// Direct makes the audit log record update.created, as for a release to a branch.
	Direct bool `json:"direct,omitempty"`
}

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
	ifSet(&p, "rolloutPercentage", r.RolloutPercentage, CheckPercentage)
	if r.RolloutPercentage != nil && r.RolloutPolicyID != nil {
		p.Add("rolloutPercentage", "cannot be combined with rolloutPolicyId, because the policy's stages set the percentage")
	}
	if r.RolloutPolicyID != nil && r.IsEnabled != nil && !*r.IsEnabled {
		p.Add("isEnabled", "must be true with rolloutPolicyId, because a disabled release cannot roll out")
	}
	checkLongText(&p, "releaseMessage", r.ReleaseMessage)
	checkFlagLinks(&p, "linkedFlags", r.LinkedFlags)
	return p.Err()
}

// ReleasePatch changes the fields that are set. LinkedFlags replace all linked flags of the release.
type ReleasePatch struct {
	IsEnabled         *bool       `json:"isEnabled,omitempty"`
	IsCritical        *bool       `json:"isCritical,omitempty"`
	RolloutPercentage *float64    `json:"rolloutPercentage,omitempty"`
	ReleaseMessage    *string     `json:"releaseMessage,omitempty"`
	LinkedFlags       *[]FlagLink `json:"linkedFlags,omitempty"`
	// Reason is for the audit log.
	Reason string `json:"reason,omitempty"`
}

func (r ReleasePatch) Validate() error {
	var p Problems
	ifSet(&p, "rolloutPercentage", r.RolloutPercentage, CheckPercentage)
	ifSet(&p, "releaseMessage", r.ReleaseMessage, checkLongText)
	ifSet(&p, "linkedFlags", r.LinkedFlags, checkFlagLinks)
	checkText(&p, "reason", r.Reason, maxReasonBytes)
	return p.Err()
}

// ReleaseFilter selects releases for a list; zero fields do not filter.
type ReleaseFilter struct {
	Channel, Branch string
	Platform        Platform
	RuntimeVersion  string
	GroupID         *uuid.UUID
	IsEnabled       *bool
	Kind            ReleaseKind
	// FlagID is the ID of a flag that the releases link.
	FlagID int64
	// OtherFilesThan is the ID of a release. The releases differ from it in a file or in the client configuration.
	OtherFilesThan int64
}

// The maximum numbers of channels and releases of a republish.
const (
	maxRepublishChannels = 100
	maxRepublishUpdates  = 50
)

// Republish is a request to publish a release again.
type Republish struct {
	// Channels are the channels to publish to; nil means the channel or branch of the original.
	Channels []string `json:"channels,omitempty"`
	// ReleaseMessage replaces the release notes of the original unless nil.
	ReleaseMessage *string `json:"releaseMessage,omitempty"`
	// UpdateIDs are the releases to publish; nil means the release with the other platforms of its group.
	UpdateIDs []int64 `json:"updateIds,omitempty"`
	// RolloutPolicyID is the policy that rolls the new releases out, or nil.
	RolloutPolicyID *int64 `json:"rolloutPolicyId,omitempty"`
}

func (r Republish) Validate() error {
	var p Problems
	r.checkUpdateIDs(&p)
	if r.Channels != nil && (len(r.Channels) == 0 || len(r.Channels) > maxRepublishChannels) {
		p.Add("channels", "must name 1 to %d channels; omit the field to publish to the channel of the original", maxRepublishChannels)
	}
	seen := make(map[string]bool, len(r.Channels))
	for i, name := range r.Channels {
		at := fmt.Sprintf("channels[%d]", i)
		checkStreamName(&p, at, name)
		if seen[name] {
			p.Add(at, "the channel %q is listed twice", name)
		}
		seen[name] = true
	}
	ifSet(&p, "releaseMessage", r.ReleaseMessage, checkLongText)
	return p.Err()
}

func (r Republish) checkUpdateIDs(p *Problems) {
	if r.UpdateIDs != nil && (len(r.UpdateIDs) == 0 || len(r.UpdateIDs) > maxRepublishUpdates) {
		p.Add("updateIds", "must have 1 to %d releases; omit the field to republish the whole group", maxRepublishUpdates)
	}
	for i, id := range r.UpdateIDs {
		if slices.Contains(r.UpdateIDs[:i], id) {
			p.Add(fmt.Sprintf("updateIds[%d]", i), "release %d is listed twice", id)
		}
	}
}

// Republished is the result of a republish.
type Republished struct {
	GroupID uuid.UUID
	Updates []Release
}
