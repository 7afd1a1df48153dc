package feed

import (
	"context"
	"strconv"
	"sync"
)

// records informs watchers when a record of one kind has changed.
type records struct {
	mu       sync.Mutex
	watchers map[int64]map[chan struct{}]bool
}

// Watch returns a channel that receives immediately and after each change of the rollout. Changes that happen before
// the channel is read count as one. The watch ends with ctx.
func (f *Feed) Watch(ctx context.Context, executionID int64) <-chan struct{} {
	return f.executions.watch(ctx, executionID)
}

// WatchApproval returns a channel that receives immediately and after the end of the approval. The watch ends with ctx.
func (f *Feed) WatchApproval(ctx context.Context, id int64) <-chan struct{} {
	return f.approvals.watch(ctx, id)
}

func (r *records) watch(ctx context.Context, id int64) <-chan struct{} {
	changed := make(chan struct{}, 1)
	changed <- struct{}{}
	r.mu.Lock()
	if r.watchers[id] == nil {
		r.watchers[id] = map[chan struct{}]bool{}
	}
	r.watchers[id][changed] = true
	r.mu.Unlock()
	context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.watchers[id], changed)
		if len(r.watchers[id]) == 0 {
			delete(r.watchers, id)
		}
	})
	return changed
}

// notify wakes the watchers of the record that payload names. If payload does not name a record, because notifications
// may have been lost, it wakes all watchers.
func (r *records) notify(payload string) {
	id, err := strconv.ParseInt(payload, 10, 64)
	r.mu.Lock()
	defer r.mu.Unlock()
	for watched, channels := range r.watchers {
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
