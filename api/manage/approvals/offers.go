package approvals

import (
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// OfferChange compares what devices of one channel, platform and runtime version get before and after a call.
type OfferChange struct {
	Channel        string          `json:"channel"`
	Platform       models.Platform `json:"platform" enum:"ios,android"`
	RuntimeVersion string          `json:"runtimeVersion"`
	Before         []Offer         `json:"before" doc:"Releases that the channel offered before the call. A device gets the first release whose rollout includes it."`
	After          []Offer         `json:"after" doc:"Releases that the channel offers after the call."`
}

// Offer is a release that a channel offers to devices.
type Offer struct {
	UpdateID           *int64             `json:"updateId" nullable:"true" doc:"ID of the release; null for a release that the call creates."`
	RepublishedFromID  *int64             `json:"republishedFromId" nullable:"true" doc:"ID of the release whose content this release repeats; otherwise null."`
	BuildID            *int64             `json:"buildId" nullable:"true" doc:"ID of the build; null for an instruction to return to the embedded update."`
	Kind               models.ReleaseKind `json:"kind" enum:"update,rollback_to_embedded"`
	BranchName         string             `json:"branchName"`
	BranchPercentage   float64            `json:"branchPercentage" doc:"Percentage of the channel's devices that are served from the branch, 0 to 100."`
	RolloutPercentage  float64            `json:"rolloutPercentage" doc:"Percentage of the branch's devices that get the release, 0 to 100."`
	RolloutExecutionID *int64             `json:"rolloutExecutionId" nullable:"true" doc:"ID of the rollout that changes the rollout percentage; otherwise null. Steps of a rollout that was itself approved do not make the approval stale."`
	IsEnabled          bool               `json:"isEnabled"`
	IsCritical         bool               `json:"isCritical"`
	ReleaseMessage     string             `json:"releaseMessage"`
	LinkedFlags        []OfferedFlag      `json:"linkedFlags"`
}

// OfferedFlag is a flag whose value is set by a release.
type OfferedFlag struct {
	FlagKey string `json:"flagKey"`
	Value   string `json:"value"`
}

func offerChange(c models.OfferChange) OfferChange {
	channel, platform, runtimeVersion := c.Of()
	return OfferChange{channel, platform, runtimeVersion, rest.Rendered(c.Before, offer), rest.Rendered(c.After, offer)}
}

func offer(o models.Offer) Offer {
	out := Offer{
		UpdateID: orNull(o.ReleaseID), BuildID: o.BuildID, Kind: o.Kind, BranchName: o.BranchName, BranchPercentage: o.BranchPercentage,
		RolloutPercentage: o.ReleasePercentage, RolloutExecutionID: orNull(o.RolloutID), IsEnabled: o.IsEnabled, IsCritical: o.IsCritical,
		ReleaseMessage: o.ReleaseMessage, LinkedFlags: rest.Rendered(o.LinkedFlags, func(l models.LinkedFlag) OfferedFlag {
			return OfferedFlag{l.FlagKey, l.Value}
		}),
	}
	if o.OriginID != o.ReleaseID {
		out.RepublishedFromID = orNull(o.OriginID)
	}
	return out
}

// orNull returns nil for 0.
func orNull(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}

var exampleOfferChange = OfferChange{
	Channel: "production", Platform: models.IOS, RuntimeVersion: "1.2.0",
	Before: []Offer{{
		UpdateID: new(int64(31)), BuildID: new(int64(11)), Kind: models.KindUpdate, BranchName: "production", BranchPercentage: 100,
		RolloutPercentage: 100, IsEnabled: true, ReleaseMessage: "faster start", LinkedFlags: []OfferedFlag{},
	}},
	After: []Offer{{
		BuildID: new(int64(12)), Kind: models.KindUpdate, BranchName: "production", BranchPercentage: 100,
		RolloutPercentage: 100, IsEnabled: true, ReleaseMessage: "new checkout", LinkedFlags: []OfferedFlag{},
	}},
}
