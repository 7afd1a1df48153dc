package manage

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

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
		"builds:               " + retention(p.BuildRetentionDays, "a cleanup deletes a build %s after its upload if no release uses it"),
		"telemetry of devices: " + retention(p.TelemetryRetentionDays, "deleted after %s"),
		"device IDs:           " + hashed,
		"trusted networks:     " + orNone(strings.Join(p.TrustedNetworks, ", ")),
	}
}

// retention returns a sentence with a number of days, or that the data is kept.
func retention(days *int64, sentence string) string {
	if days == nil {
		return "kept"
	}
	return fmt.Sprintf(sentence, count.Of(*days, "day"))
}

func editSettingsCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("edit", "Change the settings of the project", func(c command.Call) error {
		body, err := command.BodyOf(c, "repository=repositoryUrl?", "trusted-networks", "hash-ids")
		if err != nil {
			return err
		}
		for flag, field := range map[string]string{"build-retention": "buildRetentionDays", "telemetry-retention": "telemetryRetentionDays"} {
			if !c.Flags().Changed(flag) {
				continue
			}
			days, err := c.Flags().GetInt64(flag)
			switch {
			case err != nil:
				return err
			case days < 0:
				return command.Usagef("--%s must be a number of days, or 0 to keep the data, not %d", flag, days)
			case days == 0:
				body.Set(field, nil)
			default:
				body.Set(field, days)
			}
		}
		reader, err := body.Changes(c)
		if err != nil {
			return err
		}
		return command.Tell(c, settingsLines).
			Found(c.API.PatchSettingsWithBodyWithResponse(c.Context(), &client.PatchSettingsParams{}, "application/json", reader))
	})
	cmd.Example = "  waft settings edit --build-retention 90 --telemetry-retention 30\n" +
		"  waft settings edit --repository https://github.com/acme/app"
	f := cmd.Flags()
	f.String("repository", "", "https URL of the app's repository, for links to commits; '' for none")
	f.Int64("build-retention", 0, "days after its upload until a cleanup deletes a build that no release uses; 0 keeps builds")
	f.Int64("telemetry-retention", 0, "days until the telemetry of single devices is deleted; 0 keeps it")
	f.Bool("hash-ids", false, "store only keyed hashes of device IDs in telemetry; --hash-ids=false ends that")
	f.StringSlice("trusted-networks", nil, "networks such as 203.0.113.0/24 in which each device has its own vote, "+
		"separated by commas; '' for none")
	command.FileFlag(cmd, "PATCH /v1/ota/settings")
	return cmd
}
