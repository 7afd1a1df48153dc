package manage

import (
	"bytes"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/rollout"
)

// jsonType is the media type of requests.
const jsonType = "application/json"

// FlagCommands returns the commands that change a flag and its rules, for the group flags.
func FlagCommands(s *command.Settings) []*cobra.Command {
	return []*cobra.Command{
		editFlagCommand(s), saveFlagCommand(s), setFlagCommand(s), copyFlagCommand(s), deleteFlagCommand(s), rulesCommand(s),
		variationsCommand(s), explainFlagCommand(s), evaluateFlagsCommand(s), evaluationsCommand(s), impactsCommand(s),
	}
}

func editFlagCommand(s *command.Settings) *cobra.Command {
	var variations []string
	cmd := s.On("edit FLAG", "Change a flag's name, description, default value or variations", command.FlagOf,
		func(c command.Call, id int64) error {
			body, err := command.BodyOf(c, "name", "description?", "default=defaultValue")
			if err != nil {
				return err
			}
			if len(variations) > 0 {
				list, err := variationList(variations)
				if err != nil {
					return err
				}
				body.Set("variations", list)
			}
			reader, err := body.Changes(c)
			if err != nil {
				return err
			}
			return command.Tell(c, rollout.FlagLines).
				Found(c.API.PatchFlagWithBodyWithResponse(c.Context(), id, &client.PatchFlagParams{}, jsonType, reader))
		})
	cmd.Long = "`waft flags on` and `off` turn a flag on and off, and `waft flags rules` changes its rules."
	cmd.Example = "  waft flags edit checkout-color --default blue --variation Blue=blue --variation Green=green"
	f := cmd.Flags()
	f.String("name", "", "display name of the flag")
	f.String("description", "", "description of the flag; '' for none")
	f.String("default", "", "value that devices get while the flag is off or no rule matches")
	f.StringArrayVar(&variations, "variation", nil, "variation as NAME=VALUE; can be repeated; replaces all variations")
	command.FileFlag(cmd, "PATCH /v1/ota/flags/{id}")
	return cmd
}

// variationList returns the variations that NAME=VALUE texts describe.
func variationList(texts []string) ([]map[string]string, error) {
	list := make([]map[string]string, len(texts))
	for i, text := range texts {
		name, value, found := cutOnce(text, "=")
		if !found {
			return nil, command.Usagef("--variation must be NAME=VALUE such as Blue=blue, not %q", text)
		}
		list[i] = map[string]string{"name": name, "value": value}
	}
	return list, nil
}

func saveFlagCommand(s *command.Settings) *cobra.Command {
	var preview bool
	var etag string
	cmd := s.On("save FLAG FILE", "Replace a whole flag with its rules by a JSON file; - reads the standard input", command.FlagOf,
		func(c command.Call, id int64) error {
			body, err := command.ReadFlag(c, c.Args[1])
			if err != nil {
				return err
			}
			if preview {
				return command.Tell(c, command.FlagPreviewLines).Found(c.API.PreviewSaveFlagWithBodyWithResponse(
					c.Context(), id, &client.PreviewSaveFlagParams{}, jsonType, bytes.NewReader(body)))
			}
			return command.Tell(c, rollout.FlagLines).Found(c.API.SaveFlagWithBodyWithResponse(
				c.Context(), id, &client.SaveFlagParams{IfMatch: etag}, jsonType, bytes.NewReader(body)))
		})
	cmd.Long = "FILE has the fields of PUT /v1/ota/flags/{id}, which the server documents at /docs.\n" +
		"`waft flags show FLAG --json` prints a flag as it is."
	cmd.Example = "  waft flags show checkout --json >checkout.json\n  waft flags save checkout checkout.json --preview"
	cmd.Flags().StringVar(&etag, "if-match", "*", "ETag that the flag must have now; * accepts the flag as it is")
	command.PreviewFlag(cmd, &preview)
	return cmd
}

func setFlagCommand(s *command.Settings) *cobra.Command {
	var channel string
	var inherit, preview bool
	cmd := s.On("set FLAG", "Change a flag's default value or switch on one channel", command.FlagOf, func(c command.Call, id int64) error {
		body, err := command.BodyOf(c, "default=defaultValue", "enabled")
		if err != nil {
			return err
		}
		if inherit {
			body.Set("defaultValue", nil)
			body.Set("enabled", nil)
		}
		reader, err := body.Changes(c)
		if err != nil {
			return err
		}
		if preview {
			return command.Tell(c, command.FlagPreviewLines).Found(c.API.PreviewPatchFlagEnvironmentWithBodyWithResponse(
				c.Context(), id, channel, &client.PreviewPatchFlagEnvironmentParams{}, jsonType, reader))
		}
		return command.Tell(c, rollout.ChannelLines(c.Args[0])).Found(c.API.PatchFlagEnvironmentWithBodyWithResponse(
			c.Context(), id, channel, &client.PatchFlagEnvironmentParams{}, jsonType, reader))
	})
	cmd.Example = "  waft flags set checkout-color --channel staging --default green --enabled\n" +
		"  waft flags set checkout-color --channel staging --inherit"
	f := cmd.Flags()
	f.StringVar(&channel, "channel", "", "channel whose devices get the change")
	f.String("default", "", "value that the channel's devices get while the flag is off or no rule matches")
	f.Bool("enabled", false, "turn the flag on for the channel; --enabled=false turns it off")
	f.BoolVar(&inherit, "inherit", false, "use the flag's own default value and switch again")
	command.PreviewFlag(cmd, &preview)
	return command.Required(cmd, "channel")
}

