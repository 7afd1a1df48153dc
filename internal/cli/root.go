// Package cli is the command waft, the tool of release engineers. Its commands call the server only through package
// client and write to a terminal through package terminal.
package cli

import (
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/waft-ota/waft/internal/base/version"
	"github.com/waft-ota/waft/internal/cli/account"
	"github.com/waft-ota/waft/internal/cli/app"
	"github.com/waft-ota/waft/internal/cli/ci"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/complete"
	"github.com/waft-ota/waft/internal/cli/importer"
	"github.com/waft-ota/waft/internal/cli/manage"
	"github.com/waft-ota/waft/internal/cli/mcp"
	"github.com/waft-ota/waft/internal/cli/observe"
	"github.com/waft-ota/waft/internal/cli/release"
	"github.com/waft-ota/waft/internal/cli/rollout"
	"github.com/waft-ota/waft/internal/cli/simulate"
	"github.com/waft-ota/waft/internal/cli/terminal"
)

// NewCommand returns the command with all its subcommands. The command returns errors and does not print them.
func NewCommand() *cobra.Command {
	s := &command.Settings{}
	root := &cobra.Command{
		Use:   "waft",
		Short: "Over-the-air release delivery for mobile apps",
		Long: "waft publishes over-the-air updates of Expo apps, and watches and rolls back their rollouts.\n\n" +
			"waft takes the address of the server, the project and the key from flags, otherwise from\n" +
			"WAFT_URL, WAFT_PROJECT and WAFT_API_KEY, otherwise from the profile that --profile, WAFT_PROFILE or\n" +
			"`waft profiles use` chooses. `waft login` signs a person in. A CI job that the project trusts works without a key:\n" +
			"see `waft token --help`. For a server that `make run` started:\n\n" +
			"  . .waft/demo.env; export WAFT_URL WAFT_PROJECT WAFT_API_KEY\n\n" +
			"Exit codes:\n\n" + exitCodesText(),
		Example: "  waft login --profile prod --url https://ota.example.com --project shop\n" +
			"  cd my-app && waft init --profile prod && waft doctor --profile prod\n" +
			"  waft publish --export --channel production --profile prod\n" +
			"  waft overview --profile prod",
		Version:       version.String(),
		SilenceUsage:  true,
		SilenceErrors: true,
		// Without Args, cobra would show the help and exit with 0 for a mistyped command.
		Args: command.NoSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	s.Register(root, os.Getenv)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { _ = printHelp(cmd) }) // a closed output cannot be repaired
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(&cobra.Group{ID: "release", Title: "Releases:"}, &cobra.Group{ID: "observe", Title: "Observe:"},
		&cobra.Group{ID: "project", Title: "Project:"}, &cobra.Group{ID: "app", Title: "Apps:"},
		&cobra.Group{ID: "try", Title: "Try it out:"})
	for id, commands := range map[string][]*cobra.Command{
		"release": {release.Publish(s), release.Releases(s), release.Builds(s), rollout.Rollouts(s), release.Promote(s), release.Rollback(s), release.Stop(s),
			release.Resume(s), release.Approvals(s)},
		"observe": {observe.Overview(s), observe.Attention(s), observe.Adoption(s), observe.Activity(s), observe.Errors(s), observe.Devices(s),
			observe.Incidents(s), rollout.Health(s), rollout.Events(s), release.Resolve(s), auditCommand(s), openCommand(s), mcp.Command(s)},
		"project": {release.Channels(s), manage.Branches(s), rollout.Policies(s), rollout.Flags(s), manage.Segments(s), manage.Contexts(s),
			manage.Overrides(s), manage.Webhooks(s), manage.Members(s), manage.SettingsOf(s), manage.Publishers(s), manage.Cleanup(s),
			manage.Projects(s), manage.WhoAmI(s), manage.Sessions(s), account.Keys(s), account.Token(s), apiCommand(s),
			account.Login(s), account.Logout(s), account.Profiles(s)},
		"app": {ci.CI(s), app.Init(s), app.Doctor(s), app.Codesign(s), importer.Import(s)},
		"try": {simulate.Simulate(s), simulate.Demo(s), simulate.DemoProject(s)},
	} {
		for _, cmd := range commands {
			cmd.GroupID = id
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(versionCommand(s))
	manage.Extend(root, s)
	complete.Register(root, s)
	return root
}

// flagError returns the error for a wrong flag. For an unknown flag it names similar ones, and the command that lists the flags.
func flagError(cmd *cobra.Command, err error) error {
	text, _, _ := strings.Cut(err.Error(), ": strconv.") // the error of package strconv repeats the value
	unknown, found := strings.CutPrefix(text, "unknown flag: --")
	if !found {
		return command.Usagef("%s", text)
	}
	var similar []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && strings.HasPrefix(f.Name, unknown[:min(len(unknown), 3)]) { // a typing error is rarely at the begin
			similar = append(similar, "--"+f.Name)
		}
	})
	if len(similar) > 0 {
		text += "; similar: " + strings.Join(similar, ", ")
	}
	return command.Usagef("%s; `%s --help` lists the flags", text, cmd.CommandPath())
}

// printHelp prints the help of a command, and breaks its lines where they do not fit the terminal.
func printHelp(cmd *cobra.Command) error {
	text := describe(cmd) + "\n\n" + cmd.UsageString()
	_, err := io.WriteString(cmd.OutOrStdout(), terminal.Reflow(text, terminal.WidthOf(cmd.OutOrStdout())))
	return err
}

// describe returns what a command does, in one sentence, and then the details.
func describe(cmd *cobra.Command) string {
	long := strings.TrimRight(cmd.Long, " \n")
	switch {
	case long == "":
		return cmd.Short
	case !cmd.HasParent() || strings.HasPrefix(long, cmd.Short):
		return long
	}
	return strings.TrimSuffix(cmd.Short, ".") + ".\n\n" + long
}

func versionCommand(s *command.Settings) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version of waft; `waft doctor` also prints the version of the server", Args: command.Args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.JSON {
				return command.PrintRecord(cmd.OutOrStdout(), map[string]string{"version": version.String()})
			}
			return command.PrintLines(cmd.OutOrStdout(), []string{"waft " + version.String()})
		},
	}
}
