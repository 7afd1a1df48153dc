package mcp

import "errors"

var (
	reason    = text("reason", "Reason, for the timeline and the audit log")
	rolloutID = id("rollout, as list_rollouts returns it")
)

// steering returns the tool for a command of a rollout.
func steering(command, title, description string) changeTool {
	path := "/rollout-executions/{id}/" + command
	return changeTool{
		name: command + "_rollout", title: title, description: description, method: "POST", path: path, preview: path + "/preview",
		fields: []field{rolloutID, reason},
	}
}

// changeTools are the changes that can be undone.
var changeTools = []changeTool{
	steering("pause", "Pause a rollout",
		"Pauses a rollout: its next stage does not begin. Devices keep what they have. Undo it with resume_rollout."),
	steering("resume", "Resume a rollout", "Resumes a paused rollout. Undo it with pause_rollout."),
	steering("advance", "Advance a rollout", "Begins the next stage of a rollout now, although the present stage has not finished; "+
		"in the last stage this completes the rollout. Undo it with roll_back_rollout or roll_back_channel."),
	{
		name: "roll_back_rollout", title: "Roll back a rollout", destructive: true,
		description: "Rolls back a running or paused rollout immediately: its devices get what they had before. With the scope channel, every " +
			"release of the branch that is newer than the last one for every device is rolled back. " +
			"With the scope flag, only a linked flag is reverted.",
		method: "POST", path: "/rollout-executions/{id}/rollback", preview: "/rollout-executions/{id}/rollback/preview",
		fields: []field{
			rolloutID, choice("scope", "Part to roll back", "release", "channel", "flag").must(),
			integer("flagId", "ID of the linked flag, with the scope flag"),
			yesNo("allPlatforms", "With the scope release: roll back the other platform of the same publish too"), reason,
		},
	},
	{
		name: "roll_back_channel", title: "Roll back a channel", destructive: true,
		description: "Returns all devices of a channel, platform and runtime version to an earlier release, or to the update that is " +
			"embedded in the app. Newer releases are disabled and their rollouts end. Use list_releases to find the release to return to.",
		method: "POST", path: "/rollback", preview: "/rollback/preview",
		fields: []field{
			channel.must(), platform.must(), text("runtimeVersion", "Runtime version of the devices").must(),
			integer("rollbackToUpdateId", "ID of the release to return to"),
			yesNo("embedded", "true returns to the embedded update, instead of rollbackToUpdateId"), reason,
		},
		check: func(args map[string]any) error {
			_, named := args["rollbackToUpdateId"]
			if embedded, _ := args["embedded"].(bool); embedded == named {
				return errors.New("give either rollbackToUpdateId, or embedded: true")
			}
			return nil
		},
		omitted: []string{"embedded"},
	},
	{
		name: "set_flag", title: "Turn a feature flag on or off",
		description: "Turns a feature flag on or off for one channel. Undo it with the other value.",
		method:      "PATCH", path: "/flags/{flag}/env/{channel}", preview: "/flags/{flag}/env/{channel}/preview",
		fields: []field{flag, channel.must(), yesNo("enabled", "Whether the flag is on").must()},
	},
	{
		name: "set_channel_paused", title: "Pause or resume a channel",
		description: "Pauses a channel, so that its devices do not get updates, or resumes it. Undo it with the other value.",
		method:      "PATCH", path: "/channels/{channel}", preview: "/channels/{channel}/preview",
		fields: []field{channel.must(), yesNo("isPaused", "Whether updates are stopped").must()},
	},
	{
		name: "set_release_enabled", title: "Turn a release on or off", destructive: true,
		description: "Disables a release, so that devices no longer get it, or enables it. Undo it with the other value.",
		method:      "PATCH", path: "/updates/{id}", preview: "/updates/{id}/preview",
		fields: []field{id("release"), yesNo("isEnabled", "Whether devices get the release").must(), reason},
	},
	{
		name: "stop_everything", title: "Emergency stop", destructive: true,
		description: "Pauses all channels and rollouts of the project and turns linked flags off. Undo it with resume_everything.",
		method:      "POST", path: "/emergency-stop", preview: "/emergency-stop/preview", fields: []field{reason.must()},
	},
	{
		name: "resume_everything", title: "End the emergency stop",
		description: "Resumes what the emergency stop paused. Undo it with stop_everything.",
		method:      "DELETE", path: "/emergency-stop", preview: "/emergency-stop/resume/preview",
	},
}
