// Package rollout contains the commands of waft that start and control rollouts, and show the metrics that decide
// them.
package rollout

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/models"
)

// Rollouts returns the command that starts, watches and controls rollouts.
func Rollouts(s *command.Settings) *cobra.Command {
	return s.Group("rollouts", "Start, watch and control rollouts",
		startRolloutCommand(s), listRolloutsCommand(s), showRolloutCommand(s), watchRolloutCommand(s),
		steerRolloutCommand(s, "pause", "Pause a rollout: its next stage does not begin, but its thresholds still apply",
			func(ctx context.Context, api *client.Waft, id int64, reason client.CommandReason) (command.Found[client.RolloutExecution], error) {
				return api.PauseRolloutExecutionWithResponse(ctx, id, &client.PauseRolloutExecutionParams{}, reason)
			},
			func(ctx context.Context, api *client.Waft, id int64, reason client.CommandReason) (command.Found[client.ChangePreview], error) {
				return api.PreviewPauseRolloutExecutionWithResponse(ctx, id, &client.PreviewPauseRolloutExecutionParams{}, reason)
			}),
		steerRolloutCommand(s, "resume", "Resume a paused rollout",
			func(ctx context.Context, api *client.Waft, id int64, reason client.CommandReason) (command.Found[client.RolloutExecution], error) {
				return api.ResumeRolloutExecutionWithResponse(ctx, id, &client.ResumeRolloutExecutionParams{}, reason)
			},
			func(ctx context.Context, api *client.Waft, id int64, reason client.CommandReason) (command.Found[client.ChangePreview], error) {
				return api.PreviewResumeRolloutExecutionWithResponse(ctx, id, &client.PreviewResumeRolloutExecutionParams{}, reason)
			}),
		steerRolloutCommand(s, "advance", "Begin the next stage now; in the last stage this completes the rollout",
			func(ctx context.Context, api *client.Waft, id int64, reason client.CommandReason) (command.Found[client.RolloutExecution], error) {
				return api.AdvanceRolloutExecutionWithResponse(ctx, id, &client.AdvanceRolloutExecutionParams{}, reason)
			},
			func(ctx context.Context, api *client.Waft, id int64, reason client.CommandReason) (command.Found[client.ChangePreview], error) {
				return api.PreviewAdvanceRolloutExecutionWithResponse(ctx, id, &client.PreviewAdvanceRolloutExecutionParams{}, reason)
			}),
		cancelRolloutCommand(s), rollBackRolloutCommand(s),
	)
}

// steer is a function that sends a command to a rollout, or requests its preview.
type steer[T any] = func(context.Context, *client.Waft, int64, client.CommandReason) (command.Found[T], error)

func steerRolloutCommand(
	s *command.Settings, name, short string, send steer[client.RolloutExecution], ask steer[client.ChangePreview],
) *cobra.Command {
	var reason string
	var preview bool
	cmd := s.On(name+" ID", short, command.RolloutOf, func(c command.Call, id int64) error {
		if preview {
			return command.Tell(c, command.PreviewLines).Found(ask(c.Context(), c.API, id, client.CommandReason{Reason: command.Optional(reason)}))
		}
		return command.Tell(c, command.Linking(c, executionLines, command.RolloutPage)).
			Found(send(c.Context(), c.API, id, client.CommandReason{Reason: command.Optional(reason)}))
	})
	cmd.Flags().StringVar(&reason, "reason", "", "reason, for the timeline and the audit log")
	command.PreviewFlag(cmd, &preview)
	return cmd
}

func cancelRolloutCommand(s *command.Settings) *cobra.Command {
	var reason string
	var keep, preview bool
	cmd := s.On("cancel ID", "End a rollout and roll the release back; with --keep, keep its rollout percentage", command.RolloutOf,
		func(c command.Call, id int64) error {
			body := client.CancelBody{Reason: command.Optional(reason), Revert: new(!keep)}
			if preview {
				return command.Tell(c, command.PreviewLines).
					Found(c.API.PreviewCancelRolloutExecutionWithResponse(c.Context(), id, &client.PreviewCancelRolloutExecutionParams{}, body))
			}
			return command.Tell(c, command.Linking(c, executionLines, command.RolloutPage)).
				Found(c.API.CancelRolloutExecutionWithResponse(c.Context(), id, &client.CancelRolloutExecutionParams{}, body))
		})
	cmd.Flags().StringVar(&reason, "reason", "", "reason, for the timeline and the audit log")
	cmd.Flags().BoolVar(&keep, "keep", false, "keep the release at its rollout percentage")
	command.PreviewFlag(cmd, &preview)
	return cmd
}

var rolloutStatuses = []string{"running", "paused", "completed", "rolled_back", "cancelled"}

func listRolloutsCommand(s *command.Settings) *cobra.Command {
	return command.List[client.RolloutExecution]{
		Noun: "rollouts", Short: "List the newest rollouts", Path: "/rollout-executions", Limit: 20,
		Header: []string{"ID", "RELEASE", "NOTES", "PLATFORM", "POLICY", "STATUS", "STAGE", "PERCENT", "DEVICES", "CRASH RATE", "WAITING FOR"},
		Row:    executionRow,
		Filters: []command.Filter{
			{Flag: "status", Usage: "list only rollouts with this status: " + command.Choice(rolloutStatuses), Values: rolloutStatuses},
			{Flag: "channel", Usage: "list only rollouts of releases that were published to this channel"},
			{Flag: "release", Usage: "list only rollouts of the release with this ID", Param: "updateId"},
			{Flag: "policy", Usage: "list only rollouts by this policy, by its name or ID", Param: "policyId", Find: policyID},
			command.SearchFilter("rollouts", "release notes, policy or channel"),
		},
	}.Command(s)
}

