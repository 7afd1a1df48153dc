package fleet

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Load says how fast and for how long to launch devices.
type Load struct {
	// Workers is how many devices are launched concurrently; 0 means 32.
	Workers int
	// PerSecond bounds the launches started per second; 0 means no bound.
	PerSecond float64
	// Launches ends the run after so many launches; 0 means no bound.
	Launches int64
	// Duration ends the run; 0 means no bound.
	Duration time.Duration
}

// Run launches devices in rounds, each device once a round in an order given by the seed
// and the round, until a bound of the load or the end of ctx. At a bound, running launches
// finish; at the end of ctx they are cancelled. Neither is an error.
func (f *Fleet) Run(ctx context.Context, load Load) error {
	if load.Workers < 0 || load.PerSecond < 0 || load.Launches < 0 || load.Duration < 0 {
		return errors.New("fleet: a load has no negative numbers")
	}
	queue := make(chan int)
	var workers sync.WaitGroup
	for range cmp.Or(load.Workers, 32) {
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

// feed sends the indices of the devices to launch, at the load's rate.
func (f *Fleet) feed(ctx context.Context, load Load, queue chan<- int) {
	limit := rate.Inf
	if load.PerSecond > 0 {
		limit = rate.Limit(load.PerSecond)
	}
	// The burst lets a busy machine catch up a tenth of a second.
	limiter := rate.NewLimiter(limit, max(1, int(load.PerSecond/10)))
	var started int64
	for round := uint64(0); ; round++ {
		order := rand.New(rand.NewPCG(uint64(f.options.Seed), round)).Perm(len(f.devices))
		for _, index := range order {
			if load.Launches > 0 && started >= load.Launches {
				return
			}
			if limiter.Wait(ctx) != nil {
				return // ctx has ended, or ends before the next launch is due
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
