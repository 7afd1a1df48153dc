package models

// deviceEvents are the events about devices and their reports.
var deviceEvents = []Event{
	{
		"incident.opened", "Errors of a release spiked.", "incident",
		"Errors spiked in {channel} on {platform} {runtimeVersion}: {erroredDevices} of {devices} devices ({errorRate}%)",
		incidentExample(60, 15),
	},
	{
		"incident.resolved", "Waft ended an incident: the release was rolled back, or its errors are back to normal.", "incident",
		"The incident in {channel} on {platform} {runtimeVersion} is resolved ({resolution}): {erroredDevices} of {devices} devices had " +
			"errors in the last hour ({errorRate}%)",
		endedIncident(ResolvedByRecovery),
	},
	{
		"incident.closed", "A person closed an incident.", "incident",
		"{actor} closed the incident in {channel} on {platform} {runtimeVersion}: {erroredDevices} of {devices} devices had errors in the " +
			"last hour ({errorRate}%)",
		endedIncident(ResolvedByPerson),
	},
	{
		"incident.updated", "An incident was acknowledged, or its note was changed.", "incident", "{actor} changed incident {entityId}",
		map[string]any{"acknowledged": changed(false, true), "note": changed("", "The checkout service is down")},
	},
	{
		"error_group.updated", "An error group was assigned, or its note was changed.", "error_group",
		"{actor} changed the error group {errorName}: {message}", assignedExample(),
	},
	{
		"error_group.resolved", "An error group was resolved.", "error_group", "{actor} resolved the error {errorName}: {message}",
		errorGroupExample("", nil),
	},
	{
		"error_group.reopened", "A resolved error group was opened again.", "error_group",
		"{actor} opened the error {errorName} again: {message}", errorGroupExample("", nil),
	},
	{
		"error_group.regressed", "A resolved error group was reported on a newer release.", "error_group",
		"The error {errorName}, which {resolvedBy} had resolved, is back on a newer {platform} release: {message}",
		regressedExample(),
	},
	{
		"device.erased", "The data of a device was deleted. The event does not identify the device.", "device",
		"{actor} deleted the data of a device",
		map[string]any{"contexts": 1, "userOverrides": 0},
	},
}

// errorGroupExample returns example details of an event about an error group, with one more field if it has a name.
func errorGroupExample(field string, value any) map[string]any {
	details := map[string]any{
		"fingerprint": "9f86d081884c7d65", "errorName": "TypeError", "message": "undefined is not an object (item.price)",
	}
	if field != "" {
		details[field] = value
	}
	return details
}

func assignedExample() map[string]any {
	details := errorGroupExample("assigneeId", changed(nil, 7))
	details["assignee"] = changed(nil, "ada@example.com")
	return details
}

func regressedExample() map[string]any {
	details := errorGroupExample("updateUuid", exampleUpdateUUID)
	details["platform"], details["resolvedBy"] = "ios", "ada@example.com"
	return details
}

func incidentExample(errored int, rate float64) map[string]any {
	return map[string]any{
		"updateUuid": exampleUpdateUUID, "channel": "production", "platform": "ios", "runtimeVersion": "1.4.0", "flagKey": "new-checkout",
		"variation": "true", "devices": 400, "erroredDevices": errored, "crashedDevices": 2, "peakErroredDevices": 60,
		"errorRate": rate, "baselineErrorRate": 0.5, "openedAt": "2026-03-14T09:20:00Z",
	}
}

func endedIncident(why IncidentResolution) map[string]any {
	details := incidentExample(2, 0.5)
	details["resolution"] = string(why)
	return details
}

