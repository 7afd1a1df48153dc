package models

// approvalEvents are the events about calls that wait, or waited, for approvals.
var approvalEvents = []Event{
	{
		"approval.requested", "A call that affects a protected channel waits for approvals.", "approval",
		"{actor} requests approval: {summary}",
		approvalExample(map[string]any{"expiresAt": "2026-03-17T09:26:53.589Z"}),
	},
	{
		"approval.approved", "A member approved a waiting call.", "approval", "{actor} approved: {summary}",
		approvalExample(map[string]any{"comment": "tested on two phones", "approvals": 1}),
	},
	{
		"approval.withdrawn", "A member withdrew an approval of a waiting call.", "approval", "{actor} withdrew an approval: {summary}",
		approvalExample(map[string]any{"approvals": 0}),
	},
	{
		"approval.updated", "A change to a channel's settings changed the number of approvals that a waiting call requires.", "approval",
		"{actor} changed the number of required approvals: {summary}", approvalExample(map[string]any{
			"approvals": 1, "changed": map[string]any{"requiredApprovals": map[string]any{"before": 2, "after": 1}},
		}),
	},
	{
		"approval.rejected", "A waiting call was rejected, or withdrawn by its requester.", "approval", "{actor} rejected: {summary}",
		approvalExample(map[string]any{"comment": "not on a Friday", "withdrawn": false}),
	},
	{
		"approval.expired", "A waiting call expired before it was approved.", "approval", "Not approved in time: {summary}",
		approvalExample(map[string]any{"reason": "not approved in time"}),
	},
	{
		"approval.stale", "An approved call was not applied because it is out of date.", "approval",
		"An approved call was not applied because it is out of date: {summary}",
		approvalExample(map[string]any{"reason": "release 32 is deleted"}),
	},
	{
		"approval.failed", "An approved call failed and was not applied.", "approval", "An approved call failed: {summary}",
		approvalExample(map[string]any{"error": "the call failed repeatedly; see the log of the worker for details", "failures": 5}),
	},
	{
		"approval.carried_out", "An approved call was applied.", "approval", "Applied after approval: {summary}",
		approvalExample(map[string]any{}),
	},
}

// approvalExample adds the details that every event of an approval has.
func approvalExample(details map[string]any) map[string]any {
	details["action"], details["channels"] = "update.publish", []string{"production"}
	details["summary"] = `publish build 11 (ios, runtime version 1.4.0) to channel "production" for 10% of the devices`
	details["requestedBy"], details["requiredApprovals"] = "ci", 1
	return details
}
