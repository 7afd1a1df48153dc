package models

import (
	"strings"
	"time"
	"unicode"
)

// DefaultStreams are the branches, each with a channel of the same name, of a new project.
var DefaultStreams = []string{"production", "staging"}

// Branch is a named, ordered list of releases.
type Branch struct {
	ID, ProjectID int64
	Name          string
	CreatedAt     time.Time
	// DeletedAt is set on a deleted branch, whose row stays for its releases.
	DeletedAt *time.Time

	// LatestUpdates are the newest releases per platform and runtime version that are not deleted. They are set only in lists.
	LatestUpdates []Release `gorm:"-"`
	// Channels are the names of the channels that point to the branch or roll it out, in alphabetical order. They are set only in lists.
	Channels []string `gorm:"-"`
}

type NewBranch struct{ Name string }

func (n NewBranch) Validate() error {
	var p Problems
	checkStreamName(&p, "name", n.Name)
	return p.Err()
}

// Channel is a named endpoint for devices. It points to a branch and, during a branch rollout, sends a percentage of its devices to
// a second branch.
type Channel struct {
	Versioned
	ID, ProjectID int64
	Name          string
	BranchID      int64
	// RolloutBranchID and RolloutPercentage are both set or both nil.
	RolloutBranchID   *int64
	RolloutPercentage *float64
	// MinRuntimeVersion, if set, sends devices with an older runtime version to the app store.
	MinRuntimeVersion *string
	IsPaused          bool
	// IsProtected means that changes to the releases that devices get require an admin or approvals.
	IsProtected bool
	// RequiredApprovals is the number of people who must approve such a change, 0 to 5. From 1 on, all changes wait, even
	// changes by admins.
	RequiredApprovals    int
	CreatedAt, UpdatedAt time.Time

	BranchName        string  `gorm:"->"`
	RolloutBranchName *string `gorm:"->"`
}

// CheckShare requires that the rollout branch and its percentage are both set or both nil.
func (c Channel) CheckShare() error {
	var p Problems
	switch {
	case c.RolloutBranchID != nil && c.RolloutPercentage == nil:
		p.Add("rolloutPercentage", "is required with rolloutBranchName")
	case c.RolloutBranchID == nil && c.RolloutPercentage != nil:
		p.Add("rolloutBranchName", "is required with rolloutPercentage")
	}
	return p.Err()
}

// NewChannel is a request to create a channel. The branch is created if it does not exist.
type NewChannel struct {
	Name, BranchName string
}

func (n NewChannel) Validate() error {
	var p Problems
	checkStreamName(&p, "name", n.Name)
	checkStreamName(&p, "branchName", n.BranchName)
	return p.Err()
}

type ChannelPatch struct {
	BranchName        *string           `json:"branchName,omitempty"`
	RolloutBranchName Nullable[string]  `json:"rolloutBranchName,omitzero"`
	RolloutPercentage Nullable[float64] `json:"rolloutPercentage,omitzero"`
	MinRuntimeVersion Nullable[string]  `json:"minRuntimeVersion,omitzero"`
	IsPaused          *bool             `json:"isPaused,omitempty"`
	IsProtected       *bool             `json:"isProtected,omitempty"`
	RequiredApprovals *int              `json:"requiredApprovals,omitempty"`
}

// maxRequiredApprovals is the maximum of RequiredApprovals.
const maxRequiredApprovals = 5

// Validate checks every field as far as possible without the channel.
func (c ChannelPatch) Validate() error {
	var p Problems
	ifSet(&p, "branchName", c.BranchName, checkStreamName)
	ifSet(&p, "rolloutBranchName", c.RolloutBranchName.Value, checkStreamName)
	ifSet(&p, "rolloutPercentage", c.RolloutPercentage.Value, CheckPercentage)
	ifSet(&p, "minRuntimeVersion", c.MinRuntimeVersion.Value, CheckRuntimeVersion)
	if n := c.RequiredApprovals; n != nil && (*n < 0 || *n > maxRequiredApprovals) {
		p.Add("requiredApprovals", "must be a number from 0 to %d", maxRequiredApprovals)
	}
	return p.Err()
}

// UserOverride serves one user from a branch, whatever the channel points to.
type UserOverride struct {
	ID, ProjectID int64
	// UserID must equal the user ID that the app sends, byte by byte.
	UserID    string
	BranchID  int64
	Note      string
	CreatedAt time.Time

	BranchName string `gorm:"->"`
}

type NewUserOverride struct {
	UserID     string `json:"userId"`
	BranchName string `json:"branchName"`
	Note       string `json:"note,omitempty"`
}

const maxUserIDBytes = 256

func (n NewUserOverride) Validate() error {
	var p Problems
	checkRequiredText(&p, "userId", n.UserID, maxUserIDBytes)
	if len(p) == 0 && (strings.TrimSpace(n.UserID) != n.UserID || strings.ContainsFunc(n.UserID, unicode.IsControl)) {
		p.Add("userId", "must not begin or end with a space, nor contain control characters, because devices cannot send such an ID")
	}
	checkStreamName(&p, "branchName", n.BranchName)
	checkNote(&p, "note", n.Note)
	return p.Err()
}
