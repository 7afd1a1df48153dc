package api

import "github.com/waft-ota/waft/models"

// Branch is a named, ordered list of releases.
type Branch struct {
	ID            int64    `json:"id"`
	Name          string   `json:"name"`
	CreatedAt     Time     `json:"createdAt"`
	LatestUpdates []Update `json:"latestUpdates" doc:"The newest release of each platform and runtime version."`
}

func branchRecord(b models.Branch) Branch {
	return Branch{ID: b.ID, Name: b.Name, CreatedAt: Time{b.CreatedAt}, LatestUpdates: rendered(b.LatestUpdates, updateRecord)}
}

func (Branch) example() any {
	return Branch{ID: 5, Name: "production", CreatedAt: exampleTime, LatestUpdates: []Update{Update{}.example().(Update)}}
}

// Channel is what a device connects to.
type Channel struct {
	ID                int64    `json:"id"`
	Name              string   `json:"name"`
	BranchName        string   `json:"branchName" doc:"The branch that devices get."`
	RolloutBranchName *string  `json:"rolloutBranchName" doc:"The branch that a share of the devices gets instead, else null."`
	RolloutPercentage *float64 `json:"rolloutPercentage" doc:"That share, 0 to 100, null without a rollout branch."`
	MinRuntimeVersion *string  `json:"minRuntimeVersion" doc:"Devices below it must update in the app store; null for none."`
	IsPaused          bool     `json:"isPaused" doc:"Whether updates are stopped for all devices of the channel."`
	CreatedAt         Time     `json:"createdAt"`
	UpdatedAt         Time     `json:"updatedAt"`
}

func channelRecord(c models.Channel) Channel {
	return Channel{
		ID: c.ID, Name: c.Name, BranchName: c.BranchName, RolloutBranchName: c.RolloutBranchName,
		RolloutPercentage: c.RolloutPercentage, MinRuntimeVersion: c.MinRuntimeVersion, IsPaused: c.IsPaused,
		CreatedAt: Time{c.CreatedAt}, UpdatedAt: Time{c.UpdatedAt},
	}
}

func (Channel) example() any {
	return Channel{
		ID: 6, Name: "production", BranchName: "production", RolloutBranchName: new("next"), RolloutPercentage: new(12.5),
		MinRuntimeVersion: new("1.2.0"), CreatedAt: exampleTime, UpdatedAt: exampleTime,
	}
}
