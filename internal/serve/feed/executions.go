package feed

import (
	"context"
	"strconv"
	"sync"

	"github.com/waft-ota/waft/models"
)

// ExecutionHub tells watchers in this process when a rollout execution changed.
type ExecutionHub struct {
	source Listener

	mu       sync.Mutex
	watchers map[int64]map[chan struct{}]bool
}

// NewExecutionHub returns a hub without watchers; Run feeds it.
func NewExecutionHub(source Listener) *ExecutionHub {
	return &ExecutionHub{source: source, watchers: map[int64]map[chan struct{}]bool{}}
}

// Run passes notifications on until ctx ends.
func (h *ExecutionHub) Run(ctx context.Context) error {
	return h.source.Listen(ctx, models.NotifyExecution, h.notify)
}

// Watch returns a channel that receives at once and after each change of the execution.
// Changes until the channel is read count as one. The watch ends with ctx.
func (h *ExecutionHub) Watch(ctx context.Context, executionID int64) <-chan struct{} {
	changed := make(chan struct{}, 1)
	changed <- struct{}{}
	h.mu.Lock()
	if h.watchers[executionID] == nil {
		h.watchers[executionID] = map[chan struct{}]bool{}
	}
	h.watchers[executionID][changed] = true
	h.mu.Unlock()
	context.AfterFunc(ctx, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.watchers[executionID], changed)
		if len(h.watchers[executionID]) == 0 {
			delete(h.watchers, executionID)
		}
	})
	return changed
}

// notify wakes the watchers of the execution that payload names, or all of them when
// notifications may have been missed.
func (h *ExecutionHub) notify(payload string) {
	id, err := strconv.ParseInt(payload, 10, 64)
	h.mu.Lock()
	defer h.mu.Unlock()
	for watched, channels := range h.watchers {
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
