package cli

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

func flagsCommand(s *settings) *cobra.Command {
	return s.group("flags", "List feature flags, look at them, and turn them on and off",
		listFlagsCommand(s), showFlagCommand(s), createFlagCommand(s), flagHealthCommand(s),
		switchFlagCommand(s, "on", "Turn a flag on, for every channel or one", true),
		switchFlagCommand(s, "off", "Turn a flag off, for every channel or one: devices get its default", false),
	)
}

func listFlagsCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the newest feature flags", Args: args(),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, _ []string) error {
			return tell(cmd, s, table("no feature flags",
				[]string{"ID", "KEY", "TYPE", "STATE", "DEFAULT", "RULES", "ROLLOUTS UNDER WAY"}, flagRow)).
				found(api.ListFlagsWithResponse(cmd.Context(), &client.ListFlagsParams{Limit: new(listLimit)}))
		}),
	}
}

func flagRow(f client.Flag) []string {
	return []string{
		strconv.FormatInt(f.ID, 10), f.Key, string(f.FlagType), onOff(f.Enabled), oneLine(fmt.Sprint(f.DefaultValue), 30),
		strconv.Itoa(len(f.Rules)), idList(f.ActiveRollouts),
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// flagLines are a flag in full: where it is on, and which rules say what.
func flagLines(f client.Flag) []string {
	lines := []string{fmt.Sprintf("flag %s (%d), %s, %s; default %v", f.Key, f.ID, f.FlagType, onOff(f.Enabled), f.DefaultValue)}
	for _, v := range f.Variations {
		lines = append(lines, fmt.Sprintf("  variation %s: %s", v.Name, oneLine(v.Value, 100)))
	}
	for _, e := range f.Environments {
		lines = append(lines, fmt.Sprintf("  on channel %s: %s, default %s", e.ChannelName, onOff(e.Enabled), oneLine(e.DefaultValue, 60)))
	}
	for _, r := range f.Rules {
		line := fmt.Sprintf("  rule %d: %s", r.ID, words(string(r.RuleType)))
		if r.VariantValue != nil {
			line += " gives " + oneLine(*r.VariantValue, 60)
		}
		if r.ChannelName != nil {
			line += " on channel " + *r.ChannelName
		}
		lines = append(lines, line)
	}
	if len(f.ActiveRollouts) > 0 {
		lines = append(lines, "  linked by the rollouts "+idList(f.ActiveRollouts))
	}
	return lines
}

func showFlagCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "show FLAG", Short: "Show a flag, by its key or id", Args: args("FLAG"),
		RunE: s.on(flagOf, func(cmd *cobra.Command, api *client.Waft, id int64, _ []string) error {
			return tell(cmd, s, flagLines).found(api.GetFlagWithResponse(cmd.Context(), id, &client.GetFlagParams{}))
		}),
	}
}

func createFlagCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "create FILE", Short: "Create a feature flag from a JSON file; - is the standard input",
		Long:    "The fields are those of POST /v1/ota/flags, which /docs of the server describes.",
		Example: "  echo '{\"key\": \"new-checkout\", \"flagType\": \"boolean\", \"defaultValue\": false}' | waft flags create -",
		Args:    args("FILE"),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, args []string) error {
			body, err := readJSON(cmd, args[0])
			if err != nil {
				return err
			}
			return tell(cmd, s, flagLines).
				made(api.CreateFlagWithBodyWithResponse(cmd.Context(), &client.CreateFlagParams{}, "application/json", bytes.NewReader(body)))
		}),
	}
}

func switchFlagCommand(s *settings, use, short string, on bool) *cobra.Command {
	var channel string
	cmd := &cobra.Command{
		Use: use + " FLAG", Short: short, Args: args("FLAG"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := notEmpty(cmd, "channel"); err != nil {
				return err
			}
			id, api, err := flagOf(cmd.Context(), s, args[0])
			if err != nil {
				return err
			}
			if channel == "" {
				return tell(cmd, s, flagLines).
					found(api.PatchFlagWithResponse(cmd.Context(), id, &client.PatchFlagParams{}, client.PatchFlagBody{Enabled: &on}))
			}
			lines := func(e client.FlagEnvironment) []string {
				return []string{fmt.Sprintf("flag %s on channel %s: %s, default %s", args[0], e.ChannelName, onOff(e.Enabled), oneLine(e.DefaultValue, 60))}
			}
			return tell(cmd, s, lines).
				found(api.PatchFlagEnvironmentWithResponse(cmd.Context(), id, channel, &client.PatchFlagEnvironmentParams{},
					client.PatchEnvironmentBody{Enabled: &on}))
		},
	}
	cmd.Flags().StringVar(&channel, "channel", "", "only on this channel")
	return cmd
}

func flagHealthCommand(s *settings) *cobra.Command {
	var days int64
	cmd := &cobra.Command{
		Use: "health FLAG", Short: "Show error and crash rates under each variation of a flag", Args: args("FLAG"),
		RunE: s.on(flagOf, func(cmd *cobra.Command, api *client.Waft, id int64, _ []string) error {
			return tell(cmd, s, flagHealthLines).
				found(api.GetFlagHealthWithResponse(cmd.Context(), id, &client.GetFlagHealthParams{Days: &days}))
		}),
	}
	cmd.Flags().Int64Var(&days, "days", 7, "how far to look back, today included")
	return cmd
}

func flagHealthLines(h client.FlagHealth) []string {
	lines := []string{fmt.Sprintf("flag %s: %s, %d devices erred, %.2f %% crash-free", h.FlagKey, h.Status, h.AffectedDevices, h.CrashFreePercentage)}
	for _, v := range h.Variations {
		lines = append(lines, fmt.Sprintf("  %s on %s: %s, %d devices, errors %.2f %% (%+.2f points), crash-free %.2f %%",
			oneLine(v.Variation, 40), v.Channel, v.Status, v.Devices, v.ErrorRate, v.ErrorRateDelta, v.CrashFreePercentage))
	}
	return lines
}

// flagOf finds the flag with that key or id.
func flagOf(ctx context.Context, s *settings, keyOrID string) (int64, *client.Waft, error) {
	api, err := s.client()
	if err != nil {
		return 0, nil, err
	}
	flag, err := api.FindFlag(ctx, keyOrID)
	if err != nil {
		return 0, nil, err
	}
	if flag == nil {
		return 0, nil, fmt.Errorf("there is no feature flag %q in this project; `waft flags list` shows them", keyOrID)
	}
	return flag.ID, api, nil
}
