package workflows_test

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// fakeRollout is the store and the telemetry of one rollout in memory. It contains a row with its fence, and the health that
// devices have reported.
type fakeRollout struct {
	mu      sync.Mutex
	subject models.RolloutSubject
	changes []models.ExecutionChange
	health  models.ReleaseHealth
	queries []models.HealthQuery
	// stale is the health for queries that count from before freshSince, the time when flags were reverted.
	stale      models.ReleaseHealth
	freshSince time.Time
	// blind makes reads of health fail, and storeAway writes of changes.
	blind     bool
	storeAway bool
	// late makes every command too late.
	late bool
	gone bool
	// attempts counts all attempted changes.
	attempts int
	// hang makes reads of health wait for their context.
	hang bool
	// slow blocks reads of health until it is closed. It may be nil.
	slow chan struct{}
	// now is the clock of the store.
	now func() time.Time
	// applied receives a value after each applied change, if a test reads it.
	applied chan struct{}
}

var updateUUID = uuid.MustParse("5f0c9f1e-0c3b-4a57-9d0e-7a1f3c1f9b11")

func newFakeRollout(startedAt time.Time, stages []models.Stage, thresholds models.Thresholds) *fakeRollout {
	return &fakeRollout{
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

func (fake *fakeRollout) RolloutSubject(context.Context, int64, int64) (models.RolloutSubject, error) {
	fake.mu.Lock()
	defer fake.mu.Unlock()
	if fake.gone {
		return models.RolloutSubject{}, models.Errorf(models.CodeNotFound, "no such rollout execution")
	}
	return fake.subject, nil
}

func (fake *fakeRollout) ApplyExecutionChange(_ context.Context, c models.ExecutionChange) (models.RolloutExecution, error) {
	fake.mu.Lock()
	defer fake.mu.Unlock()
	fake.attempts++
	row := &fake.subject.Execution
	switch {
	case fake.gone:
		return models.RolloutExecution{}, models.Errorf(models.CodeNotFound, "no such rollout execution")
	case fake.storeAway:
		return models.RolloutExecution{}, models.Unavailable("Postgres", nil)
	case row.Version == c.Seq:
		return *row, nil
	case row.Version != c.Seq-1:
		return models.RolloutExecution{}, models.Errorf(models.CodeInvalidTransition, "the rollout has moved on")
	case fake.late && c.ExpiresAt != nil:
		return models.RolloutExecution{}, models.Errorf(models.CodeExpired, "late")
	case fake.outdated(c):
		row := *row
		row.LinkedFlags = make([]models.LinkedFlag, fake.subject.LinkedFlags)
		return row, nil
	}
	if c.Health != nil {
		row.Health = c.Health
	}
	if c.StageIndex != row.StageIndex {
		c.Progress.Before = rollout.CarriedOver(*row)
	}
	if c.Status == models.ExecutionRunning && !c.Progress.Scheduled {
		c.Progress.Clock = c.Progress.Clock.Started(fake.now())
	}
	row.Version, row.Status, row.StageIndex, row.Percentage, row.Progress = c.Seq, c.Status, c.StageIndex, c.Percentage, c.Progress
	row.WaitingFor, row.Reason = c.WaitingFor, c.Reason
	row.StageStartedAt, row.PausedAt, row.EndedAt, row.RunID = c.StageStartedAt, c.PausedAt, c.EndedAt, c.RunID
	if c.DropFlags {
		fake.unlink(0, c.StageStartedAt)
	}
	if c.Event != nil {
		c.Event.Health = row.Health
	}
	fake.changes = append(fake.changes, c)
	select {
	case fake.applied <- struct{}{}:
	default:
	}
	return *row, nil
}

// outdated reports whether a change is based on outdated linked flags or counts.
func (fake *fakeRollout) outdated(c models.ExecutionChange) bool {
	since := fake.subject.Execution.CountsSince
	return since != nil && (c.CountsSince == nil || c.CountsSince.Before(*since)) || c.DropFlags && fake.subject.LinkedFlags == 0
}

// unlink sets the number of linked flags of the release. Earlier reports no longer count.
func (fake *fakeRollout) unlink(left int, at time.Time) {
	row := &fake.subject.Execution
	fake.subject.LinkedFlags, row.CountsSince, row.StageStartedAt = left, &at, at
	row.Progress = row.Progress.Recounted(row.Status, at)
	fake.stale, fake.health, fake.freshSince = fake.health, models.ReleaseHealth{}, at
}

func (fake *fakeRollout) ReleaseHealth(ctx context.Context, q models.HealthQuery) (models.ReleaseHealth, error) {
	fake.mu.Lock()
	health, hang, slow := fake.answer(q), fake.hang, fake.slow
	fake.queries = append(fake.queries, q)
	fake.mu.Unlock()
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

// answer returns the health for a query, or nil while reads fail.
func (fake *fakeRollout) answer(q models.HealthQuery) *models.ReleaseHealth {
	health := fake.health
	if q.Since.Before(fake.freshSince) {
		health = fake.stale
	}
	if fake.blind {
		return nil
	}
	return &health
}

// watch does what the watcher does in one round: it shows the health, and reports whether it wakes the workflow.
func (fake *fakeRollout) watch() (wakes bool) {
	fake.mu.Lock()
	defer fake.mu.Unlock()
	row := &fake.subject.Execution
	if fake.gone || !row.Status.Open() || row.Version == 0 || row.Progress.Scheduled {
		return false
	}
	health := fake.answer(rollout.HealthQuery(fake.subject))
	d := rollout.Next(fake.subject, health, fake.now())
	if health != nil {
		row.Health = rollout.Observation(*health, d.Judgement, fake.now())
	}
	if !d.Changes(*row) {
		row.Reason = d.ReasonFor(*row)
		return false
	}
	return true
}

// set changes the fake rollout while others may read it.
func (fake *fakeRollout) set(change func(*fakeRollout)) {
	fake.mu.Lock()
	defer fake.mu.Unlock()
	change(fake)
}

func (fake *fakeRollout) report(devices, crashed int64) {
	fake.set(func(fake *fakeRollout) {
		fake.health = models.ReleaseHealth{Devices: devices, Launches: devices, ErroredDevices: crashed, CrashedDevices: crashed}
	})
}

func (fake *fakeRollout) row() models.RolloutExecution {
	fake.mu.Lock()
	defer fake.mu.Unlock()
	return fake.subject.Execution
}

func (fake *fakeRollout) written() []models.ExecutionChange {
	fake.mu.Lock()
	defer fake.mu.Unlock()
	return slices.Clone(fake.changes)
}

func (fake *fakeRollout) observations() int {
	fake.mu.Lock()
	defer fake.mu.Unlock()
	return len(fake.queries)
}
