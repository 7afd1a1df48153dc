package rollout

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Flags returns the command that lists and changes feature flags.
func Flags(s *command.Settings) *cobra.Command {
	return s.Group("flags", "List, create, show and schedule feature flags, and turn them on and off",
		command.List[client.Flag]{
			Noun: "flags", Short: "List the newest feature flags", Path: "/flags", Limit: command.ListLimit, None: "no feature flags",
			Header: []string{"ID", "KEY", "TYPE", "STATE", "DEFAULT", "RULES", "OPEN ROLLOUTS"}, Row: flagRow,
			Filters: []command.Filter{
				command.SearchFilter("flags", "key, name or description"),
				{Flag: "state", Usage: "list only flags in this state: stale, incident or degraded", Values: []string{"stale", "incident", "degraded"}},
			},
		}.Command(s),
		s.On("show FLAG", "Show a flag, by its key or ID", command.FlagOf, func(c command.Call, id int64) error {
			return command.Tell(c, FlagLines).Found(c.API.GetFlagWithResponse(c.Context(), id, &client.GetFlagParams{}))
		}),
		createFlagCommand(s), flagHealthCommand(s), scheduleCommand(s),
		switchFlagCommand(s, "on", "Turn a flag on, for all channels or one channel", true),
		switchFlagCommand(s, "off", "Turn a flag off, for all channels or one channel: devices get its default value", false),
	)
}

func flagRow(f client.Flag) []string {
	return []string{
		strconv.FormatInt(f.ID, 10), f.Key, string(f.FlagType), onOff(f.Enabled), command.Cell(fmt.Sprint(f.DefaultValue)),
		strconv.Itoa(len(f.Rules)), command.IDList(f.ActiveRollouts),
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// FlagLines describes a flag completely.
func FlagLines(f client.Flag) []string {
	lines := []string{fmt.Sprintf("flag %s (%d), %s, %s; default %v", f.Key, f.ID, f.FlagType, onOff(f.Enabled), f.DefaultValue)}
	for _, v := range f.Variations {
		lines = append(lines, fmt.Sprintf("  variation %s: %s", v.Name, command.OneLine(v.Value, 100)))
	}
	for _, e := range f.Environments {
		lines = append(lines, fmt.Sprintf("  channel %s: %s, default %s",
			e.ChannelName, onOff(e.Enabled), command.OneLine(e.DefaultValue, 60)))
	}
	lines = append(lines, RuleLines(f)...)
	if len(f.ActiveRollouts) > 0 {
		lines = append(lines, "  linked in the rollouts "+command.IDList(f.ActiveRollouts))
	}
	return lines
}

func switchFlagCommand(s *command.Settings, use, short string, on bool) *cobra.Command {
	var channel string
	cmd := s.On(use+" FLAG", short, command.FlagOf, func(c command.Call, id int64) error {
		if channel == "" {
			return command.Tell(c, FlagLines).
				Found(c.API.PatchFlagWithResponse(c.Context(), id, &client.PatchFlagParams{}, client.PatchFlagBody{Enabled: &on}))
		}
		return command.Tell(c, ChannelLines(c.Args[0])).
			Found(c.API.PatchFlagEnvironmentWithResponse(c.Context(), id, channel, &client.PatchFlagEnvironmentParams{},
				client.PatchEnvironmentBody{Enabled: &on}))
	})
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return command.NotEmpty(cmd, "channel") }
	cmd.Flags().StringVar(&channel, "channel", "", "change the flag only on this channel")
	return cmd
}

func flagHealthCommand(s *command.Settings) *cobra.Command {
	var days int64
	cmd := s.On("health FLAG", "Show error and crash rates for each variation of a flag", command.FlagOf,
		func(c command.Call, id int64) error {
			return command.Tell(c, flagHealthLines).
				Found(c.API.GetFlagHealthWithResponse(c.Context(), id, &client.GetFlagHealthParams{Days: &days}))
		})
	cmd.Flags().Int64Var(&days, "days", 7, "number of days, including today")
	return cmd
}

func flagHealthLines(h client.FlagHealth) []string {
	crashFree := "no devices"
	if h.CrashFreePercentage != nil {
		crashFree = fmt.Sprintf("%.2f%% crash-free", *h.CrashFreePercentage)
	}
	lines := []string{fmt.Sprintf("flag %s: %s, %s with errors, %s", h.FlagKey, h.Status, count.Of(h.AffectedDevices, "device"), crashFree)}
	for _, v := range h.Variations {
		lines = append(lines, fmt.Sprintf("  %s on %s: %s, %s, errors %.2f%% (%+.2f points), crash-free %.2f%%",
			command.OneLine(v.Variation, 40), v.Channel, v.Status, count.Of(v.Devices, "device"), v.ErrorRate, v.ErrorRateDelta,
			v.CrashFreePercentage))
	}
	return lines
}

// RuleLines describes the rules of a flag in the order of evaluation.
func RuleLines(f client.Flag) []string {
	var lines []string
	for _, r := range f.Rules {
		lines = append(lines, RuleLine(r))
	}
	return lines
}

// ChannelLines returns a function that describes a flag on one channel.
func ChannelLines(flag string) func(client.FlagEnvironment) []string {
	return func(e client.FlagEnvironment) []string {
		return []string{fmt.Sprintf("flag %s on channel %s: %s, default %s",
			flag, e.ChannelName, onOff(e.Enabled), command.OneLine(e.DefaultValue, 60))}
	}
}
