// Package backoff computes the time to wait before another attempt.
package backoff

import (
	"context"
	"math/rand/v2"
	"time"
)

// Policy waits Min after the first failure, and twice as long after each further one, up to Max.
type Policy struct{ Min, Max time.Duration }

// After returns the wait after a number of consecutive failures, at least 1, with Jitter.
func (p Policy) After(failures int) time.Duration { return Jitter(p.longest(failures)) }

func (p Policy) longest(failures int) time.Duration {
	wait := p.Min
	for range failures - 1 {
		if wait *= 2; wait >= p.Max {
			return p.Max
		}
	}
	return wait
}

// Jitter returns a random time between half of d and d, so that processes that failed together do not
// retry together.
func Jitter(d time.Duration) time.Duration { return d/2 + rand.N(d/2+1) }

// Sleep waits for d. When ctx ends before, it returns the cause.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
