package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

func rollbackCommand(s *settings) *cobra.Command {
	var channel, platform, runtime string
	var to int64
	var embedded bool
	cmd := &cobra.Command{
		Use: "rollback", Short: "Roll a channel back to an earlier release, or to the embedded update",
		Long: "Reaches every device of the channel, platform and runtime version. What is newer than the target is disabled,\n" +
			"and rollouts of it end as rolled back. It waits for no worker and for no rollout. `waft rollouts rollback` takes\n" +
			"back one rollout, from the devices that it reached.",
		Example: "  waft rollback --channel production --platform ios --runtime-version 1.0.0 --to 21",
		Args:    args(),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, _ []string) error {
			body := client.RollbackBody{Channel: channel, Platform: client.RollbackBodyPlatform(platform), RuntimeVersion: runtime}
			if !body.Platform.Valid() {
				return fmt.Errorf("--platform must be ios or android, not %q", platform)
			}
			// Where to is said and never assumed: both targets reach everybody.
			switch toRelease := cmd.Flags().Changed("to"); {
			case toRelease == embedded:
				return errors.New("the target is missing: give either --to with the id of a release, or --embedded")
			case toRelease:
				body.RollbackToUpdateID = &to
			}
			lines := func(u client.Update) []string {
				return append([]string{fmt.Sprintf("%s %s on %s is rolled back", u.Platform, u.RuntimeVersion, channel)}, releaseLines(u)...)
			}
			return tell(cmd, s, lines).made(api.RollBackWithResponse(cmd.Context(), &client.RollBackParams{}, body))
		}),
	}
	f := cmd.Flags()
	f.StringVar(&channel, "channel", "", "channel to roll back")
	f.StringVar(&platform, "platform", "", "ios or android")
	f.StringVar(&runtime, "runtime-version", "", "only devices of this runtime version")
	f.Int64Var(&to, "to", 0, "id of the release to go back to; `waft releases list` shows them")
	f.BoolVar(&embedded, "embedded", false, "go back to the embedded update")
	return s.jsonFlag(required(cmd, "channel", "platform", "runtime-version"))
}
