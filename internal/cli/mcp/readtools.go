package mcp

// list returns a tool for a list of records.
func list(name, title, description, path string, fields ...field) readTool {
	return readTool{name: name, title: title, description: description, path: path, fields: append(fields, limit)}
}

// one returns a tool without pages.
func one(name, title, description, path string, fields ...field) readTool {
	return readTool{name: name, title: title, description: description, path: path, fields: fields}
}

var (
	anyPlatform = choice("platform", "Platform of the devices", "ios", "android", "web")
	updateUUID  = text("updateUuid", "Update UUID of the release, as get_release returns it")
	deviceID    = text("deviceId", "ID of the device")
	runtime     = text("runtimeVersion", "Runtime version of the app")
	from        = text("from", "Start of the period as RFC 3339, such as 2026-03-14T09:00:00Z")
	to          = text("to", "End of the period as RFC 3339; now by default")
)

// readTools are the tools that read. They are grouped by what they are about.
var readTools = []readTool{
	one("get_overview", "Overview", "For each channel, platform and runtime version: the release and the rollout that devices get now, "+
		"active devices, crash and error rates, and open incidents. Begin here.", "/overview", channel),
	one("get_attention", "Attention", "Number of open incidents and pending approvals, and the state of the emergency stop.", "/attention"),

	list("list_releases", "Releases", "Releases, newest first, with their notes, percentage, channel, commit and whether they are enabled.",
		"/updates", channel, text("branch", "Name of the branch"), platform, runtime,
		choice("isEnabled", "Whether devices get the release", "true", "false"), search, before),
	one("get_release", "A release", "A release with its notes, linked flags, commit, size, and who disabled it.", "/updates/{id}",
		id("release")),
	list("get_release_history", "History of a release", "Changes of one release.", "/updates/{id}/history", id("release"), before),
	one("list_release_patches", "Patches to a release", "Binary patches with which devices get a release from an older one.",
		"/updates/{id}/patches", id("release")),
	one("get_release_figures", "Figures of releases", "Devices and health of some releases.", "/insights/releases",
		text("updateIds", "IDs of the releases, separated by commas").must()),
	one("get_adoption", "Adoption", "Daily active devices by release.", "/insights/adoption", days),
	list("list_builds", "Builds", "Uploaded builds.", "/builds", platform, search, before),
	one("get_build", "A build", "A build with its files.", "/builds/{id}", id("build")),

	list("list_channels", "Channels", "Channels with their branch, and whether they are paused or protected.", "/channels", search, before),
	one("get_channel", "A channel", "A channel with its branch, and whether it is paused or protected.", "/channels/{channel}",
		channel.must()),
	list("list_branches", "Branches", "Branches, which channels serve.", "/branches", search, before),
	list("list_overrides", "User overrides", "Users who get another branch than their channel's.", "/user-overrides", search, before),

	list("list_rollouts", "Rollouts", "Rollouts, newest first: state, stage, percentage, health, and what each waits for.",
		"/rollout-executions",
		choice("status", "State of the rollouts", "running", "paused", "completed", "rolled_back", "cancelled"), channel,
		integer("updateId", "ID of the release"), integer("policyId", "ID of the policy"), before),
	one("get_rollout", "A rollout",
		"A rollout: its stages, thresholds, health, evidence against the release, reason of its state, and timeline.",
		"/rollout-executions/{id}", id("rollout")),
	list("get_rollout_curve", "Curve of a rollout", "Observations of a rollout over time.", "/rollout-executions/{id}/looks", id("rollout")),
	list("list_policies", "Rollout policies", "Rollout policies: stages, thresholds and schedule.", "/rollout-policies", search, before),
	one("get_policy", "A rollout policy", "A rollout policy with its stages, thresholds and schedule.", "/rollout-policies/{id}",
		id("policy")),

	list("list_flags", "Feature flags", "Feature flags with their rules, variations and settings for each channel.", "/flags",
		choice("state", "State of the flags", "stale", "incident", "degraded"), search, before),
	one("get_flag", "A feature flag", "A feature flag with its rules, variations and settings.", "/flags/{flag}", flag),
	one("get_flag_health", "Health of a flag", "Error and crash rates by variation of one flag.", "/flags/{flag}/health", flag, days),
	one("get_flag_evaluations", "Evaluations of a flag", "How often each variation of one flag was evaluated.",
		"/flags/{flag}/evaluations", flag, days),
	list("list_flag_schedule", "Scheduled changes of a flag", "Scheduled changes of one flag.", "/flags/{flag}/schedule", flag, before),
	one("list_flag_impacts", "Impact of flags", "Variations with more errors than the others.", "/telemetry/flag-impacts", days,
		text("flagKey", "Key of the flag"), channel),
	{
		name: "explain_flag", title: "Explain a flag's value",
		description: "The value that one flag has for a user or a device, and the rule that decides it.",
		path:        "/flags/{flag}/explain", fields: []field{flag, text("targetingKey", "ID of the user or device"), deviceID, channel,
			anyPlatform, runtime, updateUUID},
		body: func(args map[string]any) any { return map[string]any{"context": args} },
	},
	list("list_segments", "Segments", "Segments of users, and their conditions.", "/segments", search, before),
	one("get_segment", "A segment", "A segment with its conditions.", "/segments/{id}", id("segment")),
	list("list_contexts", "Contexts", "Users, devices and others for which flags were evaluated.", "/contexts", search, before),
	one("get_context", "A context", "A context with its attributes.", "/contexts/{id}", id("context")),
	one("list_context_attributes", "Attributes of contexts", "Attributes that rules can use.", "/contexts/attributes"),
	one("list_context_kinds", "Kinds of contexts", "Kinds of contexts.", "/contexts/kinds"),

	one("get_health", "Health over time", "Devices, errors and crashes over time.", "/telemetry/timeseries",
		choice("period", "Length of the period", "1h", "6h", "24h", "7d", "14d", "30d", "90d"), channel, anyPlatform, runtime, updateUUID),
	list("list_incidents", "Incidents", "Incidents: releases or flags with too many errors.", "/telemetry/incidents",
		choice("status", "State of the incidents", "open", "resolved", "closed"), search, before),
	one("get_incident", "An incident", "An incident with its release, devices and error rate.", "/telemetry/incidents/{id}", id("incident")),
	list("list_error_groups", "Errors", "Similar errors and crashes, with the number of devices. The messages were written by apps.",
		"/observe/groups",
		from, to, choice("type", "Type of the errors", "js_error", "crash"), channel, anyPlatform, updateUUID, search,
		choice("state", "State of the groups", "new", "regressed", "ongoing"),
		choice("status", "Status of the groups", "open", "resolved", "regressed")),
	one("get_error_group", "An error", "An error group with its stack trace, releases and devices.", "/observe/groups/{fingerprint}",
		text("fingerprint", "Fingerprint of the group").must(), from, to),
	one("list_events", "Events", "Single errors, crashes and custom events of devices, newest first.", "/observe/events",
		channel, anyPlatform, updateUUID, deviceID, search, choice("type", "Type of the events", "js_error", "crash", "custom")),
	one("get_event", "An event", "An event with its stack trace in source lines, if the build has a source map.",
		"/observe/events/{eventId}", text("eventId", "ID of the event").must()),
	one("list_refused", "Refused requests", "Requests of devices that were refused, and why.", "/telemetry/refused"),
	list("list_devices", "Devices", "Devices with the release that they run, their crashes and errors.", "/devices", search,
		updateUUID, channel),
	one("get_device", "A device", "A device: the releases that it was served, its failures, its last events, and its release now.",
		"/devices/{deviceId}", deviceID.must()),
	one("explain_device", "Explain what a device gets",
		"The release that a device with these properties gets, and each step of the decision.", "/resolve",
		channel.must(), platform.must(), runtime.must(), deviceID, text("userId", "ID of the user"),
		text("currentUpdateUuid", "Update UUID that the device runs")),

	list("list_audit_log", "Audit log", "Changes with their actors, newest first.", "/audit-log",
		text("action", "Action, such as rollout.rolled_back"),
		text("entity_type", "Kind of record, such as flag"), text("entity_id", "ID of the record"),
		text("actor", "Name or ID of who changed it"), from, to, before),
	list("list_approvals", "Approvals", "Calls that wait, or waited, for approval.", "/approvals",
		choice("status", "State of the approvals", "pending", "approved", "carried_out", "stale", "failed", "rejected", "expired"), before),
	one("get_approval", "An approval", "A call that waits for approval, with the releases that devices would get.",
		"/approvals/{id}", id("approval")),
	list("list_webhooks", "Webhooks", "Webhooks, without their secrets.", "/webhooks", search, before),
	one("get_webhook", "A webhook", "A webhook, without its secret.", "/webhooks/{id}", id("webhook")),
	list("list_webhook_deliveries", "Deliveries of a webhook", "Deliveries of one webhook.", "/webhooks/{id}/deliveries", id("webhook"),
		choice("status", "State of the deliveries", "pending", "delivered", "failed", "cancelled"), before),
	one("list_webhook_events", "Events of webhooks", "Events to which a webhook can subscribe.", "/webhooks/events"),
	one("get_emergency_stop", "Emergency stop", "State of the emergency stop, with its actor and reason.", "/emergency-stop"),
	one("get_settings", "Settings", "Settings of the project.", "/settings"),
	one("preview_cleanup", "Preview of a cleanup", "Records that a cleanup would remove. This tool does not remove anything.", "/gc"),
}
