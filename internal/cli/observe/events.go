package observe

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

var eventTypes = []string{"js_error", "crash", "custom", "app_launch"}

// ShowEvent returns the command that shows one event of a device.
func ShowEvent(s *command.Settings) *cobra.Command {
	var all bool
	cmd := s.Calling("show EVENT", "Show an event: its stack with file and line, breadcrumbs, flags and device", func(c command.Call) error {
		lines := func(e client.EventDetail) []string { return eventLines(e, all) }
		return command.Tell(c, lines).Found(c.API.GetObservedEventWithResponse(c.Context(), c.Args[0], &client.GetObservedEventParams{}))
	})
	cmd.Long = "EVENT is an ID that `waft events --json` and `waft devices events` print."
	cmd.Flags().BoolVar(&all, "all", false, "show every frame of the stack, instead of the first 12")
	return cmd
}

func eventLines(e client.EventDetail, all bool) []string {
	lines := []string{
		fmt.Sprintf("%s ×%d of %s on %s %s, channel %s",
			e.Type, e.Count, e.ReceivedAt.UTC().Format(command.Stamp), e.Platform, e.RuntimeVersion, e.Channel),
		command.OneLine(strings.TrimSpace(e.Name+" "+errorText(e.ErrorName, e.Message)), 300),
		"device " + e.DeviceID + ", runs " + command.RunningText(e.UpdateUUID, e.Release),
	}
	lines = append(lines, pairLines("flag", e.FlagStates)...)
	lines = append(lines, pairLines("tag", e.Tags)...)
	if e.Fingerprint != nil {
		lines = append(lines, "error group "+*e.Fingerprint)
	}
	lines = append(lines, stackLines(e.Frames, all)...)
	if len(e.Breadcrumbs) > 0 {
		lines = append(lines, "breadcrumbs, oldest first:")
	}
	for _, b := range e.Breadcrumbs {
		lines = append(lines, "  "+command.BreadcrumbLine(b))
	}
	return lines
}

// deviceEventsCommand returns the command that lists everything that a device reported.
func deviceEventsCommand(s *command.Settings) *cobra.Command {
	list := command.List[client.TelemetryEvent]{
		Use: "events DEVICE", Noun: "events", Short: "List what a device reported, newest first, including its launches",
		At:     func(command.Call) (string, error) { return "/telemetry/events", nil },
		Query:  func(c command.Call) map[string]string { return map[string]string{"deviceId": c.Args[0]} },
		Header: []string{"EVENT", "RECEIVED", "TYPE", "COUNT", "RUNS", "WHAT"}, Row: deviceEventRow,
		Filters: []command.Filter{
			{Flag: "type", Usage: "list only events of this type: " + command.Choice(eventTypes), Values: eventTypes},
			{Flag: "search", Usage: "list only events with this string in their message or name"},
			releaseFilter("events of devices"),
		},
	}
	return list.Command(s)
}

func deviceEventRow(e client.TelemetryEvent) []string {
	what := errorText(e.ErrorName, e.Message)
	if what == "" {
		what = e.Name
	}
	return []string{
		e.ID, e.ReceivedAt.UTC().Format(command.Stamp), string(e.Type), strconv.FormatInt(e.Count, 10),
		command.Cell(command.RunningText(e.UpdateUUID, e.Release)), command.Cell(what),
	}
}
