package workflows_test

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

// world is the store and the telemetry of one rollout, in memory: a row with its
// fence, and the health that devices have reported.
type world struct {
	mu      sync.Mutex
	subject models.RolloutSubject
	changes []models.ExecutionChange
	health  models.ReleaseHealth
	queries []models.HealthQuery
	// stale is what a query from before freshSince, when flags were dropped, still sees.
	stale      models.ReleaseHealth
	freshSince time.Time
	// blind and storeAway make reads of health and writes of changes fail.
	blind     bool
	storeAway bool
	// late makes every command too late.
	late bool
	gone bool
	// attempts counts the changes that were tried, applied or not.
	attempts int
	// hang makes reads of health wait for their context.
	hang bool
	// slow keeps reads of health from answering until it is closed, unless nil.
	slow chan struct{}
	// now is the world's clock.
	now func() time.Time
	// applied gets a value after each applied change, when somebody listens.
	applied chan struct{}
}

var updateUUID = uuid.MustParse("5f0c9f1e-0c3b-4a57-9d0e-7a1f3c1f9b11")

func newWorld(startedAt time.Time, stages []models.Stage, thresholds models.Thresholds) *world {
	return &world{
		applied: make(chan struct{}, 1),
		now:     func() time.Time { return time.Now().UTC() },
		subject: models.RolloutSubject{
			ProjectSlug: "demo",
			ShareSalt:   "release:8b0b1c1e-6d7a-4f7e-9a49-6d7d9f0c7a11",
			Execution: models.RolloutExecution{
				ID: 12, ProjectID: 7, UpdateID: 1042, UpdateUUID: updateUUID, Platform: models.IOS, RuntimeVersion: "1.0.0",
				PolicyName: "careful", Status: models.ExecutionRunning, Stages: stages, Thresholds: thresholds,
				StartedAt: startedAt, WorkflowID: "rollout/demo/12",
			},
		},
	}
}

func (w *world) RolloutSubject(context.Context, int64, int64) (models.RolloutSubject, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		return models.RolloutSubject{}, models.Errorf(models.CodeNotFound, "no such rollout execution")
	}
	return w.subject, nil
}

func (w *world) ApplyExecutionChange(_ context.Context, c models.ExecutionChange) (models.RolloutExecution, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.attempts++
	row := &w.subject.Execution
	switch {
	case w.gone:
		return models.RolloutExecution{}, models.Errorf(models.CodeNotFound, "no such rollout execution")
	case w.storeAway:
		return models.RolloutExecution{}, models.Unavailable("Postgres", nil)
	case row.Version == c.Seq:
		return *row, nil
	case row.Version != c.Seq-1:
		return models.RolloutExecution{}, models.Errorf(models.CodeInvalidTransition, "the rollout has moved on")
	case w.late && c.ExpiresAt != nil:
		return models.RolloutExecution{}, models.Errorf(models.CodeExpired, "late")
	case w.outdated(c):
		row := *row
		row.LinkedFlags = make([]models.LinkedFlag, w.subject.LinkedFlags)
		return row, nil
	}
	if c.Health != nil {
		row.Health = c.Health
	}
	if c.StageIndex != row.StageIndex {
		c.Progress.Before = rollout.CarriedOver(*row)
	}
	if c.Status == models.ExecutionRunning && !c.Progress.Scheduled {
		c.Progress.Clock = c.Progress.Clock.Started(w.now())
	}
	row.Version, row.Status, row.StageIndex, row.Percentage, row.Progress = c.Seq, c.Status, c.StageIndex, c.Percentage, c.Progress
	row.WaitingFor, row.Reason = c.WaitingFor, c.Reason
	row.StageStartedAt, row.PausedAt, row.EndedAt, row.RunID = c.StageStartedAt, c.PausedAt, c.EndedAt, c.RunID
	if c.DropFlags {
		w.unlink(0, c.StageStartedAt)
	}
	if c.Event != nil {
		c.Event.Health = row.Health
	}
	w.changes = append(w.changes, c)
	select {
	case w.applied <- struct{}{}:
	default:
	}
	return *row, nil
}

// outdated is what the store says of a change that rests on what is no more.
func (w *world) outdated(c models.ExecutionChange) bool {
	since := w.subject.Execution.CountsSince
	return since != nil && (c.CountsSince == nil || c.CountsSince.Before(*since)) || c.DropFlags && w.subject.LinkedFlags == 0
}

// unlink leaves the release with so many linked flags. What devices reported before
// counts no more.
func (w *world) unlink(left int, at time.Time) {
	row := &w.subject.Execution
	w.subject.LinkedFlags, row.CountsSince, row.StageStartedAt = left, &at, at
	row.Progress = row.Progress.Recounted(row.Status, at)
	w.stale, w.health, w.freshSince = w.health, models.ReleaseHealth{}, at
}

func (w *world) ReleaseHealth(ctx context.Context, q models.HealthQuery) (models.ReleaseHealth, error) {
	w.mu.Lock()
	health, hang, slow := w.answer(q), w.hang, w.slow
	w.queries = append(w.queries, q)
	w.mu.Unlock()
	if hang {
		<-ctx.Done()
		return models.ReleaseHealth{}, ctx.Err()
	}
	if slow != nil {
		<-slow
	}
	if health == nil {
		return models.ReleaseHealth{}, models.Unavailable("ClickHouse", nil)
	}
	return *health, nil
}

// answer is the health that a query reads, nil while nothing can be read.
func (w *world) answer(q models.HealthQuery) *models.ReleaseHealth {
	health := w.health
	if q.Since.Before(w.freshSince) {
		health = w.stale
	}
	if w.blind {
		return nil
	}
	return &health
}

// watch is what the watcher does with the rollout when it is prompted, or sweeps: it
// shows the health and reports whether it wakes the workflow.
func (w *world) watch() (wakes bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	row := &w.subject.Execution
	if w.gone || !row.Status.Open() || row.Version == 0 || row.Progress.Scheduled {
		return false
	}
	health := w.answer(rollout.HealthQuery(w.subject))
	d := rollout.Next(w.subject, health, w.now())
	if health != nil {
		row.Health = rollout.Observation(*health, d.Judgement, w.now())
	}
	if !d.Changes(*row) {
		row.Reason = d.ReasonFor(*row)
		return false
	}
	return true
}

// set changes the world while others may read it.
func (w *world) set(change func(*world)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(w)
}

func (w *world) report(devices, crashed int64) {
	w.set(func(w *world) {
		w.health = models.ReleaseHealth{Devices: devices, Launches: devices, ErroredDevices: crashed, CrashedDevices: crashed}
	})
}

func (w *world) row() models.RolloutExecution {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.subject.Execution
}

func (w *world) written() []models.ExecutionChange {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.changes)
}

func (w *world) observations() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queries)
}
