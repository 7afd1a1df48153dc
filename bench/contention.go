package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/app"
)

const (
	// previewEvery is the interval at which a viewer requests a preview of the rollback, unless the last preview still runs.
	previewEvery = 50 * time.Millisecond
	// evaluators evaluate flags for a context that is new each time, evaluateEvery each.
	evaluators    = 4
	evaluateEvery = 16 * time.Millisecond
)

// contention is a project whose releases are rolled back while others use it.
type contention struct {
	*project
	rollback string
	// previews and contexts are what the others got, refused the previews that they did not get.
	previews, contexts, refused atomic.Int64
}

// runContention measures how long the call of a manual rollback takes while nobody else uses the project, and while a viewer
// asks for previews of it and devices evaluate flags.
func runContention(ctx context.Context, s *session) error {
	w, err := s.waft(ctx, app.Role{API: true, Worker: true}, nil)
	if err != nil {
		return err
	}
	c := &contention{}
	if c.project, err = w.project(ctx, uniqueSlug("contention")); err != nil {
		return err
	}
	var good struct{ ID int64 }
	if err := c.create(ctx, c.publishPath(), "application/json", `{"channel": "production"}`, &good); err != nil {
		return err
	}
	c.rollback = fmt.Sprintf(
		`{"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "rollbackToUpdateId": %d}`, good.ID)
	before := load()
	var quiet, busy samples
	var loaded time.Duration
	for round := range s.rounds + 1 {
		if round == 1 { // the first round is discarded
			quiet, busy, loaded = samples{}, samples{}, 0
			c.previews.Store(0)
			c.contexts.Store(0)
			c.refused.Store(0)
		}
		if err := c.rollBack(ctx, s.requests, &quiet); err != nil {
			return err
		}
		begun := time.Now()
		if err := c.besideOthers(ctx, func(ctx context.Context) error { return c.rollBack(ctx, s.requests, &busy) }); err != nil {
			return err
		}
		loaded += time.Since(begun)
	}
	fmt.Printf("%d rollbacks each; with %.0f previews per second, %d of them refused, and %.0f new contexts per second; %s\n\n", len(quiet.took),
		float64(c.previews.Load())/loaded.Seconds(), c.refused.Load(), float64(c.contexts.Load())/loaded.Seconds(), machine(before))
	t := newTable("rollback\tmedian ms\tp99 ms\tmost ms")
	t.row("alone\t%.1f\t%.1f\t%.1f", quiet.ms(.5), quiet.ms(.99), quiet.ms(1))
	t.row("beside others\t%.1f\t%.1f\t%.1f", busy.ms(.5), busy.ms(.99), busy.ms(1))
	t.row("ratio\t%.2f\t%.2f\t%.2f", busy.ms(.5)/quiet.ms(.5), busy.ms(.99)/quiet.ms(.99), busy.ms(1)/quiet.ms(1))
	return t.print()
}

// rollBack publishes n releases and rolls each back, which alone is measured.
func (c *contention) rollBack(ctx context.Context, n int, into *samples) error {
	for range n {
		if err := c.publish(ctx); err != nil {
			return err
		}
		begun := time.Now()
		if err := c.send(ctx, http.MethodPost, "/v1/ota/rollback", c.rollback, http.StatusCreated); err != nil {
			return err
		}
		into.add([]time.Duration{time.Since(begun)}, 0)
	}
	return nil
}

// besideOthers runs do while the others use the project.
func (c *contention) besideOthers(ctx context.Context, do func(context.Context) error) error {
	loading, stop := context.WithCancel(ctx)
	others, loading := errgroup.WithContext(loading)
	others.Go(func() error { return c.repeat(loading, previewEvery, c.preview) })
	for range evaluators {
		others.Go(func() error { return c.repeat(loading, evaluateEvery, c.evaluate) })
	}
	err := do(loading)
	stop()
	return errors.Join(err, others.Wait())
}

// repeat makes calls until ctx ends.
func (c *contention) repeat(ctx context.Context, every time.Duration, call func(context.Context) error) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for wait(ctx, tick.C) == nil {
		if err := call(ctx); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// preview asks for what the rollback would do. It may be refused while the project is changed.
func (c *contention) preview(ctx context.Context) error {
	const path = "/v1/ota/rollback/preview"
	err := c.send(ctx, http.MethodPost, path, c.rollback, http.StatusOK)
	if err == nil {
		c.previews.Add(1)
		return nil
	}
	if !strings.Contains(err.Error(), "status 503") {
		return err
	}
	c.refused.Add(1)
	return nil
}

func (c *contention) evaluate(ctx context.Context) error {
	_, err := send(ctx, http.MethodPost, c.w.url+bulkPath, "application/json", bulkBody(c.slug, uuid.NewString()), nil, http.StatusOK)
	c.contexts.Add(1)
	return err
}
