// Command waft is the release engineers' tool: it publishes exports, watches and controls
// rollouts, and simulates devices.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/waft-ota/waft/internal/cli"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := cli.NewCommand().ExecuteContext(ctx)
	if text := cli.Message(err); text != "" {
		fmt.Fprintf(os.Stderr, "waft: %s\n", text)
	}
	return cli.ExitCode(err)
}
