package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
)

func tokenCommand(s *command.Settings) *cobra.Command {
	var file, audience string
	var variable bool
	cmd := &cobra.Command{
		Use: "token", Short: "Exchange the id token of a CI job for a key that works for 15 minutes", Args: command.Args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.NeedProject(); err != nil {
				return err
			}
			token, err := command.ReadIDToken(cmd, file)
			if err != nil {
				return err
			}
			answer, err := s.Exchange(cmd.Context(), token, audience)
			if err != nil {
				return err
			}
			got := answer.JSON201
			if os.Getenv("GITHUB_ACTIONS") == "true" {
				fmt.Fprintln(cmd.ErrOrStderr(), "::add-mask::"+terminal.Plain(got.Key)) // from here on logs show *** in its place
			}
			fmt.Fprintln(cmd.ErrOrStderr(), terminal.Plain(describeKey(*got)))
			if variable {
				return command.PrintLines(cmd.OutOrStdout(), []string{"WAFT_API_KEY=" + got.Key})
			}
			lines := func(t client.ExchangedToken) []string { return []string{t.Key} }
			return command.Tell(command.Call{Command: cmd, Settings: s}, lines).Print(answer.Body, got)
		},
	}
	cmd.Long = "The project must trust the job: PUT /v1/ota/trusted-publishers, docs/trusted-publishing.md. The id token is that of\n" +
		"--id-token, else that of WAFT_ID_TOKEN, else one that GitHub Actions makes for a job with the permission\n" +
		"id-token: write. Only the key is written to the standard output. Other commands do the same by themselves when\n" +
		"there is no key; but an id token is exchanged once, so a job with one id token and several commands calls this first."
	cmd.Example = "  waft token --env >> \"$GITHUB_ENV\"\n" +
		"  export WAFT_API_KEY=\"$(buildkite-agent oidc request-token --audience \"$WAFT_URL\" | waft token --id-token -)\""
	cmd.Flags().StringVar(&file, "id-token", "", "file with the id token; - is the standard input")
	cmd.Flags().StringVar(&audience, "audience", "", "audience of the id token that GitHub Actions makes; default: the server's address")
	cmd.Flags().BoolVar(&variable, "env", false, "write WAFT_API_KEY=… in place of the key alone")
	s.JSONFlag(cmd)
	cmd.MarkFlagsMutuallyExclusive("id-token", "audience")
	cmd.MarkFlagsMutuallyExclusive("env", "json")
	return cmd
}

func describeKey(t client.ExchangedToken) string {
	may := "for all channels"
	if t.Channels != nil {
		may = "for " + strings.Join(*t.Channels, ", ")
	}
	return fmt.Sprintf("key of the role %s %s, until %s", t.Role, may, t.ExpiresAt.UTC().Format(command.Stamp))
}
