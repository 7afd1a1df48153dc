package release

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Channels returns the command that lists and changes channels.
func Channels(s *command.Settings) *cobra.Command {
	return s.Group("channels", "List channels, and change what they serve",
		command.List[client.Channel]{
			Noun: "channels", Short: "List the channels", Path: "/channels", Limit: command.ListLimit,
			Header: []string{"CHANNEL", "BRANCH", "ROLLOUT BRANCH", "MIN RUNTIME", "STATE"}, Row: channelRow,
			Filters: []command.Filter{command.SearchFilter("channels", "name or branch")},
		}.Command(s),
		createChannelCommand(s), editChannelCommand(s),
		deleteChannelCommand(s),
	)
}

func deleteChannelCommand(s *command.Settings) *cobra.Command {
	var preview bool
	cmd := s.Calling("delete NAME", "Delete a channel; its branch is kept", func(c command.Call) error {
		if preview {
			return command.Tell(c, command.PreviewLines).
				Found(c.API.PreviewDeleteChannelWithResponse(c.Context(), c.Args[0], &client.PreviewDeleteChannelParams{}))
		}
		if err := c.Confirm(fmt.Sprintf("Delete channel %s? Its devices stop getting releases.", c.Args[0])); err != nil {
			return err
		}
		_, err := c.API.DeleteChannelWithResponse(c.Context(), c.Args[0], &client.DeleteChannelParams{})
		return command.Done(c, err, "channel %s deleted", c.Args[0])
	})
	command.PreviewFlag(cmd, &preview)
	return cmd
}

func channelRow(c client.Channel) []string {
	share, state := "-", "serves"
	if c.RolloutBranchName != nil && c.RolloutPercentage != nil {
		share = fmt.Sprintf("%s for %v%%", *c.RolloutBranchName, *c.RolloutPercentage)
	}
	if c.IsPaused {
		state = "paused"
	}
	if c.IsProtected {
		state += ", protected"
	}
	return []string{c.Name, c.BranchName, share, command.OrDash(c.MinRuntimeVersion), state}
}

// ChannelLines describes a channel.
func ChannelLines(c client.Channel) []string {
	line := fmt.Sprintf("channel %s serves the branch %s", c.Name, c.BranchName)
	if c.RolloutBranchName != nil && c.RolloutPercentage != nil {
		line += fmt.Sprintf(", and the branch %s to %v%% of devices", *c.RolloutBranchName, *c.RolloutPercentage)
	}
	if c.MinRuntimeVersion != nil {
		line += ", to devices with runtime version " + *c.MinRuntimeVersion + " or newer"
	}
	if c.IsPaused {
		line += "; the channel is paused: no device gets a release from it"
	}
	if !c.IsProtected {
		return []string{line}
	}
	return []string{line, protectionLine(c)}
}

// protectionLine describes the protection of a channel.
func protectionLine(c client.Channel) string {
	if c.RequiredApprovals == 0 {
		return "the channel is protected: only admins can make changes that give its devices something new"
	}
	return "the channel is protected: changes that give its devices something new wait for " + count.Of(c.RequiredApprovals, "approval")
}

func createChannelCommand(s *command.Settings) *cobra.Command {
	var branch string
	cmd := s.Calling("create NAME", "Create a channel, and its branch if it does not exist",
		func(c command.Call) error {
			return command.Tell(c, ChannelLines).
				Made(c.API.CreateChannelWithResponse(c.Context(), &client.CreateChannelParams{},
					client.CreateChannelBody{Name: c.Args[0], BranchName: command.Optional(branch)}))
		})
	cmd.Flags().StringVar(&branch, "branch", "", "branch that the channel serves; default: the branch with the channel's name")
	return cmd
}

func editChannelCommand(s *command.Settings) *cobra.Command {
	var branch, rolloutBranch, minRuntime string
	var percentage float64
	var approvals int
	var paused, protected, preview bool
	cmd := s.Calling("edit NAME", "Make a channel serve another branch, roll a branch out to part of its devices, pause or protect it",
		func(c command.Call) error {
			changes := map[string]any{}
			for flag, change := range map[string]struct {
				field string
				value any
			}{
				"branch": {"branchName", branch}, "rollout-branch": {"rolloutBranchName", orNull(rolloutBranch)},
				"percentage": {"rolloutPercentage", percentage}, "min-runtime-version": {"minRuntimeVersion", orNull(minRuntime)},
				"paused": {"isPaused", paused}, "protected": {"isProtected", protected}, "approvals": {"requiredApprovals", approvals},
			} {
				if c.Flags().Changed(flag) {
					changes[change.field] = change.value
				}
			}
			if len(changes) == 0 {
				return command.Usagef("nothing to change: use --branch, --rollout-branch with --percentage, --min-runtime-version, --paused, " +
					"--protected or --approvals")
			}
			body, err := json.Marshal(changes)
			if err != nil {
				return err
			}
			if preview {
				return command.Tell(c, command.PreviewLines).
					Found(c.API.PreviewChannelWithBodyWithResponse(
						c.Context(), c.Args[0], &client.PreviewChannelParams{}, "application/json", bytes.NewReader(body)))
			}
			return command.Tell(c, ChannelLines).
				Found(c.API.PatchChannelWithBodyWithResponse(c.Context(), c.Args[0], &client.PatchChannelParams{}, "application/json", bytes.NewReader(body)))
		})
	cmd.Long = "--branch promotes a branch: the channel serves it from now on, without publishing its releases again.\n" +
		"--rollout-branch and --percentage serve another branch to that percentage of devices; --rollout-branch ''\n" +
		"ends the branch rollout. --paused stops all releases of the channel. On a channel that is --protected, changes that\n" +
		"give its devices something new wait for as many people as --approvals says; with 0, only admins can make them."
	cmd.Example = "  waft channels edit production --branch staging\n  waft channels edit production --paused\n" +
		"  waft channels edit production --protected --approvals 1"
	f := cmd.Flags()
	f.StringVar(&branch, "branch", "", "branch that the channel serves")
	f.StringVar(&rolloutBranch, "rollout-branch", "", "second branch, for the devices of --percentage; '' for none")
	f.Float64Var(&percentage, "percentage", 0, "percentage of devices that get --rollout-branch")
	f.StringVar(&minRuntime, "min-runtime-version", "", "sends devices with an older runtime version to the app store; '' for none")
	f.BoolVar(&paused, "paused", false, "pause the channel: no device gets a release; --paused=false resumes it")
	f.BoolVar(&protected, "protected", false, "protect the channel, as an admin; --protected=false ends the protection")
	f.IntVar(&approvals, "approvals", 0, "number of people who must approve a change on the protected channel, 0 to 5; 0: only admins make it")
	command.PreviewFlag(cmd, &preview)
	return cmd
}

// orNull returns JSON's null, which clears a field, for "".
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}
