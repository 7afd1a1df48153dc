// Command firststart downloads and compiles Waft and its engines for the first time, and
// shows the progress. The results are in bin/ and in the caches of Go and npm, where make
// finds them. It runs in the folder devstack:
//
//	go -C devstack run ./cmd/firststart [-engine-flags FLAGS] [-server-flags FLAGS]
//
// Postgres, ClickHouse and the modules of the server download while the engines compile.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
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
		err = errors.New("interrupted; the next start continues from here")
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

type progress struct {
	*start

	began    time.Time
	estimate time.Duration
}

// show prints the progress until done has a result, which it returns: on a terminal in
// one line that changes, elsewhere as a line every twenty seconds.
func (p *progress) show(done <-chan error) error {
	before, after, every := "", "\n", 20*time.Second
	if info, err := os.Stdout.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		before, after, every = "\r\033[K", "", time.Second
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			fmt.Print(before)
			return err
		case now := <-tick.C:
			fmt.Print(before + p.line(now.Sub(p.began)) + after)
		}
	}
}

func (p *progress) line(elapsed time.Duration) string {
	doing := append(p.engines.doing(), p.server.doing()...)
	if p.binaries.running.Load() {
		doing = append(doing, "downloading Postgres and ClickHouse")
	}
	return fmt.Sprintf("%s  %s; about %s left", clock(elapsed), strings.Join(doing, ", "), roughly(p.left(elapsed)))
}

// doing returns the current step of the build, if it runs.
func (b *build) doing() []string {
	switch begun, packages := b.begun.Load(), b.packages.Load(); {
	case !b.running.Load():
		return nil
	case packages == 0:
		return []string{fmt.Sprintf("downloading modules of %s (%d so far)", b.title, b.modules.Load())}
	case begun == packages:
		return []string{"linking " + b.title}
	default:
		return []string{fmt.Sprintf("compiling %s (%d of %d packages)", b.title, begun, packages)}
	}
}

func (p *progress) left(elapsed time.Duration) time.Duration {
	if p.engines.packages.Load() == 0 || p.server.packages.Load() == 0 {
		return max(p.estimate-elapsed, 0) // modules are still downloaded
	}
	total := p.engines.total + p.server.total
	done := float64(p.engines.bytes.Load()+p.server.bytes.Load()) / float64(total)
	return remaining(p.estimate, elapsed, done)
}
