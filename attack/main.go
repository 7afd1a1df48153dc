// Command attack attacks a running server as strangers, tenants and members could. For each attack it prints whether
// the server held, and the limit that must hold. It exits with 1 if the server did not hold. It creates its own
// projects and deletes them. It attacks only servers on this machine, and listens only there. `make attack` runs it
// against the server of `make up`.
//
// WAFT_URL and WAFT_ROOT_KEY name the server, and WAFT_CLI the waft program. DATABASE_URL, CLICKHOUSE_URL,
// TEMPORAL_ADDRESS and WAFT_TEMPORAL_UI_URL name the development engines. Attacks that need people, or clients in many
// networks, run against a second server. The suite starts it on these engines with WAFT_SERVER, the waftd program. If a
// variable is not set, the attacks that need it are skipped.
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

// The time limits: limit of the whole suite, limitEach of one attack, and limitOwn of each attack that runs at the same
// time as others.
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

// runAll prints a line for each attack and reports whether every attack held or was skipped.
func runAll(ctx context.Context) (held bool, err error) {
	t, err := newTarget(os.Getenv)
	if err != nil {
		return false, err
	}
	if a, err := t.send(ctx, request{path: "/healthz"}); err != nil || a.status != 200 {
		return false, fmt.Errorf("there is no Waft server at %s: status %d: %w", t.url, a.status, err)
	}
	defer func() { err = errors.Join(err, t.deleteProjects(context.WithoutCancel(ctx))) }()
	outcomes, endOwn := playOwn(ctx, t)
	defer func() { err = errors.Join(err, endOwn()) }()
	held = true
	tell := func(line string, o outcome) error {
		if ctx.Err() != nil { // an interrupted attack has no result
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

// playOwn starts the suite's own server and runs ownAttacks on it in the background. They run at the same time, because
// each has its own projects and mostly waits. end stops the server.
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
