package models

// Offer is a release that a channel offers to its devices of one platform and runtime version. A device gets the first release
// in the list of offers whose percentages include the device.
type Offer struct {
	ChannelID      int64    `json:"channelId"`
	Channel        string   `json:"channel"`
	Platform       Platform `json:"platform"`
	RuntimeVersion string   `json:"runtimeVersion"`
	// Paused means that the channel is paused: devices get the release once the channel is resumed.
	Paused bool `json:"paused"`

	// ReleaseID is 0 for a release that a waiting call creates.
	ReleaseID int64 `json:"releaseId"`
	// OriginID is the ID of the original release if ReleaseID republishes another one, directly or through others. Otherwise it
	// equals ReleaseID.
	OriginID   int64       `json:"originId"`
	BuildID    *int64      `json:"buildId"`
	Kind       ReleaseKind `json:"kind"`
	BranchID   int64       `json:"branchId"`
	BranchName string      `json:"branchName"`
	// BranchPercentage is the percentage of the channel's devices that the channel sends to the branch; ReleasePercentage is the
	// percentage of the branch's devices that get the release.
	BranchPercentage  float64 `json:"branchPercentage"`
	ReleasePercentage float64 `json:"releasePercentage"`
	// Reach is the percentage of the channel's devices that can get the release without another approval. The branch that the
	// channel points to counts with 100%, even while the channel sends some devices to a second branch, because that can end
	// without an approval.
	Reach float64 `json:"reach"`
	// IsEnabled is false only for a disabled release that a waiting call creates.
	IsEnabled      bool         `json:"isEnabled"`
	IsCritical     bool         `json:"isCritical"`
	ReleaseMessage string       `json:"releaseMessage"`
	LinkedFlags    []LinkedFlag `json:"linkedFlags"`
	// RolloutID is the ID of the running or paused rollout of the release, 0 for none. Moves means that the rollout was approved,
	// so its steps change ReleasePercentage without making an approval out of date.
	RolloutID int64 `json:"rolloutId"`
	Moves     bool  `json:"moves"`
}

// Place identifies the devices that a list of offers is for.
type Place struct {
	ChannelID      int64
	Platform       Platform
	RuntimeVersion string
}

// Place returns the devices that the offer is for.
func (o Offer) Place() Place { return Place{o.ChannelID, o.Platform, o.RuntimeVersion} }

// OfferChange holds the offers to the devices of one place before a call and after it.
type OfferChange struct {
	Before []Offer `json:"before"`
	After  []Offer `json:"after"`
}

// Place returns the devices that the change is for.
func (c OfferChange) Place() Place { return c.some().Place() }

// Of returns the channel, platform and runtime version of the change.
func (c OfferChange) Of() (channel string, platform Platform, runtimeVersion string) {
	some := c.some()
	return some.Channel, some.Platform, some.RuntimeVersion
}

// some returns an offer of the change, which has at least one.
func (c OfferChange) some() Offer {
	if len(c.After) > 0 {
		return c.After[0]
	}
	return c.Before[0]
}

// LargestOffer records the highest percentage of a channel's devices that the channel has ever offered a release to.
type LargestOffer struct {
	ProjectID, ChannelID int64
	// ReleaseID and OriginID are as in Offer.
	ReleaseID, OriginID int64
	Platform            Platform
	RuntimeVersion      string
	// Percentage is that highest percentage.
	Percentage float64
}

func (LargestOffer) TableName() string { return "channel_offers" }
