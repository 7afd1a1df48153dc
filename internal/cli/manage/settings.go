package manage

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

// longestTelemetry is the retention of telemetry without a number of days.
const longestTelemetry = "events 30 days, a device on a release 180 days, a device on a day 400 days"

// SettingsOf returns the command that shows and changes the settings of the project.
func SettingsOf(s *command.Settings) *cobra.Command {
	return s.Group("settings", "Show and change the settings of the project: retention, hashed IDs, trusted networks",
		s.Calling("show", "Show the settings of the project", func(c command.Call) error {
			return command.Tell(c, settingsLines).Found(c.API.GetSettingsWithResponse(c.Context(), &client.GetSettingsParams{}))
		}),
		editSettingsCommand(s),
	)
}

func settingsLines(p client.ProjectSettings) []string {
	repository := "-"
	if p.RepositoryURL != nil {
		repository = *p.RepositoryURL
	}
	hashed := "stored as they are"
	if p.HashIds {
		hashed = "stored as keyed hashes"
	}
	return []string{
		"repository:           " + repository,
		"builds:               " + retention(p.BuildRetentionDays, "a cleanup deletes a build %s after its upload if no release uses it", "kept"),
		"telemetry of devices: " + retention(p.TelemetryRetentionDays, "deleted after %s", "longest retention: "+longestTelemetry),
		"device IDs:           " + hashed,
		"trusted networks:     " + orNone(strings.Join(p.TrustedNetworks, ", ")),
	}
}

// retention returns a sentence with a number of days, or standard without a number.
func retention(days *int64, sentence, standard string) string {
	if days == nil {
		return standard
	}
	return fmt.Sprintf(sentence, count.Of(*days, "day"))
}

func editSettingsCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("edit", "Change the settings of the project", func(c command.Call) error {
		body, err := command.BodyOf(c, "repository=repositoryUrl?", "trusted-networks", "hash-ids")
		if err != nil {
			return err
		}
		if err := setRetentions(c, body); err != nil {
			return err
		}
		reader, err := body.Changes(c)
		if err != nil {
			return err
		}
		if days := body.Field("telemetryRetentionDays"); days != nil {
			if err := c.Confirm(fmt.Sprintf("Delete the telemetry of single devices that is older than %v days?", days)); err != nil {
				return err
			}
		}
		return command.Tell(c, settingsLines).
			Found(c.API.PatchSettingsWithBodyWithResponse(c.Context(), &client.PatchSettingsParams{}, "application/json", reader))
	})
	cmd.Example = "  waft settings edit --build-retention 90 --telemetry-retention 30\n" +
		"  waft settings edit --repository https://github.com/acme/app"
	f := cmd.Flags()
	f.String("repository", "", "https URL of the app's repository, for links to commits; '' for none")
	f.Int64("build-retention", 0, "days after its upload until a cleanup deletes a build that no release uses; 0 keeps builds")
	f.Int64("telemetry-retention", 0, "days after which the telemetry of single devices is deleted; "+
		"0 for the longest retention: "+longestTelemetry)
	f.Bool("hash-ids", false, "store only keyed hashes of device IDs in telemetry; --hash-ids=false ends that")
	f.StringSlice("trusted-networks", nil, "networks such as 203.0.113.0/24 in which each device has its own vote, "+
		"separated by commas; '' for none")
	command.FileFlag(cmd, "PATCH /v1/ota/settings")
	return cmd
}

// setRetentions sets the numbers of days that flags give. 0 becomes null.
func setRetentions(c command.Call, body command.Body) error {
	for _, r := range []struct{ flag, field, zero string }{
		{"build-retention", "buildRetentionDays", "0 to keep builds"},
		{"telemetry-retention", "telemetryRetentionDays", "0 for the longest retention"},
	} {
		if !c.Flags().Changed(r.flag) {
			continue
		}
		days, err := c.Flags().GetInt64(r.flag)
		switch {
		case err != nil:
			return err
		case days < 0:
			return command.Usagef("--%s must be a number of days, or %s, not %d", r.flag, r.zero, days)
		case days == 0:
			body.Set(r.field, nil)
		default:
			body.Set(r.field, days)
		}
	}
	return nil
}
