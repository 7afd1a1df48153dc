package models

// approvalEvents are about calls that wait for approvals.
var approvalEvents = []Event{
	{
		"approval.requested", "A call about a protected channel waits for approvals.", "approval", "{actor} asks for approval: {summary}",
		approvalExample(map[string]any{"expiresAt": "2026-03-17T09:26:53.589Z"}),
	},
	{
		"approval.approved", "A person approved a call that waits.", "approval", "{actor} approved: {summary}",
		approvalExample(map[string]any{"comment": "tested on two phones", "approvals": 1}),
	},
	{
		"approval.withdrawn", "A person took an approval of a call that waits back.", "approval", "{actor} withdrew an approval: {summary}",
		approvalExample(map[string]any{"approvals": 0}),
	},
	{
		"approval.updated", "The number of approvals that a call waits for has changed with the settings of a channel.", "approval",
		"{actor} changed how many approvals this needs: {summary}", approvalExample(map[string]any{
			"approvals": 1, "changed": map[string]any{"requiredApprovals": map[string]any{"before": 2, "after": 1}},
		}),
	},
	{
		"approval.rejected", "A call that waited was rejected, or withdrawn by its author.", "approval", "{actor} rejected: {summary}",
		approvalExample(map[string]any{"comment": "not on a Friday", "withdrawn": false}),
	},
	{
		"approval.expired", "Nobody decided about a call in time.", "approval", "Nobody approved in time: {summary}",
		approvalExample(map[string]any{"reason": "nobody decided in time"}),
	},
	{
		"approval.stale", "An approved call no longer applied, and was not carried out.", "approval",
		"An approved call no longer applies: {summary}", approvalExample(map[string]any{"reason": "release 32 is deleted"}),
	},
	{
		"approval.failed", "An approved call failed, and was not carried out.", "approval", "An approved call failed: {summary}",
		approvalExample(map[string]any{"error": "the call failed repeatedly; see the log of the worker for details", "failures": 5}),
	},
	{
		"approval.carried_out", "An approved call was carried out.", "approval", "Done as approved: {summary}",
		approvalExample(map[string]any{}),
	},
}

// approvalExample adds what every event of an approval has.
func approvalExample(details map[string]any) map[string]any {
	details["action"], details["channels"] = "update.publish", []string{"production"}
	details["summary"] = `publish build 11 (ios, runtime version 1.4.0) to channel "production" for 10 % of the devices`
	details["requestedBy"], details["requiredApprovals"] = "ci", 1
	return details
}
