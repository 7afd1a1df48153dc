package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"
)

const (
	// lagShare is the load under which lag is measured, of what the server takes.
	lagShare = 0.25
	// lagTime is for how long, probeEvery how often a report is looked for.
	lagTime    = 30 * time.Second
	probeEvery = 25 * time.Millisecond
)

// lag sends perSecond reports and, among them, now and then one of a release that no
// other device has. It returns how long after its 204 each of those shows in that
// release's launches, the time of the question included. The probes go one after the
// other and are seen in their order, so their number tells which ones are seen.
func (b *ingestBench) lag(ctx context.Context, perSecond float64) (lag samples, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := quiet(ctx, b.clickHouse); err != nil {
		return lag, err
	}
	p := &probes{b: b, update: uuid.NewString()}
	sending, stop := context.WithTimeout(ctx, lagTime)
	defer stop()
	var all sync.WaitGroup
	failed := make([]error, 3)
	all.Go(func() { failed[0] = b.background(sending, perSecond) })
	all.Go(func() { failed[1] = p.send(sending) })
	all.Go(func() { lag.took, failed[2] = p.watch(ctx, sending.Done()) })
	all.Wait()
	return lag, errors.Join(failed...)
}

// background sends reports at the rate until ctx ends.
func (b *ingestBench) background(ctx context.Context, perSecond float64) error {
	k := b.kinds[1]
	every := time.Duration(float64(len(k.wires)) / perSecond * float64(time.Second))
	failed := make([]error, len(k.wires))
	var all sync.WaitGroup
	for client := range k.wires {
		all.Go(func() {
			if rest(ctx, every*time.Duration(client)/time.Duration(len(k.wires))) != nil {
				return
			}
			tick := time.NewTicker(every)
			defer tick.Stop()
			for failed[client] == nil {
				// What is under way is answered in any case.
				failed[client] = k.request(context.WithoutCancel(ctx), client, 0)
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

// probes are reports that are looked for.
type probes struct {
	b      *ingestBench
	update string

	mu    sync.Mutex
	acked []time.Time
}

func (p *probes) send(ctx context.Context) error {
	tick := time.NewTicker(probeEvery)
	defer tick.Stop()
	for {
		_, err := send(context.WithoutCancel(ctx), http.MethodPost, p.b.server.url+"/v1/ota/health-metrics", "application/json", fmt.Sprintf(
			`{"projectSlug": %q, "deviceId": %q, "channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "updateUuid": %q,
			"events": [{"type": "app_launch", "count": 1}]}`, p.b.reporter.slug, uuid.NewString(), p.update), nil, http.StatusNoContent)
		if err != nil {
			return err
		}
		p.mu.Lock()
		p.acked = append(p.acked, time.Now())
		p.mu.Unlock()
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// watch asks again and again until all are seen that were sent before sent is closed.
func (p *probes) watch(ctx context.Context, sent <-chan struct{}) (lag []time.Duration, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, lagTime+ingestLimit, errors.New("reports that were acknowledged are not seen"))
	defer cancel()
	for {
		ended := false
		select {
		case <-sent:
			ended = true
		default:
		}
		launches, err := p.launches(ctx)
		if err != nil {
			return nil, errors.Join(err, context.Cause(ctx))
		}
		now := time.Now()
		p.mu.Lock()
		acked := p.acked
		p.mu.Unlock()
		// A report may be seen before its sender hears of it.
		for len(lag) < min(launches, len(acked)) {
			lag = append(lag, max(now.Sub(acked[len(lag)]), 0))
		}
		if ended && len(lag) == len(acked) {
			return lag, nil
		}
		if err := rest(ctx, seenEvery); err != nil {
			return nil, err
		}
	}
}

func (p *probes) launches(ctx context.Context) (launches int, err error) {
	answer, err := send(ctx, http.MethodGet, p.b.server.url+"/v1/ota/telemetry/timeseries?period=1h&updateUuid="+p.update, "", "",
		p.b.subject.header, http.StatusOK)
	if err != nil {
		return 0, err
	}
	var series struct{ Points []struct{ Launches int } }
	err = json.Unmarshal(answer, &series)
	for _, point := range series.Points {
		launches += point.Launches
	}
	return launches, err
}
