// Command bench measures the management API under many clients at once, beside
// the least that a Go service can do on the same Postgres: a bare Gin handler that
// inserts one row with GORM. Both run in this process, in turns, so that a busy
// machine slows both down; the ratios are what to read.
//
// It takes DATABASE_URL, CLICKHOUSE_URL and TEMPORAL_ADDRESS from the environment,
// makes databases of its own there and drops them, and talks to loopback only.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"text/tabwriter"
	"time"
)

func main() {
	var o options
	flag.IntVar(&o.clients, "clients", 32, "clients at once")
	flag.IntVar(&o.requests, "requests", 640, "requests of each kind in a round")
	flag.IntVar(&o.rounds, "rounds", 3, "rounds; each measures every kind once")
	flag.DurationVar(&o.limit, "limit", 20*time.Second, "most time for one kind in a round")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	clients, requests, rounds int
	limit                     time.Duration
}

// warmup is how much smaller the first round is that is thrown away.
const warmup = 8

func run(ctx context.Context, o options) (err error) {
	if o.clients < 1 || o.requests < o.clients || o.rounds < 1 {
		return errors.New("-clients and -rounds must be at least 1, -requests at least -clients")
	}
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
				return fmt.Errorf("%s: %w", kinds[k].name, err)
			}
			if round > 0 {
				results[k] = results[k].plus(got)
			}
		}
	}
	return report(o, kinds, results, before, load())
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
