package release

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Approvals makes the command that lists, shows and decides calls that wait for approval.
func Approvals(s *command.Settings) *cobra.Command {
	var status string
	list := s.Calling("list", "List calls that wait for approval, newest first", func(c command.Call) error {
		params := &client.ListApprovalsParams{Limit: new(command.ListLimit)}
		if status != "all" {
			params.Status = new(client.ListApprovalsParamsStatus(status))
			if !params.Status.Valid() {
				return fmt.Errorf("--status must be pending, approved, carried_out, stale, rejected, expired or all, not %q", status)
			}
		}
		return command.Tell(c, command.Table("no approvals",
			[]string{"ID", "STATUS", "BY", "APPROVALS", "EXPIRES", "CALL"}, approvalRow)).
			Found(c.API.ListApprovalsWithResponse(c.Context(), params))
	})
	list.Flags().StringVar(&status, "status", "pending", "pending, approved, carried_out, stale, rejected, expired, or all")
	show := s.On("show ID", "Show a call that waits for approval, and who decided", approvalOf, func(c command.Call, id int64) error {
		return command.Tell(c, command.Linking(c, approvalLines, command.ApprovalPage)).
			Found(c.API.GetApprovalWithResponse(c.Context(), id, &client.GetApprovalParams{}))
	})
	group := s.Group("approvals", "List, show, approve and reject calls about protected channels", list, show,
		decisionCommand(s, "approve", "Approve a call; the last approval has it carried out",
			func(c command.Call, id int64, v client.Verdict) (command.Found[client.Approval], error) {
				return c.API.ApproveWithResponse(c.Context(), id, &client.ApproveParams{}, v)
			}),
		decisionCommand(s, "reject", "Reject a call, or withdraw one of your own",
			func(c command.Call, id int64, v client.Verdict) (command.Found[client.Approval], error) {
				return c.API.RejectApprovalWithResponse(c.Context(), id, &client.RejectApprovalParams{}, v)
			}))
	group.Long = "Approving and rejecting is for people: sign in with `waft login` first. An API key only withdraws its own calls."
	return group
}

var approvalOf = command.ByID("approval", "waft approvals list --status all")

func decisionCommand(
	s *command.Settings, verdict, short string, decide func(command.Call, int64, client.Verdict) (command.Found[client.Approval], error),
) *cobra.Command {
	var comment string
	cmd := s.On(verdict+" ID", short, approvalOf, func(c command.Call, id int64) error {
		return command.Tell(c, command.Linking(c, approvalLines, command.ApprovalPage)).
			Found(decide(c, id, client.Verdict{Comment: command.Optional(comment)}))
	})
	cmd.Flags().StringVar(&comment, "comment", "", "why, for the others and the audit log")
	s.AsPerson(cmd)
	return cmd
}

func approvalRow(a client.ApprovalSummary) []string {
	return []string{
		strconv.FormatInt(a.ID, 10), command.Words(string(a.Status)), a.RequestedBy.Name,
		fmt.Sprintf("%d of %d", len(a.Approvals), a.RequiredApprovals),
		a.ExpiresAt.UTC().Format(command.Stamp), command.OneLine(a.Summary, 100),
	}
}

func approvalLines(a client.Approval) []string {
	lines := []string{
		fmt.Sprintf("approval %d: %s, %d of %d approvals", a.ID, command.Words(string(a.Status)), len(a.Approvals), a.RequiredApprovals),
		a.Summary,
		fmt.Sprintf("asked by %s at %s, on %s; expires %s", a.RequestedBy.Name, a.CreatedAt.UTC().Format(command.Stamp),
			strings.Join(a.Channels, ", "), a.ExpiresAt.UTC().Format(command.Stamp)),
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
	line := fmt.Sprintf("%s by %s at %s", verdict, d.By.Name, d.At.UTC().Format(command.Stamp))
	if d.Comment != "" {
		line += ": " + command.OneLine(d.Comment, 200)
	}
	return line
}
