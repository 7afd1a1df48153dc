package manage

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Overrides returns the command that lists, adds and removes user overrides.
func Overrides(s *command.Settings) *cobra.Command {
	return s.Group("overrides", "List, add and remove user overrides: end users who get releases from a given branch",
		command.List[client.UserOverride]{
			Noun: "overrides", Short: "List the user overrides", Path: "/user-overrides",
			Header: []string{"ID", "USER", "BRANCH", "CREATED", "NOTE"}, Row: overrideRow,
			Filters: []command.Filter{command.SearchFilter("overrides", "user ID, branch or note")},
		}.Command(s),
		addOverrideCommand(s), removeOverrideCommand(s),
	)
}

func overrideRow(o client.UserOverride) []string {
	return []string{
		strconv.FormatInt(o.ID, 10), o.UserID, o.BranchName, o.CreatedAt.UTC().Format(command.Stamp), command.Cell(o.Note),
	}
}

func addOverrideCommand(s *command.Settings) *cobra.Command {
	var branch, note string
	var preview bool
	cmd := s.Calling("add USER", "Serve an end user's devices from a branch", func(c command.Call) error {
		body := client.CreateOverrideBody{UserID: c.Args[0], BranchName: branch, Note: command.Optional(note)}
		if preview {
			return command.Tell(c, command.PreviewLines).
				Found(c.API.PreviewCreateUserOverrideWithResponse(c.Context(), &client.PreviewCreateUserOverrideParams{}, body))
		}
		lines := func(o client.UserOverride) []string {
			return []string{fmt.Sprintf("override %d: devices of the user %s get releases from the branch %s", o.ID, o.UserID, o.BranchName)}
		}
		return command.Tell(c, lines).
			Made(c.API.CreateUserOverrideWithResponse(c.Context(), &client.CreateUserOverrideParams{}, body))
	})
	cmd.Long = "USER is the ID that the app sends as client-user-id."
	cmd.Example = "  waft overrides add ada@example.com --branch next --note 'tries the new checkout'"
	cmd.Flags().StringVar(&branch, "branch", "", "branch that the user's devices get releases from")
	cmd.Flags().StringVar(&note, "note", "", "reason for the override")
	command.PreviewFlag(cmd, &preview)
	return command.Required(cmd, "branch")
}

func removeOverrideCommand(s *command.Settings) *cobra.Command {
	var preview bool
	cmd := deletion{
		verb: "remove", argument: "USER", short: "Remove the override of an end user, by the user's ID or with --id by the override's ID",
		named: "override of the user", numbered: "override", find: overrideOf,
		delete: func(c command.Call, id int64, record string) error {
			if preview {
				return command.Tell(c, command.PreviewLines).
					Found(c.API.PreviewDeleteUserOverrideWithResponse(c.Context(), id, &client.PreviewDeleteUserOverrideParams{}))
			}
			if err := c.Confirm(fmt.Sprintf("Remove the %s?", record)); err != nil {
				return err
			}
			_, err := c.API.DeleteUserOverrideWithResponse(c.Context(), id, &client.DeleteUserOverrideParams{})
			return command.Done(c, err, "%s removed", record)
		},
	}.command(s)
	command.PreviewFlag(cmd, &preview)
	return cmd
}

// overrideOf finds the override of a user.
func overrideOf(c command.Call, user string) (int64, error) {
	found, _, err := command.Find(c, "/user-overrides", url.Values{}, func(o client.UserOverride) bool { return o.UserID == user })
	switch {
	case err != nil:
		return 0, err
	case found == nil:
		return 0, command.NotFoundf("the user %q has no override in this project; `waft overrides list` lists them", user)
	}
	return found.ID, nil
}
