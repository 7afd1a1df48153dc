package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// progress tells people how far the first start is.
type progress struct {
	*start

	began    time.Time
	estimate time.Duration
}

// show prints the state until done has a result, which it returns: on a terminal in
// one line that changes, elsewhere in a line every twenty seconds.
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

// line is the state after the given time.
func (p *progress) line(elapsed time.Duration) string {
	doing := append(p.engines.doing(), p.server.doing()...)
	if p.binaries.running.Load() {
		doing = append(doing, "downloading Postgres and ClickHouse")
	}
	return fmt.Sprintf("%s  %s; about %s left", clock(elapsed), strings.Join(doing, ", "), roughly(p.left(elapsed)))
}

// doing says what the build does now, if anything.
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

// left is how long it still takes.
func (p *progress) left(elapsed time.Duration) time.Duration {
	if p.engines.packages.Load() == 0 || p.server.packages.Load() == 0 {
		return max(p.estimate-elapsed, 0) // the modules are not all here
	}
	total := p.engines.total + p.server.total
	done := float64(p.engines.bytes.Load()+p.server.bytes.Load()) / float64(total)
	return remaining(p.estimate, elapsed, done)
}
