package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// wafts matches the calls of waft in a text of shell commands, up to the end of the command.
var wafts = regexp.MustCompile(`(?m)(?:^|[|(;&] *)waft ((?:\\\n|[^\n|;&)#])*)`)

// TestExamplesParse requires that the commands and flags in the examples of every command exist.
func TestExamplesParse(t *testing.T) {
	t.Parallel()
	checked := 0
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, call := range wafts.FindAllStringSubmatch(unindent(cmd.Example), -1) {
			words := strings.Fields(strings.ReplaceAll(call[1], "\\\n", " "))
			named, _, err := NewCommand().Find(words)
			require.NoError(t, err, call[0])
			require.True(t, named.Runnable(), "%s: %q is not a command", cmd.CommandPath(), call[0])
			for _, word := range words {
				if flag, isFlag := strings.CutPrefix(word, "--"); isFlag && flag != "" {
					name, _, _ := strings.Cut(flag, "=")
					require.NotNil(t, named.Flag(name), "%s: %q has no flag --%s", named.CommandPath(), call[0], name)
				}
			}
			checked++
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(NewCommand())
	require.Greater(t, checked, 50)
}
