package rollouts

import (
	"slices"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/preview"
	"github.com/waft-ota/waft/models"
)

// ChangePreview lists the changes that a call would make.
type ChangePreview struct {
	DevicesAffected *int64             `json:"devicesAffected" nullable:"true" doc:"Number of devices whose next manifest request would get another response than now, or whose linked flags would change. Counts only devices that reported in the last 24 hours: this hour and the 23 hours before it. For the deletion of a flag: number of devices that reported the flag in the last 7 days. Null while telemetry is unavailable, and for a user override, because Waft does not know the devices of a user."`
	Releases        []PreviewedRelease `json:"releases" doc:"Releases that would be published, enabled or disabled, or whose rollout percentage would change."`
	Executions      []PreviewedRollout `json:"executions" doc:"Rollouts whose state would change."`
	Flags           []PreviewedFlag    `json:"flags" doc:"Linked flags whose value would change for devices of a release, and flags whose rules use a changed segment."`
	Channels        []PreviewedChannel `json:"channels" doc:"Channels that would be paused or resumed, by name."`
	Warnings        []string           `json:"warnings" doc:"Warnings to read before the call, as sentences."`

	NeededApprovals []NeededApproval `json:"neededApprovals" doc:"Approvals that the call would wait for. Each also has a sentence in warnings."`

	Goal rest.OrNull[rest.RollbackGoal] `json:"goal" doc:"Release that a rollback of a channel returns to; null for the embedded update and for other calls."`
}

// NeededApproval describes the approvals that a call would wait for.
type NeededApproval struct {
	Channels []string `json:"channels" doc:"Protected channels on which the call would change what devices get."`
	Required int      `json:"required" doc:"Number of approvals that the call would wait for; 0 if only admins may make the call."`
	Warning  string   `json:"warning" doc:"The sentence in warnings about these approvals."`
}

// NeededApprovals returns the approvals that a previewed call would wait for, and their warnings.
func NeededApprovals(c models.PreviewedChange) (needed []NeededApproval, warnings []string) {
	needed, warnings = []NeededApproval{}, []string{}
	for _, n := range preview.NeededApprovals(c) {
		needed = append(needed, NeededApproval(n))
		if !slices.Contains(warnings, n.Warning) {
			warnings = append(warnings, n.Warning)
		}
	}
	return needed, warnings
}

// PreviewedRelease is a release that would change.
type PreviewedRelease struct {
	UpdateID          *int64                             `json:"updateId" nullable:"true" doc:"ID of the release; null for a release that the call would publish."`
	Kind              models.ReleaseKind                 `json:"kind" enum:"update,rollback_to_embedded"`
	BranchName        string                             `json:"branchName"`
	Channel           *string                            `json:"channel" nullable:"true" doc:"Channel that the release was published to; null if it was published to a branch directly."`
	Platform          models.Platform                    `json:"platform" enum:"ios,android"`
	RuntimeVersion    string                             `json:"runtimeVersion"`
	ReleaseMessage    string                             `json:"releaseMessage"`
	IsCritical        bool                               `json:"isCritical"`
	RepublishedFromID *int64                             `json:"republishedFromId" nullable:"true" doc:"ID of the release that this release repeats; otherwise null."`
	Before            rest.OrNull[PreviewedReleaseState] `json:"before" doc:"State now; null for a release that the call would publish."`
	After             rest.OrNull[PreviewedReleaseState] `json:"after" doc:"State after the call; null for a release that the call would delete."`
}

// PreviewedReleaseState holds the fields of a release that a call may change.
type PreviewedReleaseState struct {
	IsEnabled         bool    `json:"isEnabled"`
	RolloutPercentage float64 `json:"rolloutPercentage"`
	IsCritical        *bool   `json:"isCritical,omitempty" doc:"Whether devices apply the release immediately; only if the call would change that."`
}

// PreviewedRollout is a rollout that would change.
type PreviewedRollout struct {
	ID         *int64                             `json:"id" nullable:"true" doc:"ID of the rollout; null for a rollout that the call would start."`
	UpdateID   *int64                             `json:"updateId" nullable:"true" doc:"ID of its release; null for a release that the call would publish."`
	Release    rest.OrNull[releases.ReleaseName]  `json:"release" doc:"Its release; null for a release that the call would publish."`
	PolicyName string                             `json:"policyName"`
	Before     rest.OrNull[PreviewedRolloutState] `json:"before" doc:"State now; null for a rollout that the call would start."`
	After      PreviewedRolloutState              `json:"after"`
}

// PreviewedRolloutState holds the fields of a rollout that a call may change.
type PreviewedRolloutState struct {
	Status     models.ExecutionStatus `json:"status" enum:"running,paused,completed,rolled_back,cancelled"`
	StageIndex int                    `json:"stageIndex" doc:"Index of the stage, beginning at 0."`
	Percentage float64                `json:"percentage"`
}

// PreviewedFlag is a linked flag of a release that would change.
type PreviewedFlag struct {
	FlagID   int64                             `json:"flagId"`
	FlagKey  string                            `json:"flagKey"`
	UpdateID *int64                            `json:"updateId" nullable:"true" doc:"ID of the release; null for a release that the call would publish, and for a flag whose rules use a changed segment."`
	Release  rest.OrNull[releases.ReleaseName] `json:"release" doc:"Release of updateId; null if updateId is null."`
	Before   rest.OrNull[releases.LinkedFlag]  `json:"before" doc:"Flag value that the release sets now; null if it does not set any, as when it is disabled."`
	After    rest.OrNull[releases.LinkedFlag]  `json:"after"`
}

