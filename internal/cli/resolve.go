package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

func resolveCommand(s *settings) *cobra.Command {
	var channel, platform, runtime, device, user, running string
	cmd := s.calling("resolve", "Explain, step by step, which release a device gets", func(c call) error {
		params := client.ResolveParams{
			Channel: channel, Platform: client.ResolveParamsPlatform(platform), RuntimeVersion: runtime,
			DeviceID: optional(device), UserID: optional(user), CurrentUpdateUUID: optional(running),
		}
		if !params.Platform.Valid() {
			return fmt.Errorf("--platform must be ios or android, not %q", platform)
		}
		return tell(c, resolutionLines).found(c.api.ResolveWithResponse(c.Context(), &params))
	})
	cmd.Example = "  waft resolve --channel production --platform ios --runtime-version 1.0.0 --device 8d1f…"
	f := cmd.Flags()
	f.StringVar(&channel, "channel", "", "the device's channel")
	f.StringVar(&platform, "platform", "", "ios or android")
	f.StringVar(&runtime, "runtime-version", "", "of the device's binary")
	f.StringVar(&device, "device", "", "the device's id, which decides in which shares it is; without one it is in none below 100 %")
	f.StringVar(&user, "user", "", "the user's id, for user overrides")
	f.StringVar(&running, "running", "", "UUID of the update that it runs")
	return s.jsonFlag(required(cmd, "channel", "platform", "runtime-version"))
}

func resolutionLines(r client.Resolution) []string {
	line := words(string(r.Outcome))
	if r.UpdateID != nil {
		line += fmt.Sprintf(": release %d, update %s", *r.UpdateID, orDash(r.UpdateUUID))
	}
	if r.BranchName != nil {
		line += ", from branch " + *r.BranchName
	}
	lines := []string{line}
	for i, step := range r.Steps {
		lines = append(lines, fmt.Sprintf("  %d. %s: %s. %s", i+1, words(step.Step), words(step.Outcome), step.Detail))
	}
	return lines
}