var flagEvents = []Event{
	{"flag.created", "A flag was created.", "flag", "{actor} created the flag {key}", flagExample()},
	{
		"flag.updated", "A flag was changed.", "flag", "{actor} changed the flag {key}",
		map[string]any{
			"key": "new-checkout", "description": changed("", "The checkout of 2026"), "ruleOrder": changed([]any{24, 25}, []any{25, 24}),
			"changes":    map[string]any{"enabled": changed(false, true), "defaultValue": changed("false", "true")},
			"scheduleId": 71, "scheduledFor": "2026-03-15T09:00:00Z", "variationNames": map[string]any{"true": "On", "false": "Off"},
		},
	},
	{
		"flag.toggled", "A flag was turned on or off.", "flag", "{actor} turned the flag {key} on or off",
		map[string]any{"key": "new-checkout", "enabled": changed(false, true)},
	},
	{
		"flag.scheduled", "A change of a flag was scheduled for a later time.", "flag_schedule",
		"{actor} scheduled a change of the flag {flagKey} for {at}: {summary}", scheduleExample(map[string]any{}),
	},
	{
		"flag.schedule_cancelled", "A scheduled change of a flag was cancelled.", "flag_schedule",
		"{actor} cancelled the change of the flag {flagKey} that was scheduled for {at}: {summary}",
		scheduleExample(map[string]any{"reason": "the wait was cancelled in Temporal"}),
	},
	{
		"flag.schedule_applied", "Waft made a scheduled change of a flag.", "flag_schedule",
		"The scheduled change of the flag {flagKey} was made for {scheduledBy}: {summary}", scheduleExample(map[string]any{}),
	},
	{
		"flag.schedule_missed", "Waft did not make a scheduled change of a flag: it was rejected or not approved in time, the flag changed " +
			"in the meantime, or the change failed.", "flag_schedule",
		"The scheduled change of the flag {flagKey} was not made ({status}): {reason}",
		scheduleExample(map[string]any{
			"status": ScheduleStale, "reason": `flag "new-checkout" was changed or deleted after the change was scheduled`,
		}),
	},
	{"flag.deleted", "A flag was deleted.", "flag", "{actor} deleted the flag {key}", flagExample()},
	{"rule.created", "A rule was added to a flag.", "rule", "{actor} added a rule to the flag {flagKey}", ruleExample()},
	{
		"rule.updated", "A rule of a flag was changed.", "rule", "{actor} changed a rule of the flag {flagKey}",
		map[string]any{"flagId": 21, "flagKey": "new-checkout", "priority": changed(1, 2)},
	},
	{"rule.deleted", "A rule of a flag was deleted.", "rule", "{actor} deleted a rule of the flag {flagKey}", ruleExample()},
	{
		"variation.updated", "A variation of a flag was changed.", "variation", "{actor} changed a variation of the flag {flagKey}",
		map[string]any{"flagId": 21, "flagKey": "new-checkout", "name": changed("On", "New")},
	},
	{
		"env_setting.updated", "A flag's setting for a channel was changed.", "env_setting",
		"{actor} changed the flag {flagKey} in {channelName}",
		map[string]any{"flagId": 21, "flagKey": "new-checkout", "channelName": "beta", "enabled": changed(nil, true)},
	},
	{"segment.created", "A segment was created.", "segment", "{actor} created the segment {key}", segmentExample()},
	{
		"segment.updated", "A segment was changed.", "segment", "{actor} changed the segment {key}",
		map[string]any{"key": "testers", "matchType": changed("all", "any")},
	},
	{"segment.deleted", "A segment was deleted.", "segment", "{actor} deleted the segment {key}", segmentExample()},
	{
		"context.created", "A context was created manually.", "context", "{actor} created the context {kind} {targetingKey}",
		map[string]any{"kind": "user", "targetingKey": "user-42", "name": "Ada", "attributes": map[string]any{"plan": "pro"}},
	},
	{
		"context.updated", "A context was changed manually.", "context", "{actor} changed the context {kind} {targetingKey}",
		map[string]any{"kind": "user", "targetingKey": "user-42", "name": changed("Ada", "Ada L.")},
	},
	{
		"context.deleted", "A context was deleted.", "context", "{actor} deleted the context {kind} {targetingKey}",
		map[string]any{"kind": "user", "targetingKey": "user-42"},
	},
	{
		"user_override.created", "An override was set that serves an end user from a specific branch.", "user_override",
		"{actor} set an override that serves user {userId} from {branchName}",
		map[string]any{"userId": "user-42", "branchName": "next", "note": "tries it out"},
	},
	{
		"user_override.deleted", "An override was removed. The end user is served from the channel's branch again.", "user_override",
		"{actor} removed the override that served user {userId} from {branchName}",
		map[string]any{"userId": "user-42", "branchName": "next", "note": "tries it out"},
	},
}

func flagExample() map[string]any {
	return map[string]any{
		"key": "new-checkout", "name": "New checkout", "description": "", "flagType": "boolean", "defaultValue": "false", "enabled": true,
		"variations": []any{map[string]any{"name": "On", "value": "true"}, map[string]any{"name": "Off", "value": "false"}},
	}
}

