package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/waft-ota/waft/internal/app"
)

const (
	// ingestRequests is how many different reports the clients send in turns.
	ingestRequests = 16_384
	// ingestLimit is the most that a round of one kind may take, and the time until
	// all of it is seen.
	ingestLimit = 2 * time.Minute
)

// runIngest measures what devices report: through the whole server until queries see
// it, beside a bare Gin handler that reads the same reports; from the ingest log into
// ClickHouse, beside its own client; and how long an acknowledged report is not seen.
func runIngest(ctx context.Context, o options) (err error) {
	engines, err := newEngines(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engines.close()) }()
	// The limits stand, but not in the way: one machine speaks for all devices.
	server, err := startWith(ctx, engines, app.Role{API: true}, map[string]string{
		"WAFT_RATE_PER_ADDRESS": "1000000", "WAFT_RATE_PER_DEVICE": "1000000",
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.close()) }()
	b := &ingestBench{server: server, clickHouse: engines.clickHouseURL}
	defer func() { err = errors.Join(err, b.close()) }()
	if err := b.prepare(ctx, o); err != nil {
		return err
	}

	before := load()
	results, err := b.measureReports(ctx, o)
	if err != nil {
		return err
	}
	lag, err := b.lag(ctx, results[1].perSecond()*lagShare)
	if err != nil {
		return err
	}
	rows, err := measureRows(ctx, engines, o)
	if err != nil {
		return err
	}
	return reportIngest(o, b, results, lag, rows, before)
}

// ingestBench is the kinds of reports and what must be closed after them.
type ingestBench struct {
	server     *waft
	clickHouse string
	subject    *subject
	reporter   *reporter
	kinds      []*ingestKind
	// bytes and events are those of an average report.
	bytes, events float64
	seen          int
	closers       []func() error
}

// ingestKind is who is sent reports. What stored ones are measured until they are
// seen; keyed ones have an Idempotency-Key each.
type ingestKind struct {
	name          string
	stored, keyed bool
	wires         wires
	keys          atomic.Int64
}

func (b *ingestBench) close() error {
	var errs []error
	for _, closer := range b.closers {
		errs = append(errs, closer())
	}
	return errors.Join(errs...)
}

func (b *ingestBench) prepare(ctx context.Context, o options) (err error) {
	slug := uniqueSlug("ingest")
	if b.subject, err = b.server.subject(ctx, slug); err != nil {
		return err
	}
	bareGin, err := startBareReports(ctx)
	if err != nil {
		return err
	}
	b.closers = append(b.closers, bareGin.close)
	b.reporter = newReporter(slug)
	addr := strings.TrimPrefix(b.server.url, "http://")
	plain, err := b.requests("")
	if err != nil {
		return err
	}
	keyed, err := b.requests(noKey)
	if err != nil {
		return err
	}
	for _, k := range []struct {
		*ingestKind
		addr     string
		requests [][]byte
	}{
		{&ingestKind{name: "bare Gin, reads the report"}, bareGin.addr, plain},
		{&ingestKind{name: "Waft, until seen", stored: true}, addr, plain},
		{&ingestKind{name: "Waft, with an Idempotency-Key each", stored: true, keyed: true}, addr, keyed},
	} {
		if k.wires, err = openWires(ctx, o.clients, k.addr, k.requests, 0); err != nil {
			return err
		}
		b.closers = append(b.closers, k.wires.close)
		for client, w := range k.wires {
			w.answer = answerNoContent
			// Of its own, since keys are written into them.
			w.requests, w.next = k.requests[client*len(k.requests)/o.clients:(client+1)*len(k.requests)/o.clients], 0
		}
		b.kinds = append(b.kinds, k.ingestKind)
	}
	return b.known(ctx)
}

// known waits until the server knows the project.
func (b *ingestBench) known(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, ingestLimit, errors.New("the server does not hear of the project"))
	defer cancel()
	for {
		_, err := send(ctx, http.MethodPost, b.server.url+"/v1/ota/health-metrics", "application/json", fmt.Sprintf(
			`{"projectSlug": %q, "deviceId": "first", "platform": "ios", "runtimeVersion": "1.0.0", "events": []}`, b.reporter.slug),
			nil, http.StatusNoContent)
		if err == nil {
			b.seen++
			return nil
		}
		if waited := rest(ctx, seenEvery); waited != nil {
			return errors.Join(err, waited)
		}
	}
}

// noKey is where a key is written, after keyHeader.
const noKey = "0000000000000000"

var keyHeader, bodyFollows = []byte("Idempotency-Key: "), []byte("\r\n\r\n")

