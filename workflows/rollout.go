package workflows

import (
	"errors"
	"slices"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

// Rollout drives one rollout execution from its first stage to its end. It ends
// without an error however the rollout ends, also when the execution is gone from
// the store; an error means that the store refused a change it cannot refuse.
func Rollout(ctx workflow.Context, in RolloutInput) (RolloutResult, error) {
	r := &rolloutRun{start: in.Start, requested: ctx, answered: in.Answered}
	if in.State != nil {
		r.state = *in.State
	}
	if err := r.handleMessages(ctx); err != nil {
		return RolloutResult{}, err
	}
	// A request to cancel the workflow itself cancels the rollout, which takes
	// activities; so nothing below runs under the context that the request cancels.
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	err := r.run(ctx)
	if workflow.IsContinueAsNewError(err) {
		return RolloutResult{}, err
	}
	r.describe(ctx)
	if finished := r.dismissCommands(ctx); finished != nil {
		return RolloutResult{}, finished
	}
	return r.state.result(), err
}

// rolloutRun is one run of the workflow: the state, and what is under way.
type rolloutRun struct {
	start models.RolloutStart
	state RolloutState
	// requested is the context that a request to cancel the workflow cancels.
	requested workflow.Context
	pending   []*pendingCommand
	// answered are the commands that may come again.
	answered     []AnsweredCommand
	supersededBy int64
	// reverted says that the execution was ended in the store.
	reverted bool
	// observation is the one under way, nil between observations.
	observation *observation
	// progressed says that this run has observed or written something.
	progressed bool
}

// observation is a question for the release's health that is not answered yet.
type observation struct {
	answer workflow.Future
	cancel workflow.CancelFunc
}

// run is the loop: one step after the other as long as there is something to do,
// then the one wait.
func (r *rolloutRun) run(ctx workflow.Context) error {
	if r.state.Execution.Status == "" {
		err := r.begin(ctx)
		for errors.Is(err, errRelinked) {
			err = r.begin(ctx)
		}
		if err != nil {
			return r.settle(ctx, err)
		}
	}
	for r.state.Execution.Status.Open() {
		r.describe(ctx)
		acted, err := r.step(ctx)
		if errors.Is(err, errRelinked) {
			continue
		}
		if err != nil {
			return r.settle(ctx, err)
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

// begin loads the execution and applies the first stage's share, unless an earlier
// workflow did.
func (r *rolloutRun) begin(ctx workflow.Context) error {
	var loaded RolloutState
	if err := workflow.ExecuteActivity(loadOptions(ctx), ActivityLoadRollout, r.start).Get(ctx, &loaded.RolloutSubject); err != nil {
		return err
	}
	now, e := clockTime(ctx), &loaded.Execution
	loaded.ObserveAt = now
	if e.Version == 0 {
		e.Progress.Scheduled = e.Schedule.StartAt != nil && e.Schedule.StartAt.After(now)
	}
	if err := r.announce(ctx, loaded); err != nil {
		return err
	}
	r.state = loaded
	if e.Version == 0 && e.Status.Open() && !e.Progress.Scheduled {
		return r.commit(ctx, loaded.begin(now))
	}
	return nil
}

// step does the most urgent thing, if there is any: what people ask for before
// what the clock does.
func (r *rolloutRun) step(ctx workflow.Context) (acted bool, err error) {
	r.receiveSignals(ctx)
	switch {
	case r.reverted:
		r.dropObservation()
		return true, errMovedOn
	case r.requested.Err() != nil:
		return true, r.commit(ctx, r.state.cancel(systemActor, "cancelled in Temporal", true))
	case r.supersededBy != 0:
		return true, r.commit(ctx, r.state.supersede(r.supersededBy))
	case len(r.pending) > 0:
		return true, r.executeNext(ctx)
	case r.state.Execution.Progress.Scheduled:
		return r.awaitStart(ctx)
	case r.observation != nil && r.observation.answer.IsReady():
		return true, r.decide(ctx)
	case r.observation == nil && r.state.due(clockTime(ctx)):
		r.observe(ctx)
		return true, nil
	default:
		return false, nil
	}
}

// awaitStart begins the first stage when its time has come and no freeze holds, unless
// the rollout is paused. Until then there is nothing to observe.
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
	return true, r.commit(ctx, r.state.begin(now))
}

// wait sleeps until step may have something to do. Nothing but a message ends the wait
// of a rollout without a deadline.
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

// receiveSignals takes in what has arrived. It never waits.
func (r *rolloutRun) receiveSignals(ctx workflow.Context) {
	wakes := workflow.GetSignalChannel(ctx, SignalWake)
	for wakes.ReceiveAsync(nil) {
		r.state.Woken = true
	}
	superseded := workflow.GetSignalChannel(ctx, SignalSuperseded)
	for s := (models.RolloutSuperseded{}); superseded.ReceiveAsync(&s); {
		r.supersededBy = s.ByReleaseID
	}
	reverted := workflow.GetSignalChannel(ctx, SignalReverted)
	for reverted.ReceiveAsync(nil) {
		r.reverted = true
	}
	r.receiveRelinked(ctx)
}

// observe asks for the release's health. It does not wait for the answer, so that a
// ClickHouse that is away holds up no command.
func (r *rolloutRun) observe(ctx workflow.Context) {
	r.state.Woken = false
	observing, cancel := workflow.WithCancel(observeOptions(ctx))
	r.observation = &observation{
		answer: workflow.ExecuteActivity(observing, ActivityObserveRelease, rollout.HealthQuery(r.state.RolloutSubject)),
		cancel: cancel,
	}
}

// decide plans on the health that was observed and carries the decision out.
func (r *rolloutRun) decide(ctx workflow.Context) error {
	var seen models.ReleaseHealth
	err := r.observation.answer.Get(ctx, &seen)
	r.observation, r.progressed = nil, true
	now := clockTime(ctx)
	health := &seen
	if err != nil {
		workflow.GetLogger(ctx).Warn("health cannot be read; the rollout holds", "error", err)
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
	t, write := r.state.follow(d, now)
	if !write {
		return nil
	}
	if health != nil {
		t.health = r.state.Execution.Health
	}
	return r.commit(ctx, t)
}

// frozenUntil is when the freeze at now ends, zero when there is none. The history
// keeps the answer: rules of time zones change.
func (r *rolloutRun) frozenUntil(ctx workflow.Context, now time.Time) (until time.Time, err error) {
	schedule := r.state.Execution.Schedule
	if len(schedule.FreezeWindows) == 0 {
		return time.Time{}, nil
	}
	err = workflow.SideEffect(ctx, func(workflow.Context) any { return rollout.FrozenUntil(schedule, now) }).Get(&until)
	return until, err
}

// errMovedOn says that the row is not as this workflow left it.
var errMovedOn = errors.New("the rollout was changed by something other than its workflow")

// commit writes a transition, retrying until that succeeds, and adopts it. An
// observation under way asked about the state before, so it is dropped. On errRelinked
// nothing was written, and the same may be tried again.
func (r *rolloutRun) commit(ctx workflow.Context, t transition) error {
	r.dropObservation()
	change := t.change(r.state, clockTime(ctx), workflow.GetInfo(ctx).WorkflowExecution.RunID)
	var applied models.AppliedChange
	err := workflow.ExecuteActivity(applyOptions(ctx, changeSummary(change)), ActivityApplyRolloutChange, change).Get(ctx, &applied)
	if err != nil {
		return err
	}
	switch {
	case applied.Version < change.Seq:
		r.adopt(ctx, applied.LinkedFlags, applied.CountsSince)
		r.state.ObserveAt = clockTime(ctx)
		return errRelinked
	case applied.Status != change.Status:
		return errMovedOn
	}
	before := r.state
	r.state, r.progressed = t.next, true
	r.state.Execution.Version = change.Seq
	r.state.Execution.Progress = applied.Progress
	switch now := clockTime(ctx); t.event {
	case "", models.EventHeld:
	case models.EventStarted:
		// No device has the release yet, so there is nothing to observe until the stage's end.
		r.state.ObserveAt = now.Add(r.state.remaining(now))
	default:
		r.state.ObserveAt = now
	}
	return r.announceChange(ctx, before)
}

// dropObservation stops waiting for the observation under way, if there is one.
func (r *rolloutRun) dropObservation() {
	if r.observation != nil {
		r.observation.cancel()
		r.observation = nil
	}
}

// settle handles an error of the store that trying again cannot mend. When
// something else has ended the execution, or it is gone with its project, the
// workflow has nothing left to drive and ends without an error.
func (r *rolloutRun) settle(ctx workflow.Context, err error) error {
	if isType(err, models.CodeNotFound) {
		r.gone()
		return nil
	}
	if !errors.Is(err, errMovedOn) && !isType(err, models.CodeInvalidTransition) {
		return err
	}
	var subject models.RolloutSubject
	loadErr := workflow.ExecuteActivity(loadOptions(ctx), ActivityLoadRollout, r.start).Get(ctx, &subject)
	switch {
	case isType(loadErr, models.CodeNotFound):
		r.gone()
		return nil
	case loadErr != nil:
		return loadErr
	case subject.Execution.Status.Open():
		return temporal.NewNonRetryableApplicationError(
			"the execution's row does not follow from what this workflow wrote", "fence", err)
	}
	before := r.state
	r.state = RolloutState{RolloutSubject: subject}
	return r.announceChange(ctx, before)
}

func (r *rolloutRun) gone() {
	r.state.Execution.Status = models.ExecutionCancelled
	r.state.Execution.Reason = "the rollout execution no longer exists"
}

func isType(err error, code models.ErrorCode) bool {
	var app *temporal.ApplicationError
	return errors.As(err, &app) && app.Type() == string(code)
}

// mayContinueAsNew reports whether this is a moment to begin a new history: Temporal
// suggests it, nothing is under way that would be lost, and this run has got
// something done.
func (r *rolloutRun) mayContinueAsNew(ctx workflow.Context) bool {
	return workflow.GetInfo(ctx).GetContinueAsNewSuggested() && r.progressed &&
		r.observation == nil && len(r.pending) == 0 && workflow.AllHandlersFinished(ctx)
}

// clockTime is the workflow's time, which a replay repeats.
func clockTime(ctx workflow.Context) time.Time { return workflow.Now(ctx).UTC() }
