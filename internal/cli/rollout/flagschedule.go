package rollout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

var scheduleStatuses = []string{"pending_approval", "scheduled", "applied", "cancelled", "rejected", "unapproved", "stale", "failed"}

// scheduleCommand returns the command that lists, creates and cancels scheduled changes of a flag.
func scheduleCommand(s *command.Settings) *cobra.Command {
	return s.Group("schedule", "List, create and cancel changes of a flag that Waft makes later",
		command.List[client.FlagSchedule]{
			Use: "list FLAG", Noun: "scheduled changes", Short: "List the newest scheduled changes of a flag, by its key or ID",
			At: func(c command.Call) (string, error) {
				id, err := command.FlagOf(c, c.Args[0])
				return fmt.Sprintf("/flags/%d/schedule", id), err
			},
			Limit: command.ListLimit, Header: []string{"ID", "AT", "STATUS", "BY", "CHANGE"}, Row: scheduledRow,
			Filters: []command.Filter{{
				Flag: "status", Usage: "list only changes with this status: " + command.Choice(scheduleStatuses), Values: scheduleStatuses,
			}},
		}.Command(s),
		createScheduleCommand(s), cancelScheduleCommand(s),
	)
}

func scheduledRow(f client.FlagSchedule) []string {
	return []string{
		strconv.FormatInt(f.ID, 10), f.At.Format(time.RFC3339), command.Words(string(f.Status)), f.ScheduledBy.Name, command.Cell(f.Summary),
	}
}

// scheduledLines describes a scheduled change.
func scheduledLines(f client.FlagSchedule) []string {
	return []string{fmt.Sprintf("scheduled change %d of flag %s at %s: %s", f.ID, f.FlagKey, f.At.Format(time.RFC3339), f.Summary)}
}

func createScheduleCommand(s *command.Settings) *cobra.Command {
	var at, etag string
	cmd := s.Calling("create FLAG FILE", "Schedule a change of a flag from a JSON file; - reads the standard input", func(c command.Call) error {
		id, err := command.FlagOf(c, c.Args[0])
		if err != nil {
			return err
		}
		body, err := command.ReadFlag(c, c.Args[1])
		if err != nil {
			return err
		}
		call, err := json.Marshal(map[string]any{"at": at, "body": json.RawMessage(body)})
		if err != nil {
			return err
		}
		return command.Tell(c, scheduledLines).Made(c.API.ScheduleFlagWithBodyWithResponse(
			c.Context(), id, &client.ScheduleFlagParams{IfMatch: etag}, "application/json", bytes.NewReader(call)))
	})
	cmd.Long = "FILE has the whole flag after the change, with the fields of PUT /v1/ota/flags/{id}, which the server documents at /docs. " +
		"`waft flags show FLAG --json` prints the flag as it is."
	cmd.Example = "  waft flags schedule create checkout checkout.json --at 2026-03-15T09:00:00Z"
	cmd.Flags().StringVar(&at, "at", "", "time of the change, such as 2026-03-15T09:00:00Z")
	cmd.Flags().StringVar(&etag, "if-match", "*", "ETag that the flag must have now; * accepts the flag as it is")
	return command.Required(cmd, "at")
}

func cancelScheduleCommand(s *command.Settings) *cobra.Command {
	return s.Calling("cancel FLAG ID", "Cancel a scheduled change of a flag", func(c command.Call) error {
		flagID, err := command.FlagOf(c, c.Args[0])
		if err != nil {
			return err
		}
		id, err := strconv.ParseInt(c.Args[1], 10, 64)
		if err != nil {
			return command.Usagef("%q is not the ID of a scheduled change; `waft flags schedule list %s` lists them", c.Args[1], c.Args[0])
		}
		_, err = c.API.CancelFlagScheduleWithResponse(c.Context(), flagID, id, &client.CancelFlagScheduleParams{})
		return command.Done(c, err, "scheduled change %d cancelled", id)
	})
}
