// Command waft is the release engineers' tool: it publishes exports, watches and controls
// rollouts, and simulates devices.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/waft-ota/waft/internal/base/roots"
	"github.com/waft-ota/waft/internal/cli"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := roots.Supply(); err != nil {
		fmt.Fprintln(os.Stderr, "waft:", err)
		return 1
	}
	return cli.Run(ctx, cli.CommandFor(os.Args[1:]), os.Args[1:], os.Stderr)
}
