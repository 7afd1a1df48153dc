package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

const (
	// errorSenders send reports at the same time; one report in errorAgain is sent twice.
	errorSenders = 64
	errorAgain   = 50
	// errorLimit bounds sending, and waiting until all is seen.
	errorLimit = 5 * time.Minute
)

// runErrors sends s.requests invented errors of 500 kinds over HTTP to a separate server, which is killed in the middle.
// It fails unless all numbers of every error group agree with the errors that were sent.
func runErrors(ctx context.Context, s *session) error {
	before := load()
	b := &errorsBench{session: s}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	began := time.Now()
	if err := b.sendAll(ctx); err != nil {
		return err
	}
	sent := time.Since(began)
	if err := b.awaitSeen(ctx); err != nil {
		return err
	}
	seen := time.Since(began)
	checked, err := b.check(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%d errors of %d kinds in %d reports, %d of them sent again, the server killed once; %s\n\n",
		b.world.errors, b.world.occurring, b.world.reports, b.again.Load(), machine(before))
	t := newTable("errors per second, until acknowledged\tuntil seen\tnumbers compared\tthat differ")
	number := float64(b.world.errors)
	t.row("%.0f\t%.0f\t%d\t%d", number/sent.Seconds(), number/seen.Seconds(), checked.figures, len(checked.differences))
	if err := t.print(); err != nil {
		return err
	}
	return checked.err()
}

type errorsBench struct {
	*session
	world   *errorWorld
	project *project
	restart func() error
	again   atomic.Int64
}

// prepare starts the server, which can be restarted at its address, and publishes the releases.
func (b *errorsBench) prepare(ctx context.Context) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		return err
	}
	w, err := b.start(ctx, map[string]string{"WAFT_LISTEN_ADDR": address, "WAFT_TRUSTED_PROXIES": "127.0.0.1"},
		func(settings map[string]string) (string, error) {
			b.restart = func() error {
				b.child.kill()
				_, err := b.startProcess(ctx, "serve-api", settings)
				return err
			}
			return b.startProcess(ctx, "serve-api", settings)
		})
	if err != nil {
		return err
	}
	if b.project, err = w.newProject(ctx, uniqueSlug("errors")); err != nil {
		return err
	}
	b.world = newErrorWorld(b.project.slug, max(b.size(errorKinds), leastErrorKinds))
	for p, platform := range errorPlatforms {
		b.project.platform = platform
		if _, err := b.project.upload(ctx, "", []byte(platform), nil); err != nil {
			return err
		}
		for r := range errorReleases {
			var made struct{ UpdateUUID string }
			if err := b.project.create(ctx, b.project.publishPath(), "application/json", `{"channel": "production"}`, &made); err != nil {
				return err
			}
			b.world.updates[p][1+r] = made.UpdateUUID
		}
	}
	return nil
}

// sendAll sends all reports, each until it gets a response, and kills the server in the middle.
func (b *errorsBench) sendAll(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, errorLimit, errors.New("the server does not take all reports"))
	defer cancel()
	g, sending := errgroup.WithContext(ctx)
	made := make(chan *errorReport)
	g.Go(func() error {
		defer close(made)
		killed := false
		for b.world.errors < b.requests {
			if !killed && b.world.errors > b.requests/2 {
				killed = true
				if err := b.restart(); err != nil {
					return err
				}
			}
			r, err := b.world.report()
			if err != nil {
				return err
			}
			select {
			case made <- r:
			case <-sending.Done():
				return context.Cause(sending)
			}
		}
		return nil
	})
	var noting sync.Mutex
	for range errorSenders {
		g.Go(func() error {
			for r := range made {
				began := time.Now()
				if err := b.sendOne(sending, r); err != nil {
					return err
				}
				answered := time.Now()
				noting.Lock()
				b.world.note(r, began, answered)
				noting.Unlock()
			}
			return nil
		})
	}
	return g.Wait()
}

// sendOne sends a report until it gets a response, and some reports once more.
func (b *errorsBench) sendOne(ctx context.Context, r *errorReport) error {
	header := map[string]string{"Idempotency-Key": uuid.NewString(), "X-Forwarded-For": r.address}
	post := func() error {
		_, err := send(ctx, http.MethodPost, b.project.w.url+"/v1/ota/health-metrics", "application/json", r.body, header, http.StatusNoContent)
		return err
	}
	var last error
	err := until(ctx, seenEvery, func() (bool, error) { last = post(); return last == nil, nil })
	if err != nil {
		return errors.Join(err, last)
	}
	if r.number%errorAgain == 0 {
		b.again.Add(1)
		return until(ctx, seenEvery, func() (bool, error) { return post() == nil, nil })
	}
	return nil
}

// awaitSeen waits until queries see all that was sent.
func (b *errorsBench) awaitSeen(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, errorLimit, errors.New("reports that were acknowledged are not seen"))
	defer cancel()
	return until(ctx, seenEvery, func() (bool, error) {
		// Errors are inserted after their reports.
		text, err := query(ctx, b.engines.clickHouseURL, "SELECT count() FROM health_events WHERE type IN ('js_error', 'crash')")
		return text == strconv.Itoa(b.world.errors), err
	})
}
