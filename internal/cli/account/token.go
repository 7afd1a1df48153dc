package account

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
)

// Token returns the command token.
func Token(s *command.Settings) *cobra.Command {
	var file, audience string
	var variable bool
	cmd := &cobra.Command{
		Use: "token", Short: "Exchange the ID token of a CI job for a key that works for 15 minutes", Args: command.Args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if variable && s.JSON {
				return command.Usagef("--env and --json exclude each other: use one of them")
			}
			if err := s.NeedProject(cmd.Context()); err != nil {
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
	cmd.Long = "The project must trust the job (PUT /v1/ota/trusted-publishers, docs/reference/trusted-publishers.md). The ID token comes\n" +
		"from --id-token, otherwise from WAFT_ID_TOKEN, otherwise from GitHub Actions if the job has the permission\n" +
		"id-token: write. Only the key is written to the standard output. All commands exchange an ID token themselves\n" +
		"if no key is given. Each ID token works only once, so run this first in a job with one ID token and several commands."
	cmd.Example = "  waft token --env >> \"$GITHUB_ENV\"\n" +
		"  export WAFT_API_KEY=\"$(buildkite-agent oidc request-token --audience \"$WAFT_URL\" | waft token --id-token -)\""
	cmd.Flags().StringVar(&file, "id-token", "", "file with the ID token; - reads the standard input")
	cmd.Flags().StringVar(&audience, "audience", "", "audience of the ID token that GitHub Actions issues; default: the server's address")
	cmd.Flags().BoolVar(&variable, "env", false, "write WAFT_API_KEY=… instead of the key alone")
	cmd.MarkFlagsMutuallyExclusive("id-token", "audience")
	return cmd
}

func describeKey(t client.ExchangedToken) string {
	may := "for all channels"
	if t.Channels != nil {
		may = "for " + strings.Join(*t.Channels, ", ")
	}
	return fmt.Sprintf("key of the role %s %s, until %s", t.Role, may, t.ExpiresAt.UTC().Format(command.Stamp))
}
