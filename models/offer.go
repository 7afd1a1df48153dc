package models

// Offer is a release that a channel offers to its devices of one platform and runtime version. A device is given the first release
// in the list of offers whose shares hold the device.
type Offer struct {
	ChannelID      int64    `json:"channelId"`
	Channel        string   `json:"channel"`
	Platform       Platform `json:"platform"`
	RuntimeVersion string   `json:"runtimeVersion"`
	// Paused says that the channel is paused: devices get the release once the channel goes on.
	Paused bool `json:"paused"`

	// ReleaseID is 0 for a release that a waiting call creates.
	ReleaseID int64 `json:"releaseId"`
	// OriginID is the release that ReleaseID repeats, directly or by way of others, and ReleaseID when it repeats none.
	OriginID   int64       `json:"originId"`
	BuildID    *int64      `json:"buildId"`
	Kind       ReleaseKind `json:"kind"`
	BranchID   int64       `json:"branchId"`
	BranchName string      `json:"branchName"`
	// BranchPercentage is the share of the channel's devices that are sent to the branch, ReleasePercentage the share of devices of
	// the branch that are given the release, both in percent.
	BranchPercentage  float64 `json:"branchPercentage"`
	ReleasePercentage float64 `json:"releasePercentage"`
	// Reach is the share of the channel's devices, in percent, that may come to get the release without another approval. The
	// branch that the channel points to counts as a whole, even while some devices are sent to a second one: that ends unasked.
	Reach float64 `json:"reach"`
	// IsEnabled is false only for a disabled release that a waiting call creates.
	IsEnabled      bool         `json:"isEnabled"`
	IsCritical     bool         `json:"isCritical"`
	ReleaseMessage string       `json:"releaseMessage"`
	LinkedFlags    []LinkedFlag `json:"linkedFlags"`
	// RolloutID is the running or paused rollout of the release, 0 without one. Moves says that people approved the rollout, so its
	// steps change ReleasePercentage without making an approval stale.
	RolloutID int64 `json:"rolloutId"`
	Moves     bool  `json:"moves"`
}

// Place is the devices that a list of offers is for.
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

// Of names the channel, platform and runtime version of the change.
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

// LargestOffer is the largest share of a channel's devices that the channel has ever offered a release to.
type LargestOffer struct {
	ProjectID, ChannelID int64
	// ReleaseID and OriginID are those of Offer.
	ReleaseID, OriginID int64
	Platform            Platform
	RuntimeVersion      string
	// Percentage is the share.
	Percentage float64
}

func (LargestOffer) TableName() string { return "channel_offers" }
