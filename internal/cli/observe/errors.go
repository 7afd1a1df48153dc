package observe

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// foundWithin is the window in which a command looks for the error group that a prefix of a fingerprint names.
const foundWithin = 90 * 24 * time.Hour

var (
	groupTypes    = []string{"js_error", "crash"}
	groupStates   = []string{"new", "regressed", "ongoing"}
	groupStatuses = []string{"open", "resolved", "regressed"}
)

// Errors returns the command that lists, shows and resolves error groups.
func Errors(s *command.Settings) *cobra.Command {
	return s.Group("errors", "List error groups, show where in the source they happen, assign and resolve them",
		command.List[client.ErrorGroup]{
			Noun: "error groups", Short: "List the error groups of a window, the most urgent first", Path: "/observe/groups",
			None:   "no errors",
			Header: []string{"GROUP", "TYPE", "DEVICES", "EVENTS", "STATE", "STATUS", "LAST SEEN", "WHERE", "ERROR"}, Row: groupRow,
			Example: "  waft errors list --release 29 --since 6h\n  waft errors list --status open --assignee none",
			Filters: []command.Filter{
				sinceFilter("24h"),
				{Flag: "type", Usage: "list only groups of this type: js_error or crash", Values: groupTypes},
				channelFilter("groups"), platformFilter("groups"), releaseFilter("groups of devices"),
				{Flag: "search", Usage: "list only groups with this string in their error name, message or place"},
				{Flag: "state", Usage: "list only groups in this state: " + command.Choice(groupStates), Values: groupStates},
				{Flag: "status", Usage: "list only groups with this status: " + command.Choice(groupStatuses), Values: groupStatuses},
				{Flag: "assignee", Usage: "list only groups of this member: an email address, me or none", Find: assignee},
				{Flag: "sort", Usage: "field to sort by, with a leading - for descending order: devices, errorName, events, firstSeenAt or lastSeenAt"},
			},
		}.Command(s),
		showGroupCommand(s), editGroupCommand(s), resolveGroupCommand(s),
	)
}

func groupRow(g client.ErrorGroup) []string {
	return []string{
		g.Fingerprint, string(g.Type), strconv.FormatInt(g.Devices, 10), strconv.FormatInt(g.Events, 10), string(g.State), string(g.Status),
		g.LastSeenAt.UTC().Format(command.Stamp), command.Cell(g.Culprit), command.Cell(errorText(g.ErrorName, g.Message)),
	}
}

func errorText(name, message string) string {
	if name == "" || message == "" {
		return name + message
	}
	return name + ": " + message
}

// fingerprintOf returns the fingerprint that an argument is, or begins.
func fingerprintOf(c command.Call, prefix string) (string, error) {
	if len(prefix) >= 16 {
		return prefix, nil
	}
	var matches []string
	query := url.Values{"from": {time.Now().Add(-foundWithin).UTC().Format(time.RFC3339)}}
	_, _, err := command.Find(c, "/observe/groups", query, func(g client.ErrorGroup) bool {
		if strings.HasPrefix(g.Fingerprint, prefix) {
			matches = append(matches, g.Fingerprint)
		}
		return false
	})
	switch {
	case err != nil:
		return "", err
	case len(matches) == 0:
		return "", command.NotFoundf("error group %q does not exist; `waft errors list` lists the groups", prefix)
	case len(matches) > 1:
		return "", command.Usagef("%q is the beginning of several error groups: %s", prefix, command.Choice(matches))
	}
	return matches[0], nil
}

func showGroupCommand(s *command.Settings) *cobra.Command {
	var all bool
	since := ""
	cmd := s.Calling("show GROUP", "Show an error group: its stack with file and line, breadcrumbs, releases and devices",
		func(c command.Call) error {
			fingerprint, err := fingerprintOf(c, c.Args[0])
			if err != nil {
				return err
			}
			from, err := startOf(c, since)
			if err != nil {
				return err
			}
			start, err := time.Parse(time.RFC3339, from)
			if err != nil {
				return err
			}
			lines := func(g client.ErrorGroupDetail) []string { return groupLines(g, all) }
			return command.Tell(c, lines).Found(c.API.GetErrorGroupWithResponse(c.Context(), fingerprint, &client.GetErrorGroupParams{From: &start}))
		})
	cmd.Long = "GROUP is a fingerprint that `waft errors list` prints, or its beginning. Frames of the app's own code are marked with >.\n" +
		"Files and lines of the source need a source map; `waft publish` uploads it with the export."
	cmd.Example = "  waft errors show 9f86d081"
	cmd.Flags().StringVar(&since, "since", "168h", "start of the window: a duration before now such as 6h, "+
		"or a time such as 2026-03-14T09:00:00Z")
	cmd.Flags().BoolVar(&all, "all", false, "show every frame of the stack, instead of the first 12")
	return cmd
}

func editGroupCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("edit GROUP", "Assign an error group to a member, note something, or open it again", func(c command.Call) error {
		body, err := command.BodyOf(c, "note?", "resolved")
		if err != nil {
			return err
		}
		if c.Flags().Changed("assignee") {
			who := c.Flag("assignee").Value.String()
			body.Set("assigneeId", nil)
			if who != "" {
				id, err := userOf(c, who)
				if err != nil {
					return err
				}
				body.Set("assigneeId", id)
			}
		}
		return patchGroup(c, body)
	})
	cmd.Example = "  waft errors edit 9f86d081 --assignee ada@example.com --note 'fixed in 1.4.2'\n" +
		"  waft errors edit 9f86d081 --resolved=false"
	f := cmd.Flags()
	f.String("assignee", "", "email address of the member who works on the group; '' for nobody")
	f.String("note", "", "note about the group; '' for none")
	f.Bool("resolved", false, "resolve the group; --resolved=false opens it again")
	return cmd
}

func resolveGroupCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("resolve GROUP", "Resolve an error group; Waft opens it again if a newer release has it", func(c command.Call) error {
		body, err := command.BodyOf(c)
		if err != nil {
			return err
		}
		body.Set("resolved", true)
		return patchGroup(c, body)
	})
	return cmd
}

// patchGroup changes the error group that the first argument names.
func patchGroup(c command.Call, body command.Body) error {
	reader, err := body.Changes(c)
	if err != nil {
		return err
	}
	fingerprint, err := fingerprintOf(c, c.Args[0])
	if err != nil {
		return err
	}
	lines := func(g client.ChangedErrorGroup) []string {
		line := fmt.Sprintf("error group %s: %s", g.Fingerprint, g.Status)
		if g.AssigneeName != nil {
			line += ", assigned to " + *g.AssigneeName
		}
		if g.Note != "" {
			line += ", note: " + command.OneLine(g.Note, 100)
		}
		return []string{line}
	}
	return command.Tell(c, lines).Found(c.API.PatchErrorGroupWithBodyWithResponse(
		c.Context(), fingerprint, &client.PatchErrorGroupParams{}, "application/json", reader))
}
