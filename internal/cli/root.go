// Package cli is the command waft, the tool of release engineers. Its commands call the server only through package
// client and write to a terminal through package terminal.
package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/version"
	"github.com/waft-ota/waft/internal/cli/account"
	"github.com/waft-ota/waft/internal/cli/command"
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
		Long: "waft calls a Waft server. It takes the address, the project and the key from flags, or from\n" +
			"WAFT_URL, WAFT_PROJECT and WAFT_API_KEY. A CI job that the project trusts works without a key:\n" +
			"see `waft token --help`. For a server that `make run` started:\n\n" +
			"  . .waft/demo.env; export WAFT_URL WAFT_PROJECT WAFT_API_KEY\n\n" +
			"Exit codes:\n\n" +
			"  0    success\n" +
			"  1    error\n" +
			"  3    `rollouts watch`: the rollout was cancelled or rolled back\n" +
			"  4    the call waits for approval (see `waft approvals`)\n" +
			"  130  interrupted",
		Version:       version.String(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	s.Register(root, os.Getenv)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		text, _, _ := strings.Cut(err.Error(), ": strconv.") // the error of package strconv repeats the value
		return errors.New(text)
	})
	root.AddGroup(&cobra.Group{ID: "release", Title: "Releases:"}, &cobra.Group{ID: "observe", Title: "Observe:"},
		&cobra.Group{ID: "project", Title: "Project:"}, &cobra.Group{ID: "try", Title: "Try it out:"})
	for id, commands := range map[string][]*cobra.Command{
		"release": {release.Publish(s), release.Releases(s), release.Builds(s), rollout.Rollouts(s), release.Promote(s), release.Rollback(s), release.Stop(s),
			release.Resume(s), release.Approvals(s)},
		"observe": {rollout.Health(s), rollout.Events(s), release.Resolve(s), auditCommand(s), openCommand(s)},
		"project": {release.Channels(s), rollout.Policies(s), rollout.Flags(s), account.Keys(s), account.Token(s), apiCommand(s),
			account.Login(s), account.Logout(s)},
		"try": {simulate.Simulate(s), simulate.Demo(s), simulate.DemoProject(s)},
	} {
		for _, cmd := range commands {
			cmd.GroupID = id
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(versionCommand(s))
	return root
}

// Exit codes of waft other than 0 (success) and 1 (any other error).
const (
	exitNotCompleted = 3   // `rollouts watch`: the rollout was cancelled or rolled back
	exitPending      = 4   // the call waits for approval
	exitInterrupted  = 130 // 128 + SIGINT, as in shells
)

// ExitCode returns the exit code of the process for the error that a command returned.
func ExitCode(err error) int {
	var ended *rollout.EndedError
	var pending *client.PendingError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &ended):
		return exitNotCompleted
	case errors.As(err, &pending):
		return exitPending
	}
	return 1
}

// Message returns what to print for the error that a command returned, or "". It removes control characters, so that
// a server's response can only be displayed.
func Message(err error) string {
	lines := strings.Split(message(err), "\n")
	for i, line := range lines {
		lines[i] = terminal.Plain(line)
	}
	return strings.Join(lines, "\n")
}

func message(err error) string {
	var unreached *url.Error
	var pending *client.PendingError
	var linked *command.LinkedError
	switch {
	case errors.As(err, &linked):
		return message(linked.Err) + "\n" + linked.Link
	case err == nil, errors.Is(err, context.Canceled):
		return ""
	case errors.As(err, &pending):
		return pendingMessage(err)
	case errors.As(err, &unreached):
		return fmt.Sprintf("%v; check that the server is running and that --url (WAFT_URL) is correct", err)
	}
	return err.Error()
}

func versionCommand(s *command.Settings) *cobra.Command {
	return s.JSONFlag(&cobra.Command{
		Use: "version", Short: "Print the version of waft (GET /healthz returns the server's)", Args: command.Args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.JSON {
				return command.PrintRecord(cmd.OutOrStdout(), map[string]string{"version": version.String()})
			}
			return command.PrintLines(cmd.OutOrStdout(), []string{"waft " + version.String()})
		},
	})
}

// pendingMessage describes the approvals that a call waits for, and the next step for each.
func pendingMessage(err error) string {
	var p *client.PendingError
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		var lines []string
		for _, one := range several.Unwrap() {
			lines = append(lines, message(one))
		}
		return strings.Join(lines, "\n")
	}
	errors.As(err, &p)
	return fmt.Sprintf("nothing has changed yet: %s\n"+
		"See it with `waft approvals show %d`. Someone else must approve it with `waft approvals approve %d`.",
		p.Error(), p.Approval.ID, p.Approval.ID)
}
