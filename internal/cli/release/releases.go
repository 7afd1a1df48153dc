// Package release contains the commands of waft that publish releases, roll them back, and change what channels
// serve.
package release

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/models"
)

// Releases returns the command that lists and changes releases.
func Releases(s *command.Settings) *cobra.Command {
	return s.Group("releases", "List, change and republish releases",
		listReleasesCommand(s), showReleaseCommand(s), editReleaseCommand(s), republishCommand(s), deleteReleaseCommand(s),
	)
}

var releasePlatforms = []string{"ios", "android"}

func listReleasesCommand(s *command.Settings) *cobra.Command {
	return command.List[client.Update]{
		Noun: "releases", Short: "List the newest releases", Path: "/updates", Limit: 20, Header: releaseHeader, Row: releaseRow,
		Filters: []command.Filter{
			{Flag: "channel", Usage: "list only releases published to this channel"},
			{Flag: "branch", Usage: "list only releases on this branch"},
			{Flag: "platform", Usage: "list only releases for this platform, ios or android", Values: releasePlatforms},
			{Flag: "runtime-version", Usage: "list only releases for this runtime version"},
			{Flag: "group", Usage: "list only releases of this group, which were published together", Param: "groupId", Find: groupID},
			{
				Flag: "enabled", Usage: "true or false: list only releases that devices get, or that are disabled",
				Param: "isEnabled", Values: []string{"true", "false"},
			},
			{Flag: "flag", Usage: "list only releases that link this flag, by its key or ID", Param: "flagId", Find: flagID},
			command.SearchFilter("releases", "release notes, commit or versions"),
		},
	}.Command(s)
}

func groupID(_ command.Call, text string) (string, error) {
	if _, err := uuid.Parse(text); err != nil {
		return "", command.Usagef("--group must be the UUID that `waft publish` printed")
	}
	return text, nil
}

// flagID returns the ID of the flag with a key or ID, as a parameter.
func flagID(c command.Call, keyOrID string) (string, error) {
	id, err := command.FlagOf(c, keyOrID)
	return strconv.FormatInt(id, 10), err
}

var releaseHeader = []string{"ID", "CREATED", "PLATFORM", "RUNTIME", "BRANCH", "STATE", "PERCENT", "ROLLOUT", "NOTES"}

func releaseRow(u client.Update) []string {
	return []string{
		strconv.FormatInt(u.ID, 10), u.CreatedAt.UTC().Format(command.Stamp), string(u.Platform), u.RuntimeVersion, u.BranchName, releaseState(u),
		fmt.Sprintf("%v%%", u.RolloutPercentage), command.OrDash(u.RolloutExecutionID), command.Cell(command.ReleaseMessage(u)),
	}
}

func releaseState(u client.Update) string {
	switch {
	case !u.IsEnabled:
		return "disabled"
	case u.IsCritical:
		return "critical"
	}
	return "enabled"
}

func showReleaseCommand(s *command.Settings) *cobra.Command {
	return s.On("show ID", "Show a release and its history", command.ReleaseOf, func(c command.Call, id int64) error {
		res, err := c.API.GetUpdateWithResponse(c.Context(), id, &client.GetUpdateParams{})
		if err != nil {
			return err
		}
		if c.JSON {
			return command.Tell(c, Lines).Found(res, nil)
		}
		history, err := c.API.ListUpdateHistoryWithResponse(c.Context(), id, &client.ListUpdateHistoryParams{})
		if err != nil {
			return err
		}
		lines := func(u client.Update) []string {
			lines := Lines(u)
			if history.JSON200 != nil {
				for _, h := range *history.JSON200 {
					lines = append(lines, h.CreatedAt.UTC().Format(command.Stamp)+"  "+h.Action+" by "+h.Actor)
				}
			}
			return lines
		}
		return command.Tell(c, lines).Found(res, nil)
	})
}

// Lines describes a release completely.
func Lines(u client.Update) []string {
	lines := []string{
		fmt.Sprintf("release %d for %s %s on branch %s: %s, %v%% of devices", u.ID, u.Platform, u.RuntimeVersion, u.BranchName,
			releaseState(u), u.RolloutPercentage),
		command.OneLine(command.ReleaseMessage(u), 200),
		fmt.Sprintf("update %s, group %s, build %s, %s, %.1f MB",
			u.UpdateUUID, u.GroupID, command.OrDash(u.BuildID), count.Of(u.AssetCount, "file"), float64(u.SizeBytes)/1e6),
	}
	if u.DisabledAt != nil && u.DisabledBy != nil {
		by := models.Disabling{
			At: *u.DisabledAt, Type: models.ActorType(u.DisabledBy.Type), ID: u.DisabledBy.ID, Name: u.DisabledBy.Name, Reason: u.DisabledReason,
		}
		lines = append(lines, command.OneLine(by.Sentence(models.ReleasePhrase(u.ID, "")), 400))
	}
	if u.GitCommitHash != "" {
		lines = append(lines, strings.TrimSpace("from commit "+u.GitCommitHash+" "+u.GitBranch))
	}
	for _, l := range u.LinkedFlags {
		lines = append(lines, fmt.Sprintf("linked flag %s (%d): %s", l.FlagKey, l.FlagID, command.LinkText(l)))
	}
	if u.RolloutExecutionID != nil {
		lines = append(lines, fmt.Sprintf("rollout %d is in progress", *u.RolloutExecutionID))
	}
	return lines
}