func (b *ingestBench) requests(key string) ([][]byte, error) {
	requests := make([][]byte, ingestRequests)
	for i := range requests {
		made := b.reporter.report()
		var err error
		if requests[i], err = reportRequest(made, key); err != nil {
			return nil, err
		}
		b.bytes += float64(len(requests[i])-bytes.Index(requests[i], bodyFollows)-len(bodyFollows)) / ingestRequests / 2
		b.events += float64(len(made.Events)) / ingestRequests / 2
	}
	return requests, nil
}

// measureReports sends in turns to every kind; what is stored counts until it is seen.
func (b *ingestBench) measureReports(ctx context.Context, o options) ([]samples, error) {
	results := make([]samples, len(b.kinds))
	for round := range o.rounds + 1 {
		n := o.requests
		if round == 0 {
			n = max(o.clients, n/warmup)
		}
		for i := range b.kinds {
			k := (i + round) % len(b.kinds)
			if err := quiet(ctx, b.clickHouse); err != nil {
				return nil, err
			}
			got, err := measure(ctx, o.clients, n, ingestLimit, b.kinds[k].request)
			if err == nil && b.kinds[k].stored {
				got.wall, err = b.awaitSeen(ctx, n, got.wall)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", b.kinds[k].name, err)
			}
			if round > 0 {
				results[k] = results[k].plus(got)
			}
		}
	}
	return results, nil
}

func (k *ingestKind) request(ctx context.Context, client, _ int) error {
	w := k.wires[client]
	if k.keyed {
		request := w.requests[w.next]
		key := bytes.Index(request, keyHeader) + len(keyHeader)
		copy(request[key:], fmt.Sprintf("%0*d", len(noKey), k.keys.Add(1)))
	}
	return w.do(ctx)
}

// awaitSeen waits until queries see n reports more, and adds that time to took.
func (b *ingestBench) awaitSeen(ctx context.Context, n int, took time.Duration) (time.Duration, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, ingestLimit, errors.New("reports that were acknowledged are not seen"))
	defer cancel()
	began := time.Now()
	b.seen += n
	for {
		text, err := query(ctx, b.clickHouse, "SELECT count() FROM health_reports")
		if err != nil {
			return 0, errors.Join(err, context.Cause(ctx))
		}
		switch count, err := strconv.Atoi(text); {
		case err != nil || count > b.seen:
			return 0, fmt.Errorf("%s reports are there, %d were sent", text, b.seen)
		case count == b.seen:
			return took + time.Since(began), nil
		}
		if err := rest(ctx, seenEvery); err != nil {
			return 0, err
		}
	}
}

// quiet waits until ClickHouse merges nothing that a benchmark inserted, which would
// slow whoever is next.
func quiet(ctx context.Context, clickHouse string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, ingestLimit, errors.New("ClickHouse merges without end"))
	defer cancel()
	for {
		text, err := query(ctx, clickHouse, "SELECT count() FROM system.merges WHERE database LIKE 'bench\\_%'")
		if err != nil || text == "0" {
			return err
		}
		if err := rest(ctx, seenEvery); err != nil {
			return err
		}
	}
}

// rest waits, unless ctx ends.
func rest(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

func reportIngest(o options, b *ingestBench, results []samples, lag samples, rows rowsResult, before string) error {
	fmt.Printf("%d connections, %d rounds of %d reports of %.1f events and %.0f bytes; %d CPUs, %s; load average before %s, after %s\n\n",
		o.clients, o.rounds, o.requests, b.events, b.bytes, runtime.NumCPU(), runtime.Version(), before, load())
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\treports a second\tevents a second\tmedian ms\tp99 ms\trate ratio\t")
	for i, k := range b.kinds {
		r := results[i]
		fmt.Fprintf(w, "%s\t%.0f\t%.0f\t%.1f\t%.1f\t%.2f\t\n", k.name, r.perSecond(), r.perSecond()*b.events,
			ms(r.quantile(.5)), ms(r.quantile(.99)), r.perSecond()/results[0].perSecond())
	}
	fmt.Fprintf(w, "clickhouse-go, batches of %d reports\t%.0f\t%.0f\t\t\t\t\n", rowsBatch, rows.reports(rows.direct), rows.perSecond(rows.direct))
	fmt.Fprintf(w, "Waft, from its log\t%.0f\t%.0f\t\t\t%.2f\t\n", rows.reports(rows.log), rows.perSecond(rows.log), rows.direct.Seconds()/rows.log.Seconds())
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Printf("\nFrom the 204 until seen, under %.0f reports a second: median %.0f ms, p99 %.0f ms, most %.0f ms of %d\n",
		results[1].perSecond()*lagShare, ms(lag.quantile(.5)), ms(lag.quantile(.99)), ms(lag.quantile(1)), len(lag.took))
	return nil
}
