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

// Load is the speed and duration of a run.
type Load struct {
	// Workers is the number of devices that are launched concurrently; 0 means 32.
	Workers int
	// PerSecond is the maximum number of launches per second; 0 disables the limit.
	PerSecond float64
	// Launches is the number of launches after which the run ends; 0 disables the limit.
	Launches int64
	// Duration is the time after which the run ends; 0 disables the limit.
	Duration time.Duration
}

// Run launches devices in rounds until a limit of the load is reached or ctx ends. Each round launches each device
// once, in an order that depends on the seed and the round. At a limit, running launches finish; at the end of ctx they
// are cancelled. Neither is an error.
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
	// The burst lets a busy machine make up for a delay of a tenth of a second.
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
