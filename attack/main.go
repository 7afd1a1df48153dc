// Command attack does to a running server what strangers, tenants and members would, and prints for each attack whether the server held,
// and which bound. It exits with 1 when one did not. It makes projects of its own and deletes them; it attacks only servers on this
// machine, and listens only there. `make attack` runs it against the server of `make up`.
//
// WAFT_URL and WAFT_ROOT_KEY name the server, and WAFT_CLI the waft program. DATABASE_URL, CLICKHOUSE_URL, TEMPORAL_ADDRESS and
// TEMPORAL_UI_URL are the development engines. On them the suite starts a second server with WAFT_SERVER, the waftd program, for attacks
// that need people or clients in many networks. Attacks on what is not named are skipped.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// limit bounds the whole suite, limitEach one attack, and limitOwn each of the attacks that run at the same time.
const (
	limit     = 3 * time.Minute
	limitEach = 40 * time.Second
	limitOwn  = 90 * time.Second
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(ctx, limit)
	held, err := runAll(ctx)
	cancel()
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
	}
	if err != nil || !held {
		os.Exit(1)
	}
}

// runAll prints a line for each attack and reports whether none is broken or unclear.
func runAll(ctx context.Context) (held bool, err error) {
	t, err := newTarget(os.Getenv)
	if err != nil {
		return false, err
	}
	if a, err := t.send(ctx, request{path: "/healthz"}); err != nil || a.status != 200 {
		return false, fmt.Errorf("no Waft server answers at %s: status %d: %w", t.url, a.status, err)
	}
	defer func() { err = errors.Join(err, t.deleteProjects(context.WithoutCancel(ctx))) }()
	outcomes, endOwn := playOwn(ctx, t)
	defer func() { err = errors.Join(err, endOwn()) }()
	held = true
	tell := func(line string, o outcome) error {
		if ctx.Err() != nil { // an interruption does not show whether the server holds
			return context.Cause(ctx)
		}
		fmt.Println(line)
		held = held && o.fine()
		return nil
	}
	for _, a := range attacks {
		o := a.play(ctx, t, limitEach)
		if err := tell(a.line(o), o); err != nil {
			return false, err
		}
	}
	for i, a := range ownAttacks {
		o := <-outcomes[i]
		if err := tell(a.line(o), o); err != nil {
			return false, err
		}
	}
	return held, nil
}

// playOwn starts a server of the suite's own and plays the attacks on it, in the background and at the same time: each has projects of its
// own and mostly waits. end ends the server.
func playOwn(ctx context.Context, t *target) (outcomes []chan outcome, end func() error) {
	for range ownAttacks {
		outcomes = append(outcomes, make(chan outcome, 1))
	}
	started := make(chan func() error, 1)
	go func() {
		o, err := t.startOwn(ctx)
		if err == nil {
			started <- o.end
		} else {
			started <- func() error { return nil }
		}
		for i, a := range ownAttacks {
			if err != nil {
				outcomes[i] <- outcomeOf("", err)
				continue
			}
			go func() { outcomes[i] <- a.play(ctx, o, limitOwn) }()
		}
	}()
	return outcomes, func() error { return (<-started)() }
}
