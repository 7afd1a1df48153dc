package models

import "maps"

const exampleUpdateUUID = "b7f0c1de-3a5e-4d0c-9f5e-5f1f6d0c7a11"

// releaseExample returns example details of a release, merged with more.
func releaseExample(more map[string]any) map[string]any {
	details := map[string]any{
		"updateUuid": exampleUpdateUUID, "groupId": "5e0c2b7e-52a8-4ad0-8f9f-0d5f6f5a9c01", "buildId": 12, "branchName": "production",
		"channel": "production", "platform": "ios", "runtimeVersion": "1.4.0", "kind": "update", "isEnabled": true, "isCritical": false,
		"rolloutPercentage": 100, "releaseMessage": "Faster start", "linkedFlags": []any{},
	}
	maps.Copy(details, more)
	return details
}

// rolloutExample returns example details of one step of a rollout.
func rolloutExample(from, to int, percentage float64, reason string, reverted bool) map[string]any {
	return map[string]any{
		"updateId": 17, "updateUuid": exampleUpdateUUID, "releaseMessage": "Faster start", "policyName": "careful", "fromStage": from,
		"toStage": to, "percentage": percentage, "reason": reason, "reverted": reverted,
	}
}

func buildExample(more map[string]any) map[string]any {
	details := map[string]any{"platform": "ios", "runtimeVersion": "1.4.0", "message": "Faster start"}
	maps.Copy(details, more)
	return details
}

