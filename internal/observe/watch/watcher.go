// Package watch observes all open rollouts from outside their workflows.
//
// A Prompter runs where device reports arrive and prompts the rollouts with new reports. A Watcher runs in every
// worker. It takes prompts that other watchers have not taken, reads the health of all of these rollouts from
// ClickHouse with one query, and writes it to their rows. It wakes the workflows whose decision would change their
// rows. A woken workflow observes and decides on its own. So a rollout without new reports does not cost anything, and
// a rollout whose decision stays the same does not write history.
package watch

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

const (
	// batch is the number of rollouts whose health one query reads.
	batch = 100
	// roundGap is the minimum time between two rounds of observations.
	roundGap = 100 * time.Millisecond
	// checkEvery is how often a watcher checks whether ClickHouse responds, and sweeps rollouts that were not observed
	// for sweepAfter. The sweep finds rollouts whose prompts or wakes were lost, and limits the age of the health of a
	// rollout without reports.
	checkEvery = 5 * time.Second
	sweepAfter = 3 * time.Minute
	// wakeAgain is how long a woken workflow has to act before the rollout is observed again. A failing observation
	// takes a workflow 10 s.
	wakeAgain = 15 * time.Second
	// wakesAtOnce is the number of workflows that are woken at the same time.
	wakesAtOnce = 8
)

// Store is the part of store.Store that a watcher uses.
type Store interface {
	// Listen calls prompted whenever there are prompts: see store.Listen.
	Listen(ctx context.Context, channel string, prompted func(string)) error
	TakePrompts(ctx context.Context, most int) (subjects []models.RolloutSubject, more bool, err error)
	PromptRollouts(ctx context.Context, workflowIDs []string) error
	PromptUnobserved(ctx context.Context, before time.Time) error
	ShowObservations(ctx context.Context, shown []models.ShownObservation) error
}

// HealthSource reads exact device counts of releases from ClickHouse.
type HealthSource interface {
	ReleasesHealth(ctx context.Context, queries []models.HealthQuery) ([]models.ReleaseHealth, error)
	Ping(ctx context.Context) error
}

// Workflows wakes the workflows of rollouts.
type Workflows interface {
	Wake(ctx context.Context, workflowID string) error
}

// Watcher observes open rollouts. Several watchers may run; they share the work.
type Watcher struct {
	store     Store
	health    HealthSource
	workflows Workflows
	log       *slog.Logger
	now       func() time.Time

	prompted chan struct{}
	// blind says that ClickHouse did not respond the last time.
	blind bool
	wakes wakes
	// due contains, by workflow, the times at which further devices begin to count even without new reports.
	due map[string]time.Time
	// records stores the observations for people.
	records *recorder
}

// NewWatcher returns a watcher. now is time.Now except in tests.
func NewWatcher(
	store Store, health HealthSource, observations Observations, workflows Workflows, log *slog.Logger, now func() time.Time,
) *Watcher {
	return &Watcher{
		store: store, health: health, workflows: workflows, log: log, now: now,
		prompted: make(chan struct{}, 1), wakes: wakes{woken: map[int64]*woken{}}, due: map[string]time.Time{}, records: newRecorder(observations, log),
	}
}

// Run watches until ctx ends, and returns nil.
func (w *Watcher) Run(ctx context.Context) error {
	var running errgroup.Group
	running.Go(func() error {
		return w.store.Listen(ctx, models.NotifyRolloutPrompt, func(string) {
			select {
			case w.prompted <- struct{}{}:
			default: // a round is about to begin
			}
		})
	})
	running.Go(func() error {
		w.loop(ctx)
		return nil
	})
	running.Go(func() error { return w.records.run(ctx) })
	return running.Wait()
}

func (w *Watcher) loop(ctx context.Context) {
	check := time.NewTicker(checkEvery)
	defer check.Stop()
	gap := time.NewTimer(0)
	defer gap.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			return
		case <-check.C:
			w.check(ctx)
		case <-w.prompted:
		}
		for more := true; more && ctx.Err() == nil; {
			select {
			case <-ctx.Done():
				return
			case <-gap.C:
			}
			more = w.round(ctx)
			gap.Reset(roundGap)
		}
	}
}

