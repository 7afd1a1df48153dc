// Package offer computes what channels offer to devices, how a call changes these offers, and whether the change is the
// approved one.
package offer

import (
	"cmp"
	"slices"

	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// everybody is the percentage that includes every device.
const everybody = 100

// Head is a release that devices of its branch can get: no newer release of the branch reaches all of them.
type Head struct {
	models.Release
	// OriginID has the meaning of models.Offer.OriginID.
	OriginID int64
}

// Call is the call whose offers are computed.
type Call struct {
	// Made contains the IDs of the releases that the call has created.
	Made []int64
	// Guarded contains the IDs of the branches that protected channels pointed to before the call.
	Guarded []int64
}

// Of returns the offers of a channel by platform and runtime version. A paused channel will offer them once it is resumed.
// heads are the heads of the channel's branches, ordered by models.NewestFirst.
func (call Call) Of(c models.Channel, heads []Head) []models.Offer {
	var offers []models.Offer
	second := 0.0
	if c.RolloutBranchID != nil && c.RolloutPercentage != nil && *c.RolloutPercentage > 0 {
		second = *c.RolloutPercentage
		for _, h := range heads {
			if h.BranchID == *c.RolloutBranchID {
				offers = append(offers, call.offer(c, h, second, second))
			}
		}
	}
	for _, h := range heads {
		if h.BranchID == c.BranchID && second < everybody {
			offers = append(offers, call.offer(c, h, everybody-second, everybody))
		}
	}
	offers = slices.DeleteFunc(offers, func(o models.Offer) bool {
		return c.MinRuntimeVersion != nil && delivery.BelowMinimum(*c.MinRuntimeVersion, o.RuntimeVersion)
	})
	slices.SortStableFunc(offers, func(a, b models.Offer) int { return byPlace(a.Place(), b.Place()) })
	return offers
}

// offer returns one offer of the channel. covered is the percentage of devices to which the branch's releases count as
// offered.
func (call Call) offer(c models.Channel, h Head, branch, covered float64) models.Offer {
	o := models.Offer{
		ChannelID: c.ID, Channel: c.Name, Platform: h.Platform, RuntimeVersion: h.RuntimeVersion, Paused: c.IsPaused,
		ReleaseID: h.ID, OriginID: h.OriginID, BuildID: h.BuildID, Kind: h.Kind, BranchID: h.BranchID, BranchName: h.BranchName,
		BranchPercentage: branch, ReleasePercentage: h.RolloutPercentage, Reach: h.RolloutPercentage * covered / everybody,
		IsEnabled: h.IsEnabled, IsCritical: h.IsCritical, ReleaseMessage: h.ReleaseMessage, LinkedFlags: h.LinkedFlags,
	}
	if slices.Contains(call.Made, h.ID) {
		o.ReleaseID = 0
		if o.OriginID == h.ID {
			o.OriginID = 0
		}
	}
	if !h.IsEnabled {
		o.Reach = 0
	}
	if h.RolloutExecutionID != nil {
		o.RolloutID, o.Moves = *h.RolloutExecutionID, slices.Contains(call.Guarded, h.BranchID)
	}
	return o
}

func byPlace(a, b models.Place) int {
	return cmp.Or(cmp.Compare(a.ChannelID, b.ChannelID), cmp.Compare(a.Platform, b.Platform), cmp.Compare(a.RuntimeVersion, b.RuntimeVersion))
}

// byPlaces splits offers into the lists of their places.
func byPlaces(offers []models.Offer) map[models.Place][]models.Offer {
	lists := map[models.Place][]models.Offer{}
	for _, o := range offers {
		lists[o.Place()] = append(lists[o.Place()], o)
	}
	return lists
}

// Changes returns the lists of offers that differ, by place. It treats a channel that the call resumes as a channel without
// offers before the call.
func Changes(before, after []models.Offer) []models.OfferChange {
	was, is := byPlaces(before), byPlaces(after)
	for place, list := range is {
		switch old := was[place]; {
		case len(old) == 0 || old[0].Paused == list[0].Paused:
		case list[0].Paused:
			delete(is, place)
		default:
			delete(was, place)
		}
	}
	var changes []models.OfferChange
	for place, list := range is {
		if !slices.EqualFunc(was[place], list, same) {
			changes = append(changes, models.OfferChange{Before: was[place], After: list})
		}
	}
	for place, list := range was {
		if len(is[place]) == 0 {
			changes = append(changes, models.OfferChange{Before: list})
		}
	}
	slices.SortFunc(changes, func(a, b models.OfferChange) int { return byPlace(a.Place(), b.Place()) })
	return changes
}

// New returns the offers that give a release to more devices of a channel than the channel has ever offered its content to.
// A rollback to the embedded update is never new.
func New(offers []models.Offer, ever []models.LargestOffer) []models.Offer {
	return slices.DeleteFunc(slices.Clone(offers), func(o models.Offer) bool {
		return o.Kind == models.KindRollbackToEmbedded || Offered(o.ChannelID, o.OriginID, o.Reach, ever)
	})
}

// Offered reports whether a channel has ever offered the content of a release to at least the given percentage of devices.
func Offered(channelID, originID int64, share float64, ever []models.LargestOffer) bool {
	return share == 0 || slices.ContainsFunc(ever, func(l models.LargestOffer) bool {
		return l.ChannelID == channelID && l.OriginID == originID && l.Percentage >= share-Rounding
	})
}

// Rounding is the maximum difference of two percentages that count as equal. Percentages have at most three decimals.
const Rounding = 1e-6
