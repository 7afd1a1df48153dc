package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

func approvalsCommand(s *settings) *cobra.Command {
	var status string
	list := s.calling("list", "List calls that wait for approval, newest first", func(c call) error {
		params := &client.ListApprovalsParams{Limit: new(listLimit)}
		if status != "all" {
			params.Status = new(client.ListApprovalsParamsStatus(status))
			if !params.Status.Valid() {
				return fmt.Errorf("--status must be pending, approved, carried_out, stale, rejected, expired or all, not %q", status)
			}
		}
		return tell(c, table("no approvals",
			[]string{"ID", "STATUS", "BY", "APPROVALS", "EXPIRES", "CALL"}, approvalRow)).
			found(c.api.ListApprovalsWithResponse(c.Context(), params))
	})
	list.Flags().StringVar(&status, "status", "pending", "pending, approved, carried_out, stale, rejected, expired, or all")
	show := s.on("show ID", "Show a call that waits for approval, and who decided", approvalOf, func(c call, id int64) error {
		return tell(c, linking(c, approvalLines, approvalPage)).found(c.api.GetApprovalWithResponse(c.Context(), id, &client.GetApprovalParams{}))
	})
	group := s.group("approvals", "List, show, approve and reject calls about protected channels", list, show,
		decisionCommand(s, "approve", "Approve a call; the last approval has it carried out", func(c call, id int64, v client.Verdict) (found[client.Approval], error) {
			return c.api.ApproveWithResponse(c.Context(), id, &client.ApproveParams{}, v)
		}),
		decisionCommand(s, "reject", "Reject a call, or withdraw one of your own", func(c call, id int64, v client.Verdict) (found[client.Approval], error) {
			return c.api.RejectApprovalWithResponse(c.Context(), id, &client.RejectApprovalParams{}, v)
		}))
	group.Long = "Approving and rejecting is for people: sign in with `waft login` first. An API key only withdraws its own calls."
	return group
}

var approvalOf = byID("approval", "waft approvals list --status all")

func decisionCommand(
	s *settings, verdict, short string, decide func(call, int64, client.Verdict) (found[client.Approval], error),
) *cobra.Command {
	var comment string
	cmd := s.on(verdict+" ID", short, approvalOf, func(c call, id int64) error {
		return tell(c, linking(c, approvalLines, approvalPage)).found(decide(c, id, client.Verdict{Comment: optional(comment)}))
	})
	cmd.Flags().StringVar(&comment, "comment", "", "why, for the others and the audit log")
	s.asPerson(cmd)
	return cmd
}

func approvalRow(a client.ApprovalSummary) []string {
	return []string{
		strconv.FormatInt(a.ID, 10), words(string(a.Status)), a.RequestedBy.Name, fmt.Sprintf("%d of %d", len(a.Approvals), a.RequiredApprovals),
		a.ExpiresAt.UTC().Format(stamp), oneLine(a.Summary, 100),
	}
}

func approvalLines(a client.Approval) []string {
	lines := []string{
		fmt.Sprintf("approval %d: %s, %d of %d approvals", a.ID, words(string(a.Status)), len(a.Approvals), a.RequiredApprovals),
		a.Summary,
		fmt.Sprintf("asked by %s at %s, on %s; expires %s", a.RequestedBy.Name, a.CreatedAt.UTC().Format(stamp),
			strings.Join(a.Channels, ", "), a.ExpiresAt.UTC().Format(stamp)),
	}
	for _, d := range a.Approvals {
		lines = append(lines, decisionLine("approved", d))
	}
	if a.Rejection != nil {
		lines = append(lines, decisionLine("rejected", *a.Rejection))
	}
	if a.Error != nil {
		lines = append(lines, "it was not carried out: "+*a.Error)
	}
	return lines
}

func decisionLine(verdict string, d client.ApprovalGiven) string {
	line := fmt.Sprintf("%s by %s at %s", verdict, d.By.Name, d.At.UTC().Format(stamp))
	if d.Comment != "" {
		line += ": " + oneLine(d.Comment, 200)
	}
	return line
}
