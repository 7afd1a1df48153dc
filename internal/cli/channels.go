package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

func channelsCommand(s *settings) *cobra.Command {
	return s.group("channels", "List channels, and change what they serve",
		listChannelsCommand(s), createChannelCommand(s), editChannelCommand(s), deleteChannelCommand(s),
	)
}

func listChannelsCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the channels", Args: args(),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, _ []string) error {
			return tell(cmd, s, table("no channels",
				[]string{"CHANNEL", "BRANCH", "ROLLOUT BRANCH", "MIN RUNTIME", "STATE"}, channelRow)).
				found(api.ListChannelsWithResponse(cmd.Context(), &client.ListChannelsParams{Limit: new(listLimit)}))
		}),
	}
}

func channelRow(c client.Channel) []string {
	share, state := "-", "serves"
	if c.RolloutBranchName != nil && c.RolloutPercentage != nil {
		share = fmt.Sprintf("%s for %v %%", *c.RolloutBranchName, *c.RolloutPercentage)
	}
	if c.IsPaused {
		state = "paused"
	}
	return []string{c.Name, c.BranchName, share, orDash(c.MinRuntimeVersion), state}
}

// channelLines are a channel in a sentence.
func channelLines(c client.Channel) []string {
	line := fmt.Sprintf("channel %s serves the branch %s", c.Name, c.BranchName)
	if c.RolloutBranchName != nil && c.RolloutPercentage != nil {
		line += fmt.Sprintf(", and %s to %v %% of devices", *c.RolloutBranchName, *c.RolloutPercentage)
	}
	if c.MinRuntimeVersion != nil {
		line += ", from runtime version " + *c.MinRuntimeVersion + " on"
	}
	if c.IsPaused {
		line += "; it is paused: no device gets an update"
	}
	return []string{line}
}

func createChannelCommand(s *settings) *cobra.Command {
	var branch string
	cmd := &cobra.Command{
		Use: "create NAME", Short: "Create a channel, and its branch when there is none of that name", Args: args("NAME"),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, args []string) error {
			return tell(cmd, s, channelLines).
				made(api.CreateChannelWithResponse(cmd.Context(), &client.CreateChannelParams{},
					client.CreateChannelBody{Name: args[0], BranchName: optional(branch)}))
		}),
	}
	cmd.Flags().StringVar(&branch, "branch", "", "branch that it serves; default: the one of its own name")
	return cmd
}

func editChannelCommand(s *settings) *cobra.Command {
	var branch, rolloutBranch, minRuntime string
	var percentage float64
	var paused bool
	cmd := &cobra.Command{
		Use: "edit NAME", Short: "Promote a branch to a channel, share it between two, or pause it",
		Long: "--branch promotes: the channel serves that branch from now on, and nothing is published anew.\n" +
			"--rollout-branch and --percentage give that share of the devices another branch; --rollout-branch ''\n" +
			"ends that. --paused stops all updates of the channel.",
		Example: "  waft channels edit production --branch staging\n  waft channels edit production --paused",
		Args:    args("NAME"),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, args []string) error {
			changes := map[string]any{}
			for flag, change := range map[string]struct {
				field string
				value any
			}{
				"branch": {"branchName", branch}, "rollout-branch": {"rolloutBranchName", orNull(rolloutBranch)},
				"percentage": {"rolloutPercentage", percentage}, "min-runtime-version": {"minRuntimeVersion", orNull(minRuntime)},
				"paused": {"isPaused", paused},
			} {
				if cmd.Flags().Changed(flag) {
					changes[change.field] = change.value
				}
			}
			if len(changes) == 0 {
				return errors.New("nothing to change: give --branch, --rollout-branch with --percentage, --min-runtime-version or --paused")
			}
			body, err := json.Marshal(changes)
			if err != nil {
				return err
			}
			return tell(cmd, s, channelLines).
				found(api.PatchChannelWithBodyWithResponse(cmd.Context(), args[0], &client.PatchChannelParams{}, "application/json", bytes.NewReader(body)))
		}),
	}
	f := cmd.Flags()
	f.StringVar(&branch, "branch", "", "branch that devices get")
	f.StringVar(&rolloutBranch, "rollout-branch", "", "branch of a share of the devices; '' for none")
	f.Float64Var(&percentage, "percentage", 0, "that share")
	f.StringVar(&minRuntime, "min-runtime-version", "", "devices below it are sent to the app store; '' for none")
	f.BoolVar(&paused, "paused", false, "no device gets an update; --paused=false lets them again")
	return cmd
}

// orNull is JSON's null for an empty text, which clears a field.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func deleteChannelCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "delete NAME", Short: "Delete a channel; its branch stays", Args: args("NAME"),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, args []string) error {
			_, err := api.DeleteChannelWithResponse(cmd.Context(), args[0], &client.DeleteChannelParams{})
			return done(cmd, s, err, "channel %s is deleted", args[0])
		}),
	}
}
