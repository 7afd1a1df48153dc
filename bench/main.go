// Command bench measures Waft, as docs/contribute/benchmarks.md describes: without a name the
// management API, else the benchmark of that name. Server and bare handlers take turns, so
// that a busy machine slows both down; the ratios are what to compare.
//
// It takes DATABASE_URL, CLICKHOUSE_URL and TEMPORAL_ADDRESS from the environment,
// creates databases of its own there and drops them, and connects to loopback only.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"
)

func main() {
	var o options
	flag.IntVar(&o.clients, "clients", 0, "clients at the same time; 32 if 0, or 256 for ingest")
	flag.IntVar(&o.requests, "requests", 0, "requests of each kind in a round; 640 if 0, or 4,000 for delivery and 200,000 for ingest. "+
		"For errors the number of sent errors, 1,000,000 if 0. "+
		"For projects the number of projects, and for flags the number of streams, 10,000 if 0.")
	flag.IntVar(&o.rounds, "rounds", 0, "rounds; each measures every kind once; 3 when 0, or 20 for delivery")
	flag.DurationVar(&o.limit, "limit", 20*time.Second, "most time for one kind in a round")
	flag.IntVar(&o.waiting, "waiting", 0, "waiting rollouts in the background, for rollback")
	flag.IntVar(&o.sourceMap, "sourcemap", 8, "MiB of the source map of each release, for rollback; 0 for none")
	millions := flag.String("millions", "1", "millions of events for backup, telemetry, overview and groups, such as 1,10,100")
	flag.BoolVar(&o.short, "short", false, "the short form: checks in seconds that the benchmark works; its numbers have no meaning")
	what, args := benchmarks[""], os.Args[1:]
	if len(args) > 0 {
		if named, ok := benchmarks[args[0]]; ok {
			what, args = named, args[1:]
		} else if serve := servers[args[0]]; serve != nil {
			what, args = benchmark{run: serve}, args[1:]
		}
	}
	_ = flag.CommandLine.Parse(args) // it exits on an error
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "bench: there is no benchmark", flag.Arg(0))
		os.Exit(2)
	}
	o.requests, o.rounds = cmp.Or(o.requests, what.requests, 640), cmp.Or(o.rounds, what.rounds, 3)
	o.clients = cmp.Or(o.clients, what.clients, 32)
	if o.short {
		o.rounds, o.clients = 1, max(o.size(o.clients), 2)
		o.requests = max(o.size(o.requests), o.clients)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	s := &session{options: o}
	err := s.check(*millions)
	if err == nil {
		err = errors.Join(what.run(ctx, s), s.close())
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// benchmark is one benchmark with the defaults of its options.
type benchmark struct {
	run                       func(ctx context.Context, s *session) error
	clients, requests, rounds int
}

// benchmarks by their name on the command line. TestShortForms runs the short form of each.
var benchmarks = map[string]benchmark{
	"":              {run: runManagement},
	"allocations":   {run: runAllocations},
	"backup":        {run: runBackup},
	"badreports":    {run: runBadReports, clients: 4, requests: 20},
	"commands":      {run: runCommands, rounds: 5},
	"contention":    {run: runContention, clients: 1, requests: 50, rounds: 6},
	"errors":        {run: runErrors, requests: 1_000_000},
	"delivery":      {run: runDelivery, requests: 4000, rounds: 20},
	"flags":         {run: runFlags, requests: 10_000, rounds: 10},
	"ingest":        {run: runIngest, clients: 256, requests: 200_000},
	"neighbours":    {run: runNeighbours, clients: 2, requests: 1000, rounds: 4},
	"overview":      {run: runOverview, rounds: 60},
	"logins":        {run: runLogins, clients: 128},
	"groups":        {run: runGroups, rounds: 60},
	"ingestcost":    {run: runIngestCost, clients: 256, requests: 100_000, rounds: 6},
	"pages":         {run: runPages, rounds: 7},
	"patches":       {run: runPatches},
	"projects":      {run: runProjects, requests: 10_000},
	"propagation":   {run: runPropagation},
	"publish":       {run: runPublish, rounds: 10},
	"rollback":      {run: runRollback, requests: 1000, rounds: 20},
	"idle":          {run: runIdle, requests: 1000, rounds: 5},
	"statistics":    {run: runStatistics},
	"storage":       {run: runStorage},
	"telemetry":     {run: runTelemetry},
	"uploads":       {run: runUploads, rounds: 50},
	"projectstream": {run: runProjectStream, clients: 1000, requests: 1000, rounds: 50},
}

// servers are the commands that benchmarks start by startChild.
var servers = map[string]func(ctx context.Context, s *session) error{
	"serve-answer": serveAnswer,
	"serve-api":    serveAPI,
	"serve-flags":  serveBareFlags,
	"serve-hashes": serveHashes,
	"send-load":    sendLoad,
}

type options struct {
	clients, requests, rounds int
	// short selects the short form, which shows that a benchmark works.
	short bool
	limit time.Duration
	// waiting is how many other rollouts wait in their first stage.
	waiting int
	// sourceMap is the size of each release's source map in MiB.
	sourceMap int
	// millions of events that telemetry is measured with, in turn.
	millions []int64
}

// size returns how many of something a benchmark makes: n, or in the short form a hundredth of n.
func (o *options) size(n int) int {
	if o.short {
		return max(n/100, 1)
	}
	return n
}

// million returns how many events there are in a million: fewer in the short form.
func (o *options) million() int64 { return int64(o.size(1_000_000)) }

// lasting returns the duration of a part of a benchmark: d, or in the short form a fiftieth of d.
func (o *options) lasting(d time.Duration) time.Duration {
	if o.short {
		return d / 50
	}
	return d
}

// tooSlow returns the error of a benchmark that misses its goal. In the short form that is not an error.
func (o *options) tooSlow(format string, args ...any) error {
	if o.short {
		return nil
	}
	return fmt.Errorf(format, args...)
}

func (o *options) check(millions string) error {
	if o.clients < 1 || o.requests < o.clients || o.rounds < 1 {
		return errors.New("-clients and -rounds must be at least 1, -requests at least -clients")
	}
	for part := range strings.SplitSeq(millions, ",") {
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil || n < 1 {
			return fmt.Errorf("-millions: %q is not a number above 0", part)
		}
		o.millions = append(o.millions, n)
	}
	return nil
}
