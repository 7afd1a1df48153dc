package manage

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/release"
)

// ReleaseCommands returns the commands that show the figures, the history and the patches of a release, for the group releases.
func ReleaseCommands(s *command.Settings) []*cobra.Command {
	return []*cobra.Command{
		s.On("health ID", "Show how many devices run a release, and its error and crash rates", command.ReleaseOf,
			func(c command.Call, id int64) error {
				return command.Tell(c, figureLines).Found(c.API.ListReleaseFiguresWithResponse(
					c.Context(), &client.ListReleaseFiguresParams{UpdateIds: strconv.FormatInt(id, 10)}))
			}),
		command.List[client.HistoryEntry]{
			Use: "history ID", Noun: "entries", Short: "List what happened to a release, oldest first", At: releasePath("history"),
			Header: []string{"TIME", "ACTION", "BY"}, Row: func(h client.HistoryEntry) []string {
				return []string{h.CreatedAt.UTC().Format(command.Stamp), h.Action, h.Actor}
			},
		}.Command(s),
		command.List[client.UpdatePatch]{
			Use: "patches ID", Noun: "patches", Short: "List the binary patches of a release, with which devices download less",
			At: releasePath("patches"), Whole: true, None: "no patches",
			Header: []string{"FROM", "STATUS", "PATCH", "WHOLE BUNDLE", "REASON"}, Row: patchRow,
		}.Command(s),
	}
}

func releasePath(list string) func(command.Call) (string, error) {
	return func(c command.Call) (string, error) {
		id, err := command.ReleaseOf(c, c.Args[0])
		return fmt.Sprintf("/updates/%d/%s", id, list), err
	}
}

func figureLines(figures []client.ReleaseFigures) []string {
	if len(figures) == 0 {
		return []string{"the release does not exist in this project"}
	}
	var lines []string
	for _, f := range figures {
		lines = append(lines, fmt.Sprintf("release %d: %s %s it, %s of the %s of its targets", f.UpdateID, count.Of(f.Devices, "device"),
			count.Choose(f.Devices, "runs", "run"),
			percent(f.Percentage), count.Of(f.TargetDevices, "device")),
			fmt.Sprintf("  %s reported on it", count.Of(f.ReportedDevices, "device")),
			fmt.Sprintf("  crashed %s, limit %v%%; errors or crashes %s, limit %v%%", percent(f.CrashRate), f.CrashLimit.Rate,
				percent(f.ErrorRate), f.ErrorLimit.Rate))
		if f.IsPastLimit {
			lines = append(lines, "  a rate is above its limit")
		}
	}
	return lines
}

// percent returns a percentage, or that it is unknown.
func percent(p *float64) string {
	if p == nil {
		return "unknown"
	}
	return fmt.Sprintf("%.2f%%", *p)
}

func patchRow(p client.UpdatePatch) []string {
	base := "update " + p.BaseUpdateUUID.String()
	if p.BaseUpdateID != nil {
		base = fmt.Sprintf("release %d", *p.BaseUpdateID)
	}
	size := "-"
	if p.SizeBytes > 0 {
		size = kilobytes(p.SizeBytes)
	}
	return []string{base, string(p.Status), size, kilobytes(p.CompressedBytes), command.Cell(p.Reason)}
}

func kilobytes(bytes int64) string { return fmt.Sprintf("%.1f kB", float64(bytes)/1e3) }

// PublishBuild returns the command that publishes a build that is on the server, for the group builds.
func PublishBuild(s *command.Settings) *cobra.Command {
	var policy, branch, channel string
	var preview bool
	cmd := s.On("publish ID", "Publish a build that is on the server, to a channel or a branch", command.BuildOf,
		func(c command.Call, id int64) error {
			if (channel == "") == (branch == "") {
				return command.Usagef("the target is missing: use either --channel or --branch")
			}
			body, err := command.BodyOf(c, "channel", "branch=branchName", "message=releaseMessage", "percentage=rolloutPercentage",
				"critical=isCritical", "group=groupId")
			if err != nil {
				return err
			}
			if policy != "" {
				id, err := command.PolicyOf(c, policy)
				if err != nil {
					return err
				}
				body.Set("rolloutPolicyId", id)
			}
			return publishBuild(c, id, body, branch != "", preview)
		})
	cmd.Long = "To upload an export and publish it with one command, use `waft publish`."
	cmd.Example = "  waft builds publish 27 --channel production --policy careful"
	f := cmd.Flags()
	f.StringVar(&channel, "channel", "", "channel to publish to")
	f.StringVar(&branch, "branch", "", "branch to publish to, instead of a channel")
	f.StringVar(&policy, "policy", "", "name or ID of the policy that rolls the release out")
	f.String("message", "", "release notes; default: the build's message")
	f.Float64("percentage", 100, "percentage of devices that get the release, without a policy")
	f.Bool("critical", false, "devices apply the release immediately, not at their next cold start")
	f.String("group", "", "group ID of another platform's release, to publish both together")
	command.PreviewFlag(cmd, &preview)
	return cmd
}

func publishBuild(c command.Call, id int64, body command.Body, direct, preview bool) error {
	if direct {
		body.Set("buildId", id)
	}
	reader, err := body.Reader()
	if err != nil {
		return err
	}
	told := command.Tell(c, command.Linking(c, release.Lines, command.ReleasePage))
	previewed := command.Tell(c, command.PreviewLines)
	switch {
	case direct && preview:
		return previewed.Found(c.API.PreviewCreateUpdateWithBodyWithResponse(c.Context(), &client.PreviewCreateUpdateParams{}, jsonType, reader))
	case direct:
		return told.Made(c.API.CreateUpdateWithBodyWithResponse(c.Context(), &client.CreateUpdateParams{}, jsonType, reader))
	case preview:
		return previewed.Found(c.API.PreviewPublishBuildWithBodyWithResponse(
			c.Context(), id, &client.PreviewPublishBuildParams{}, jsonType, reader))
	}
	return told.Made(c.API.PublishBuildWithBodyWithResponse(c.Context(), id, &client.PublishBuildParams{}, jsonType, reader))
}
