package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// attack is one way to do harm to a server, T. run says in a phrase what held; its error is a broken, a skipped, or says why it is not
// known whether the server holds.
type attack[T any] struct {
	name string
	// bound names what must hold: a limit with its number and, where there is one, its setting.
	bound string
	run   func(ctx context.Context, t T) (string, error)
}

// attacks are ordered so that none is hindered by an earlier one: floods come last.
var attacks = []attack[*target]{
	{"oversized headers", "64 KiB for the headers of a request", oversizedHeaders},
	{"metrics on the public address", "they are on WAFT_ADMIN_ADDR, loopback by default", publicMetrics},
	{
		"pages that rebind ClickHouse's name",
		"a password; Host is loopback, Origin and Sec-Fetch-Site are not foreign; GET only reads", rebindClickHouse,
	},
	{"pages that rebind Temporal's name", "Host is loopback, Origin and Sec-Fetch-Site are not foreign", rebindTemporal},
	{"webhooks into the private network", "WAFT_WEBHOOK_ALLOWED_NETWORKS, and never the engines", privateWebhooks},
	{"assets without their project", "an asset is named by its project and its MD5", assetsWithoutProject},
	{"colliding assets of two tenants", "an asset is named by its project and its MD5", collidingAssets},
	{
		"a forged fleet that crashes",
		"1 vote for each network (IPv4 /24, IPv6 /48), and 3 networks at least (thresholds.minNetworks)", forgedCrashes,
	},
	{"a forged fleet that is healthy", "1 vote for each network (IPv4 /24, IPv6 /48)", forgedHealth},
	{
		"an error name hidden by invented ones",
		"2,000 error names for a project and day, 200 for a network in an hour, half of each for devices that were served", hiddenErrorName,
	},
	{"terminal escapes in reported names", "waft prints no control or bidi character", terminalEscapes},
	{"contexts renamed and evicted", "contexts made by hand stay, others go above WAFT_QUOTA_CONTEXTS, 100,000", evictedContexts},
	{
		"patterns that cost every process",
		"2,000 instructions for a pattern, 20,000 for a project, 500,000 steps for an evaluation", costlyPatterns,
	},
	{
		"wrong passwords that lock a person out",
		"5 free failures of an account in a network, 20 in all networks; the first attempt of a network is always free", lockOut,
	},
	{"many connections", "10 s for the headers of a request", manyConnections},
	{"logins without a body", "30 s for the body of a request", silentBodies},
	{"a flood of wrong keys", "WAFT_RATE_UNKNOWN_KEYS, 10 a second after a burst of 100", wrongKeys},
}

// ownAttacks are played at the same time.
var ownAttacks = []attack[*own]{
	{
		"a protected channel pointed to a branch that then gets a bad release",
		"an approval covers the list of releases that devices receive, and is stale when that list differs", repointedChannel,
	},
	{"a rule whose segment is widened before the approval", "an approval covers the conditions of segments", widenedSegment},
	{
		"a release taken away to uncover a bad one",
		"a release that the channel never offered, or to a larger share than ever, takes requiredApprovals, 1", uncoveredRelease,
	},
	{
		"the approved end of an emergency stop",
		"a panic, 5 failures, or 10 minutes of failures end an approval as failed", endedEmergencyStop,
	},
	{
		"an identity linked with another person's account",
		"a POST of the same origin, a login of the last 15 minutes, and the same session at the end", linkedIdentity,
	},
	{"an account with another person's address", "1 project for an account whose address is not proved", squattedAddress},
	{
		"what a removed member left behind",
		"0 open invitations; one call lists the person's keys, one revokes them", removedMember,
	},
	{"an open tab that keeps a session", "12 h without a request that a person caused", openTab},
	{
		"forgotten passwords that tell who has an account",
		"6 requests of a network for an address in 15 minutes, 3 mails to an address in an hour", forgottenPassword,
	},
	{
		"ten /48s of one /44 that crash",
		"a breach without any one allocation (IPv4 /16, IPv6 /32); thresholds.allocationVotes, 20", rentedNetworks,
	},
	{"a whole /32 that decides alone", "thresholds.allocationVotes, 20, and 2 allocations at least", rentedAllocation},
	{"tunnels that multiply a network", "6to4 and Teredo addresses are in the /24 of their IPv4 address, 1 vote", tunnelledNetwork},
}

// broken says what the attacker got.
type broken string

func (b broken) Error() string { return string(b) }

// skipped says why the attack has no target.
type skipped string

func (s skipped) Error() string { return string(s) }

// Verdicts, as they are printed.
const (
	verdictHeld    = "held"
	verdictBroken  = "BROKEN"
	verdictSkipped = "skipped"
	verdictUnclear = "unclear"
)

// outcome is how an attack ended.
type outcome struct{ verdict, detail string }

// fine reports whether nothing speaks against the server.
func (o outcome) fine() bool { return o.verdict == verdictHeld || o.verdict == verdictSkipped }

// outcomeOf returns the outcome of what an attack returned.
func outcomeOf(detail string, err error) outcome {
	var b broken
	var s skipped
	switch {
	case err == nil:
		return outcome{verdictHeld, detail}
	case errors.As(err, &b):
		return outcome{verdictBroken, err.Error()}
	case errors.As(err, &s):
		return outcome{verdictSkipped, err.Error()}
	default:
		return outcome{verdictUnclear, err.Error()}
	}
}

func (a attack[T]) play(ctx context.Context, against T, limit time.Duration) outcome {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return outcomeOf(a.run(ctx, against))
}

// line returns the line that the suite prints for the outcome.
func (a attack[T]) line(o outcome) string {
	return fmt.Sprintf("%-8s %s: %s [bound: %s]", o.verdict, a.name, printable(o.detail), a.bound)
}
