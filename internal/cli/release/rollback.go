package release

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/models"
)

// Rollback returns the command that rolls a channel back.
func Rollback(s *command.Settings) *cobra.Command {
	var channel, reason string
	var of rollbackOf
	var embedded, preview, allowDisabled bool
	cmd := s.Calling("rollback", "Roll back: choose what from a list, or return a channel to an earlier release",
		func(c command.Call) error {
			if err := command.NotEmpty(c.Command, "channel", "platform", "runtime-version"); err != nil {
				return err
			}
			if !c.Flags().Changed("to") && !embedded && !allowDisabled {
				return undoCommand(c, undoOf{channel, of.platform, of.runtime, reason, preview})
			}
			if err := checkRollbackFlags(c.Command, channel, of, embedded); err != nil {
				return err
			}
			parts, notes, err := of.parts(c, channel)
			if err != nil {
				return err
			}
			body := rollbackBody(channel, parts, reason, allowDisabled)
			if preview {
				lines := func(p client.ChangePreview) []string { return append(command.PreviewLines(p), notes...) }
				return command.Tell(c, lines).Found(c.API.PreviewRollBackWithResponse(c.Context(), &client.PreviewRollBackParams{}, body))
			}
			err = command.Tell(c, command.Linking(c, rolledBackLines(c, channel, parts, notes), command.ReleasePage)).
				Made(c.API.RollBackWithResponse(c.Context(), &client.RollBackParams{}, body))
			return allowingDisabled(err)
		})
	cmd.Long = "Without --to and --embedded, on a terminal, it lists the releases that devices get, with their age and health.\n" +
		"Choose a line, press Enter for a preview, and y to roll back. With --yes --channel it does not ask: it rolls back\n" +
		"the newest release of the channel, and devices get the release that they had before. A release that is rolling out loses its\n" +
		"rollout; otherwise the channel returns to the newest earlier release with other files.\n\n" +
		"With --to or --embedded it affects every device of the channel, platform and runtime version. Waft disables the\n" +
		"releases that are newer than the given one and ends their rollouts as rolled back, even if no worker is running.\n" +
		"Without --platform, one call rolls back both platforms: with --to, to the releases that were published together;\n" +
		"with --embedded, each platform that has a release for the runtime version.\n" +
		"A release that was disabled, as by an earlier rollback, needs --allow-disabled.\n" +
		"To roll back one rollout, for the devices inside it, use `waft rollouts rollback`."
	cmd.Example = "  waft rollback\n" +
		"  waft rollback --channel production --yes\n" +
		"  waft rollback --channel production --to 21 --preview\n" +
		"  waft rollback --channel production --platform ios --runtime-version 1.0.0 --embedded"
	f := cmd.Flags()
	f.StringVar(&channel, "channel", "", "channel to roll back")
	f.StringVar(&of.platform, "platform", "", "roll back only this platform, ios or android; default: both platforms")
	f.StringVar(&of.runtime, "runtime-version", "", runtimeUsage)
	f.Int64Var(&of.to, "to", 0, "ID of the release to return to, as listed by waft releases list")
	f.BoolVar(&embedded, "embedded", false, "return to the embedded update")
	f.BoolVar(&allowDisabled, "allow-disabled", false, "return to the release even if it is disabled")
	f.StringVar(&reason, "reason", "", "reason, for the history of the releases and the audit log")
	command.PreviewFlag(cmd, &preview)
	return cmd
}

const runtimeUsage = "runtime version of the devices to roll back; default with --to: the runtime version of that release"

// rollbackBody returns the body of a rollback of one or two platforms.
func rollbackBody(channel string, parts []client.RollbackPart, reason string, allowDisabled bool) client.RollbackBody {
	body := client.RollbackBody{
		Channel: channel, Platform: client.RollbackBodyPlatform(parts[0].Platform), RuntimeVersion: parts[0].RuntimeVersion,
		RollbackToUpdateID: parts[0].RollbackToUpdateID, Reason: command.Optional(reason),
	}
	if len(parts) > 1 {
		body.Others = new(parts[1:])
	}
	if allowDisabled {
		body.AllowDisabled = &allowDisabled
	}
	return body
}

// rolledBackLines returns a function that describes a rollback that was made.
func rolledBackLines(c command.Call, channel string, parts []client.RollbackPart, notes []string) func(client.Update) []string {
	return func(u client.Update) []string {
		lines := []string{fmt.Sprintf("rolled back %s on %s", partsText(parts), channel)}
		for _, made := range rolledBackTo(c, u, len(parts)) {
			lines = append(lines, Lines(made)...)
		}
		return append(lines, notes...)
	}
}

func checkRollbackFlags(cmd *cobra.Command, channel string, of rollbackOf, embedded bool) error {
	if channel == "" {
		return command.Usagef("--channel is missing: channel to roll back")
	}
	if of.platform != "" && !client.RollbackBodyPlatform(of.platform).Valid() {
		return command.Usagef("--platform must be ios or android, not %q", of.platform)
	}
	// The target must be given, because both targets reach every device.
	if cmd.Flags().Changed("to") == embedded {
		return command.Usagef("the target is missing: use either --to with the ID of a release, or --embedded")
	}
	if !embedded && of.to < 1 {
		return command.Usagef("--to must be the ID of a release; `waft releases list` lists them")
	}
	if embedded && of.runtime == "" {
		return command.Usagef("--runtime-version is missing: %s", runtimeUsage)
	}
	return nil
}

// partsText returns the platforms and runtime versions that a call rolls back: ios 1.0.0 and android 1.0.0.
func partsText(parts []client.RollbackPart) string {
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = string(part.Platform) + " " + part.RuntimeVersion
	}
	return strings.Join(texts, " and ")
}

// rolledBackTo returns the releases that a rollback of n parts published. u is the release of the first part; the others
// share its group. If they cannot be read, the result is u only, because the rollback itself succeeded.
func rolledBackTo(c command.Call, u client.Update, n int) []client.Update {
	if n == 1 {
		return []client.Update{u}
	}
	group, err := releasesOf(c, u)
	if err != nil {
		return []client.Update{u}
	}
	made := []client.Update{u}
	for _, other := range group {
		if other.ID != u.ID {
			made = append(made, other)
		}
	}
	return made
}

// allowingDisabled names the flag that allows the rollback if err refuses it because the release is disabled. The message
// of err has the time, the actor and the reason of the disabling.
func allowingDisabled(err error) error {
	if client.CodeOf(err) != models.CodeGoalDisabled {
		return err
	}
	return fmt.Errorf("%w\n  on the command line: --allow-disabled", err)
}
