package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

func rolloutsCommand(s *settings) *cobra.Command {
	return s.group("rollouts", "Start, watch and steer rollouts",
		startRolloutCommand(s), listRolloutsCommand(s), showRolloutCommand(s), watchRolloutCommand(s),
		steerRolloutCommand(s, "pause", "Pause a rollout: no stage begins; its thresholds still apply",
			func(ctx context.Context, api *client.Waft, id int64, reason client.CommandReason) (found[client.RolloutExecution], error) {
				return api.PauseRolloutExecutionWithResponse(ctx, id, &client.PauseRolloutExecutionParams{}, reason)
			}),
		steerRolloutCommand(s, "resume", "Resume a paused rollout",
			func(ctx context.Context, api *client.Waft, id int64, reason client.CommandReason) (found[client.RolloutExecution], error) {
				return api.ResumeRolloutExecutionWithResponse(ctx, id, &client.ResumeRolloutExecutionParams{}, reason)
			}),
		steerRolloutCommand(s, "advance", "Begin the next stage now; after the last one the rollout is complete",
			func(ctx context.Context, api *client.Waft, id int64, reason client.CommandReason) (found[client.RolloutExecution], error) {
				return api.AdvanceRolloutExecutionWithResponse(ctx, id, &client.AdvanceRolloutExecutionParams{}, reason)
			}),
		cancelRolloutCommand(s), rollBackRolloutCommand(s),
	)
}

// steer gives one command to a rollout.
type steer func(context.Context, *client.Waft, int64, client.CommandReason) (found[client.RolloutExecution], error)

func steerRolloutCommand(s *settings, name, short string, command steer) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: name + " ID", Short: short, Args: args("ID"),
		RunE: s.on(rolloutOf, func(cmd *cobra.Command, api *client.Waft, id int64, _ []string) error {
			return tell(cmd, s, executionLines).found(command(cmd.Context(), api, id, client.CommandReason{Reason: optional(reason)}))
		}),
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the timeline and the audit log")
	return cmd
}

func cancelRolloutCommand(s *settings) *cobra.Command {
	var reason string
	var keep bool
	cmd := &cobra.Command{
		Use: "cancel ID", Short: "End a rollout and roll the release back; with --keep, leave its share as it is", Args: args("ID"),
		RunE: s.on(rolloutOf, func(cmd *cobra.Command, api *client.Waft, id int64, _ []string) error {
			revert := !keep
			return tell(cmd, s, executionLines).
				found(api.CancelRolloutExecutionWithResponse(cmd.Context(), id, &client.CancelRolloutExecutionParams{},
					client.CancelBody{Reason: optional(reason), Revert: &revert}))
		}),
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the timeline and the audit log")
	cmd.Flags().BoolVar(&keep, "keep", false, "leave the release at the share that it has")
	return cmd
}

func listRolloutsCommand(s *settings) *cobra.Command {
	var limit int64
	cmd := &cobra.Command{
		Use: "list", Short: "List the newest rollouts", Args: args(),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, _ []string) error {
			return tell(cmd, s, table("no rollouts",
				[]string{"ID", "RELEASE", "PLATFORM", "POLICY", "STATUS", "STAGE", "SHARE", "DEVICES", "CRASH RATE", "WAITING FOR"}, executionRow)).
				found(api.ListRolloutExecutionsWithResponse(cmd.Context(), &client.ListRolloutExecutionsParams{Limit: &limit}))
		}),
	}
	cmd.Flags().Int64Var(&limit, "limit", 20, "most rollouts to list, up to 200")
	return cmd
}

func executionRow(record client.RolloutExecution) []string {
	e := record.Model()
	devices, rate := "-", "-"
	if e.Health != nil {
		devices, rate = strconv.FormatInt(e.Health.Devices, 10), fmt.Sprintf("%.2f %%", e.Health.CrashRate)
	}
	return []string{
		strconv.FormatInt(e.ID, 10), strconv.FormatInt(e.UpdateID, 10), string(e.Platform), e.PolicyName, string(e.Status), stageText(e),
		fmt.Sprintf("%v %%", e.Percentage), devices, rate, string(e.WaitingFor),
	}
}

// executionLine is an execution as it stands, in one line.
func executionLine(e models.RolloutExecution) string {
	text := rolloutText(e)
	if e.Reason != "" {
		text += " (" + e.Reason + ")"
	}
	return text
}

// executionLines are what is said of the execution that a command answered.
func executionLines(e client.RolloutExecution) []string {
	return []string{fmt.Sprintf("rollout %d: %s", e.ID, executionLine(e.Model()))}
}

func rolloutOf(_ context.Context, s *settings, arg string) (int64, *client.Waft, error) {
	return recordOf(s, arg, "rollout", "waft rollouts list")
}