// PreviewedChannel is a channel that would be paused or resumed.
type PreviewedChannel struct {
	Name   string                `json:"name"`
	Before PreviewedChannelState `json:"before"`
	After  PreviewedChannelState `json:"after"`
}

// PreviewedChannelState holds the fields of a channel that a call may change.
type PreviewedChannelState struct {
	IsPaused bool `json:"isPaused"`
}

func (ChangePreview) Example() any {
	return ChangePreview{
		DevicesAffected: new(int64(60)),
		Releases: []PreviewedRelease{
			{
				UpdateID: new(int64(17)), Kind: models.KindUpdate, BranchName: "production", Channel: new("production"), Platform: models.IOS,
				RuntimeVersion: "1.4.0", ReleaseMessage: "Faster checkout", Before: rest.Present(PreviewedReleaseState{true, 5, nil}),
				After: rest.Present(PreviewedReleaseState{false, 5, nil}),
			},
			{
				Kind: models.KindUpdate, BranchName: "production", Channel: new("production"), Platform: models.IOS, RuntimeVersion: "1.4.0",
				RepublishedFromID: new(int64(16)), After: rest.Present(PreviewedReleaseState{true, 100, nil}),
			},
		},
		Executions: []PreviewedRollout{{
			ID: new(int64(21)), UpdateID: new(int64(17)), Release: rest.Present(releases.ExampleName), PolicyName: "Careful",
			Before: rest.Present(PreviewedRolloutState{models.ExecutionRunning, 0, 5}), After: PreviewedRolloutState{models.ExecutionRolledBack, 0, 5},
		}},
		Flags: []PreviewedFlag{{
			FlagID: 9, FlagKey: "new-checkout", UpdateID: new(int64(17)), Release: rest.Present(releases.ExampleName), Before: rest.Present(releases.LinkedFlag{FlagID: 9,
				FlagKey: "new-checkout", Enabled: true, Value: "true"}),
		}},
		Channels:        []PreviewedChannel{{Name: "production", After: PreviewedChannelState{IsPaused: true}}},
		NeededApprovals: []NeededApproval{},
		Warnings:        []string{"The rollout of release “Faster checkout” (#17) would be rolled back."},
		Goal:            rest.Present(rest.RollbackGoal{UpdateID: 16, IsEnabled: true}),
	}
}

// EmptyPreview returns the preview of a call that does not change releases, rollouts, linked flags and channels. It has the approvals
// that the call would wait for.
func EmptyPreview(c models.PreviewedChange) ChangePreview {
	record := previewRecord(preview.Difference{})
	record.NeededApprovals, record.Warnings = NeededApprovals(c)
	return record
}

func previewRecord(d preview.Difference) ChangePreview {
	return ChangePreview{
		Releases: rest.Rendered(d.Releases, func(r preview.Release) PreviewedRelease {
			out := PreviewedRelease{
				UpdateID: &r.ID, Kind: r.Kind, BranchName: r.BranchName, Channel: r.Channel, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion,
				ReleaseMessage: r.ReleaseMessage, IsCritical: r.IsCritical, RepublishedFromID: r.RepublishedFromID,
				Before: previewedState(r.Before, r.After), After: previewedState(r.After, r.Before),
			}
			if r.Published {
				out.UpdateID = nil
			}
			return out
		}),
		Executions: rest.Rendered(d.Executions, func(e preview.Execution) PreviewedRollout {
			out := PreviewedRollout{PolicyName: e.PolicyName, After: PreviewedRolloutState(e.After)}
			if !slices.ContainsFunc(d.Releases, func(r preview.Release) bool { return r.Published && r.ID == e.UpdateID }) {
				out.UpdateID, out.Release = &e.UpdateID, rest.Present(releases.ReleaseName{
					UpdateID: e.UpdateID, UpdateUUID: e.UpdateUUID, GroupID: e.GroupID, Platform: e.Platform, RuntimeVersion: e.RuntimeVersion,
					ReleaseMessage: e.ReleaseMessage, Kind: models.KindUpdate,
				})
			}
			if !e.Started {
				out.ID, out.Before = &e.ID, rest.Present(PreviewedRolloutState(e.Before))
			}
			return out
		}),
		Flags: rest.Rendered(d.Flags, func(f preview.Flag) PreviewedFlag {
			return PreviewedFlag{
				FlagID: f.FlagID, FlagKey: f.FlagKey, UpdateID: rest.SomeOrNull(f.UpdateID), Release: releases.NameOrNull(f.Release), Before: previewedLink(f.Before),
				After: previewedLink(f.After),
			}
		}),
		Channels: rest.Rendered(d.Channels, func(c preview.Channel) PreviewedChannel {
			return PreviewedChannel{Name: c.Name, Before: PreviewedChannelState(c.Before), After: PreviewedChannelState(c.After)}
		}),
	}
}

// previewedState returns a state of a release, which is compared with the other one.
func previewedState(s, other *preview.ReleaseState) rest.OrNull[PreviewedReleaseState] {
	if s == nil {
		return rest.OrNull[PreviewedReleaseState]{}
	}
	out := PreviewedReleaseState{IsEnabled: s.IsEnabled, RolloutPercentage: s.RolloutPercentage}
	if other != nil && other.IsCritical != s.IsCritical {
		out.IsCritical = &s.IsCritical
	}
	return rest.Present(out)
}

func previewedLink(l *models.LinkedFlag) rest.OrNull[releases.LinkedFlag] {
	if l == nil {
		return rest.OrNull[releases.LinkedFlag]{}
	}
	return rest.Present(releases.LinkedFlagRecord(*l))
}
