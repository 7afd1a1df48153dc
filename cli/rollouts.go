package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/cli/terminal"
	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

func rolloutsCommand(s *settings) *cobra.Command {
	cmd := &cobra.Command{Use: "rollouts", Short: "Watch and steer rollouts"}
	cmd.AddCommand(
		listRolloutsCommand(s), showRolloutCommand(s), watchRolloutCommand(s), cancelRolloutCommand(s), rollBackRolloutCommand(s),
		steerRolloutCommand(s, "pause", "Stop a rollout's clock where it stands; its limits are still watched",
			func(ctx context.Context, api *client.Waft, id int64, reason client.CommandReason) (*client.RolloutExecution, error) {
				res, err := api.PauseRolloutExecutionWithResponse(ctx, id, &client.PauseRolloutExecutionParams{}, reason)
				if err != nil {
					return nil, err
				}
				return res.JSON200, nil
			}),
		steerRolloutCommand(s, "resume", "Let a paused rollout go on",
			func(ctx context.Context, api *client.Waft, id int64, reason client.CommandReason) (*client.RolloutExecution, error) {
				res, err := api.ResumeRolloutExecutionWithResponse(ctx, id, &client.ResumeRolloutExecutionParams{}, reason)
				if err != nil {
					return nil, err
				}
				return res.JSON200, nil
			}),
		steerRolloutCommand(s, "advance", "Go to the next stage now",
			func(ctx context.Context, api *client.Waft, id int64, reason client.CommandReason) (*client.RolloutExecution, error) {
				res, err := api.AdvanceRolloutExecutionWithResponse(ctx, id, &client.AdvanceRolloutExecutionParams{}, reason)
				if err != nil {
					return nil, err
				}
				return res.JSON200, nil
			}),
	)
	return cmd
}

// steer gives one command to a rollout.
type steer func(context.Context, *client.Waft, int64, client.CommandReason) (*client.RolloutExecution, error)

func steerRolloutCommand(s *settings, name, short string, command steer) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: name + " ID", Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, api, err := rolloutOf(s, args[0])
			if err != nil {
				return err
			}
			e, err := command(cmd.Context(), api, id, client.CommandReason{Reason: optional(reason)})
			return answered(cmd.OutOrStdout(), e, err)
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the timeline and the audit log")
	return cmd
}

func cancelRolloutCommand(s *settings) *cobra.Command {
	var reason string
	var keep bool
	cmd := &cobra.Command{
		Use: "cancel ID", Short: "End a rollout and take the release back", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, api, err := rolloutOf(s, args[0])
			if err != nil {
				return err
			}
			revert := !keep
			res, err := api.CancelRolloutExecutionWithResponse(cmd.Context(), id, &client.CancelRolloutExecutionParams{},
				client.CancelBody{Reason: optional(reason), Revert: &revert})
			if err != nil {
				return err
			}
			return answered(cmd.OutOrStdout(), res.JSON200, nil)
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the timeline and the audit log")
	cmd.Flags().BoolVar(&keep, "keep", false, "leave the release at the share that it has")
	return cmd
}

func listRolloutsCommand(s *settings) *cobra.Command {
	var limit int64
	cmd := &cobra.Command{
		Use: "list", Short: "List the newest rollouts", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			api, err := s.client()
			if err != nil {
				return err
			}
			res, err := api.ListRolloutExecutionsWithResponse(cmd.Context(), &client.ListRolloutExecutionsParams{Limit: &limit})
			if err != nil {
				return err
			}
			rows := [][]string{{"ID", "RELEASE", "PLATFORM", "POLICY", "STATUS", "STAGE", "SHARE", "DEVICES", "CRASH RATE", "WAITING FOR"}}
			if res.JSON200 != nil {
				for _, e := range *res.JSON200 {
					rows = append(rows, executionRow(e.Model()))
				}
			}
			for _, line := range terminal.Columns(rows) {
				fmt.Fprintln(cmd.OutOrStdout(), line)
			}
			return nil
		},
	}
	cmd.Flags().Int64Var(&limit, "limit", 20, "most rollouts to list, up to 200")
	return cmd
}

func executionRow(e models.RolloutExecution) []string {
	devices, rate := "", ""
	if e.Health != nil {
		devices, rate = strconv.FormatInt(e.Health.Devices, 10), fmt.Sprintf("%.2f %%", e.Health.CrashRate)
	}
	return []string{
		strconv.FormatInt(e.ID, 10), strconv.FormatInt(e.UpdateID, 10), string(e.Platform), e.PolicyName, string(e.Status), stageText(e),
		fmt.Sprintf("%v %%", e.Percentage), devices, rate, string(e.WaitingFor),
	}
}

func watchRolloutCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "watch ID", Short: "Print what happens to a rollout, and where it stands, until it ends", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, api, err := rolloutOf(s, args[0])
			if err != nil {
				return err
			}
			term := terminal.New(cmd.OutOrStdout())
			var story storyteller
			return api.WatchRollout(cmd.Context(), id, func(e client.RolloutExecution) bool {
				for _, line := range story.lines(e) {
					term.Print(line)
				}
				return e.Model().Status.Open()
			})
		},
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

// answered prints the execution that a command answered.
func answered(out io.Writer, e *client.RolloutExecution, err error) error {
	switch {
	case err != nil:
		return err
	case e == nil:
		return fmt.Errorf("the answer holds no rollout; is this a Waft server?")
	}
	_, err = fmt.Fprintf(out, "rollout %d: %s\n", e.ID, executionLine(e.Model()))
	return err
}

func rolloutOf(s *settings, arg string) (int64, *client.Waft, error) {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil || id < 1 {
		return 0, nil, fmt.Errorf("%q is no rollout's id; `waft rollouts list` shows them", arg)
	}
	api, err := s.client()
	return id, api, err
}

// optional is nil for an empty text.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
