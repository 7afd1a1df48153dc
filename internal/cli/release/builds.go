package release

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Builds returns the command that lists and deletes builds, uploads native builds, and adds and deletes source maps.
func Builds(s *command.Settings) *cobra.Command {
	return s.Group("builds", "List and delete builds, upload native builds, and change source maps",
		listBuildsCommand(s),
		s.On("show ID", "Show a build, its releases and its source map", command.BuildOf, func(c command.Call, id int64) error {
			return command.Tell(c, buildLines).Found(c.API.GetBuildWithResponse(c.Context(), id, &client.GetBuildParams{}))
		}),
		s.On("delete ID", "Delete a build that no release needs", command.BuildOf, func(c command.Call, id int64) error {
			if err := c.Confirm(fmt.Sprintf("Delete build %d?", id)); err != nil {
				return err
			}
			_, err := c.API.DeleteBuildWithResponse(c.Context(), id, &client.DeleteBuildParams{})
			return command.Done(c, err, "build %d deleted", id)
		}),
		sourceMapCommand(s), addEmbeddedCommand(s),
	)
}

func listBuildsCommand(s *command.Settings) *cobra.Command {
	return command.List[client.Build]{
		Noun: "builds", Short: "List the newest builds", Path: "/builds", Limit: 20, Header: buildHeader, Row: buildRow,
		Query: func(command.Call) map[string]string { return map[string]string{"assets": "false"} },
		Filters: []command.Filter{
			{Flag: "platform", Usage: "list only builds for this platform, ios or android", Values: releasePlatforms},
			command.SearchFilter("builds", "message, runtime version, git branch or commit"),
		},
	}.Command(s)
}

var buildHeader = []string{"ID", "CREATED", "PLATFORM", "RUNTIME", "STATUS", "SIZE", "SOURCE MAP", "MESSAGE"}

func buildRow(b client.Build) []string {
	return []string{
		strconv.FormatInt(b.ID, 10), b.CreatedAt.UTC().Format(command.Stamp), string(b.Platform), b.RuntimeVersion, string(b.Status),
		megabytes(b.SizeBytes), sourceMapSize(b), command.Cell(b.Message),
	}
}

// megabytes returns a size as people read it.
func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }

// sourceMapSize returns the size of a build's source map, or a dash for a build without one.
func sourceMapSize(b client.Build) string {
	if b.SourceMapBytes == 0 {
		return "-"
	}
	return megabytes(b.SourceMapBytes)
}

// buildLines describes a build.
func buildLines(b client.Build) []string {
	lines := []string{
		fmt.Sprintf("build %d for %s %s: %s, %s, %s", b.ID, b.Platform, b.RuntimeVersion, b.Status,
			count.Of(b.AssetCount, "file"), megabytes(b.SizeBytes)),
		command.OneLine(b.Message, 200),
	}
	if b.GitCommitHash != "" {
		lines = append(lines, strings.TrimSpace("from commit "+b.GitCommitHash+" "+b.GitBranch))
	}
	if b.SourceMapBytes > 0 {
		lines = append(lines, "source map of "+megabytes(b.SourceMapBytes))
	} else {
		lines = append(lines, fmt.Sprintf("no source map; `waft builds source-map add %d FILE` adds one", b.ID))
	}
	for _, r := range b.Releases {
		place := "branch " + r.BranchName
		if r.Channel != nil {
			place = "channel " + *r.Channel
		}
		lines = append(lines, fmt.Sprintf("release %d on %s: %s", r.UpdateID, place, command.OneLine(r.ReleaseMessage, 60)))
	}
	if b.HasMoreReleases {
		lines = append(lines, "and older releases")
	}
	return lines
}

// sourceMapCommand returns the command that adds and deletes the source map of a build.
func sourceMapCommand(s *command.Settings) *cobra.Command {
	return s.Group("source-map", "Add or delete the source map of a build",
		addSourceMapCommand(s),
		s.On("delete ID", "Delete the source map of a build; stacks then show positions in the bundle", command.BuildOf,
			func(c command.Call, id int64) error {
				if err := c.Confirm(fmt.Sprintf("Delete the source map of build %d?", id)); err != nil {
					return err
				}
				_, err := c.API.DeleteSourceMapWithResponse(c.Context(), id, &client.DeleteSourceMapParams{})
				return command.Done(c, err, "source map of build %d deleted", id)
			}),
	)
}

func addSourceMapCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("add ID FILE", "Add a source map to a build, or replace it", func(c command.Call) error {
		id, err := command.BuildOf(c, c.Args[0])
		if err != nil {
			return err
		}
		content, err := os.ReadFile(c.Args[1])
		if err != nil {
			return err
		}
		return command.Tell(c, buildLines).Found(c.API.PutSourceMapWithBodyWithResponse(
			c.Context(), id, &client.PutSourceMapParams{}, "application/octet-stream", bytes.NewReader(content)))
	})
	cmd.Long = "FILE is the source map of the build's bundle, which `npx expo export --dump-sourcemap` writes next to the bundle.\n" +
		"`waft publish` and `waft builds add-embedded` upload it with the bundle, so you need this command only for builds without\n" +
		"a source map.\n" +
		"Waft uses source maps to read stack traces and never serves them to devices."
	cmd.Example = "  waft builds source-map add 12 dist/_expo/static/js/ios/index.hbc.map"
	return cmd
}
