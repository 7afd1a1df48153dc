package releases

import (
	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Update is a release: a build published to a branch, or a rollback to the embedded update.
type Update struct {
	rest.Tagged
	ID             int64           `json:"id"`
	UpdateID       int64           `json:"updateId" doc:"Same value as id."`
	UpdateUUID     uuid.UUID       `json:"updateUuid" format:"uuid" doc:"Update ID of the release."`
	GroupID        uuid.UUID       `json:"groupId" format:"uuid" doc:"ID that the platforms of one publish share."`
	BuildID        *int64          `json:"buildId" doc:"ID of the build; null for a rollback to the embedded update."`
	BranchName     string          `json:"branchName"`
	Channel        *string         `json:"channel" doc:"Channel that the release was published to; null if it was published to a branch directly."`
	Platform       models.Platform `json:"platform" enum:"ios,android"`
	RuntimeVersion string          `json:"runtimeVersion"`
	IsEnabled      bool            `json:"isEnabled" doc:"Whether devices get the release."`
	rest.Disabling
	DisabledReason         string             `json:"disabledReason" doc:"Reason why the release was disabled; empty if none was given or the release is enabled."`
	IsCritical             bool               `json:"isCritical" doc:"Whether devices apply the release immediately rather than at their next cold start."`
	RolloutPercentage      float64            `json:"rolloutPercentage" doc:"Percentage of devices that get the release, 0 to 100."`
	ReleaseMessage         string             `json:"releaseMessage"`
	Kind                   models.ReleaseKind `json:"kind" enum:"update,rollback_to_embedded"`
	RepublishedFromID      *int64             `json:"republishedFromId" doc:"ID of the release that this release repeats; otherwise null."`
	RepublishedFromMessage *string            `json:"republishedFromMessage" doc:"Release notes of the release that this release repeats; otherwise null."`
	RolledBackUpdateIDs    []int64            `json:"rolledBackUpdateIds" doc:"IDs of the releases that this release rolls back."`
	RolloutExecutionID     *int64             `json:"rolloutExecutionId" doc:"ID of the release's running or paused rollout; otherwise null."`
	LinkedFlags            []LinkedFlag       `json:"linkedFlags" doc:"Feature flags that the release turns on or off while it is out."`
	GitCommitHash          string             `json:"gitCommitHash"`
	GitBranch              string             `json:"gitBranch"`
	GitAuthor              string             `json:"gitAuthor" doc:"Author of the commit; empty if the upload did not name them."`
	AssetCount             int                `json:"assetCount"`
	SizeBytes              int64              `json:"sizeBytes"`
	CreatedAt              rest.Time          `json:"createdAt" doc:"Commit time in the update protocol, strictly increasing over the project's releases."`
	UpdatedAt              rest.Time          `json:"updatedAt"`
}

// LinkedFlag is a feature flag whose value is set by a release.
type LinkedFlag struct {
	FlagID  int64  `json:"flagId"`
	FlagKey string `json:"flagKey"`
	Enabled bool   `json:"enabled"`
	Value   string `json:"value" doc:"Value of the variation."`
}

// UpdateRecord returns the API's representation of a release.
func UpdateRecord(r models.Release) Update {
	disabling, disabledReason := rest.DisablingRecord(r.Disabling)
	return Update{
		Tagged: rest.Tagged{ETag: r.ETag(r.ID)},
		ID:     r.ID, UpdateID: r.ID, UpdateUUID: r.UpdateUUID, GroupID: r.GroupID, BuildID: r.BuildID, BranchName: r.BranchName,
		Channel: r.Channel, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion, IsEnabled: r.IsEnabled,
		Disabling: disabling, DisabledReason: disabledReason, IsCritical: r.IsCritical, RolloutPercentage: r.RolloutPercentage, ReleaseMessage: r.ReleaseMessage,
		Kind: r.Kind, RepublishedFromID: r.RepublishedFromID, RepublishedFromMessage: r.RepublishedFromMessage,
		RolledBackUpdateIDs: append([]int64{}, r.RolledBackUpdateIDs...), RolloutExecutionID: r.RolloutExecutionID,
		LinkedFlags: rest.Rendered(r.LinkedFlags, LinkedFlagRecord), GitCommitHash: r.GitCommitHash, GitBranch: r.GitBranch, GitAuthor: r.GitAuthor,
		AssetCount: r.AssetCount, SizeBytes: r.SizeBytes, CreatedAt: rest.Time{Time: r.CreatedAt}, UpdatedAt: rest.Time{Time: r.UpdatedAt},
	}
}

func (Update) Example() any {
	return Update{
		ID: 17, UpdateID: 17, UpdateUUID: uuid.MustParse(rest.ExampleUUID), GroupID: uuid.MustParse("0b9d3c1e-58f5-4f0f-8c11-2f4f4d0d7f55"),
		BuildID: new(int64(12)), BranchName: "production", Channel: new("production"), Platform: models.IOS, RuntimeVersion: "1.4.0",
		IsEnabled: true, RolloutPercentage: 100, ReleaseMessage: "Fix the checkout button", Kind: models.KindUpdate,
		RolledBackUpdateIDs: []int64{}, LinkedFlags: []LinkedFlag{},
		GitCommitHash: "4b825dc642cb6eb9a060e54bf8d69288fbee4904", GitBranch: "main", GitAuthor: "Ada Lovelace", AssetCount: 1,
		SizeBytes: 1048576, CreatedAt: rest.ExampleTime, UpdatedAt: rest.ExampleTime,
	}
}

// LinkedFlagRecord returns the API's representation of a flag that a release sets.
func LinkedFlagRecord(l models.LinkedFlag) LinkedFlag {
	return LinkedFlag{FlagID: l.FlagID, FlagKey: l.FlagKey, Enabled: l.Enabled, Value: l.Value}
}

func (r Update) RecordID() int64 { return r.ID }
