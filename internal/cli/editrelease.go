package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

func editReleaseCommand(s *settings) *cobra.Command {
	var enabled, critical bool
	var percentage float64
	var message string
	cmd := &cobra.Command{
		Use: "edit ID", Short: "Enable or disable a release, or change its share, its urgency or its notes",
		Long: "Devices that run a release which gets disabled go to the one before it at their next start. A disabled\n" +
			"release can be enabled again; `waft rollback` is for one that should not come back.",
		Example: "  waft releases edit 29 --enabled=false",
		Args:    args("ID"),
		RunE: s.on(releaseOf, func(cmd *cobra.Command, api *client.Waft, id int64, _ []string) error {
			var body client.PatchUpdateBody
			changed := cmd.Flags().Changed
			if changed("enabled") {
				body.IsEnabled = &enabled
			}
			if changed("critical") {
				body.IsCritical = &critical
			}
			if changed("percentage") {
				body.RolloutPercentage = &percentage
			}
			if changed("message") {
				body.ReleaseMessage = &message
			}
			if body == (client.PatchUpdateBody{}) {
				return errors.New("nothing to change: give --enabled, --critical, --percentage or --message")
			}
			return tell(cmd, s, releaseLines).
				found(api.PatchUpdateWithResponse(cmd.Context(), id, &client.PatchUpdateParams{}, body))
		}),
	}
	f := cmd.Flags()
	f.BoolVar(&enabled, "enabled", true, "whether devices may have it; --enabled=false takes it away without a rollback")
	f.BoolVar(&critical, "critical", false, "devices apply it at once and not at their next cold start")
	f.Float64Var(&percentage, "percentage", 100, "share of devices that get it; refused while a rollout decides")
	f.StringVar(&message, "message", "", "release notes")
	return cmd
}

func republishCommand(s *settings) *cobra.Command {
	var channels []string
	var message string
	cmd := &cobra.Command{
		Use: "republish ID", Short: "Publish a release again, with all platforms of its group",
		Long: "Makes new releases of the same builds, one for each channel and platform. To let a channel serve another\n" +
			"branch without publishing anything, see `waft channels edit --branch`.",
		Example: "  waft releases republish 29 --channel production",
		Args:    args("ID"),
		RunE: s.on(releaseOf, func(cmd *cobra.Command, api *client.Waft, id int64, _ []string) error {
			body := client.RepublishBody{ReleaseMessage: optional(message)}
			if len(channels) > 0 {
				body.Channels = &channels
			}
			lines := func(r client.Republished) []string {
				return append([]string{"published again, group " + r.GroupID.String()}, publishedLines(r.Updates)...)
			}
			return tell(cmd, s, lines).
				made(api.RepublishUpdateWithResponse(cmd.Context(), id, &client.RepublishUpdateParams{}, body))
		}),
	}
	f := cmd.Flags()
	f.StringArrayVar(&channels, "channel", nil, "where to; may be repeated; default: the channel of the original")
	f.StringVar(&message, "message", "", "release notes; default: those of the original")
	return cmd
}

func deleteReleaseCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "delete ID", Short: "Delete a release; its history stays in the audit log", Args: args("ID"),
		RunE: s.on(releaseOf, func(cmd *cobra.Command, api *client.Waft, id int64, _ []string) error {
			_, err := api.DeleteUpdateWithResponse(cmd.Context(), id, &client.DeleteUpdateParams{})
			return done(cmd, s, err, "release %d is deleted", id)
		}),
	}
}