// scheduleExample adds the details that every event of a scheduled change has.
func scheduleExample(details map[string]any) map[string]any {
	details["flagId"], details["flagKey"], details["at"] = 21, "new-checkout", "2026-03-15T09:00:00Z"
	details["summary"], details["scheduledBy"], details["approvalId"] = "enabled from no to yes", "ada@example.com", 61
	return details
}

func ruleExample() map[string]any {
	return map[string]any{
		"flagId": 21, "flagKey": "new-checkout", "priority": 1, "ruleType": "user_list",
		"ruleConfig":  map[string]any{"userIds": []any{"user-42"}},
		"channelName": nil, "variantValue": "true", "variationNames": map[string]any{"true": "On"},
	}
}

func segmentExample() map[string]any {
	return map[string]any{
		"key": "testers", "name": "Testers", "description": "", "matchType": "all",
		"conditions": []any{map[string]any{"id": 41, "attribute": "plan", "operator": "eq", "values": []any{"pro"}}},
	}
}

var projectEvents = []Event{
	{
		"webhook.created", "A webhook was created.", "webhook", "{actor} created a webhook to {url}",
		map[string]any{
			"url": "https://example.com/hooks/waft", "events": []any{"build.published"}, "isActive": true, "description": "",
			"format": "standard",
		},
	},
	{
		"webhook.updated", "A webhook was changed, or Waft disabled it because it kept failing.", "webhook",
		"{actor} changed webhook {entityId}",
		map[string]any{
			"isActive": changed(true, false), "secret": "replaced",
			"reason": "the receiver responded with 410 Gone, which means that it does not want any more messages",
		},
	},
	{
		"webhook.deleted", "A webhook was deleted.", "webhook", "{actor} deleted the webhook to {url}",
		map[string]any{"url": "https://example.com/hooks/waft", "events": []any{"build.published"}},
	},
	{
		"webhook.recovered", "Failed webhook messages are being sent again.", "webhook", "{actor} redelivered {redelivered} messages to {url}",
		map[string]any{"url": "https://example.com/hooks/waft", "since": "2026-03-14T00:00:00Z", "redelivered": 12},
	},
	{
		EventTest, "A test message was requested. It is sent even if the webhook does not subscribe to this event.", "webhook",
		"{actor} sent a test message to webhook {entityId}: {message}",
		map[string]any{"message": testText},
	},
	{
		"api_key.created", "An API key was created.", "api_key", "{actor} created the API key {name} ({role})",
		map[string]any{
			"name": "acme/app@refs/heads/main via https://token.actions.githubusercontent.com", "role": "editor", "prefix": "d4a4c445",
			"publisherId": 9, "channels": []string{"staging"}, "expiresAt": "2026-03-14T09:41:53.589Z",
			"claims": map[string]any{"repository": "acme/app", "ref": "refs/heads/main"},
		},
	},
	{
		"api_key.revoked", "An API key was revoked.", "api_key", "{actor} revoked the API key {name}",
		map[string]any{"name": "ci", "prefix": "d4a4c445"},
	},
	{
		"trusted_publishers.updated", "The CI jobs that may publish without a stored key were changed.", "project",
		"{actor} changed the trusted publishers",
		map[string]any{"before": []any{}, "after": []any{map[string]any{
			"id": 9, "issuer": "https://token.actions.githubusercontent.com", "audience": "waft", "role": "editor",
			"claims": map[string]any{"repository": "acme/app", "ref": "refs/heads/main"}, "channels": []string{"staging"},
		}}},
	},
	{
		"code_signing.updated", "The project's code signing key was set or replaced.", "code_signing", "{actor} set the code signing key {keyId}",
		map[string]any{"keyId": "main", "fingerprint": "813e19a2df09f477", "notAfter": "2027-03-14T00:00:00Z"},
	},
	{
		"code_signing.deleted", "The project's code signing key was deleted.", "code_signing", "{actor} deleted the code signing key {keyId}",
		map[string]any{"keyId": "main", "fingerprint": "813e19a2df09f477"},
	},
	{
		"project.updated", "The project's settings were changed.", "project", "{actor} changed the settings of the project",
		map[string]any{"buildRetentionDays": changed(90, 30)},
	},
	{
		"project.stopped", "The project was stopped: its channels and rollouts are paused.", "project",
		"{actor} stopped the project ({channels} channels, {rollouts} rollouts): {reason}",
		map[string]any{"reason": "payments fail in 1.4.0", "channels": 3, "rollouts": 1},
	},
	{
		"project.resumed", "The emergency stop of the project was ended.", "project",
		"{actor} resumed the project ({channels} channels, {rollouts} rollouts)", map[string]any{"channels": 3, "rollouts": 1},
	},
	{
		"project.restored", "Waft was restored from a backup, and the project with it. Its rollouts are paused.", "project",
		"Waft was restored from a backup of {backedUpAt} ({rollouts} rollouts are paused)",
		map[string]any{
			"backedUpAt": "2026-03-14T02:00:05.120Z", "restoredAt": "2026-03-14T09:26:40.002Z", "rollouts": 1, "approvals": 2,
			"scheduledChanges": 0,
		},
	},
	{
		"gc.run", "The cleanup deleted unused builds and files.", "project",
		"{actor} deleted {builds} builds and {blobs} files ({bytes} bytes)",
		map[string]any{"builds": 4, "blobs": 61, "bytes": 9120441},
	},
}

