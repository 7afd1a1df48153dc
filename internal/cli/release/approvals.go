package release

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/models"
)

// Approvals returns the command that lists and shows calls that wait for approval, and approves or rejects them.
func Approvals(s *command.Settings) *cobra.Command {
	list := command.List[client.ApprovalSummary]{
		Noun: "approvals", Short: "List calls that wait for approval, newest first", Path: "/approvals", Limit: command.ListLimit,
		Header: []string{"ID", "STATUS", "BY", "APPROVALS", "EXPIRES", "CALL"}, Row: approvalRow,
		Filters: []command.Filter{
			{Flag: "status", Usage: command.Choice(approvalStatuses), Values: approvalStatuses, Default: "pending", Find: approvalStatus},
			command.SearchFilter("approvals", "call or channel"),
		},
	}.Command(s)
	show := s.On("show ID", "Show a call that waits for approval, and its approvals", approvalOf, func(c command.Call, id int64) error {
		return command.Tell(c, command.Linking(c, approvalLines, command.ApprovalPage)).
			Found(c.API.GetApprovalWithResponse(c.Context(), id, &client.GetApprovalParams{}))
	})
	group := s.Group("approvals", "List, show, approve and reject calls that change protected channels", list, show,
		decisionCommand(s, "approve", "Approve a call; the last required approval applies it",
			func(c command.Call, id int64, v client.Verdict) (command.Found[client.Approval], error) {
				return c.API.ApproveWithResponse(c.Context(), id, &client.ApproveParams{}, v)
			}),
		decisionCommand(s, "reject", "Reject a call, or withdraw your own call",
			func(c command.Call, id int64, v client.Verdict) (command.Found[client.Approval], error) {
				return c.API.RejectApprovalWithResponse(c.Context(), id, &client.RejectApprovalParams{}, v)
			}),
		withdrawCommand(s))
	group.Long = "Only people can approve: sign in with `waft login` first. An API key can only withdraw its own calls, with reject."
	return group
}

var approvalStatuses = []string{"pending", "approved", "carried_out", "stale", "failed", "rejected", "expired", "all"}

// approvalStatus returns the parameter for a status, "" for all.
func approvalStatus(_ command.Call, status string) (string, error) {
	if status == "all" {
		return "", nil
	}
	return status, nil
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
	cmd.Flags().StringVar(&comment, "comment", "", "reason, for the other members and the audit log")
	s.AsPerson(cmd)
	return cmd
}

func withdrawCommand(s *command.Settings) *cobra.Command {
	cmd := s.On("withdraw ID", "Withdraw your approval of a call while the call is pending", approvalOf, func(c command.Call, id int64) error {
		return command.Tell(c, command.Linking(c, approvalLines, command.ApprovalPage)).
			Found(c.API.WithdrawApprovalWithResponse(c.Context(), id, &client.WithdrawApprovalParams{}))
	})
	s.AsPerson(cmd)
	return cmd
}

// statusWords returns a status in words.
func statusWords[S ~string](status S) string {
	switch status {
	case "carried_out":
		return "applied"
	case "stale":
		return "out of date"
	default:
		return command.Words(string(status))
	}
}

func approvalRow(a client.ApprovalSummary) []string {
	return []string{
		strconv.FormatInt(a.ID, 10), statusWords(a.Status), requesterText(a.RequestedBy),
		fmt.Sprintf("%d of %d", len(a.Approvals), a.RequiredApprovals),
		a.ExpiresAt.UTC().Format(command.Stamp), command.Cell(a.Summary),
	}
}

func requesterText(by client.Party) string { return command.ActorText(string(by.Type), by.ID, by.Name) }

func approvalLines(a client.Approval) []string {
	lines := []string{
		fmt.Sprintf("approval %d: %s, %d of %s", a.ID, statusWords(a.Status), len(a.Approvals), count.Of(a.RequiredApprovals, "approval")),
		fmt.Sprintf("%s asks to %s", requesterText(a.RequestedBy), a.Summary),
		fmt.Sprintf("requested by %s at %s, for %s; expires %s", requesterText(a.RequestedBy), a.CreatedAt.UTC().Format(command.Stamp),
			strings.Join(a.Channels, ", "), a.ExpiresAt.UTC().Format(command.Stamp)),
	}
	if a.Reason != "" {
		lines = append(lines, "reason: "+command.OneLine(a.Reason, 400))
	}
	for _, r := range a.Receives {
		lines = append(lines, receivedLines(r)...)
	}
	for _, d := range a.Approvals {
		lines = append(lines, decisionLine("approved", d))
	}
	if a.Rejection != nil {
		lines = append(lines, decisionLine("rejected", *a.Rejection))
	}
	if a.Error != nil {
		lines = append(lines, "not applied: "+*a.Error)
	}
	return lines
}

// receivedLines describes how a call changes the releases that a target gets.
func receivedLines(r client.OfferChange) []string {
	return []string{
		fmt.Sprintf("devices of %s (%s, runtime version %s)", r.Channel, r.Platform, r.RuntimeVersion),
		"  before: " + offered(r.Before),
		"  after:  " + offered(r.After),
	}
}

// offered lists releases in the order in which they are offered to devices.
func offered(offers []client.Offer) string {
	if len(offers) == 0 {
		return "nothing"
	}
	parts := make([]string, len(offers))
	for i, o := range offers {
		parts[i] = fmt.Sprintf("%s to %g%%", offeredName(o), o.RolloutPercentage)
		if o.BranchPercentage < 100 {
			parts[i] += fmt.Sprintf(" of branch %s (%g%% of devices)", o.BranchName, o.BranchPercentage)
		}
		if !o.IsEnabled {
			parts[i] += ", disabled"
		}
		if o.IsCritical {
			parts[i] += ", critical"
		}
	}
	return strings.Join(parts, "; then ")
}

func offeredName(o client.Offer) string {
	switch {
	case o.Kind == client.OfferKindRollbackToEmbedded:
		return "the embedded update"
	case o.UpdateID != nil:
		return models.ReleasePhrase(*o.UpdateID, o.ReleaseMessage)
	case o.RepublishedFromID != nil:
		return models.ReleasePhrase(*o.RepublishedFromID, o.ReleaseMessage) + ", published again,"
	case o.BuildID != nil:
		return fmt.Sprintf("a new release of build %d", *o.BuildID)
	}
	return "a new release"
}

func decisionLine(verdict string, d client.ApprovalGiven) string {
	line := fmt.Sprintf("%s by %s at %s", verdict, d.By.Name, d.At.UTC().Format(command.Stamp))
	if d.Comment != "" {
		line += ": " + command.OneLine(d.Comment, 200)
	}
	return line
}
