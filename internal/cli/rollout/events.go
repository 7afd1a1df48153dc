package rollout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Events returns the command that lists errors and crashes that devices reported.
func Events(s *command.Settings) *cobra.Command {
	var kind, channel, platform, search, update, device string
	var stacks bool
	cmd := s.Calling("events", "Show the newest errors and crashes that devices reported", func(c command.Call) error {
		params := client.ListObservedEventsParams{
			Channel: command.Optional(channel), Search: command.Optional(search), DeviceID: command.Optional(device),
		}
		if kind != "" {
			params.Type = new(client.ListObservedEventsParamsType(kind))
		}
		if platform != "" {
			params.Platform = new(client.ListObservedEventsParamsPlatform(platform))
		}
		if update != "" {
			id, err := uuid.Parse(update)
			if err != nil {
				return command.Usagef("--update must be the UUID of an update, as `waft releases show` prints it")
			}
			params.UpdateUUID = &id
		}
		lines := func(events []client.TelemetryEvent) []string {
			if len(events) == 0 {
				return []string{"no events"}
			}
			var lines []string
			for _, e := range events {
				lines = append(lines, eventLines(e, stacks)...)
			}
			return lines
		}
		return command.Tell(c, lines).Found(c.API.ListObservedEventsWithResponse(c.Context(), &params))
	})
	cmd.Example = "  waft events --type crash --update 5f00dd09-0cf8-40c2-b4e9-6b0e0eb3d3b5 --stacks"
	f := cmd.Flags()
	f.StringVar(&kind, "type", "", "show only this type of event: js_error, crash or custom")
	f.StringVar(&channel, "channel", "", "show only events from this channel")
	f.StringVar(&platform, "platform", "", "show only events from this platform: ios, android or web")
	f.StringVar(&search, "search", "", "show only events with this string in their message or name")
	f.StringVar(&update, "update", "", "show only events of devices that run the update with this UUID")
	f.StringVar(&device, "device", "", "show only events of the device with this ID")
	f.BoolVar(&stacks, "stacks", false, "include stack traces and breadcrumbs")
	return s.JSONFlag(cmd)
}

// eventLines formats an event as one line, and on request its stack trace and its breadcrumbs.
func eventLines(e client.TelemetryEvent, stacks bool) []string {
	named := slices.DeleteFunc([]string{e.ErrorName, e.Name, e.Message}, func(text string) bool { return text == "" })
	what := strings.Join(named, ": ")
	line := fmt.Sprintf("%s  %s ×%d  %s %s on %s, update %s, device %s: %s", e.ReceivedAt.UTC().Format(command.Stamp), e.Type, e.Count,
		e.Platform, e.RuntimeVersion, e.Channel, command.OrDash(e.UpdateUUID), e.DeviceID, command.OneLine(what, 200))
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
