package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/site"
)

// Every command has a help text. Help texts and completion work without a server.
func TestEveryCommandHasHelp(t *testing.T) {
	t.Parallel()
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		require.NotEmpty(t, cmd.Short, cmd.CommandPath())
		if cmd.HasParent() {
			var out bytes.Buffer
			cmd.SetOut(&out)
			require.NoError(t, cmd.Help())
			require.True(t, strings.HasPrefix(out.String(), strings.TrimSuffix(cmd.Short, ".")), cmd.CommandPath()+" says first what it does")
		}
		require.NotNil(t, cmd.Flag("json"), cmd.CommandPath()+" has --json")
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(NewCommand())
	for _, shell := range []string{"bash", "zsh", "fish"} {
		var out bytes.Buffer
		cmd := NewCommand()
		cmd.SetOut(&out)
		cmd.SetArgs([]string{"completion", shell})
		require.NoError(t, cmd.ExecuteContext(t.Context()))
		require.NotEmpty(t, out.String())
	}
}

// TestReference compares docs/reference/cli.md with the commands.
func TestReference(t *testing.T) {
	t.Parallel()
	site.CompareGenerated(t, "../../docs/reference/cli.md", Reference(), *update)
}

// A process makes only the subcommand that its arguments name. It is the same command, with the same flags and help.
func TestACommandThatIsMadeAloneIsTheSame(t *testing.T) {
	t.Parallel()
	var same func(t *testing.T, want, got *cobra.Command)
	same = func(t *testing.T, want, got *cobra.Command) {
		t.Helper()
		require.Equal(t, want.Long+want.UsageString(), got.Long+got.UsageString())
		require.Len(t, got.Commands(), len(want.Commands()))
		for i, sub := range want.Commands() {
			same(t, sub, got.Commands()[i])
		}
	}
	for _, want := range NewCommand().Commands() {
		root := CommandFor([]string{want.Name(), "--help"})
		require.Len(t, root.Commands(), 1, want.Name())
		same(t, want, root.Commands()[0])
	}
	for _, args := range [][]string{nil, {"--help"}, {"help", "publish"}, {"--json", "overview"}, {"unknown"}, {"__complete", "pub"}} {
		require.Greater(t, len(CommandFor(args).Commands()), 1, args)
	}
}
