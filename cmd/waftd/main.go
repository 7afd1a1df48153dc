// Command waftd is Waft's server: the API, the worker that executes rollouts, or
// both in one process.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // policies have time zones, and a container may have no database of them

	_ "golang.org/x/crypto/x509roots/fallback" // certificate authorities for a container that has none
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newCommand().ExecuteContext(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "waftd: %v\n", err)
		os.Exit(1)
	}
}
