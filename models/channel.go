package models

import "time"

// Channel is what a device connects to. It points to a branch, and may send a
// share of its devices to a second one.
type Channel struct {
	ID        int64
	ProjectID int64
	Name      string
	BranchID  int64
	// RolloutBranchID and RolloutPercentage are both set or both nil.
	RolloutBranchID   *int64
	RolloutPercentage *float64
	// MinRuntimeVersion sends older devices to the app store when set.
	MinRuntimeVersion *string
	IsPaused          bool
	CreatedAt         time.Time
	UpdatedAt         time.Time

	// BranchName and RolloutBranchName are read from the branches pointed to.
	BranchName        string  `gorm:"->"`
	RolloutBranchName *string `gorm:"->"`
}

// NewChannel is what a caller says to create a channel. A branch of that name is
// made when the project has none.
type NewChannel struct {
	Name       string
	BranchName string
}

// Validate reports every bad field.
func (n NewChannel) Validate() error {
	var p Problems
	checkStreamName(&p, "name", n.Name)
	checkStreamName(&p, "branchName", n.BranchName)
	return p.Err()
}

// ChannelPatch changes the fields that are set. The nullable fields are cleared
// by a set Nullable whose value is nil.
type ChannelPatch struct {
	BranchName        *string
	RolloutBranchName Nullable[string]
	RolloutPercentage Nullable[float64]
	MinRuntimeVersion Nullable[string]
	IsPaused          *bool
}

// Validate reports every bad field that can be seen without the channel.
func (c ChannelPatch) Validate() error {
	var p Problems
	if c.BranchName != nil {
		checkStreamName(&p, "branchName", *c.BranchName)
	}
	if v := c.RolloutBranchName.Value; v != nil {
		checkStreamName(&p, "rolloutBranchName", *v)
	}
	if v := c.RolloutPercentage.Value; v != nil {
		CheckPercentage(&p, "rolloutPercentage", *v)
	}
	if v := c.MinRuntimeVersion.Value; v != nil {
		CheckRuntimeVersion(&p, "minRuntimeVersion", *v)
	}
	return p.Err()
}

// CheckShare reports an error unless the rollout branch and its percentage are
// both present or both absent.
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
