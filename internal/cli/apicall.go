package cli

import (
	"bytes"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

func apiCommand(s *settings) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use: "api METHOD PATH", Short: "Call any endpoint of the management API",
		Long: "For what has no command of its own: webhooks, segments, contexts, user overrides, branches, settings, garbage\n" +
			"collection. Paths begin after /v1/ota; /docs of the server lists them. The answer is printed as JSON.",
		Example: "  waft api GET '/webhooks?limit=5'\n" +
			"  echo '{\"userId\": \"u1\", \"branchName\": \"staging\"}' | waft api POST /user-overrides --body -",
		Args: args("METHOD", "PATH"),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, args []string) error {
			var body io.Reader
			if file != "" {
				text, err := readJSON(cmd, file)
				if err != nil {
					return err
				}
				body = bytes.NewReader(text)
			}
			answer, err := api.Call(cmd.Context(), strings.ToUpper(args[0]), "/v1/ota/"+strings.TrimPrefix(strings.TrimPrefix(args[1], "/v1/ota"), "/"), body)
			if err != nil || len(bytes.TrimSpace(answer)) == 0 {
				return err
			}
			return printJSON(cmd.OutOrStdout(), answer)
		}),
	}
	cmd.Flags().StringVar(&file, "body", "", "file with the request's JSON; - is the standard input")
	return cmd
}
