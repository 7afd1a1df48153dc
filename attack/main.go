// Command attack does to a running server what strangers would, and prints for each attack whether the server held.
// It exits with 1 when one did not. It makes projects of its own and deletes them; it attacks only a server on this
// machine, and listens nowhere. `make attack` runs it against the server of `make up`.
//
// WAFT_URL and WAFT_ROOT_KEY name the server. CLICKHOUSE_URL, TEMPORAL_ADDRESS and TEMPORAL_UI_URL are the development
// engines, and WAFT_CLI the waft program; attacks on what is not named are skipped.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"time"
)

// limit bounds the whole suite, limitEach one attack.
const (
	limit     = 3 * time.Minute
	limitEach = 40 * time.Second
)

// attack is one way to do harm. run says in a phrase what held; its error is a broken, a skipped, or says why it is
// not known whether the server holds.
type attack struct {
	name string
	run  func(ctx context.Context, t *target) (string, error)
}

// attacks are ordered so that none is hindered by an earlier one: floods come last.
var attacks = []attack{
	{"oversized headers", oversizedHeaders},
	{"metrics on the public address", publicMetrics},
	{"pages that rebind ClickHouse's name", rebindClickHouse},
	{"pages that rebind Temporal's name", rebindTemporal},
	{"webhooks into the private network", privateWebhooks},
	{"assets without their project", assetsWithoutProject},
	{"colliding assets of two tenants", collidingAssets},
	{"a forged fleet that crashes", forgedCrashes},
	{"a forged fleet that is healthy", forgedHealth},
	{"an error name hidden by invented ones", hiddenErrorName},
	{"terminal escapes in reported names", terminalEscapes},
	{"contexts renamed and evicted", evictedContexts},
	{"patterns that cost every process", costlyPatterns},
	{"wrong passwords that lock a person out", lockOut},
	{"many connections", manyConnections},
	{"logins without a body", silentBodies},
	{"a flood of wrong keys", wrongKeys},
}

// broken says what the attacker got.
type broken string

func (b broken) Error() string { return string(b) }

// skipped says why the attack has no target.
type skipped string

func (s skipped) Error() string { return string(s) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
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
	held = true
	for _, a := range attacks {
		verdict, detail := a.play(ctx, t)
		fmt.Printf("%-8s %s: %s\n", verdict, a.name, printable(detail))
		held = held && verdict != verdictBroken && verdict != verdictUnclear
	}
	return held, nil
}

// Verdicts, as they are printed.
const (
	verdictHeld    = "held"
	verdictBroken  = "BROKEN"
	verdictSkipped = "skipped"
	verdictUnclear = "unclear"
)

func (a attack) play(ctx context.Context, t *target) (verdict, detail string) {
	ctx, cancel := context.WithTimeout(ctx, limitEach)
	defer cancel()
	detail, err := a.run(ctx, t)
	var b broken
	var s skipped
	switch {
	case err == nil:
		return verdictHeld, detail
	case errors.As(err, &b):
		return verdictBroken, err.Error()
	case errors.As(err, &s):
		return verdictSkipped, err.Error()
	default:
		return verdictUnclear, err.Error()
	}
}
