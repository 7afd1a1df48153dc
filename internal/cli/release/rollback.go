package release

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/models"
)

// Rollback returns the command that rolls a channel back.
func Rollback(s *command.Settings) *cobra.Command {
	var channel, platform, runtime, reason string
	var to int64
	var embedded, preview, allowDisabled bool
	cmd := s.Calling("rollback", "Roll a channel back to an earlier release, or to the embedded update",
		func(c command.Call) error {
			body := client.RollbackBody{
				Channel: channel, Platform: client.RollbackBodyPlatform(platform), RuntimeVersion: runtime, Reason: command.Optional(reason),
			}
			if allowDisabled {
				body.AllowDisabled = &allowDisabled
			}
			if !body.Platform.Valid() {
				return fmt.Errorf("--platform must be ios or android, not %q", platform)
			}
			// The target must be given, because both targets reach every device.
			switch toRelease := c.Flags().Changed("to"); {
			case toRelease == embedded:
				return errors.New("the target is missing: use either --to with the ID of a release, or --embedded")
			case toRelease:
				body.RollbackToUpdateID = &to
			}
			if preview {
				return command.Tell(c, command.PreviewLines).
					Found(c.API.PreviewRollBackWithResponse(c.Context(), &client.PreviewRollBackParams{}, body))
			}
			lines := func(u client.Update) []string {
				return append([]string{fmt.Sprintf("rolled back %s %s on %s", u.Platform, u.RuntimeVersion, channel)}, releaseLines(u)...)
			}
			err := command.Tell(c, command.Linking(c, lines, command.ReleasePage)).
				Made(c.API.RollBackWithResponse(c.Context(), &client.RollBackParams{}, body))
			return allowingDisabled(err)
		})
	cmd.Long = "Affects every device of the channel, platform and runtime version. Waft disables the releases that are newer\n" +
		"than the given one and ends their rollouts as rolled back, even if no worker is running.\n" +
		"A release that was disabled, as by an earlier rollback, needs --allow-disabled.\n" +
		"To roll back one rollout, for the devices inside it, use `waft rollouts rollback`."
	cmd.Example = "  waft rollback --channel production --platform ios --runtime-version 1.0.0 --to 21"
	f := cmd.Flags()
	f.StringVar(&channel, "channel", "", "channel to roll back")
	f.StringVar(&platform, "platform", "", "ios or android")
	f.StringVar(&runtime, "runtime-version", "", "runtime version of the devices to roll back")
	f.Int64Var(&to, "to", 0, "ID of the release to return to; `waft releases list` lists the IDs")
	f.BoolVar(&embedded, "embedded", false, "return to the embedded update")
	f.BoolVar(&allowDisabled, "allow-disabled", false, "return to the release even if it is disabled")
	f.StringVar(&reason, "reason", "", "reason, for the history of the releases and the audit log")
	command.PreviewFlag(cmd, &preview)
	return s.JSONFlag(command.Required(cmd, "channel", "platform", "runtime-version"))
}

// allowingDisabled names the flag that allows the rollback if err refuses it because the release is disabled. The message
// of err has the time, the actor and the reason of the disabling.
func allowingDisabled(err error) error {
	if client.CodeOf(err) != models.CodeGoalDisabled {
		return err
	}
	return fmt.Errorf("%w\n  on the command line: --allow-disabled", err)
}
