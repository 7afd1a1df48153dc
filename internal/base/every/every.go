// Package every repeats work at an interval.
package every

import (
	"context"
	"time"
)

// Run calls do after each interval until ctx ends, and returns nil.
func Run(ctx context.Context, interval time.Duration, do func()) error {
	ticks := time.NewTicker(interval)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
			do()
		}
	}
}

// RunNow calls do immediately and after each interval until ctx ends, and returns nil.
func RunNow(ctx context.Context, interval time.Duration, do func()) error {
	do()
	return Run(ctx, interval, do)
}

// RunLast calls do after each interval until ctx ends, and then a last time with a context that ends after limit. It returns nil.
func RunLast(ctx context.Context, interval, limit time.Duration, do func(ctx context.Context)) error {
	_ = Run(ctx, interval, func() { do(ctx) }) // it returns nil
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	do(last)
	return nil
}
