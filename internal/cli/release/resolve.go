package release

import (
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Resolve returns the command that explains which release a device gets.
func Resolve(s *command.Settings) *cobra.Command {
	var channel, platform, runtime, device, user, running string
	cmd := s.Calling("resolve", "Explain, step by step, which release a device gets", func(c command.Call) error {
		params := client.ResolveParams{
			Channel: channel, Platform: client.ResolveParamsPlatform(platform), RuntimeVersion: runtime,
			DeviceID: command.Optional(device), UserID: command.Optional(user), CurrentUpdateUUID: command.Optional(running),
		}
		if !params.Platform.Valid() {
			return command.Usagef("--platform must be ios or android, not %q", platform)
		}
		return command.Tell(c, command.ResolutionLines).Found(c.API.ResolveWithResponse(c.Context(), &params))
	})
	cmd.Long = "The device does not need to exist. `waft devices show` explains a device that has reported, by its ID alone."
	cmd.Example = "  waft resolve --channel production --platform ios --runtime-version 1.0.0 --device 8d1f…"
	f := cmd.Flags()
	f.StringVar(&channel, "channel", "", "the device's channel")
	f.StringVar(&platform, "platform", "", "ios or android")
	f.StringVar(&runtime, "runtime-version", "", "runtime version of the device's binary")
	f.StringVar(&device, "device", "", "device ID; determines which percentage rollouts include the device "+
		"(without it, only rollouts at 100%)")
	f.StringVar(&user, "user", "", "end user's ID, for user overrides")
	f.StringVar(&running, "running", "", "update ID of the release that the device runs")
	return command.Required(cmd, "channel", "platform", "runtime-version")
}
