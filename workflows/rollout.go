package workflows

import (
	"errors"
	"slices"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// Rollout runs one rollout from its first stage to its end. However the rollout ends, Rollout returns nil, even if the
// rollout was deleted. An error means that the store refused a legal change.
func Rollout(ctx workflow.Context, in RolloutInput) (RolloutResult, error) {
	r := &rolloutRun{start: in.Start, requested: ctx, answered: in.Answered}
	if in.State != nil {
		r.state = *in.State
	}
	if err := r.handleMessages(ctx); err != nil {
		return RolloutResult{}, err
	}
	// A request to cancel the workflow cancels the rollout, which needs activities. So the code below does not use the
	// context that the request cancels.
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	err := r.run(ctx)
	if workflow.IsContinueAsNewError(err) {
		return RolloutResult{}, err
	}
	r.describe(ctx)
	r.receiveSignals(ctx) // signals that came too late; the SDK warns of signals that the workflow does not receive
	if finished := r.dismissCommands(ctx); finished != nil {
		return RolloutResult{}, finished
	}
	return resultOf(r.state), err
}

// rolloutRun is one run of the workflow.
type rolloutRun struct {
	start models.RolloutStart
	state rollout.State
	// requested is the context that a request to cancel the workflow cancels.
	requested workflow.Context
	pending   []*pendingCommand
	// answered contains the results of commands that may be repeated.
	answered   []AnsweredCommand
	superseded *models.RolloutSuperseded
	// reverted is true if the rollout was changed or ended in the store.
	reverted bool
	// observation is the observation under way, or nil.
	observation *observation
	// committing is true while a change is being written. Readers of the store may see the change before the workflow does.
	committing bool
	// progressed is true if this run has observed or written something.
	progressed bool
}

// observation is a query of the release's health that is under way.
type observation struct {
	answer workflow.Future
	cancel workflow.CancelFunc
}

// run repeats steps while there is something to do, and then waits.
func (r *rolloutRun) run(ctx workflow.Context) error {
	if r.state.Execution.Status == "" {
		err := r.begin(ctx)
		for errors.Is(err, errRelinked) {
			err = r.begin(ctx)
		}
		if err != nil {
			if err := r.settle(ctx, err); err != nil {
				return err
			}
		}
	}
	for r.state.Execution.Status.Open() {
		r.describe(ctx)
		acted, err := r.step(ctx)
		if errors.Is(err, errRelinked) {
			continue
		}
		if err != nil {
			acted, err = true, r.settle(ctx, err)
		}
		if err != nil {
			return err
		}
		if acted {
			continue
		}
		if r.mayContinueAsNew(ctx) {
			next := RolloutInput{Start: r.start, State: &r.state, Answered: r.handedOn(clockTime(ctx))}
			return workflow.NewContinueAsNewError(ctx, WorkflowRollout, next)
		}
		if err := r.wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// begin loads the rollout and begins the first stage, unless an earlier run already did.
func (r *rolloutRun) begin(ctx workflow.Context) error {
	var subject models.RolloutSubject
	load := untilDone(ctx, loadTimeout, "load the rollout")
	if err := workflow.ExecuteActivity(load, ActivityLoadRollout, r.start).Get(ctx, &subject); err != nil {
		return err
	}
	now := clockTime(ctx)
	loaded := rollout.Loaded(subject, now)
	if err := r.announce(ctx, loaded); err != nil {
		return err
	}
	r.state = loaded
	if loaded.AwaitsBegin() {
		return r.commit(ctx, loaded.Begin(now))
	}
	return nil
}

// step executes the most urgent action, if there is any. Commands come before observations.
func (r *rolloutRun) step(ctx workflow.Context) (acted bool, err error) {
	r.receiveSignals(ctx)
	switch {
	case r.reverted:
		r.dropObservation()
		return true, errMovedOn
	case r.requested.Err() != nil:
		return true, r.commit(ctx, r.state.Cancel(rollout.SystemActor, "cancelled in Temporal", true))
	case r.superseded != nil:
		return true, r.commit(ctx, r.state.Supersede(*r.superseded))
	case len(r.pending) > 0:
		return true, r.executeNext(ctx)
	case r.state.Execution.Progress.Scheduled:
		return r.awaitStart(ctx)
	case r.observation != nil && r.observation.answer.IsReady():
		return true, r.decide(ctx)
	case r.observation == nil && r.state.Due(clockTime(ctx)):
		r.observe(ctx)
		return true, nil
	default:
		return false, nil
	}
}

// awaitStart begins the first stage once its start time has passed outside of a freeze, unless the rollout is paused.
// Before that there is nothing to observe.
func (r *rolloutRun) awaitStart(ctx workflow.Context) (acted bool, err error) {
	now, startAt := clockTime(ctx), *r.state.Execution.Schedule.StartAt
	r.state.Woken = false
	switch {
	case r.state.Execution.Status != models.ExecutionRunning:
		r.state.ObserveAt = time.Time{}
		return false, nil
	case now.Before(startAt):
		r.state.ObserveAt = startAt
		return false, nil
	}
	until, err := r.frozenUntil(ctx, now)
	if err != nil {
		return false, err
	}
	if until.After(now) {
		r.state.ObserveAt = until
		return false, nil
	}
	return true, r.commit(ctx, r.state.Begin(now))
}

// wait sleeps until step may have something to do. Without a deadline, only a message ends the wait.
func (r *rolloutRun) wait(ctx workflow.Context) error {
	var signals []workflow.ReceiveChannel
	for _, name := range []string{SignalWake, SignalSuperseded, SignalReverted, SignalRelinked} {
		signals = append(signals, workflow.GetSignalChannel(ctx, name))
	}
	called := func() bool {
		return r.requested.Err() != nil || len(r.pending) > 0 || r.observation != nil && r.observation.answer.IsReady() ||
			slices.ContainsFunc(signals, func(c workflow.ReceiveChannel) bool { return c.Len() > 0 })
	}
	if r.observation != nil || r.state.ObserveAt.IsZero() {
		return workflow.Await(ctx, called)
	}
	_, err := workflow.AwaitWithOptions(ctx, workflow.AwaitOptions{
		Timeout:      r.state.ObserveAt.Sub(clockTime(ctx)),
		TimerOptions: workflow.TimerOptions{Summary: r.waitSummary()},
	}, called)
	return err
}

// receiveSignals reads the signals that have arrived. It does not wait.
func (r *rolloutRun) receiveSignals(ctx workflow.Context) {
	wakes := workflow.GetSignalChannel(ctx, SignalWake)
	for wakes.ReceiveAsync(nil) {
		r.state.Woken = true
	}
	superseded := workflow.GetSignalChannel(ctx, SignalSuperseded)
	for s := (models.RolloutSuperseded{}); superseded.ReceiveAsync(&s); {
		r.superseded = &s
	}
	reverted := workflow.GetSignalChannel(ctx, SignalReverted)
	for reverted.ReceiveAsync(nil) {
		r.reverted = true
	}
	relinked := workflow.GetSignalChannel(ctx, SignalRelinked)
	for s := (models.RolloutRelinked{}); relinked.ReceiveAsync(&s); s = (models.RolloutRelinked{}) {
		r.adopt(ctx, s.LinkedFlags, s.CountsSince)
	}
}

// observe starts a query of the release's health. It does not wait for the result, so that commands are executed while
// ClickHouse is unavailable.
func (r *rolloutRun) observe(ctx workflow.Context) {
	r.state.Woken = false
	observing, cancel := workflow.WithCancel(observeOptions(ctx))
	r.observation = &observation{
		answer: workflow.ExecuteActivity(observing, ActivityObserveRelease, rollout.HealthQuery(r.state.RolloutSubject)),
		cancel: cancel,
	}
}

// decide plans with the observed health and executes the decision.
func (r *rolloutRun) decide(ctx workflow.Context) error {
	var seen models.ReleaseHealth
	err := r.observation.answer.Get(ctx, &seen)
	r.observation, r.progressed = nil, true
	now := clockTime(ctx)
	health := &seen
	if err != nil {
		workflow.GetLogger(ctx).Warn("health cannot be read; the rollout is held", "error", err)
		health = nil
	}
	in := rollout.InputOf(r.state.RolloutSubject, health, now)
	d := rollout.Plan(in)
	if d.Action == rollout.ActionAdvance {
		until, err := r.frozenUntil(ctx, now)
		if err != nil {
			return err
		}
		d = rollout.Freeze(d, in, until)
	}
	r.state.ObserveAt = d.Deadline
	if health != nil {
		r.state.Execution.Health = rollout.Observation(seen, d.Judgement, now)
	}
	t, write := r.state.Follow(d, now)
	if !write {
		return nil
	}
	if health != nil {
		t.Health = r.state.Execution.Health
	}
	return r.commit(ctx, t)
}

// frozenUntil returns the end of the freeze at now, or zero if there is no freeze. The history contains the result, because
// time zone rules may change.
func (r *rolloutRun) frozenUntil(ctx workflow.Context, now time.Time) (until time.Time, err error) {
	schedule := r.state.Execution.Schedule
	if len(schedule.FreezeWindows) == 0 {
		return time.Time{}, nil
	}
	err = workflow.SideEffect(ctx, func(workflow.Context) any { return rollout.FrozenUntil(schedule, now) }).Get(&until)
	return until, err
}

// mayContinueAsNew reports whether to begin a new history. It does if Temporal suggests it, this run has made progress, and
// no observation or command is under way.
func (r *rolloutRun) mayContinueAsNew(ctx workflow.Context) bool {
	return workflow.GetInfo(ctx).GetContinueAsNewSuggested() && r.progressed &&
		r.observation == nil && len(r.pending) == 0 && workflow.AllHandlersFinished(ctx)
}

// resultOf returns the result of a workflow that ends in the state.
func resultOf(s rollout.State) RolloutResult {
	e := s.Execution
	return RolloutResult{Status: e.Status, Percentage: e.Percentage, Reason: e.Reason, Changes: e.Version}
}

// clockTime returns the workflow's time, which is the same in a replay.
func clockTime(ctx workflow.Context) time.Time { return workflow.Now(ctx).UTC() }
