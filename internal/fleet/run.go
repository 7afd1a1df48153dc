package fleet

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Load says how fast and how long a fleet is launched.
type Load struct {
	// Workers launch devices at the same time; 0 means 32.
	Workers int
	// PerSecond bounds the launches started per second; 0 means as many as the
	// workers manage.
	PerSecond float64
	// Launches ends the run after so many; 0 means no such bound.
	Launches int64
	// Duration ends the run; 0 means that only the context does.
	Duration time.Duration
}

const defaultWorkers = 32

// Run launches devices in rounds, each device once a round in an order that the
// seed and the round decide, until a bound of the load or the end of ctx. A bound
// lets launches under way finish, the end of ctx cuts them off; neither is an
// error.
func (f *Fleet) Run(ctx context.Context, load Load) error {
	if load.Workers < 0 || load.PerSecond < 0 || load.Launches < 0 || load.Duration < 0 {
		return errors.New("fleet: a load has no negative numbers")
	}
	if load.Workers == 0 {
		load.Workers = defaultWorkers
	}
	queue := make(chan int)
	var workers sync.WaitGroup
	for range load.Workers {
		workers.Go(func() {
			for index := range queue {
				f.Launch(ctx, index)
			}
		})
	}
	feeding, stop := ctx, context.CancelFunc(func() {})
	if load.Duration > 0 {
		feeding, stop = context.WithTimeout(ctx, load.Duration)
	}
	f.feed(feeding, load, queue)
	stop()
	close(queue)
	workers.Wait()
	return nil
}

// feed names the devices to launch, at the load's rate.
func (f *Fleet) feed(ctx context.Context, load Load, queue chan<- int) {
	limit := rate.Inf
	if load.PerSecond > 0 {
		limit = rate.Limit(load.PerSecond)
	}
	// The burst evens out a busy machine: a tenth of a second may be caught up.
	limiter := rate.NewLimiter(limit, max(1, int(load.PerSecond/10)))
	var started int64
	for round := uint64(0); ; round++ {
		order := rand.New(rand.NewPCG(uint64(f.options.Seed), round)).Perm(len(f.devices))
		for _, index := range order {
			if load.Launches > 0 && started >= load.Launches {
				return
			}
			if limiter.Wait(ctx) != nil {
				return // ctx ended, or will before the limiter lets another one through
			}
			select {
			case <-ctx.Done():
				return
			case queue <- index:
				started++
			}
		}
	}
}
