package watch

import (
	"sync"
	"time"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// wakes are the workflows that were woken, by execution: one decision wakes a workflow once,
// and one that has not acted is observed again.
type wakes struct {
	mu    sync.Mutex
	woken map[int64]*woken
}

// woken is a wake whose workflow has not been seen to act.
type woken struct {
	workflowID string
	cause      cause
	// until is when the workflow should have acted, pause how long it had for that.
	until time.Time
	pause time.Duration
}

// cause is why a workflow is woken: the version of its row, and what it would decide.
type cause struct {
	version    int64
	action     rollout.Action
	waitingFor models.WaitReason
	breached   bool
	frozen     bool
}

// due reports whether a decision that changes an execution wakes its workflow, and records
// that it does. Woken again for the same cause, a workflow has twice the time.
func (w *wakes) due(e models.RolloutExecution, d rollout.Decision, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := cause{e.Version, d.Action, d.WaitingFor, d.Breached(), d.Frozen}
	pause := wakeAgain
	if known := w.woken[e.ID]; known != nil && known.cause == c {
		if now.Before(known.until) {
			return false
		}
		pause = min(2*known.pause, sweepAfter)
	}
	w.woken[e.ID] = &woken{workflowID: e.WorkflowID, cause: c, until: now.Add(pause), pause: pause}
	return true
}

// acted removes the wake of an execution whose row says what its workflow would decide.
func (w *wakes) acted(execution int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.woken, execution)
}

// failed makes the next check try the wake of an execution again.
func (w *wakes) failed(execution int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if known := w.woken[execution]; known != nil {
		known.until = known.until.Add(-known.pause)
	}
}

// unproved returns the workflows that should have acted by now.
func (w *wakes) unproved(now time.Time) (workflowIDs []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, known := range w.woken {
		switch late := now.Sub(known.until); {
		case late < 0:
		case late > 2*checkEvery:
			delete(w.woken, id) // it has ended, or another watcher has observed it
		default:
			workflowIDs = append(workflowIDs, known.workflowID)
		}
	}
	return workflowIDs
}
