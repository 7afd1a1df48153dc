package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// attack is one way to harm a server, T. If the server holds, run returns a phrase that describes what held. Otherwise
// it returns a broken, a skipped, or an error that explains why the attack could not decide.
type attack[T any] struct {
	name string
	// bound names the limit that must hold, with its number and its setting if it has one.
	bound string
	run   func(ctx context.Context, t T) (string, error)
}

// attacks are ordered so that no attack is hindered by an earlier one: floods come last.
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
		"1 vote per network (IPv4 /24, IPv6 /48), and at least 3 networks (thresholds.minNetworks)", forgedCrashes,
	},
	{"a forged fleet that is healthy", "1 vote per network (IPv4 /24, IPv6 /48)", forgedHealth},
	{
		"an error name hidden by invented ones",
		"2,000 error names per project and day, 200 per network and hour, half of each reserved for devices that were served", hiddenErrorName,
	},
	{"terminal escapes in reported names", "waft prints no control or bidi character", terminalEscapes},
	{"contexts renamed and evicted", "pinned contexts stay; above WAFT_QUOTA_CONTEXTS, 100,000, others are evicted", evictedContexts},
	{
		"patterns that cost every process",
		"2,000 instructions per pattern, 20,000 per project, 500,000 steps per evaluation", costlyPatterns,
	},
	{
		"wrong passwords that lock a person out",
		"5 failures without a delay per account and network, 20 over all networks; the first attempt from a network is never delayed", lockOut,
	},
	{"many connections", "10 s for the headers of a request", manyConnections},
	{"logins without a body", "30 s for the body of a request", silentBodies},
	{"a flood of invalid keys", "WAFT_RATE_UNKNOWN_KEYS, 10 per second after a burst of 100", wrongKeys},
}

// ownAttacks run at the same time.
var ownAttacks = []attack[*own]{
	{
		"a protected channel that is pointed to a branch before the branch gets a bad release",
		"an approval covers the list of releases that devices receive, and is out of date when that list differs", repointedChannel,
	},
	{"a rule whose segment is widened before the approval", "an approval covers the conditions of the rule's segments", widenedSegment},
	{
		"a good release removed so that a bad one is served",
		"offering a release for the first time, or to more devices than before, takes requiredApprovals, 1", uncoveredRelease,
	},
	{
		"the approved end of an emergency stop",
		"a panic, 5 failures, or 10 minutes of failures end an approval as failed", endedEmergencyStop,
	},
	{
		"an identity linked to another person's account",
		"a POST of the same origin, a sign-in within the last 15 minutes, and the same session at the end", linkedIdentity,
	},
	{"an account with another person's address", "1 project per account whose address is not verified", squattedAddress},
	{
		"what a removed member left behind",
		"0 open invitations; one call lists the person's keys, one revokes them", removedMember,
	},
	{"an open tab that keeps a session alive", "12 h without a request that a person caused", openTab},
	{
		"password resets that reveal which addresses have an account",
		"6 requests per network and address in 15 minutes, 3 mails per address and hour", forgottenPassword,
	},
	{
		"ten /48s of one /44 that crash",
		"a breach must hold without any single allocation (IPv4 /16, IPv6 /32); thresholds.allocationVotes, 20", rentedNetworks,
	},
	{"a whole /32 that decides alone", "thresholds.allocationVotes, 20, and at least 2 allocations", rentedAllocation},
	{"tunnels that multiply a network", "6to4 and Teredo addresses are in the /24 of their IPv4 address, 1 vote", tunnelledNetwork},
}

// broken is an error that describes what the attacker achieved.
type broken string

func (b broken) Error() string { return string(b) }

// skipped is an error that explains why the attack has no target.
type skipped string

func (s skipped) Error() string { return string(s) }

// Verdicts, as the suite prints them.
const (
	verdictHeld    = "held"
	verdictBroken  = "BROKEN"
	verdictSkipped = "skipped"
	verdictUnclear = "unclear"
)

// outcome is the result of an attack.
type outcome struct{ verdict, detail string }

// fine reports whether the attack found no fault in the server.
func (o outcome) fine() bool { return o.verdict == verdictHeld || o.verdict == verdictSkipped }

// outcomeOf returns the outcome for what an attack returned.
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