// check prompts the rollouts that were not observed for sweepAfter, the woken rollouts that may not have acted, and the
// rollouts for which more devices count by now. If ClickHouse has become unavailable or available, check prompts all
// rollouts.
func (w *Watcher) check(ctx context.Context) {
	before := w.now().Add(-sweepAfter)
	away := w.health.Ping(ctx) != nil
	if ctx.Err() != nil {
		return
	}
	if away != w.blind {
		w.log.Warn("ClickHouse has become unavailable or available; all rollouts are observed", "away", away)
		w.blind, before = away, w.now()
	}
	err := w.store.PromptUnobserved(ctx, before)
	if again := append(w.wakes.unproved(w.now()), w.takeDue()...); err == nil && len(again) > 0 {
		err = w.store.PromptRollouts(ctx, again)
	}
	if err != nil && ctx.Err() == nil {
		w.log.Warn("rollouts could not be swept; trying again", "error", err)
	}
}

// takeDue returns the workflows for which devices have begun to count since the last observation.
func (w *Watcher) takeDue() (workflowIDs []string) {
	now := w.now()
	for id, due := range w.due {
		if !now.Before(due) {
			workflowIDs = append(workflowIDs, id)
			delete(w.due, id)
		}
	}
	return workflowIDs
}

// round observes the rollouts of up to batch prompts, and reports whether there are more prompts.
func (w *Watcher) round(ctx context.Context) (more bool) {
	subjects, more, err := w.store.TakePrompts(ctx, batch)
	if err != nil && ctx.Err() == nil {
		w.log.Warn("prompts could not be taken; the next check tries again", "error", err)
	}
	if err != nil || len(subjects) == 0 {
		return more
	}
	health := w.observe(ctx, subjects)
	if ctx.Err() != nil {
		return false
	}
	now := w.now()
	var shown []models.ShownObservation
	var due []models.RolloutExecution
	for i, s := range subjects {
		// The decision only determines whether to wake the workflow, and is not sent to it. The workflow observes and
		// decides again, from its own state and with the result in its history. So a wrong, late or repeated wake does
		// no harm (docs/adr/0012).
		d := rollout.Next(s, health[i], now)
		changes := d.Changes(s.Execution)
		if changes && w.wakes.due(s.Execution, d, now) {
			due = append(due, s.Execution)
		}
		if health[i] == nil {
			continue
		}
		o := models.ShownObservation{
			ExecutionID: s.Execution.ID, Version: s.Execution.Version, CountsSince: s.Execution.CountsSince,
			Health: *rollout.Observation(*health[i], d.Judgement, now),
		}
		if !changes {
			w.wakes.acted(s.Execution.ID)
			o.Reason = d.ReasonFor(s.Execution)
		}
		shown = append(shown, o)
		delete(w.due, s.Execution.WorkflowID)
		if due := health[i].NextDue(); !due.IsZero() {
			w.due[s.Execution.WorkflowID] = due
		}
		w.records.note(models.ObservationOf(s.Execution, o.Health))
	}
	w.wake(ctx, due)
	if err := w.store.ShowObservations(ctx, shown); err != nil && ctx.Err() == nil {
		w.log.Warn("observations could not be written", "error", err)
	}
	return more
}

// observe reads the health of all subjects. If that fails, it returns nil for each subject.
func (w *Watcher) observe(ctx context.Context, subjects []models.RolloutSubject) []*models.ReleaseHealth {
	queries := make([]models.HealthQuery, len(subjects))
	for i, s := range subjects {
		queries[i] = rollout.HealthQuery(s)
	}
	health := make([]*models.ReleaseHealth, len(subjects))
	answers, err := w.health.ReleasesHealth(ctx, queries)
	if err != nil {
		if ctx.Err() == nil {
			w.log.Warn("the health of rollouts could not be read", "rollouts", len(subjects), "error", err)
			w.blind = true // when ClickHouse is available again, a check prompts all rollouts
		}
		return health
	}
	for i := range answers {
		health[i] = &answers[i]
	}
	return health
}

// wake wakes workflows. The next check prompts the rollouts whose workflows could not be woken.
func (w *Watcher) wake(ctx context.Context, due []models.RolloutExecution) {
	var waking errgroup.Group
	waking.SetLimit(wakesAtOnce)
	for _, e := range due {
		waking.Go(func() error {
			err := w.workflows.Wake(ctx, e.WorkflowID)
			if err != nil && ctx.Err() == nil {
				w.log.Warn("a rollout could not be woken; trying again", "workflow", e.WorkflowID, "error", err)
				w.wakes.failed(e.ID)
			}
			return nil
		})
	}
	_ = waking.Wait() // the functions always return nil
}
