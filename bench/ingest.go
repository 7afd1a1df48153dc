package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	apidevice "github.com/waft-ota/waft/api/device"
	"github.com/waft-ota/waft/internal/app"
)

const (
	// ingestRequests is how many different reports the clients send in turns.
	ingestRequests = 16_384
	// ingestLimit is the most that a round of one kind may take, and the time until
	// all of it is seen.
	ingestLimit = 2 * time.Minute
)

// runIngest measures reports of devices in three ways. The first is the whole server until queries see the
// reports, compared with a bare Gin handler that reads the same reports. The second is the way from the ingest log
// into ClickHouse, compared with ClickHouse's own client. The third is the time until an acknowledged report is seen.
func runIngest(ctx context.Context, s *session) error {
	// The rate limits are checked, but high: one machine sends for all devices.
	server, err := s.waft(ctx, app.Role{API: true}, map[string]string{
		"WAFT_RATE_PER_ADDRESS": "1000000", "WAFT_RATE_PER_DEVICE": "1000000",
	})
	if err != nil {
		return err
	}
	b := &ingestBench{session: s, clickHouse: server.clickHouseURL}
	if b.project, err = server.project(ctx, uniqueSlug("ingest")); err != nil {
		return err
	}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	s.limit = ingestLimit
	before := load()
	results, err := s.measureRounds(ctx, b.kinds)
	if err != nil {
		return err
	}
	loaded := results[1].perSecond() * lagShare
	lag, err := b.lag(ctx, loaded)
	if err != nil {
		return err
	}
	rows, err := s.measureRows(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%d connections, %d rounds of %d reports of %.1f events and %.0f bytes; %s\n\n",
		s.clients, s.rounds, s.requests, b.events, b.bytes, machine(before))
	t := newTable("\treports a second\tevents a second\tmedian ms\tp99 ms\trate ratio")
	for i, k := range b.kinds {
		r := results[i]
		t.row("%s\t%.0f\t%.0f\t%.1f\t%.1f\t%.2f", k.name, r.perSecond(), r.perSecond()*b.events,
			r.ms(.5), r.ms(.99), r.perSecond()/results[0].perSecond())
	}
	t.row("clickhouse-go, batches of %d reports\t%.0f\t%.0f\t\t\t", rowsBatch, rows.reports(rows.direct), rows.perSecond(rows.direct))
	t.row("Waft, from its log\t%.0f\t%.0f\t\t\t%.2f", rows.reports(rows.log), rows.perSecond(rows.log), rows.direct.Seconds()/rows.log.Seconds())
	if err := t.print(); err != nil {
		return err
	}
	fmt.Printf("\nFrom the 204 until seen, under %.0f reports a second: median %.0f ms, p99 %.0f ms, most %.0f ms of %d\n",
		loaded, lag.ms(.5), lag.ms(.99), lag.ms(1), len(lag.took))
	return nil
}

// ingestBench is the kinds of reports: to the bare handler, to Waft, and to Waft with an
// Idempotency-Key each.
type ingestBench struct {
	*session
	clickHouse string
	project    *project
	kinds      []kind
	// bytes and events are the sizes of an average report.
	bytes, events float64
	seen          int
	keys          atomic.Int64
}

func (b *ingestBench) prepare(ctx context.Context) error {
	bareGin, err := b.bare(ctx, http.MethodPost, "/v1/ota/health-metrics", func(c *gin.Context) {
		var report apidevice.HealthReport
		if err := c.ShouldBindJSON(&report); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		c.Status(http.StatusNoContent)
	})
	if err != nil {
		return err
	}
	reporter := newReporter(b.project.slug)
	for _, k := range []struct{ name, addr, key string }{
		{"bare Gin, reads the report", bareGin, ""},
		{"Waft, until seen", b.project.w.addr, ""},
		{"Waft, with an Idempotency-Key each", b.project.w.addr, noKey},
	} {
		if err := b.add(ctx, reporter, k.name, k.addr, k.key); err != nil {
			return err
		}
	}
	return b.ready(ctx)
}

// ready waits until the server has the project: its first report is seen.
func (b *ingestBench) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, ingestLimit, errors.New("the server does not get the project"))
	defer cancel()
	b.seen++
	return until(ctx, seenEvery, func() (bool, error) { return b.project.report(ctx, "first", "", "") == nil, nil })
}

// noKey is replaced by a key, after keyHeader.
const noKey = "0000000000000000"

var keyHeader, bodyFollows = []byte("Idempotency-Key: "), []byte("\r\n\r\n")

// add opens the connections of a kind, whose reports have keys unless key is "".
func (b *ingestBench) add(ctx context.Context, reporter *reporter, name, addr, key string) error {
	requests := make([][]byte, b.size(ingestRequests))
	b.bytes, b.events = 0, 0
	for i := range requests {
		made := reporter.report()
		var err error
		if requests[i], err = reportRequest(made, key); err != nil {
			return err
		}
		b.bytes += float64(len(requests[i])-bytes.Index(requests[i], bodyFollows)-len(bodyFollows)) / float64(len(requests))
		b.events += float64(len(made.Events)) / float64(len(requests))
	}
	wires, err := b.openWires(ctx, addr, requests, 0)
	if err != nil {
		return err
	}
	for client, w := range wires {
		w.answer = answerNoContent
		// Each client has its own, since keys are written into them.
		w.requests, w.next = requests[client*len(requests)/b.clients:(client+1)*len(requests)/b.clients], 0
	}
	k := kind{name: name, request: wires.request, before: func(ctx context.Context) error {
		return errors.Join(quiet(ctx, b.clickHouse), wires.connect(ctx))
	}}
	if key != "" {
		k.request = func(ctx context.Context, client, _ int) error {
			w := wires[client]
			request := w.requests[w.next]
			copy(request[bytes.Index(request, keyHeader)+len(keyHeader):], fmt.Sprintf("%0*d", len(noKey), b.keys.Add(1)))
			return w.do(ctx)
		}
	}
	if addr == b.project.w.addr {
		k.after = b.awaitSeen
	}
	b.kinds = append(b.kinds, k)
	return nil
}

// awaitSeen waits until queries see n reports more.
func (b *ingestBench) awaitSeen(ctx context.Context, n int) error {
	ctx, cancel := context.WithTimeoutCause(ctx, ingestLimit, errors.New("reports that were acknowledged are not seen"))
	defer cancel()
	b.seen += n
	return until(ctx, seenEvery, func() (bool, error) {
		text, err := query(ctx, b.clickHouse, "SELECT count() FROM health_reports")
		if err != nil {
			return false, errors.Join(err, context.Cause(ctx))
		}
		count, err := strconv.Atoi(text)
		if err != nil || count > b.seen {
			return false, fmt.Errorf("%s reports are there, %d were sent", text, b.seen)
		}
		return count == b.seen, nil
	})
}

// quiet waits until ClickHouse has merged what benchmarks inserted, which would slow the next
// measurement.
func quiet(ctx context.Context, clickHouse string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, ingestLimit, errors.New("ClickHouse merges without end"))
	defer cancel()
	return until(ctx, seenEvery, func() (bool, error) {
		merges, err := merging(ctx, clickHouse)
		return !merges, err
	})
}

// merging reports whether ClickHouse merges what benchmarks inserted.
func merging(ctx context.Context, clickHouse string) (bool, error) {
	text, err := query(ctx, clickHouse, "SELECT count() FROM system.merges WHERE database LIKE 'bench\\_%'")
	return text != "0", err
}
