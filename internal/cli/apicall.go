package cli

import (
	"bytes"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/cli/command"
)

func apiCommand(s *command.Settings) *cobra.Command {
	var file string
	cmd := s.Calling("api METHOD PATH", "Call any endpoint of the management API", func(c command.Call) error {
		var body io.Reader
		if file != "" {
			text, err := command.ReadJSON(c, file)
			if err != nil {
				return err
			}
			body = bytes.NewReader(text)
		}
		answer, err := c.API.Call(c.Context(), strings.ToUpper(c.Args[0]), "/v1/ota/"+strings.TrimPrefix(strings.TrimPrefix(c.Args[1], "/v1/ota"), "/"), body)
		if err != nil || len(bytes.TrimSpace(answer)) == 0 {
			return err
		}
		return command.PrintJSON(c.OutOrStdout(), answer)
	})
	cmd.Long = "Use it in scripts that need an endpoint as it is: every endpoint also has a command. PATH begins after /v1/ota; the\n" +
		"server lists all paths at /docs. The response is printed as JSON."
	cmd.Example = "  waft api GET '/webhooks?limit=5'\n" +
		"  echo '{\"userId\": \"u1\", \"branchName\": \"staging\"}' | waft api POST /user-overrides --body -"
	cmd.Flags().StringVar(&file, "body", "", "file with the JSON of the request; - reads the standard input")
	return cmd
}
