package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/waft-ota/waft/internal/snapshot"
	"github.com/waft-ota/waft/models"
)

// wakeInterval is the shortest time between two wakes of the same rollout: enough
// for a crash spike to be acted on in seconds, and few enough events in its
// history. After quiet it begins as firstWakeInterval and doubles with every wake,
// since the first reports of a spike come in several batches.
const (
	wakeInterval      = 500 * time.Millisecond
	firstWakeInterval = 100 * time.Millisecond
)

// healthListener is who wants to know that devices reported errors of a rollout's
// release.
type healthListener interface {
	HealthChanged(ctx context.Context, workflowID string) error
}

// waker tells a rollout that its release got errors as soon as queries see them,
// so that a rollout need not look often while nothing happens.
type waker struct {
	rollouts  healthListener
	snapshots *snapshot.Registry
	log       *slog.Logger

	mu      sync.Mutex
	pending map[string]bool // workflow ids
	wake    chan struct{}
}

func newWaker(rollouts healthListener, snapshots *snapshot.Registry, log *slog.Logger) *waker {
	return &waker{
		rollouts: rollouts, snapshots: snapshots, log: log,
		pending: map[string]bool{}, wake: make(chan struct{}, 1),
	}
}

// inserted notes the rollouts that reports with errors concern. It does not block.
func (w *waker) inserted(reports []models.HealthReport) {
	for _, r := range reports {
		if r.UpdateUUID != "" && r.HasErrors() {
			w.note(r.ProjectID, r.UpdateUUID)
		}
	}
}

// served notes the rollouts of releases that devices failed on before they could
// report anything. It does not block.
func (w *waker) served(serves []models.Exposure) {
	for _, s := range serves {
		if s.Kind == models.ExposureFailure {
			w.note(s.ProjectID, s.UpdateUUID)
		}
	}
}

func (w *waker) note(projectID int64, updateUUID string) {
	s, ok := w.snapshots.ProjectByID(projectID)
	if !ok {
		return
	}
	workflowID, ok := s.RolloutWorkflow(updateUUID)
	if !ok {
		return
	}
	w.add(workflowID)
}

func (w *waker) add(workflowID string) {
	w.mu.Lock()
	w.pending[workflowID] = true
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default: // run has not come around yet
	}
}

// run passes the wakes on until ctx ends, each until Temporal has taken it. One that
// is lost with the process costs time, not truth: the rollout looks by itself now and
// then.
func (w *waker) run(ctx context.Context) error {
	interval, woken := firstWakeInterval, time.Time{}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-w.wake:
		}
		if time.Since(woken) > 2*wakeInterval {
			interval = firstWakeInterval
		}
		woken = time.Now()
		for workflowID := range w.take() {
			if err := w.rollouts.HealthChanged(ctx, workflowID); err != nil && ctx.Err() == nil {
				w.log.Warn("a rollout could not be told that its release got errors; trying again", "workflow", workflowID, "error", err)
				w.add(workflowID)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(interval):
		}
		interval = min(2*interval, wakeInterval)
	}
}

func (w *waker) take() map[string]bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.pending
	w.pending = map[string]bool{}
	return taken
}