func copyFlagCommand(s *command.Settings) *cobra.Command {
	var from, to string
	var preview bool
	cmd := s.On("copy FLAG", "Copy a flag's switch, default value and rules from one channel to another", command.FlagOf,
		func(c command.Call, id int64) error {
			body := client.CopyFlagBody{FromChannel: from, ToChannel: to}
			if preview {
				return command.Tell(c, command.FlagPreviewLines).
					Found(c.API.PreviewCopyFlagWithResponse(c.Context(), id, &client.PreviewCopyFlagParams{}, body))
			}
			return command.Tell(c, rollout.FlagLines).Found(c.API.CopyFlagWithResponse(c.Context(), id, &client.CopyFlagParams{}, body))
		})
	cmd.Example = "  waft flags copy checkout-color --from staging --to production --preview"
	cmd.Flags().StringVar(&from, "from", "", "channel whose settings are copied")
	cmd.Flags().StringVar(&to, "to", "", "channel whose settings are replaced")
	command.PreviewFlag(cmd, &preview)
	return command.Required(cmd, "from", "to")
}

func deleteFlagCommand(s *command.Settings) *cobra.Command {
	var preview bool
	cmd := deletion{
		verb: "delete", argument: "FLAG", named: "flag", numbered: "flag with the ID", find: command.FlagWithKey,
		short: "Delete a flag, by its key or with --id by its ID; devices get the default value in the app's code",
		delete: func(c command.Call, id int64, record string) error {
			if preview {
				return command.Tell(c, command.PreviewLines).
					Found(c.API.PreviewDeleteFlagWithResponse(c.Context(), id, &client.PreviewDeleteFlagParams{}))
			}
			if err := c.Confirm(fmt.Sprintf("Delete the %s and its rules?", record)); err != nil {
				return err
			}
			_, err := c.API.DeleteFlagWithResponse(c.Context(), id, &client.DeleteFlagParams{})
			return command.Done(c, err, "%s deleted", record)
		},
	}.command(s)
	command.PreviewFlag(cmd, &preview)
	return cmd
}

// variationsCommand returns the command that changes one variation of a flag.
func variationsCommand(s *command.Settings) *cobra.Command {
	edit := s.Calling("edit FLAG VARIATION", "Change the name or the value of a variation, by its name or ID", func(c command.Call) error {
		body, err := command.BodyOf(c, "name", "value")
		if err != nil {
			return err
		}
		reader, err := body.Changes(c)
		if err != nil {
			return err
		}
		flag, err := command.FindFlag(c, c.Args[0])
		if err != nil {
			return err
		}
		id, err := variationOf(flag, c.Args[1])
		if err != nil {
			return err
		}
		return tellVariation(c, flag.ID, id, reader)
	})
	edit.Example = "  waft flags variations edit checkout-color Blue --value '#0000ff'"
	edit.Flags().String("name", "", "new name of the variation")
	edit.Flags().String("value", "", "new value of the variation, as a string; rules that give the value change too")
	return s.Group("variations", "Change the variations of a flag; `waft flags edit --variation` replaces all of them", edit)
}

func tellVariation(c command.Call, flag, id int64, body io.Reader) error {
	lines := func(v client.Variation) []string {
		return []string{fmt.Sprintf("variation %s of flag %s: %s", v.Name, c.Args[0], command.OneLine(v.Value, 100))}
	}
	return command.Tell(c, lines).
		Found(c.API.PatchVariationWithBodyWithResponse(c.Context(), flag, id, &client.PatchVariationParams{}, jsonType, body))
}

// variationOf returns the ID of the flag's variation with a name or ID. Names are tried before IDs.
func variationOf(flag *client.Flag, nameOrID string) (int64, error) {
	for _, v := range flag.Variations {
		if v.Name == nameOrID {
			return v.ID, nil
		}
	}
	for _, v := range flag.Variations {
		if v.ID == command.Number(nameOrID) {
			return v.ID, nil
		}
	}
	return 0, command.NotFoundf("flag %s has no variation %q; `waft flags show %s` lists them", flag.Key, nameOrID, flag.Key)
}
