package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

const (
	// lagShare is the load under which lag is measured, of what the server takes.
	lagShare = 0.25
	// lagTime is for how long, probeEvery how often a probe is sent.
	lagTime    = 30 * time.Second
	probeEvery = 25 * time.Millisecond
)

// lag sends perSecond reports and, every probeEvery, a probe: a report of a release that no
// other device has. It returns the times from each probe's 204 until the probe is counted in the
// release's launches, the time of the query included. Probes are sent one after the
// other and are seen in their order, so their number identifies the probes that were seen.
func (b *ingestBench) lag(ctx context.Context, perSecond float64) (lag samples, err error) {
	if err := quiet(ctx, b.clickHouse); err != nil {
		return lag, err
	}
	p := &probes{project: b.project, update: uuid.NewString()}
	g, ctx := errgroup.WithContext(ctx)
	sending, stop := context.WithTimeout(ctx, b.lasting(lagTime))
	defer stop()
	every := time.Duration(float64(b.clients) / perSecond * float64(time.Second))
	for client := range b.clients {
		g.Go(func() error {
			first := time.NewTimer(every * time.Duration(client) / time.Duration(b.clients))
			_ = wait(sending, first.C) // each ends soon when sending has ended
			return each(sending, every, func() error { return b.kinds[1].request(ctx, client, 0) })
		})
	}
	g.Go(func() error { return each(sending, probeEvery, func() error { return p.send(ctx) }) })
	g.Go(func() (err error) {
		lag.took, err = p.watch(ctx, sending)
		return err
	})
	err = g.Wait()
	return lag, err
}

func ended(ctx context.Context) bool { return ctx.Err() != nil }

// each calls f every so often until ctx ends, or with an error.
func each(ctx context.Context, every time.Duration, f func() error) error {
	err := until(ctx, every, func() (bool, error) { return false, f() })
	if ended(ctx) {
		return nil
	}
	return err
}

// probes are reports of one release.
type probes struct {
	project *project
	update  string

	mu    sync.Mutex
	acked []time.Time
}

func (p *probes) send(ctx context.Context) error {
	err := p.project.report(ctx, uuid.NewString(), p.update, `{"type": "app_launch", "count": 1}`)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		p.acked = append(p.acked, time.Now())
	}
	return err
}

// watch returns the lag of all probes once those are seen that were sent before sending ended.
func (p *probes) watch(ctx, sending context.Context) (lag []time.Duration, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, lagTime+ingestLimit, errors.New("reports that were acknowledged are not seen"))
	defer cancel()
	err = until(ctx, seenEvery, func() (bool, error) {
		ended := sending.Err() != nil
		launches, err := p.launches(ctx)
		now := time.Now()
		p.mu.Lock()
		defer p.mu.Unlock()
		// A report may be seen before its sender gets the response.
		for len(lag) < min(launches, len(p.acked)) {
			lag = append(lag, max(now.Sub(p.acked[len(lag)]), 0))
		}
		return ended && len(lag) == len(p.acked), err
	})
	return lag, err
}

func (p *probes) launches(ctx context.Context) (launches int, err error) {
	var series struct{ Points []struct{ Launches int } }
	err = p.project.get(ctx, "/v1/ota/telemetry/timeseries?period=1h&updateUuid="+p.update, &series)
	for _, point := range series.Points {
		launches += point.Launches
	}
	return launches, err
}
