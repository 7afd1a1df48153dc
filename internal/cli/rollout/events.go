package rollout

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Events makes the command that lists what devices reported.
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
				return errors.New("--update must be the UUID of an update, as `waft releases show` prints it")
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
	f.StringVar(&kind, "type", "", "only js_error, crash or custom")
	f.StringVar(&channel, "channel", "", "only on this channel")
	f.StringVar(&platform, "platform", "", "only ios or android")
	f.StringVar(&search, "search", "", "only with this text in message or name")
	f.StringVar(&update, "update", "", "only of devices on the update with this UUID")
	f.StringVar(&device, "device", "", "only of this device")
	f.BoolVar(&stacks, "stacks", false, "with stack traces")
	return s.JSONFlag(cmd)
}

// eventLines are an event in one line, and its stack trace on request.
func eventLines(e client.TelemetryEvent, stacks bool) []string {
	what := e.Message
	for _, name := range []string{e.Name, e.ErrorName} {
		if name != "" {
			what = name + ": " + what
		}
	}
	line := fmt.Sprintf("%s  %s ×%d  %s %s on %s, update %s, device %s: %s", e.ReceivedAt.UTC().Format(command.Stamp), e.Type, e.Count,
		e.Platform, e.RuntimeVersion, e.Channel, command.OrDash(e.UpdateUUID), e.DeviceID, command.OneLine(what, 200))
	if !stacks || e.StackTrace == "" {
		return []string{line}
	}
	lines := []string{line}
	for frame := range strings.Lines(e.StackTrace) {
		lines = append(lines, "    "+frame) // indented, so that it does not pass for an event
	}
	return lines
}
