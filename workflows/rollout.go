package workflows

import (
	"errors"
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
	// look is the look at the release's health under way, nil between looks.
	look *look
	// looks counts the finished looks of this run.
	looks int
}

// look is a question after the release's health that was not answered yet.
type look struct {
	answer workflow.Future
	cancel workflow.CancelFunc
}

// run is the loop: one step after the other as long as there is something to do,
// then the one wait.
func (r *rolloutRun) run(ctx workflow.Context) error {
	if r.state.Status == "" {
		err := r.begin(ctx)
		for errors.Is(err, errRelinked) {
			err = r.begin(ctx)
		}
		if err != nil {
			return r.settle(ctx, err)
		}
	}
	for r.state.Status.Open() {
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
	var subject models.RolloutSubject
	if err := workflow.ExecuteActivity(loading(ctx), ActivityLoadRollout, r.start).Get(ctx, &subject); err != nil {
		return err
	}
	loaded := newState(subject)
	now := clockTime(ctx)
	loaded.NextLookAt = now
	loaded.Quick = changed(ctx, changeQuickLooks)
	loaded.Calm = changed(ctx, changeCalmLooks)
	if loaded.Status == models.ExecutionRunning {
		loaded.Clock = loaded.Clock.Started(now)
	}
	if err := r.announce(ctx, loaded); err != nil {
		return err
	}
	r.state = loaded
	if !loaded.Status.Open() {
		return nil
	}
	if startAt := loaded.Schedule.StartAt; startAt != nil && !subject.Begun && (loaded.Seq > 0 || startAt.After(now)) {
		r.state.Scheduled = true
		return nil
	}
	if loaded.Seq == 0 {
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
		r.dropLook()
		return true, errMovedOn
	case r.requested.Err() != nil:
		return true, r.commit(ctx, r.state.cancel(systemActor, "cancelled in Temporal", true))
	case r.supersededBy != 0:
		return true, r.commit(ctx, r.state.supersede(r.supersededBy))
	case len(r.pending) > 0:
		return true, r.obey(ctx)
	case r.state.Scheduled:
		return r.awaitStart(ctx)
	case r.look != nil && r.look.answer.IsReady():
		return true, r.decide(ctx)
	case r.look == nil && !clockTime(ctx).Before(r.state.NextLookAt):
		r.observe(ctx)
		return true, nil
	default:
		return false, nil
	}
}

// awaitStart begins the first stage when its time has come and no freeze holds, unless
// the rollout is paused. Until then there is nothing to look at.
func (r *rolloutRun) awaitStart(ctx workflow.Context) (acted bool, err error) {
	now, startAt := clockTime(ctx), *r.state.Schedule.StartAt
	if now.Before(startAt) || r.state.Status != models.ExecutionRunning {
		r.state.NextLookAt = startAt
		return false, nil
	}
	if len(r.state.Schedule.FreezeWindows) > 0 && changed(ctx, changeFrozenStart) {
		until, err := r.frozenUntil(ctx, now)
		if err != nil {
			return false, err
		}
		if until.After(now) {
			r.state.NextLookAt = until
			return false, nil
		}
	}
	return true, r.commit(ctx, r.state.begin(now))
}

// wait sleeps until step may have something to do.
func (r *rolloutRun) wait(ctx workflow.Context) error {
	health := workflow.GetSignalChannel(ctx, SignalHealthChanged)
	superseded := workflow.GetSignalChannel(ctx, SignalSuperseded)
	reverted := workflow.GetSignalChannel(ctx, SignalReverted)
	relinked := workflow.GetSignalChannel(ctx, SignalRelinked)
	called := func() bool {
		return r.requested.Err() != nil || len(r.pending) > 0 || superseded.Len() > 0 || reverted.Len() > 0 ||
			relinked.Len() > 0 || health.Len() > 0 || r.look != nil && r.look.answer.IsReady()
	}
	if r.look != nil || r.state.Scheduled && r.state.Status == models.ExecutionPaused {
		return workflow.Await(ctx, called)
	}
	_, err := workflow.AwaitWithOptions(ctx, workflow.AwaitOptions{
		Timeout:      r.state.NextLookAt.Sub(clockTime(ctx)),
		TimerOptions: workflow.TimerOptions{Summary: r.waitSummary()},
	}, called)
	return err
}

// receiveSignals takes in what has arrived. It never waits.
func (r *rolloutRun) receiveSignals(ctx workflow.Context) {
	health := workflow.GetSignalChannel(ctx, SignalHealthChanged)
	for health.ReceiveAsync(nil) {
		r.state.HealthChanged = true
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
	if r.look == nil {
		r.state.NextLookAt = r.state.promptedLook(r.state.NextLookAt)
	}
}

// observe begins a look at the release's health. It does not wait for the answer,
// so that a ClickHouse that is away holds up no command.
func (r *rolloutRun) observe(ctx workflow.Context) {
	looking, cancel := workflow.WithCancel(observing(ctx))
	if r.state.HealthChanged {
		r.state.Prompted++
	} else {
		r.state.Prompted = 0
	}
	r.state.HealthChanged = false
	r.look = &look{
		answer: workflow.ExecuteActivity(looking, ActivityObserveRelease, r.state.healthQuery()),
		cancel: cancel,
	}
}

// decide plans on the health that was observed and carries the decision out.
func (r *rolloutRun) decide(ctx workflow.Context) error {
	var seen models.ReleaseHealth
	err := r.look.answer.Get(ctx, &seen)
	r.look = nil
	r.looks++
	now := clockTime(ctx)
	r.state.LookedAt = now
	health := &seen
	if err != nil {
		workflow.GetLogger(ctx).Warn("health cannot be read; the rollout holds", "error", err)
		health = nil
	}
	in := r.state.planInput(health, now)
	d := rollout.Plan(in)
	if d.Action == rollout.ActionAdvance && len(r.state.Schedule.FreezeWindows) > 0 {
		until, err := r.frozenUntil(ctx, now)
		if err != nil {
			return err
		}
		d = rollout.Freeze(d, in, until)
	}
	if health != nil {
		r.state.Health = healthLook(seen, d.Judgement, now)
		r.state.Compared = r.state.Before.With(seen.Compared)
	}
	t, write := r.state.follow(d, now)
	if write {
		if err := r.commit(ctx, t); err != nil {
			return err
		}
	}
	if !write || t.event == "" || t.event == models.EventHeld {
		r.state.NextLookAt = r.state.nextLook(now, d.Deadline, health == nil)
	}
	return nil
}

// frozenUntil is when the freeze at now ends, zero when there is none. The history
// keeps the answer: rules of time zones change.
func (r *rolloutRun) frozenUntil(ctx workflow.Context, now time.Time) (until time.Time, err error) {
	schedule := r.state.Schedule
	err = workflow.SideEffect(ctx, func(workflow.Context) any { return rollout.FrozenUntil(schedule, now) }).Get(&until)
	return until, err
}

func healthLook(h models.ReleaseHealth, j rollout.Judgement, now time.Time) *models.HealthLook {
	return &models.HealthLook{
		ReleaseHealth: h,
		ErrorRate:     h.ErrorRate(),
		CrashRate:     h.CrashRate(),
		Evidence:      j.Evidence,
		CheckedAt:     now,
	}
}

// errMovedOn says that the row is not as this workflow left it.
var errMovedOn = errors.New("the rollout was changed by something other than its workflow")

// commit writes a transition, as often as it takes, and adopts it. A look under way
// asked about the state before, so its answer is not waited for. On errRelinked
// nothing was written, and the same may be tried again.
func (r *rolloutRun) commit(ctx workflow.Context, t transition) error {
	r.dropLook()
	change := t.change(r.state, clockTime(ctx), workflow.GetInfo(ctx).WorkflowExecution.RunID)
	var applied models.AppliedChange
	err := workflow.ExecuteActivity(applying(ctx, changeSummary(change)), ActivityApplyRolloutChange, change).Get(ctx, &applied)
	if err != nil {
		return err
	}
	switch {
	case applied.Version < change.Seq:
		r.adopt(ctx, applied.LinkedFlags, applied.CountsSince)
		return errRelinked
	case applied.Status != change.Status:
		return errMovedOn
	}
	before := r.state
	r.state = t.next
	r.state.Seq = change.Seq
	r.state.Shown = change.Health
	now := clockTime(ctx)
	if t.event != "" && t.event != models.EventHeld {
		r.state.NextLookAt = now
	}
	if r.state.Status == models.ExecutionRunning {
		// A stage's time counts from when its share was in force.
		r.state.Clock = r.state.Clock.Started(now)
	}
	return r.announceChange(ctx, before)
}

// dropLook stops waiting for the look under way, if there is one.
func (r *rolloutRun) dropLook() {
	if r.look != nil {
		r.look.cancel()
		r.look = nil
	}
}

// settle handles an error of the store that trying again cannot mend. When
// something else has ended the execution, or it is gone with its project, the
// workflow has nothing left to drive and ends in peace.
func (r *rolloutRun) settle(ctx workflow.Context, err error) error {
	if isType(err, models.CodeNotFound) {
		r.gone()
		return nil
	}
	if !errors.Is(err, errMovedOn) && !isType(err, models.CodeInvalidTransition) {
		return err
	}
	var subject models.RolloutSubject
	loadErr := workflow.ExecuteActivity(loading(ctx), ActivityLoadRollout, r.start).Get(ctx, &subject)
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
	r.state = newState(subject)
	return r.announceChange(ctx, before)
}

func (r *rolloutRun) gone() {
	r.state.Status = models.ExecutionCancelled
	r.state.Reason = "the rollout execution no longer exists"
}

func isType(err error, code models.ErrorCode) bool {
	var app *temporal.ApplicationError
	return errors.As(err, &app) && app.Type() == string(code)
}

// mayContinueAsNew reports whether this is a moment to begin a new history: Temporal
// suggests it, nothing is under way that would be lost, and this run has got
// something done.
func (r *rolloutRun) mayContinueAsNew(ctx workflow.Context) bool {
	return workflow.GetInfo(ctx).GetContinueAsNewSuggested() && r.looks > 0 &&
		r.look == nil && len(r.pending) == 0 && workflow.AllHandlersFinished(ctx)
}

// changed reports whether this run began after a change of the workflow's commands.
func changed(ctx workflow.Context, change string) bool {
	return workflow.GetVersion(ctx, change, workflow.DefaultVersion, 1) != workflow.DefaultVersion
}

// clockTime is the workflow's time, which a replay repeats.
func clockTime(ctx workflow.Context) time.Time { return workflow.Now(ctx).UTC() }
