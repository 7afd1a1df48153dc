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
	root := newRoot(s)
	for group, commands := range makers() {
		for _, maker := range commands {
			add(root, group, maker(s))
		}
	}
	manage.Extend(root, s)
	complete.Register(root, s)
	return root
}

// CommandFor returns the command that runs the arguments of a process. If they begin with the name of a subcommand, it makes only that
// one, because making all of them takes as long as some calls of the server.
func CommandFor(args []string) *cobra.Command {
	for group, commands := range makers() {
		if len(args) == 0 || commands[args[0]] == nil {
			continue
		}
		s := &command.Settings{}
		root := newRoot(s)
		add(root, group, commands[args[0]](s))
		manage.Extend(root, s)
		return root
	}
	return NewCommand()
}

func add(root *cobra.Command, group string, cmd *cobra.Command) {
	cmd.GroupID = group
	root.AddCommand(cmd)
}

// newRoot returns the command without subcommands.
func newRoot(s *command.Settings) *cobra.Command {
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
		if !f.Hidden && strings.HasPrefix(f.Name, unknown[:min(len(unknown), 3)]) { // a typing error is rarely at the beginning
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

// makers returns the functions that make the subcommands, by the group of the help and by the name of the command.
func makers() map[string]map[string]func(*command.Settings) *cobra.Command {
	return map[string]map[string]func(*command.Settings) *cobra.Command{
		"release": {
			"publish": release.Publish, "releases": release.Releases, "builds": release.Builds, "rollouts": rollout.Rollouts,
			"promote": release.Promote, "rollback": release.Rollback, "stop": release.Stop, "resume": release.Resume, "approvals": release.Approvals,
		},
		"observe": {
			"overview": observe.Overview, "attention": observe.Attention, "adoption": observe.Adoption, "activity": observe.Activity,
			"errors": observe.Errors, "devices": observe.Devices, "incidents": observe.Incidents, "health": rollout.Health, "events": rollout.Events,
			"resolve": release.Resolve, "audit": auditCommand, "open": openCommand, "mcp": mcp.Command,
		},
		"project": {
			"channels": release.Channels, "branches": manage.Branches, "policies": rollout.Policies, "flags": rollout.Flags,
			"segments": manage.Segments, "contexts": manage.Contexts, "overrides": manage.Overrides, "webhooks": manage.Webhooks,
			"members": manage.Members, "settings": manage.SettingsOf, "publishers": manage.Publishers, "gc": manage.Cleanup,
			"projects": manage.Projects, "whoami": manage.WhoAmI, "sessions": manage.Sessions, "keys": account.Keys, "token": account.Token,
			"api": apiCommand, "login": account.Login, "logout": account.Logout, "profiles": account.Profiles,
		},
		"app": {"ci": ci.CI, "init": app.Init, "doctor": app.Doctor, "codesign": app.Codesign, "import": importer.Import},
		"try": {"simulate": simulate.Simulate, "demo": simulate.Demo, "demo-project": simulate.DemoProject},
		"":    {"version": versionCommand},
	}
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
