package cli

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/cli/command"
)

// Run runs the command with the arguments that are set in it, prints its error to errOut, and returns the exit code of
// the process.
func Run(ctx context.Context, root *cobra.Command, args []string, errOut io.Writer) int {
	root.SetArgs(args)
	ran, err := root.ExecuteContextC(ctx)
	if err == nil {
		return done.exitCode
	}
	switch text := Message(err); {
	case wantsJSON(ran, args):
		_ = command.PrintRecord(errOut, map[string]errorRecord{"error": errorRecordOf(err)}) // a closed output cannot be repaired
	case text != "":
		fmt.Fprintf(errOut, "waft: %s\n", text)
	}
	return ExitCode(err)
}

// wantsJSON reports whether the command line has --json. If a wrong flag stopped the parsing, the arguments tell.
func wantsJSON(ran *cobra.Command, args []string) bool {
	if f := ran.Flag("json"); f != nil && f.Changed {
		return f.Value.String() == "true"
	}
	return slices.Contains(args, "--json")
}
