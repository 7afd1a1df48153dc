package cli

import (
	"testing"

	"github.com/waft-ota/waft/internal/cli/clitest"
)

func TestApprovalCommands(t *testing.T) {
	t.Parallel()
	approved := clitest.Approval(map[string]any{"status": "carried_out", "approvals": []any{map[string]any{
		"by": map[string]any{"type": "user", "id": "3", "name": "jo@example.com"}, "comment": "fine", "at": "2026-03-14T10:00:00.000Z",
	}}})
	head := "ci asks to publish build 12 to channel \"production\"\n" +
		"requested by ci at 2026-03-14 09:26:53Z, for production; expires 2026-03-17 09:26:53Z\n" +
		"devices of production (ios, runtime version 1.2.0)\n  before: nothing\n  after:  a new release of build 12 to 10%\n"
	testCommands(t, map[string]commandCase{
		"approvals list": {
			[]string{"approvals", "list"}, "", "GET /approvals", "", 0, []any{clitest.Approval(nil)},
			"ID  STATUS   BY  APPROVALS  EXPIRES               CALL\n" +
				"61  pending  ci  0 of 1     2026-03-17 09:26:53Z  publish build 12 to channel \"production\"\n",
		},
		"approvals show, with a reason": {
			[]string{"approvals", "show", "61"}, "", "GET /approvals/61", "", 0, clitest.Approval(map[string]any{"reason": "a hotfix", "receives": []any{}}),
			"approval 61: pending, 0 of 1 approvals\nci asks to publish build 12 to channel \"production\"\n" +
				"requested by ci at 2026-03-14 09:26:53Z, for production; expires 2026-03-17 09:26:53Z\nreason: a hotfix\n",
		},
		"approvals show": {
			[]string{"approvals", "show", "61"}, "", "GET /approvals/61", "", 0, clitest.Approval(nil),
			"approval 61: pending, 0 of 1 approvals\n" + head,
		},
		"approvals approve": {
			[]string{"approvals", "approve", "61", "--comment", "fine"}, "", "POST /approvals/61/approve", `{"comment":"fine"}`, 0, approved,
			"approval 61: applied, 1 of 1 approvals\n" + head + "approved by jo@example.com at 2026-03-14 10:00:00Z: fine\n",
		},
		"approvals withdraw": {
			[]string{"approvals", "withdraw", "61"}, "", "POST /approvals/61/withdraw", "", 0, clitest.Approval(nil),
			"approval 61: pending, 0 of 1 approvals\n" + head,
		},
		"approvals reject": {
			[]string{"approvals", "reject", "61"}, "", "POST /approvals/61/reject", `{}`, 0, clitest.Approval(map[string]any{"status": "rejected"}),
			"approval 61: rejected, 0 of 1 approvals\n" + head,
		},
	})
}