func editReleaseCommand(s *command.Settings) *cobra.Command {
	var enabled, critical, preview bool
	var percentage float64
	var message, reason string
	cmd := s.On("edit ID", "Enable or disable a release, or change its rollout percentage, urgency or release notes", command.ReleaseOf,
		func(c command.Call, id int64) error {
			var body client.PatchUpdateBody
			changed := c.Flags().Changed
			if changed("enabled") {
				body.IsEnabled = &enabled
			}
			if changed("critical") {
				body.IsCritical = &critical
			}
			if changed("percentage") {
				body.RolloutPercentage = &percentage
			}
			if changed("message") {
				body.ReleaseMessage = &message
			}
			if body == (client.PatchUpdateBody{}) {
				return command.Usagef("nothing to change: use --enabled, --critical, --percentage or --message")
			}
			body.Reason = command.Optional(reason)
			if preview {
				return command.Tell(c, command.PreviewLines).
					Found(c.API.PreviewUpdateWithResponse(c.Context(), id, &client.PreviewUpdateParams{}, body))
			}
			return command.Tell(c, Lines).
				Found(c.API.PatchUpdateWithResponse(c.Context(), id, &client.PatchUpdateParams{}, body))
		})
	cmd.Long = "Devices that run a disabled release return to the previous release at their next start. A disabled\n" +
		"release can be enabled again. To replace a release, use `waft rollback`."
	cmd.Example = "  waft releases edit 29 --enabled=false"
	f := cmd.Flags()
	f.BoolVar(&enabled, "enabled", true, "whether devices get the release; --enabled=false withdraws it without a rollback")
	f.BoolVar(&critical, "critical", false, "devices apply the release immediately, not at their next cold start")
	f.Float64Var(&percentage, "percentage", 100, "percentage of devices that get the release; not possible during a rollout")
	f.StringVar(&message, "message", "", "release notes")
	f.StringVar(&reason, "reason", "", "reason, for the history of the release and the audit log")
	command.PreviewFlag(cmd, &preview)
	return cmd
}

func republishCommand(s *command.Settings) *cobra.Command {
	var channels []string
	var with []int64
	var message, policy string
	var preview bool
	cmd := s.On("republish ID", "Publish a release again, with all platforms of its group", command.ReleaseOf,
		func(c command.Call, id int64) error {
			if err := command.NotEmpty(c.Command, "policy"); err != nil {
				return err
			}
			body := client.RepublishBody{ReleaseMessage: command.Optional(message)}
			if len(channels) > 0 {
				body.Channels = &channels
			}
			if c.Flags().Changed("with") {
				body.UpdateIds = new(append([]int64{id}, with...))
			}
			return republish(c, id, body, policy, preview)
		})
	cmd.Long = "Creates new releases of the same builds, one per channel and platform. To make a channel serve another\n" +
		"branch without publishing anything, use `waft channels edit --branch`."
	cmd.Example = "  waft releases republish 29 --channel production"
	f := cmd.Flags()
	f.StringArrayVar(&channels, "channel", nil, "channel to publish to; can be repeated; default: the original's channel")
	f.Int64SliceVar(&with, "with", nil, "IDs of the other releases to publish again; default: the other platforms of the release's group")
	f.StringVar(&policy, "policy", "", "name or ID of the policy that rolls the new releases out")
	f.StringVar(&message, "message", "", "release notes; default: the original's release notes")
	command.PreviewFlag(cmd, &preview)
	return cmd
}

func deleteReleaseCommand(s *command.Settings) *cobra.Command {
	var preview bool
	cmd := s.On("delete ID", "Delete a release; the audit log keeps its history", command.ReleaseOf,
		func(c command.Call, id int64) error {
			if preview {
				return command.Tell(c, command.PreviewLines).
					Found(c.API.PreviewDeleteUpdateWithResponse(c.Context(), id, &client.PreviewDeleteUpdateParams{}))
			}
			if err := c.Confirm(fmt.Sprintf("Delete release %d? Devices that run it return to the release before.", id)); err != nil {
				return err
			}
			_, err := c.API.DeleteUpdateWithResponse(c.Context(), id, &client.DeleteUpdateParams{})
			return command.Done(c, err, "release %d deleted", id)
		})
	command.PreviewFlag(cmd, &preview)
	return cmd
}
