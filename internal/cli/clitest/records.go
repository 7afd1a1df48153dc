package clitest

import (
	"maps"
	"strings"
)

// Group is the group ID of the releases.
const Group = "0b9d3c1e-58f5-4f0f-8c11-2f4f4d0d7f55"

// Execution returns the record of a rollout.
func Execution(status string) map[string]any {
	return map[string]any{
		"id": 21, "updateId": 17, "releaseMessage": "Faster start", "platform": "ios", "policyName": "careful", "status": status, "stageIndex": 0,
		"stages": []any{map[string]any{"percentage": 5}, map[string]any{"percentage": 100}}, "percentage": 5,
		"waitingFor": "duration", "reason": "5 % for an hour",
		"health": map[string]any{"devices": 231, "crashedDevices": 2, "crashRate": 0.866, "evidence": 0.4},
	}
}

// Release returns the record of a release, with more fields.
func Release(more map[string]any) map[string]any {
	u := map[string]any{
		"id": 29, "platform": "ios", "runtimeVersion": "1.0.0", "branchName": "production", "isEnabled": true, "rolloutPercentage": 5,
		"kind": "update", "releaseMessage": "spring\nclean", "createdAt": "2026-03-14T09:26:53.589Z", "groupId": Group, "updateUuid": Group,
		"buildId": 27, "assetCount": 7, "sizeBytes": 1_500_000,
	}
	maps.Copy(u, more)
	return u
}

// Approval returns the record of a call that waits for approval, with more fields.
func Approval(more map[string]any) map[string]any {
	a := map[string]any{
		"id": 61, "status": "pending", "action": "update.publish", "summary": "publish build 12 to channel \"production\"",
		"channels": []string{"production"}, "requestedBy": map[string]any{"type": "api_key", "id": "2", "name": "ci"},
		"approvals": []any{}, "rejection": nil, "requiredApprovals": 1, "error": nil, "workflowId": "approval/demo/61", "requestId": "r",
		"createdAt": "2026-03-14T09:26:53.589Z", "expiresAt": "2026-03-17T09:26:53.589Z",
		"endedAt": nil, "input": map[string]any{"buildId": 12, "channel": "production"}, "receives": []any{map[string]any{
			"channel": "production", "platform": "ios", "runtimeVersion": "1.2.0", "before": []any{}, "after": []any{map[string]any{
				"updateId": nil, "republishedFromId": nil, "buildId": 12, "kind": "update", "branchName": "production", "branchPercentage": 100,
				"rolloutPercentage": 10, "rolloutExecutionId": nil, "isEnabled": true, "isCritical": false, "releaseMessage": "", "linkedFlags": []any{},
			}},
		}},
	}
	maps.Copy(a, more)
	return a
}

// Nasty contains strings that make terminals act: clear the screen, set title and clipboard, hide and reorder
// letters.
var Nasty = strings.Join([]string{
	"\x1b[2J\x1b[H", "\x1b]0;title\x07", "\x1b]52;c;Y3VybA==\x1b\\", "\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\", "\x1bP1$q\x1b\\",
	"\x1b[8mhidden", "\u009b2J", "\u009d0;title\u009c", "\u0090q\u009c", "\r\b\x7f\x00", "\u202etxt.exe\u202c", "\u2066\u2067\u2069\u200f\u061c", "\u2028",
	"\n2026-03-14 09:26:53Z  crash ×1  forged", "\v\f\x0e",
}, " ")
