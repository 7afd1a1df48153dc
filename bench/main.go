// Command bench measures the management API under many clients at once, beside
// the least that a Go service can do on the same Postgres: a bare Gin handler that
// inserts one row with GORM. As `bench delivery` it measures what devices are
// answered, beside a bare Gin handler that answers the same bytes; as `bench
// patches`, binary patches between bundles; as `bench ingest`, what devices report;
// as `bench telemetry`, dashboards' questions. Server and bare handler run in this process, in turns, so that a busy
// machine slows both down; the ratios are what to read.
//
// It takes DATABASE_URL, CLICKHOUSE_URL and TEMPORAL_ADDRESS from the environment,
// makes databases of its own there and drops them, and talks to loopback only.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	var o options
	flag.IntVar(&o.clients, "clients", 0, "clients at once; 32 when 0, or 256 for ingest")
	flag.IntVar(&o.requests, "requests", 0, "requests of each kind in a round; 640 when 0, or 4,000 for delivery and 200,000 for ingest")
	flag.IntVar(&o.rounds, "rounds", 0, "rounds; each measures every kind once; 3 when 0, or 20 for delivery")
	flag.DurationVar(&o.limit, "limit", 20*time.Second, "most time for one kind in a round")
	flag.IntVar(&o.waiting, "waiting", 0, "rollouts that wait meanwhile, for rollback")
	o.millions = sizes{1}
	flag.Var(&o.millions, "millions", "millions of events for telemetry, such as 1,10,100")
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
	err := o.check()
	if err == nil {
		err = what.run(ctx, o)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// commands by their name on the command line, with the options that they want.
var commands = map[string]struct {
	run                       func(ctx context.Context, o options) error
	clients, requests, rounds int
}{
	"":             {run: run},
	"delivery":     {run: runDelivery, requests: 4000, rounds: 20},
	"serve-answer": {run: serveAnswer},
	"serve-api":    {run: serveAPI},
	"ingest":       {run: runIngest, clients: 256, requests: 200_000},
	"patches":      {run: func(ctx context.Context, _ options) error { return runPatches(ctx) }},
	"propagation":  {run: runPropagation},
	"rollback":     {run: runRollback, requests: 1000, rounds: 20},
	"idle":         {run: runIdle, requests: 1000, rounds: 5},
	"statistics":   {run: func(ctx context.Context, _ options) error { return runStatistics(ctx) }},
	"storage":      {run: runStorage},
	"telemetry":    {run: runTelemetry},
}

type options struct {
	clients, requests, rounds int
	limit                     time.Duration
	// waiting is how many other rollouts wait in their first stage.
	waiting int
	// millions of events that telemetry is measured with, in turn.
	millions sizes
}

// sizes are numbers, separated by commas.
type sizes []int64

func (s *sizes) String() string { return strings.Trim(fmt.Sprint(*s), "[]") }

// Set reads the numbers.
func (s *sizes) Set(text string) error {
	*s = nil
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no number above 0", part)
		}
		*s = append(*s, n)
	}
	return nil
}

// warmup is how much smaller the first round is that is thrown away.
const warmup = 8

func (o options) check() error {
	if o.clients < 1 || o.requests < o.clients || o.rounds < 1 {
		return errors.New("-clients and -rounds must be at least 1, -requests at least -clients")
	}
	return nil
}

func run(ctx context.Context, o options) (err error) {
	engines, err := newEngines(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engines.close()) }()
	bare, err := startBaseline(ctx, engines.baselineURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bare.close()) }()
	server, err := startWaft(ctx, engines)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.close()) }()

	kinds := []kind{{baselineName, bare.insert}}
	more, err := server.kinds(ctx, o.clients)
	if err != nil {
		return err
	}
	kinds = append(kinds, more...)

	before := load()
	results, err := measureRounds(ctx, o, kinds)
	if err != nil {
		return err
	}
	return report(o, kinds, results, before, load())
}

// measureRounds measures every kind in each round, and throws a first round away.
func measureRounds(ctx context.Context, o options, kinds []kind) ([]samples, error) {
	results := make([]samples, len(kinds))
	for round := range o.rounds + 1 {
		n := o.requests
		if round == 0 {
			n = max(o.clients, n/warmup)
		}
		for i := range kinds {
			k := (i + round) % len(kinds) // each kind comes early and late
			got, err := measure(ctx, o.clients, n, o.limit, kinds[k].request)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", kinds[k].name, err)
			}
			if round > 0 {
				results[k] = results[k].plus(got)
			}
		}
	}
	return results, nil
}

func report(o options, kinds []kind, results []samples, before, after string) error {
	fmt.Printf("%d clients, %d rounds of %d requests of each kind; %d CPUs, %s; load average before %s, after %s\n\n",
		o.clients, o.rounds, o.requests, runtime.NumCPU(), runtime.Version(), before, after)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\trequests\tper second\tmedian ms\tp99 ms\tmedian ratio\tp99 ratio\t")
	base := results[0]
	for i, k := range kinds {
		r := results[i]
		fmt.Fprintf(w, "%s\t%d\t%.0f\t%.1f\t%.1f\t%.1f\t%.1f\t\n", k.name, len(r.took), r.perSecond(),
			ms(r.quantile(.5)), ms(r.quantile(.99)),
			float64(r.quantile(.5))/float64(base.quantile(.5)), float64(r.quantile(.99))/float64(base.quantile(.99)))
	}
	return w.Flush()
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// load is the machine's load average over a minute, where it can be read.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	var minute string
	if _, err := fmt.Sscan(string(text), &minute); err != nil {
		return "unknown"
	}
	return minute
}
