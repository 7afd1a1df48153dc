package clitest

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// runAsWaft makes the test binary behave like waft.
const runAsWaft = "TEST_RUNS_AS_WAFT"

// RunAsWaft runs waft and ends the process, if OnScreen started it. Call it at the begin of TestMain.
func RunAsWaft(newCommand func() *cobra.Command, run func(context.Context, *cobra.Command, []string, io.Writer) int) {
	if os.Getenv(runAsWaft) == "" {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, newCommand(), os.Args[1:], os.Stderr)
	stop()
	os.Exit(code)
}
