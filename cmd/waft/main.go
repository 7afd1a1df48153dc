// Command waft is the release engineers' tool: it publishes exports, watches and controls
// rollouts, and simulates devices.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	_ "golang.org/x/crypto/x509roots/fallback" // certificate authorities for a container that has none

	"github.com/waft-ota/waft/internal/cli"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return cli.Run(ctx, cli.CommandFor(os.Args[1:]), os.Args[1:], os.Stderr)
}
