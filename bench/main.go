// Command bench measures Waft, as docs/benchmarks.md describes: without a name the
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
	flag.IntVar(&o.clients, "clients", 0, "clients at once; 32 when 0, or 256 for ingest")
	flag.IntVar(&o.requests, "requests", 0, "requests of each kind in a round; 640 when 0, or 4,000 for delivery and 200,000 for ingest; "+
		"for errors how many are sent, 1,000,000 when 0; "+
		"for projects the number of projects, 10,000 when 0, for flags also that of streams, 10,000 when 0")
	flag.IntVar(&o.rounds, "rounds", 0, "rounds; each measures every kind once; 3 when 0, or 20 for delivery")
	flag.DurationVar(&o.limit, "limit", 20*time.Second, "most time for one kind in a round")
	flag.IntVar(&o.waiting, "waiting", 0, "rollouts that wait meanwhile, for rollback")
	millions := flag.String("millions", "1", "millions of events for telemetry, overview and groups, such as 1,10,100")
	what, args := commands[""], os.Args[1:]
	if len(args) > 0 && commands[args[0]].run != nil {
		what, args = commands[args[0]], args[1:]
	}
	_ = flag.CommandLine.Parse(args) // it exits by itself
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "bench: there is no benchmark", flag.Arg(0))
		os.Exit(2)
	}
	o.requests, o.rounds = cmp.Or(o.requests, what.requests, 640), cmp.Or(o.rounds, what.rounds, 3)
	o.clients = cmp.Or(o.clients, what.clients, 32)
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

// commands by their name on the command line, with the defaults of their options.
var commands = map[string]struct {
	run                       func(ctx context.Context, s *session) error
	clients, requests, rounds int
}{
	"":              {run: runManagement},
	"errors":        {run: runErrors, requests: 1_000_000},
	"delivery":      {run: runDelivery, requests: 4000, rounds: 20},
	"flags":         {run: runFlags, requests: 10_000, rounds: 10},
	"serve-answer":  {run: serveAnswer},
	"serve-api":     {run: serveAPI},
	"serve-flags":   {run: serveBareFlags},
	"serve-hashes":  {run: serveHashes},
	"ingest":        {run: runIngest, clients: 256, requests: 200_000},
	"overview":      {run: runOverview, rounds: 200},
	"logins":        {run: runLogins, clients: 128},
	"groups":        {run: runGroups, rounds: 60},
	"ingestcost":    {run: runIngestCost, clients: 256, requests: 100_000, rounds: 6},
	"pages":         {run: runPages, rounds: 7},
	"patches":       {run: runPatches},
	"projects":      {run: runProjects, requests: 10_000},
	"propagation":   {run: runPropagation},
	"rollback":      {run: runRollback, requests: 1000, rounds: 20},
	"idle":          {run: runIdle, requests: 1000, rounds: 5},
	"statistics":    {run: runStatistics},
	"storage":       {run: runStorage},
	"telemetry":     {run: runTelemetry},
	"uploads":       {run: runUploads, rounds: 50},
	"projectstream": {run: runProjectStream, clients: 1000, requests: 1000, rounds: 50},
}

type options struct {
	clients, requests, rounds int
	limit                     time.Duration
	// waiting is how many other rollouts wait in their first stage.
	waiting int
	// millions of events that telemetry is measured with, in turn.
	millions []int64
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
