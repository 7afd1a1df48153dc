package watch

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

const (
	// batch is how many rollouts one question is about; more are for the next one, or for
	// another watcher.
	batch = 100
	// roundGap is the least time between two rounds of observations.
	roundGap = 100 * time.Millisecond
	// checkEvery is how often a watcher asks whether ClickHouse answers, and looks for
	// rollouts that nobody has observed for sweepAfter. The sweep finds what a lost prompt
	// or a lost wake would have told, and bounds how old the health of a rollout without
	// reports is.
	checkEvery = 5 * time.Second
	sweepAfter = 3 * time.Minute
	// wakeAgain is how long a woken workflow has to act before the rollout is observed
	// once more. An observation that fails takes it 10 s.
	wakeAgain = 15 * time.Second
	// wakesAtOnce is how many workflows are woken at the same time.
	wakesAtOnce = 8
)

// Store is the store as a watcher needs it.
type Store interface {
	// Listen calls prompted whenever there are prompts; see store.Listen.
	Listen(ctx context.Context, channel string, prompted func(string)) error
	TakePrompts(ctx context.Context, most int) (subjects []models.RolloutSubject, more bool, err error)
	PromptRollouts(ctx context.Context, workflowIDs []string) error
	PromptUnobserved(ctx context.Context, before time.Time) error
	ShowObservations(ctx context.Context, shown []models.ShownObservation) error
}

// HealthSource reads what devices reported of releases, exactly.
type HealthSource interface {
	ReleasesHealth(ctx context.Context, queries []models.HealthQuery) ([]models.ReleaseHealth, error)
	Ping(ctx context.Context) error
}

// Workflows wakes the workflows of rollouts.
type Workflows interface {
	Wake(ctx context.Context, workflowID string) error
}

// Watcher observes open rollouts. Several may run; they share the work.
type Watcher struct {
	store     Store
	health    HealthSource
	workflows Workflows
	log       *slog.Logger
	now       func() time.Time

	prompted chan struct{}
	// blind says that ClickHouse did not answer when it was asked last.
	blind bool
	wakes wakes
}

// NewWatcher makes a watcher; now is time.Now but in tests.
func NewWatcher(store Store, health HealthSource, workflows Workflows, log *slog.Logger, now func() time.Time) *Watcher {
	return &Watcher{
		store: store, health: health, workflows: workflows, log: log, now: now,
		prompted: make(chan struct{}, 1), wakes: wakes{},
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

// check prompts what no report prompts: every rollout when ClickHouse has gone away or
// come back, those that nobody has observed for long, and those that were woken and may
// not have acted.
func (w *Watcher) check(ctx context.Context) {
	before := w.now().Add(-sweepAfter)
	away := w.health.Ping(ctx) != nil
	if ctx.Err() != nil {
		return
	}
	if away != w.blind {
		w.log.Warn("ClickHouse has gone away or come back; all rollouts are observed", "away", away)
		w.blind, before = away, w.now()
	}
	err := w.store.PromptUnobserved(ctx, before)
	if again := w.wakes.unproved(w.now()); err == nil && len(again) > 0 {
		err = w.store.PromptRollouts(ctx, again)
	}
	if err != nil && ctx.Err() == nil {
		w.log.Warn("rollouts cannot be swept; trying again", "error", err)
	}
}

// round observes the rollouts of up to batch prompts, and reports whether there are more.
func (w *Watcher) round(ctx context.Context) (more bool) {
	subjects, more, err := w.store.TakePrompts(ctx, batch)
	if err != nil && ctx.Err() == nil {
		w.log.Warn("prompts cannot be taken; the next check tries again", "error", err)
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
	var asleep []wake
	for i, s := range subjects {
		d := rollout.Next(s, health[i], now)
		changes := d.Changes(s.Execution)
		if changes && w.wakes.due(s.Execution, d, now) {
			asleep = append(asleep, wake{workflowID: s.Execution.WorkflowID, execution: s.Execution.ID})
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
	}
	w.wake(ctx, asleep)
	if err := w.store.ShowObservations(ctx, shown); err != nil && ctx.Err() == nil {
		w.log.Warn("observations cannot be shown", "error", err)
	}
	return more
}

// observe reads the health of all subjects, nil for each when it cannot be read.
func (w *Watcher) observe(ctx context.Context, subjects []models.RolloutSubject) []*models.ReleaseHealth {
	queries := make([]models.HealthQuery, len(subjects))
	for i, s := range subjects {
		queries[i] = rollout.HealthQuery(s)
	}
	health := make([]*models.ReleaseHealth, len(subjects))
	answers, err := w.health.ReleasesHealth(ctx, queries)
	if err != nil {
		if ctx.Err() == nil {
			w.log.Warn("the health of rollouts cannot be read", "rollouts", len(subjects), "error", err)
			w.blind = true // the check that finds ClickHouse back prompts them all
		}
		return health
	}
	for i := range answers {
		health[i] = &answers[i]
	}
	return health
}

// wake wakes workflows. Those that Temporal does not take are prompted again with the
// next check.
func (w *Watcher) wake(ctx context.Context, asleep []wake) {
	var waking errgroup.Group
	waking.SetLimit(wakesAtOnce)
	for _, a := range asleep {
		waking.Go(func() error {
			err := w.workflows.Wake(ctx, a.workflowID)
			if err != nil && ctx.Err() == nil {
				w.log.Warn("a rollout cannot be woken; trying again", "workflow", a.workflowID, "error", err)
				w.wakes.failed(a.execution)
			}
			return nil
		})
	}
	_ = waking.Wait() // no error: a wake that fails is tried again
}