var releaseEvents = []Event{
	{
		"build.uploaded", "A build was uploaded.", "build", "{actor} uploaded a build for {platform} {runtimeVersion}: {message}",
		buildExample(map[string]any{"assetCount": 14, "sizeBytes": 2417812, "embeddedUpdateId": exampleUpdateUUID}),
	},
	{
		"build.source_map_added", "A source map was added to a build.", "build",
		"{actor} added a source map to a build for {platform} {runtimeVersion}",
		buildExample(map[string]any{"embeddedUpdateId": exampleUpdateUUID, "sourceMapBytes": 9120441}),
	},
	{
		"build.source_map_deleted", "The source map of a build was deleted.", "build",
		"{actor} deleted the source map of a build for {platform} {runtimeVersion}",
		buildExample(map[string]any{"embeddedUpdateId": exampleUpdateUUID, "sourceMapBytes": 9120441}),
	},
	{
		"build.published", "A build was published to a channel.", "update",
		"{actor} published a release for {platform} {runtimeVersion} to {channel}: {releaseMessage}",
		releaseExample(map[string]any{"rolloutPolicyId": 9}),
	},
	{
		"build.deleted", "A build was deleted, manually or by the cleanup.", "build",
		"{actor} deleted a build for {platform} {runtimeVersion}: {message}",
		buildExample(map[string]any{"reason": "cleanup", "embeddedUpdateId": exampleUpdateUUID}),
	},
	{
		"update.created", "A release was created from a build, on a branch.", "update",
		"{actor} created a release for {platform} {runtimeVersion} on {branchName}: {releaseMessage}",
		releaseExample(map[string]any{"rolloutPolicyId": nil}),
	},
	{
		"update.patched", "A release was changed, manually or by its rollout.", "update", "{actor} changed release {entityId}",
		map[string]any{
			"isEnabled": changed(true, false), "reason": "cancelled by ci", "rolloutExecutionId": 32,
		},
	},
	{
		"update.republished", "A release was published again, on its branch or on another branch.", "update",
		"{actor} published release {republishedFromId} again for {platform} {runtimeVersion} on {branchName}: {releaseMessage}",
		releaseExample(map[string]any{"republishedFromId": 17, "restampedUpdates": 0}),
	},
	{
		"update.deleted", "A release was deleted.", "update",
		"{actor} deleted a release for {platform} {runtimeVersion} on {branchName}: {releaseMessage}", releaseExample(nil),
	},
	{
		"update.rollback", "Releases were rolled back and replaced by this one.", "update",
		"{actor} rolled back {platform} {runtimeVersion} on {branchName}",
		releaseExample(map[string]any{
			"rolledBackUpdateIds": []any{17}, "republishedFromId": 15, "restampedUpdates": 0, "reason": "crash rate 6.67%",
			"rolloutExecutionId": 32,
		}),
	},
	{
		"branch.created", "A branch was created.", "branch", "{actor} created the branch {name}", map[string]any{"name": "next"},
	},
	{
		"branch.deleted", "A branch and its releases were deleted.", "branch", "{actor} deleted the branch {name}",
		map[string]any{"name": "next", "releases": 3},
	},
	{
		"channel.created", "A channel was created.", "channel", "{actor} created the channel {name}, which points to {branchName}",
		map[string]any{"name": "beta", "branchName": "next"},
	},
	{
		"channel.updated", "A channel was changed.", "channel", "{actor} changed the channel {name}",
		map[string]any{"name": "beta", "isPaused": changed(false, true), "reason": "emergency stop: payments fail in 1.4.0"},
	},
	{
		"channel.deleted", "A channel was deleted.", "channel", "{actor} deleted the channel {name}",
		map[string]any{"name": "beta", "branchName": "next"},
	},
	{
		"policy.created", "A rollout policy was created.", "policy", "{actor} created the rollout policy {name}", policyExample(),
	},
	{
		"policy.updated", "A rollout policy was changed.", "policy", "{actor} changed rollout policy {entityId}",
		map[string]any{"isActive": changed(true, false)},
	},
	{
		"policy.deleted", "A rollout policy was deleted.", "policy", "{actor} deleted the rollout policy {name}", policyExample(),
	},
	{
		"rollout.started", "A rollout was started.", "rollout_execution",
		"{actor} started the rollout of {release} to {channel} with policy {policyName}",
		map[string]any{
			"policyId": 9, "policyName": "careful", "updateId": 17, "updateUuid": exampleUpdateUUID, "releaseMessage": "Faster start",
			"channel": "production",
		},
	},
	{
		"rollout.stage_advanced", "A stage of a rollout began.", "rollout_execution",
		"The rollout of {release} with policy {policyName} is at {percentage}%: {reason}",
		rolloutExample(0, 1, 25, "stage 2 of 3 (25%) begins", false),
	},
	{
		"rollout.held", "A rollout is held until more networks report.", "rollout_execution",
		"The rollout of {release} with policy {policyName} is held at {percentage}%: {reason}",
		rolloutExample(0, 0, 5, "reports from 3 networks are required", false),
	},
	{
		"rollout.paused", "A rollout was paused, manually or because a threshold was breached.", "rollout_execution",
		"The rollout of {release} with policy {policyName} is paused at {percentage}%: {reason}",
		rolloutExample(0, 0, 5, "paused by ci", false),
	},
	{
		"rollout.resumed", "A paused rollout continues.", "rollout_execution",
		"The rollout of {release} with policy {policyName} continues at {percentage}%: {reason}",
		rolloutExample(0, 0, 5, "resumed by ci", false),
	},
	{
		"rollout.completed", "A rollout reached every device.", "rollout_execution",
		"The rollout of {release} with policy {policyName} is complete: {reason}",
		rolloutExample(2, 2, 100, "all stages are done", false),
	},
	{
		"rollout.cancelled", "A rollout was cancelled.", "rollout_execution",
		"The rollout of {release} with policy {policyName} was cancelled at {percentage}%: {reason}",
		rolloutExample(0, 0, 5, "cancelled by ci", true),
	},
	{
		"rollout.rolled_back", "A rollout was rolled back, manually or because a threshold was breached.", "rollout_execution",
		"The rollout of {release} with policy {policyName} was rolled back at {percentage}%: {reason}",
		rolloutExample(0, 0, 5, "rolled back in stage 1 of 3 (5%): crash rate 6.67%", true),
	},
}

func policyExample() map[string]any {
	return map[string]any{
		"name": "careful", "channel": nil, "isActive": true, "stages": []any{map[string]any{"percentage": 100}},
		"thresholds": map[string]any{"crashRate": 2}, "schedule": map[string]any{},
	}
}
