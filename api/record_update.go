package api

import (
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// Update is a release: a build published to a branch, or an order to go back to
// the bundle inside the app.
type Update struct {
	ID                  int64              `json:"id"`
	UpdateUUID          uuid.UUID          `json:"updateUuid" format:"uuid" doc:"How devices name it."`
	GroupID             uuid.UUID          `json:"groupId" format:"uuid" doc:"Shared by the platforms of one publish."`
	BuildID             *int64             `json:"buildId" doc:"Null for a rollback to the embedded bundle."`
	BranchName          string             `json:"branchName"`
	Channel             *string            `json:"channel" doc:"The channel it was published to, null when straight to a branch."`
	Platform            models.Platform    `json:"platform" enum:"ios,android"`
	RuntimeVersion      string             `json:"runtimeVersion"`
	IsEnabled           bool               `json:"isEnabled" doc:"Whether devices are served it."`
	IsCritical          bool               `json:"isCritical" doc:"Devices apply it at once rather than at their next cold start."`
	RolloutPercentage   float64            `json:"rolloutPercentage" doc:"Share of devices that get it, 0 to 100."`
	ReleaseMessage      string             `json:"releaseMessage"`
	Kind                models.ReleaseKind `json:"kind" enum:"update,rollback_to_embedded"`
	RepublishedFromID   *int64             `json:"republishedFromId" doc:"The release that it repeats, else null."`
	RolledBackUpdateIDs []int64            `json:"rolledBackUpdateIds" doc:"The releases that it reverts."`
	RolloutExecutionID  *int64             `json:"rolloutExecutionId" doc:"The rollout that is running or paused for it, else null."`
	LinkedFlags         []LinkedFlag       `json:"linkedFlags" doc:"Feature flags that the release turns on or off while it is out."`
	GitCommitHash       string             `json:"gitCommitHash"`
	GitBranch           string             `json:"gitBranch"`
	AssetCount          int                `json:"assetCount"`
	SizeBytes           int64              `json:"sizeBytes"`
	CreatedAt           Time               `json:"createdAt" doc:"Commit time of the protocol: strictly increasing over the project's releases."`
	UpdatedAt           Time               `json:"updatedAt"`
}

// LinkedFlag is a feature flag that a release sets.
type LinkedFlag struct {
	FlagID  int64  `json:"flagId"`
	FlagKey string `json:"flagKey"`
	Enabled bool   `json:"enabled"`
	Value   string `json:"value" doc:"The variation's value."`
}

func updateRecord(r models.Release) Update {
	return Update{
		ID: r.ID, UpdateUUID: r.UpdateUUID, GroupID: r.GroupID, BuildID: r.BuildID, BranchName: r.BranchName,
		Channel: r.Channel, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion, IsEnabled: r.IsEnabled,
		IsCritical: r.IsCritical, RolloutPercentage: r.RolloutPercentage, ReleaseMessage: r.ReleaseMessage,
		Kind: r.Kind, RepublishedFromID: r.RepublishedFromID,
		RolledBackUpdateIDs: append([]int64{}, r.RolledBackUpdateIDs...), RolloutExecutionID: r.RolloutExecutionID,
		LinkedFlags: rendered(r.LinkedFlags, linkedFlagRecord), GitCommitHash: r.GitCommitHash, GitBranch: r.GitBranch,
		AssetCount: r.AssetCount, SizeBytes: r.SizeBytes, CreatedAt: Time{r.CreatedAt}, UpdatedAt: Time{r.UpdatedAt},
	}
}

func (Update) example() any {
	return Update{
		ID: 17, UpdateUUID: uuid.MustParse(exampleUUID), GroupID: uuid.MustParse("0b9d3c1e-58f5-4f0f-8c11-2f4f4d0d7f55"),
		BuildID: new(int64(12)), BranchName: "production", Channel: new("production"), Platform: models.IOS, RuntimeVersion: "1.4.0",
		IsEnabled: true, RolloutPercentage: 100, ReleaseMessage: "Fix the checkout button", Kind: models.KindUpdate,
		RolledBackUpdateIDs: []int64{}, LinkedFlags: []LinkedFlag{},
		GitCommitHash: "4b825dc642cb6eb9a060e54bf8d69288fbee4904", GitBranch: "main", AssetCount: 1,
		SizeBytes: 1048576, CreatedAt: exampleTime, UpdatedAt: exampleTime,
	}
}