// policyID returns the ID of the policy with a name or ID, as a parameter.
func policyID(c command.Call, idOrName string) (string, error) {
	id, err := command.PolicyOf(c, idOrName)
	return strconv.FormatInt(id, 10), err
}

func executionRow(record client.RolloutExecution) []string {
	e := record.Model()
	devices, rate := "-", "-"
	if e.Health != nil {
		devices = strconv.FormatInt(e.Health.Devices, 10)
		if e.Health.Devices > 0 { // without devices, the rate is unknown
			rate = fmt.Sprintf("%.2f%%", e.Health.CrashRate)
		}
	}
	return []string{
		strconv.FormatInt(e.ID, 10), strconv.FormatInt(e.UpdateID, 10), command.Cell(record.ReleaseMessage), string(e.Platform), e.PolicyName,
		string(e.Status), command.StageText(e), fmt.Sprintf("%v%%", e.Percentage), devices, rate, string(e.WaitingFor),
	}
}

// executionLine returns the state of a rollout and its reason as one line.
func executionLine(e models.RolloutExecution) string {
	text := command.RolloutText(e)
	if e.Reason != "" {
		text += " (" + e.Reason + ")"
	}
	return text
}

// executionLines returns executionLine with the rollout's ID.
func executionLines(e client.RolloutExecution) []string {
	return []string{fmt.Sprintf("rollout %d: %s", e.ID, executionLine(e.Model()))}
}

func startRolloutCommand(s *command.Settings) *cobra.Command {
	var policy string
	var preview bool
	cmd := s.On("start RELEASE", "Start a rollout of a release that was published without a policy", command.ReleaseOf,
		func(c command.Call, release int64) error {
			id, err := command.PolicyOf(c, policy)
			if err != nil {
				return err
			}
			body := client.StartExecutionBody{PolicyID: id, UpdateID: release}
			if preview {
				return command.Tell(c, command.PreviewLines).
					Found(c.API.PreviewStartRolloutExecutionWithResponse(c.Context(), &client.PreviewStartRolloutExecutionParams{}, body))
			}
			return command.Tell(c, command.Linking(c, executionLines, command.RolloutPage)).
				Made(c.API.StartRolloutExecutionWithResponse(c.Context(), &client.StartRolloutExecutionParams{}, body))
		})
	cmd.Long = "The rollout sets the release's rollout percentage, beginning with the policy's first stage. To publish a release\n" +
		"and start its rollout with one command, use `waft publish --policy`."
	cmd.Example = "  waft rollouts start 29 --policy careful"
	cmd.Flags().StringVar(&policy, "policy", "", "name or ID of the rollout policy")
	command.PreviewFlag(cmd, &preview)
	return command.Required(cmd, "policy")
}

func rollBackRolloutCommand(s *command.Settings) *cobra.Command {
	var scope, reason string
	var flagID int64
	var preview, allPlatforms bool
	cmd := s.On("rollback ID", "Roll back immediately: a linked flag, the release, or the whole channel", command.RolloutOf,
		func(c command.Call, id int64) error {
			body := client.RollbackExecutionBody{Scope: client.RollbackExecutionBodyScope(scope), Reason: command.Optional(reason)}
			r := models.ExecutionRollback{Scope: models.ExecutionRollbackScope(scope), AllPlatforms: allPlatforms, Reason: reason}
			if allPlatforms {
				body.AllPlatforms = &allPlatforms
			}
			if c.Flags().Changed("flag") {
				body.FlagID, r.FlagID = &flagID, &flagID
			}
			if err := r.Validate(); err != nil {
				return command.InFlags(err, map[string]string{
					"scope": "--scope", "flagId": "--flag", "allPlatforms": "--all-platforms", "reason": "--reason",
				})
			}
			if preview {
				return command.Tell(c, command.PreviewLines).
					Found(c.API.PreviewRollbackRolloutExecutionWithResponse(c.Context(), id, &client.PreviewRollbackRolloutExecutionParams{}, body))
			}
			return command.Tell(c, command.Linking(c, executionLines, command.RolloutPage)).
				Found(c.API.RollbackRolloutExecutionWithResponse(c.Context(), id, &client.RollbackRolloutExecutionParams{}, body))
		})
	cmd.Long = "This works even if no worker is running. With --scope flag, Waft reverts the flag, keeps the release and\n" +
		"continues its rollout. With --scope channel, Waft rolls back every release on the branch that is newer than\n" +
		"the last release that went to every device."
	cmd.Flags().StringVar(&scope, "scope", string(models.RollbackRelease), "what to roll back: flag, release or channel")
	cmd.Flags().Int64Var(&flagID, "flag", 0, "ID of the linked flag, with --scope flag")
	cmd.Flags().BoolVar(&allPlatforms, "all-platforms", false, "roll back the other platforms of the release's group too")
	cmd.Flags().StringVar(&reason, "reason", "", "reason, for the timeline and the audit log")
	command.PreviewFlag(cmd, &preview)
	return cmd
}
