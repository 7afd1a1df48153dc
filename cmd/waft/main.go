// Command waft is the release engineers' tool: it publishes exports, watches and
// steers rollouts, and simulates fleets of devices.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/waft-ota/waft/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := cli.NewCommand().ExecuteContext(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "waft: %v\n", err)
		os.Exit(1)
	}
}
