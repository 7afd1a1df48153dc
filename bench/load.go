package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"
)

// kind is one sort of request. client counts from 0, n from 0 over all clients.
type kind struct {
	name    string
	request func(ctx context.Context, client, n int) error
	// before is called before each round, after at the end of one of n requests, as part of
	// what is measured. Both may be nil.
	before func(ctx context.Context) error
	after  func(ctx context.Context, n int) error
	// server is the ID of the server's process, 0 if its CPU time is not measured.
	server int
}

// samples are how long requests took, how long all of them did together, and the CPU time that the server took.
type samples struct {
	took []time.Duration
	wall time.Duration
	cpu  time.Duration
}

func (s *samples) add(took []time.Duration, wall time.Duration) {
	s.took, s.wall = append(s.took, took...), s.wall+wall
}

// ms returns the quantile q, in [0, 1], of the times in milliseconds.
func (s *samples) ms(q float64) float64 {
	sorted := slices.Sorted(slices.Values(s.took))
	return ms(sorted[min(len(sorted)-1, int(q*float64(len(sorted))))])
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// cpuEach returns the CPU time of the server per request, in microseconds.
func (s *samples) cpuEach() float64 {
	return float64(s.cpu) / float64(time.Microsecond) / float64(len(s.took))
}

func (s *samples) perSecond() float64 { return float64(len(s.took)) / s.wall.Seconds() }

// warmup is by which factor the first round is smaller, which is discarded.
const warmup = 8

// measureRounds measures every kind in each round, in another order each time, and discards a
// first round.
func (s *session) measureRounds(ctx context.Context, kinds []kind) ([]samples, error) {
	results := make([]samples, len(kinds))
	for round := range s.rounds + 1 {
		n := s.requests
		if round == 0 {
			n = max(s.clients, n/warmup)
		}
		for i := range kinds {
			k := (i + round) % len(kinds)
			got, err := kinds[k].measure(ctx, s.clients, n, s.limit)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", kinds[k].name, err)
			}
			if round > 0 {
				results[k].add(got.took, got.wall)
				results[k].cpu += got.cpu
			}
		}
	}
	return results, nil
}

func (k kind) measure(ctx context.Context, clients, n int, limit time.Duration) (samples, error) {
	if k.before != nil {
		if err := k.before(ctx); err != nil {
			return samples{}, err
		}
	}
	start := time.Now()
	used, _ := cpuTime(k.server)
	got, err := measure(ctx, clients, n, limit, k.request)
	now, _ := cpuTime(k.server)
	got.cpu = now - used
	if err == nil && k.after != nil {
		err = k.after(ctx, n)
		got.wall = time.Since(start)
	}
	return got, err
}

// measure sends n requests from all clients together. Each client sends its next request as soon as
// it has the response to its last request. It fails with the first failed request, and after limit.
func measure(ctx context.Context, clients, n int, limit time.Duration, request func(ctx context.Context, client, n int) error) (samples, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%d requests took longer than %v", n, limit))
	defer cancel()
	took := make([]time.Duration, n)
	var next atomic.Int64
	start := time.Now()
	g, sending := errgroup.WithContext(ctx)
	for client := range clients {
		g.Go(func() error {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if sending.Err() != nil {
					return context.Cause(sending)
				}
				begun := time.Now()
				if err := request(sending, client, i); err != nil {
					return err
				}
				took[i] = time.Since(begun)
			}
			return nil
		})
	}
	err := g.Wait()
	return samples{took: took, wall: time.Since(start)}, err
}

// measurePaced sends n requests from all clients together. Each client pauses before its next request. It fails with the first
// failed request.
func measurePaced(
	ctx context.Context, clients, n int, pause time.Duration, request func(ctx context.Context, n int) error,
) (samples, error) {
	took := make([]time.Duration, n)
	start := time.Now()
	g, sending := errgroup.WithContext(ctx)
	for client := range clients {
		g.Go(func() error {
			tick := time.NewTicker(pause)
			defer tick.Stop()
			for i := client; i < n; i += clients {
				if err := wait(sending, tick.C); err != nil {
					return err
				}
				begun := time.Now()
				if err := request(sending, i); err != nil {
					return err
				}
				took[i] = time.Since(begun)
			}
			return nil
		})
	}
	err := g.Wait()
	return samples{took: took, wall: time.Since(start)}, err
}

// until calls done until it returns true or an error, and waits in between.
func until(ctx context.Context, every time.Duration, done func() (bool, error)) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if ok, err := done(); ok || err != nil {
			return err
		}
		if err := wait(ctx, tick.C); err != nil {
			return err
		}
	}
}

// wait returns at the next tick, or with an error when ctx ends.
func wait(ctx context.Context, tick <-chan time.Time) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-tick:
		return nil
	}
}

// connections are kept, one for each client.
var connections = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}

// send makes a request and returns the response's body. A status other than
// expected is an error.
func send(ctx context.Context, method, url, contentType, body string, header map[string]string, status int) ([]byte, error) {
	a, err := exchange(ctx, method, url, contentType, body, header, status)
	return a.Body, err
}

// answer is a server's response.
type answer struct {
	Header http.Header
	Body   []byte
}

// exchange sends a request like send, and returns the response's header too.
func exchange(ctx context.Context, method, url, contentType, body string, header map[string]string, status int) (a answer, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s %s: %w", method, url, err)
		}
	}()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return a, err
	}
	if body != "" {
		req.Header.Set("Content-Type", contentType)
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	res, err := connections.Do(req)
	if err != nil {
		return a, err
	}
	defer res.Body.Close()
	a.Header = res.Header
	a.Body, err = io.ReadAll(res.Body)
	if err == nil && res.StatusCode != status {
		err = fmt.Errorf("status %d: %s", res.StatusCode, a.Body)
	}
	return a, err
}

// table is printed with aligned columns.
type table struct {
	w        *tabwriter.Writer
	markdown bool
}

// newTable begins a table for terminals; cells are separated by tabs.
func newTable(heading string) table {
	t := table{w: tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)}
	t.row("%s", heading)
	return t
}

// newMarkdown begins a table in Markdown.
func newMarkdown(heading string) table {
	t := table{tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0), true}
	t.row("%s", heading)
	fmt.Fprintln(t.w, strings.Repeat("|---\t", strings.Count(heading, "\t")+1)+"|")
	return t
}

func (t table) row(format string, cells ...any) {
	text := fmt.Sprintf(format, cells...) + "\t"
	if t.markdown {
		text = "| " + strings.ReplaceAll(strings.TrimSuffix(text, "\t"), "\t", " \t| ") + " \t|"
	}
	fmt.Fprintln(t.w, text)
}

func (t table) print() error { return t.w.Flush() }

// machine describes where and under which load a benchmark ran.
func machine(before string) string {
	return fmt.Sprintf("%d CPUs, %s; load average before %s, after %s", runtime.NumCPU(), runtime.Version(), before, load())
}

// load returns the machine's load average over a minute, if it can be read.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	minute, _, _ := strings.Cut(string(text), " ")
	return minute
}