var peopleEvents = []Event{
	{"member.added", "An account became a member of the project.", "member", "{email} became a member ({role})", memberExample("editor")},
	{
		"member.updated", "A member's role was changed.", "member", "{actor} changed the role of {email}",
		memberExample(changed("viewer", "editor")),
	},
	{"member.removed", "A member was removed.", "member", "{actor} removed {email} from the project", memberExample("editor")},
	{
		"invitation.created", "An invitation was created.", "invitation", "{actor} invited {email} ({role})",
		map[string]any{"email": "ada@example.com", "role": "editor"},
	},
	{
		"invitation.accepted", "An invitation was accepted.", "invitation", "{email} accepted the invitation",
		map[string]any{"email": "ada@example.com", "role": "editor", "userId": 7},
	},
	{
		"invitation.revoked", "An invitation was revoked.", "invitation", "{actor} revoked the invitation of {email}",
		map[string]any{"email": "ada@example.com", "role": "editor"},
	},
	{
		"session.created", "A member signed in.", "session", "{actor} signed in",
		map[string]any{"method": "password"},
	},
	{"session.revoked", "A session of a member ended.", "session", "A session of {actor} ended", map[string]any{"method": "password"}},
	{
		"user.created", "An account was created for a member.", "user", "An account was created for {email}",
		map[string]any{"email": "ada@example.com", "name": "Ada", "isOwner": false},
	},
	{
		"user.updated", "A member's account was changed.", "user", "The account of {actor} was changed",
		map[string]any{"name": changed("Ada", "Ada L.")},
	},
	{"user.password_changed", "A member changed their password.", "user", "{actor} changed their password", map[string]any{}},
	{
		"user.password_reset", "A member's password was reset, with a link sent by email or by the operator.", "user",
		"The password of {email} was reset",
		map[string]any{"email": "ada@example.com"},
	},
	{
		"user.email_verified", "A member's email address was verified, by the member or by the operator.", "user",
		"The email address {email} was verified", map[string]any{"email": "ada@example.com", "by": "mail"},
	},
	{
		"user.identity_linked", "A member's account was linked to an identity provider.", "user", "{actor} can now sign in with {issuer}",
		map[string]any{"issuer": "https://login.example.com", "subject": "00u1a2b3"},
	},
	{
		"user.identity_removed", "A member's account was unlinked from an identity provider.", "user",
		"{actor} unlinked an identity of {issuer} from their account",
		map[string]any{"issuer": "https://login.example.com", "subject": "00u1a2b3"},
	},
	{"user.passkey_added", "A member added a passkey.", "passkey", "{actor} added the passkey {name}", map[string]any{"name": "Ada's phone"}},
	{
		"user.passkey_updated", "A member renamed a passkey.", "passkey", "{actor} renamed a passkey",
		map[string]any{"name": changed("Ada's phone", "Ada's old phone")},
	},
	{
		"user.passkey_removed", "A member's passkey was removed.", "passkey", "{actor} removed the passkey {name}",
		map[string]any{"name": "Ada's phone"},
	},
	{
		"user.passkey_cloned", "A sign-in was refused because a copy of the passkey may exist.", "passkey",
		"A sign-in by {actor} with the passkey {name} was refused because a copy of the passkey may exist", map[string]any{"name": "Ada's phone"},
	},
}

func memberExample(role any) map[string]any {
	details := map[string]any{"userId": 7, "email": "ada@example.com", "role": role}
	if _, isRole := role.(string); isRole {
		details["source"] = "invitation"
	}
	return details
}
