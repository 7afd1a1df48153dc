package rollout

import (
	"bytes"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

func createFlagCommand(s *command.Settings) *cobra.Command {
	var preview bool
	cmd := s.Calling("create [FILE]", "Create a feature flag, from flags of the command line or from a JSON file; - reads the standard input",
		func(c command.Call) error {
			body, err := newFlagBody(c)
			if err != nil {
				return err
			}
			if preview {
				return command.Tell(c, command.FlagPreviewLines).Found(c.API.PreviewCreateFlagWithBodyWithResponse(
					c.Context(), &client.PreviewCreateFlagParams{}, "application/json", bytes.NewReader(body)))
			}
			return command.Tell(c, FlagLines).
				Made(c.API.CreateFlagWithBodyWithResponse(c.Context(), &client.CreateFlagParams{}, "application/json", bytes.NewReader(body)))
		})
	cmd.Args = func(cmd *cobra.Command, given []string) error {
		if len(given) == 0 {
			return nil
		}
		return command.Args("FILE")(cmd, given)
	}
	cmd.Long = "FILE has the fields of POST /v1/ota/flags, which the server documents at /docs. A new flag is on, and gives its default\n" +
		"value until it has rules: see `waft flags rules add --help`."
	cmd.Example = "  waft flags create --key new-checkout\n" +
		"  waft flags create --key checkout-color --type string --default blue\n" +
		"  echo '{\"key\": \"new-cart\", \"flagType\": \"boolean\", \"defaultValue\": false}' | waft flags create -"
	f := cmd.Flags()
	f.String("key", "", "key that the app's code names, such as new-checkout")
	f.String("type", "boolean", "type of the values: boolean, string, number or json")
	f.String("default", "", "value that devices get while the flag is off or no rule matches; default for a boolean flag: false")
	f.String("name", "", "display name of the flag; default: the key")
	f.String("description", "", "description of the flag")
	command.PreviewFlag(cmd, &preview)
	return cmd
}

// newFlagBody returns the request for a flag: the file of the argument, or the fields that the command line sets.
func newFlagBody(c command.Call) ([]byte, error) {
	fields, err := command.BodyOf(c, "key", "type=flagType", "default=defaultValue", "name", "description")
	if err != nil {
		return nil, err
	}
	switch {
	case len(c.Args) > 0 && !fields.Empty():
		return nil, command.Usagef("use either FILE or flags such as --key, not both")
	case len(c.Args) > 0:
		return command.ReadJSON(c, c.Args[0])
	case !fields.Has("key") && !fields.Has("name"):
		return nil, command.Usagef("--key is missing: key of the new flag; a JSON file can be used instead")
	}
	return json.Marshal(fields)
}
