package watch

import (
	"sync"
	"time"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// wakes contains the workflows that were woken, by rollout. A decision wakes a workflow once. If the workflow does not
// act, its rollout is observed again.
type wakes struct {
	mu    sync.Mutex
	woken map[int64]*woken
}

// woken is a wake whose workflow has not been seen to act yet.
type woken struct {
	workflowID string
	cause      cause
	// until is the time by which the workflow should have acted, and pause is how long it had for that.
	until time.Time
	pause time.Duration
}

// cause is the reason for waking a workflow: the version of its row, and the decision that it would make.
type cause struct {
	version    int64
	action     rollout.Action
	waitingFor models.WaitReason
	breached   bool
	frozen     bool
}

// due reports whether a decision that changes a rollout should wake its workflow, and records the wake. If a workflow
// is woken again for the same cause, it has twice the time.
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

// acted removes the wake of a rollout whose row already matches its workflow's decision.
func (w *wakes) acted(execution int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.woken, execution)
}

// failed makes the next check repeat the wake of a rollout.
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
			delete(w.woken, id) // the rollout has ended, or another watcher has observed it
		default:
			workflowIDs = append(workflowIDs, known.workflowID)
		}
	}
	return workflowIDs
}
