package rollout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Events returns the command that lists errors and crashes that devices reported.
func Events(s *command.Settings) *cobra.Command {
	cmd := listEvents(s, "events")
	cmd.AddCommand(listEvents(s, "list"))
	return cmd
}

func listEvents(s *command.Settings, use string) *cobra.Command {
	var stacks bool
	cmd := command.List[client.TelemetryEvent]{
		Use: use, Noun: "events", Short: "Show the newest errors and crashes that devices reported", Path: "/observe/events", PageSize: 50,
		Lines: func(events []client.TelemetryEvent) []string {
			var lines []string
			for _, e := range events {
				lines = append(lines, eventLines(e, stacks)...)
			}
			return lines
		},
		Example: "  waft events --type crash --release 29 --stacks",
		Filters: []command.Filter{
			{Flag: "type", Usage: "show only this type of event: js_error, crash or custom", Values: []string{"js_error", "crash", "custom"}},
			{Flag: "channel", Usage: "show only events from this channel"},
			{Flag: "platform", Usage: "show only events from this platform: ios, android or web", Values: []string{"ios", "android", "web"}},
			{Flag: "search", Usage: "show only events with this string in their message or name"},
			{
				Flag: "release", Usage: "show only events of devices that run this release, by its ID or update ID",
				Param: "updateUuid", Find: command.UpdateOf,
			},
			{Flag: "device", Usage: "show only events of the device with this ID", Param: "deviceId"},
		},
	}.Command(s)
	cmd.Flags().BoolVar(&stacks, "stacks", false, "include stack traces and breadcrumbs")
	return cmd
}

// eventLines formats an event as one line, and on request its stack trace and its breadcrumbs.
func eventLines(e client.TelemetryEvent, stacks bool) []string {
	named := slices.DeleteFunc([]string{e.ErrorName, e.Name, e.Message}, func(text string) bool { return text == "" })
	what := strings.Join(named, ": ")
	line := fmt.Sprintf("%s  %s ×%d  %s %s on %s, %s, device %s: %s", e.ReceivedAt.UTC().Format(command.Stamp), e.Type, e.Count,
		e.Platform, e.RuntimeVersion, e.Channel, command.RunningText(e.UpdateUUID, e.Release), e.DeviceID, command.OneLine(what, 200))
	lines := []string{line}
	if !stacks {
		return lines
	}
	for frame := range strings.Lines(e.StackTrace) {
		lines = append(lines, "    "+frame) // the indentation keeps a frame from looking like an event
	}
	if len(e.Breadcrumbs) > 0 {
		lines = append(lines, "    breadcrumbs, oldest first:")
	}
	for _, b := range e.Breadcrumbs {
		lines = append(lines, "      "+command.BreadcrumbLine(b))
	}
	return lines
}
