package release

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Promote returns the command that publishes the releases of one channel to another channel.
func Promote(s *command.Settings) *cobra.Command {
	var from, to, platform, policy, message string
	var preview bool
	cmd := s.Calling("promote", "Publish what every device of one channel has to another channel", func(c command.Call) error {
		if err := command.NotEmpty(c.Command, "policy"); err != nil { // without a policy, every device would get the releases
			return err
		}
		ids, err := promoted(c, from, platform)
		if err != nil {
			return err
		}
		body := client.RepublishBody{Channels: &[]string{to}, UpdateIds: &ids, ReleaseMessage: command.Optional(message)}
		return republish(c, ids[0], body, policy, preview)
	})
	cmd.Long = "Publishes the newest release that every device of the channel has, for each platform and runtime version, in one\n" +
		"call. Releases that only a percentage of devices gets are left out; `waft releases republish` publishes one of them.\n" +
		"Without --policy, every device of the other channel gets the releases immediately."
	cmd.Example = "  waft promote --from staging --to production --policy careful --preview"
	f := cmd.Flags()
	f.StringVar(&from, "from", "", "channel whose releases to promote")
	f.StringVar(&to, "to", "", "channel that gets the releases")
	f.StringVar(&platform, "platform", "", "promote only the releases for this platform, ios or android")
	f.StringVar(&policy, "policy", "", "name or ID of the policy that rolls the releases out")
	f.StringVar(&message, "message", "", "release notes; default: the notes of each release")
	command.PreviewFlag(cmd, &preview)
	return command.Required(cmd, "from", "to")
}

// promoted returns the IDs of the releases to promote.
func promoted(c command.Call, channel, platform string) (ids []int64, err error) {
	if platform != "" && !client.UpdatePlatform(platform).Valid() {
		return nil, command.Usagef("--platform must be ios or android, not %q", platform)
	}
	releases, err := c.API.ProvenReleases(c.Context(), channel)
	if err != nil {
		return nil, err
	}
	for _, r := range releases {
		if platform == "" || string(r.Platform) == platform {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		if err := command.KnownChannel(c, channel); err != nil {
			return nil, err
		}
		return nil, command.NotFoundf("channel %q does not have a release that every device gets; "+
			"`waft releases list --channel %[1]s` lists its releases", channel)
	}
	slices.Sort(ids)
	return ids, nil
}

// republish publishes releases again, or previews that. policy is the name or ID of a policy, or "".
func republish(c command.Call, id int64, body client.RepublishBody, policy string, preview bool) error {
	if policy != "" {
		found, err := command.PolicyOf(c, policy)
		if err != nil {
			return err
		}
		body.RolloutPolicyID = &found
	}
	if preview {
		return command.Tell(c, command.PreviewLines).
			Found(c.API.PreviewRepublishUpdateWithResponse(c.Context(), id, &client.PreviewRepublishUpdateParams{}, body))
	}
	lines := func(r client.Republished) []string {
		return append([]string{"published again, group " + r.GroupID.String()}, publishedLines(r.Updates)...)
	}
	return command.Tell(c, command.Linking(c, lines, command.PublishedPage)).
		Made(c.API.RepublishUpdateWithResponse(c.Context(), id, &client.RepublishUpdateParams{}, body))
}
