// Package manage contains the commands of waft that list and change the records of a project: branches, segments, webhooks, members
// and the rest.
package manage

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Branches returns the command that lists, creates and deletes branches.
func Branches(s *command.Settings) *cobra.Command {
	return s.Group("branches", "List, show, create and delete branches: the lists of releases that channels serve",
		command.List[client.Branch]{
			Noun: "branches", Short: "List the branches, their channels and their newest releases", Path: "/branches",
			Header: []string{"BRANCH", "CHANNELS", "NEWEST RELEASES"}, Row: branchRow,
			Filters: []command.Filter{command.SearchFilter("branches", "name")},
		}.Command(s),
		s.Calling("show BRANCH", "Show a branch and its newest release for each platform and runtime version", func(c command.Call) error {
			found, raw, err := command.Find(c, "/branches", url.Values{}, func(b client.Branch) bool { return b.Name == c.Args[0] })
			if err != nil {
				return err
			}
			if found == nil {
				return command.NotFoundf("branch %q does not exist in this project; `waft branches list` lists them", c.Args[0])
			}
			return command.Tell(c, branchLines).Print(raw, found)
		}),
		createBranchCommand(s),
		s.Calling("delete BRANCH", "Delete a branch that no channel serves, with its releases", func(c command.Call) error {
			if err := c.Confirm(fmt.Sprintf("Delete the branch %s and its releases?", c.Args[0])); err != nil {
				return err
			}
			_, err := c.API.DeleteBranchWithResponse(c.Context(), c.Args[0], &client.DeleteBranchParams{})
			return command.Done(c, err, "branch %s deleted", c.Args[0])
		}),
	)
}

func branchRow(b client.Branch) []string {
	newest := make([]string, len(b.LatestUpdates))
	for i, u := range b.LatestUpdates {
		newest[i] = fmt.Sprintf("%d (%s %s)", u.ID, u.Platform, u.RuntimeVersion)
	}
	return []string{b.Name, orNone(strings.Join(b.Channels, ", ")), orNone(command.Cell(strings.Join(newest, ", ")))}
}

func branchLines(b client.Branch) []string {
	lines := []string{fmt.Sprintf("branch %s, served by the channels: %s", b.Name, orNone(strings.Join(b.Channels, ", ")))}
	for _, u := range b.LatestUpdates {
		lines = append(lines, fmt.Sprintf("  %s %s: release %d, %v%% of devices: %s",
			u.Platform, u.RuntimeVersion, u.ID, u.RolloutPercentage, command.OneLine(command.ReleaseMessage(u), 80)))
	}
	return lines
}

// orNone returns a dash for an empty text.
func orNone(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func createBranchCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("create NAME", "Create a branch", func(c command.Call) error {
		return command.Tell(c, branchLines).
			Made(c.API.CreateBranchWithResponse(c.Context(), &client.CreateBranchParams{}, client.CreateBranchBody{Name: c.Args[0]}))
	})
	cmd.Long = "`waft publish` creates the branch of its channel, so you need this command only for a branch without releases,\n" +
		"for example before `waft channels edit production --branch next`."
	cmd.Example = "  waft branches create next"
	return cmd
}
