// Command firststart downloads and compiles what Waft and its engines need, when
// nothing of it is here yet, and shows how far it is. It leaves the programs in
// bin/ and everything else in the caches of Go and npm, so that make finds its
// work done. It runs in the folder devstack:
//
//	go -C devstack run ./cmd/firststart [-engine-flags FLAGS] [-server-flags FLAGS]
//
// Postgres and ClickHouse download while the compiler works, and so do the modules
// of the server while the engines compile.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

func main() {
	engineFlags := flag.String("engine-flags", "", "flags for building devstack, separated by spaces")
	serverFlags := flag.String("server-flags", "", "flags for building waftd and waft, separated by spaces")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, *engineFlags, *serverFlags)
	stop()
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted; the next start goes on from here")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "first start: "+err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, engineFlags, serverFlags string) error {
	began := time.Now()
	s := &start{
		engines: newBuild("the engines", ".", engineFlags, "./cmd/devstack"),
		server:  newBuild("Waft", "..", serverFlags, "./cmd/..."),
	}
	estimate := estimate(s.source(ctx), speed())
	fmt.Printf("The first start downloads and compiles Waft and its engines. On the %d cores of this machine it takes about %s.\n",
		runtime.NumCPU(), roughly(estimate))

	done := make(chan error, 1)
	go func() { done <- s.run(ctx) }()
	progress := progress{start: s, began: began, estimate: estimate}
	if err := progress.show(done); err != nil {
		return err
	}
	fmt.Printf("Everything is built after %s.\n", clock(time.Since(began)))
	return nil
}
