package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

func releasesCommand(s *settings) *cobra.Command {
	return s.group("releases", "List, change and republish releases",
		listReleasesCommand(s), showReleaseCommand(s), editReleaseCommand(s), republishCommand(s), deleteReleaseCommand(s),
	)
}

func listReleasesCommand(s *settings) *cobra.Command {
	var limit int64
	var channel, branch, platform, runtime, group string
	cmd := &cobra.Command{
		Use: "list", Short: "List the newest releases", Args: args(),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, _ []string) error {
			params := client.ListUpdatesParams{
				Limit: &limit, Channel: optional(channel), Branch: optional(branch), RuntimeVersion: optional(runtime),
			}
			if platform != "" {
				params.Platform = new(client.ListUpdatesParamsPlatform(platform))
			}
			if group != "" {
				id, err := uuid.Parse(group)
				if err != nil {
					return errors.New("--group must be the UUID that a publish printed")
				}
				params.GroupID = &id
			}
			return tell(cmd, s, table("no releases", releaseHeader, releaseRow)).
				found(api.ListUpdatesWithResponse(cmd.Context(), &params))
		}),
	}
	f := cmd.Flags()
	f.StringVar(&channel, "channel", "", "only those published to this channel")
	f.StringVar(&branch, "branch", "", "only those on this branch")
	f.StringVar(&platform, "platform", "", "only ios or android")
	f.StringVar(&runtime, "runtime-version", "", "only those for this runtime version")
	f.StringVar(&group, "group", "", "only those of one publish")
	f.Int64Var(&limit, "limit", 20, "most releases to list, up to 200")
	return cmd
}

var releaseHeader = []string{"ID", "CREATED", "PLATFORM", "RUNTIME", "BRANCH", "STATE", "SHARE", "ROLLOUT", "MESSAGE"}

func releaseRow(u client.Update) []string {
	return []string{
		strconv.FormatInt(u.ID, 10), u.CreatedAt.UTC().Format(stamp), string(u.Platform), u.RuntimeVersion, u.BranchName, releaseState(u),
		fmt.Sprintf("%v %%", u.RolloutPercentage), orDash(u.RolloutExecutionID), oneLine(releaseMessage(u), 60),
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

// releaseMessage also says what a release that was made by a rollback is.
func releaseMessage(u client.Update) string {
	switch {
	case u.Kind == client.UpdateKindRollbackToEmbedded:
		return "back to the embedded update"
	case len(u.RolledBackUpdateIds) > 0 && u.RepublishedFromID != nil:
		return fmt.Sprintf("%d again, instead of %s: %s", *u.RepublishedFromID, idList(u.RolledBackUpdateIds), u.ReleaseMessage)
	}
	return u.ReleaseMessage
}

func idList(ids []int64) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(id, 10)
	}
	return strings.Join(texts, ", ")
}

func showReleaseCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show a release and its history", Args: args("ID"),
		RunE: s.on(releaseOf, func(cmd *cobra.Command, api *client.Waft, id int64, _ []string) error {
			res, err := api.GetUpdateWithResponse(cmd.Context(), id, &client.GetUpdateParams{})
			if err != nil {
				return err
			}
			if s.json {
				return tell(cmd, s, releaseLines).found(res, nil)
			}
			history, err := api.ListUpdateHistoryWithResponse(cmd.Context(), id, &client.ListUpdateHistoryParams{})
			if err != nil {
				return err
			}
			lines := func(u client.Update) []string {
				lines := releaseLines(u)
				if history.JSON200 != nil {
					for _, h := range *history.JSON200 {
						lines = append(lines, h.CreatedAt.UTC().Format(stamp)+"  "+h.Action+" by "+h.Actor)
					}
				}
				return lines
			}
			return tell(cmd, s, lines).found(res, nil)
		}),
	}
}

// releaseLines are a release in full.
func releaseLines(u client.Update) []string {
	lines := []string{
		fmt.Sprintf("release %d for %s %s on branch %s: %s, %v %% of devices", u.ID, u.Platform, u.RuntimeVersion, u.BranchName,
			releaseState(u), u.RolloutPercentage),
		oneLine(releaseMessage(u), 200),
		fmt.Sprintf("update %s, group %s, build %s, %d files, %.1f MB", u.UpdateUUID, u.GroupID, orDash(u.BuildID), u.AssetCount, float64(u.SizeBytes)/1e6),
	}
	if u.GitCommitHash != "" {
		lines = append(lines, strings.TrimSpace("from commit "+u.GitCommitHash+" "+u.GitBranch))
	}
	for _, l := range u.LinkedFlags {
		lines = append(lines, fmt.Sprintf("links the flag %s (%d): %s", l.FlagKey, l.FlagID, linkText(l)))
	}
	if u.RolloutExecutionID != nil {
		lines = append(lines, fmt.Sprintf("rollout %d is under way", *u.RolloutExecutionID))
	}
	return lines
}

func linkText(l client.LinkedFlag) string {
	if !l.Enabled {
		return "off"
	}
	return "on, " + l.Value
}

func releaseOf(_ context.Context, s *settings, arg string) (int64, *client.Waft, error) {
	return recordOf(s, arg, "release", "waft releases list")
}
