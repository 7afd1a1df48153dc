package feed

import (
	"context"
	"strconv"
	"sync"
)

// executions tells watchers when a rollout execution changed.
type executions struct {
	mu       sync.Mutex
	watchers map[int64]map[chan struct{}]bool
}

// Watch returns a channel that receives at once and after each change of the execution.
// Changes until the channel is read count as one. The watch ends with ctx.
func (f *Feed) Watch(ctx context.Context, executionID int64) <-chan struct{} {
	return f.executions.watch(ctx, executionID)
}

func (e *executions) watch(ctx context.Context, executionID int64) <-chan struct{} {
	changed := make(chan struct{}, 1)
	changed <- struct{}{}
	e.mu.Lock()
	if e.watchers[executionID] == nil {
		e.watchers[executionID] = map[chan struct{}]bool{}
	}
	e.watchers[executionID][changed] = true
	e.mu.Unlock()
	context.AfterFunc(ctx, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.watchers[executionID], changed)
		if len(e.watchers[executionID]) == 0 {
			delete(e.watchers, executionID)
		}
	})
	return changed
}

// notify wakes the watchers of the execution that payload names, or all of them when
// notifications may have been missed.
func (e *executions) notify(payload string) {
	id, err := strconv.ParseInt(payload, 10, 64)
	e.mu.Lock()
	defer e.mu.Unlock()
	for watched, channels := range e.watchers {
		if err == nil && watched != id {
			continue
		}
		for changed := range channels {
			select {
			case changed <- struct{}{}:
			default:
			}
		}
	}
}
