package workflows

import (
	"errors"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// errRelinked means that a step was not written, because the release's linked flags or the start of its counts had
// changed. The state is up to date again, and the workflow must decide the step again.
var errRelinked = errors.New("the linked flags of the release have changed")

// errMovedOn means that the row differs from the row that this workflow last wrote.
var errMovedOn = errors.New("the rollout was not changed by its workflow")

// commit writes a transition, with retries until it succeeds, and moves to the new state. It drops an observation under
// way, because that belongs to the previous state. If it returns errRelinked, nothing was written.
func (r *rolloutRun) commit(ctx workflow.Context, t rollout.Transition) error {
	r.dropObservation()
	change := t.Change(r.state, clockTime(ctx), workflow.GetInfo(ctx).WorkflowExecution.RunID)
	var applied models.AppliedChange
	r.committing = true
	err := workflow.ExecuteActivity(takenOver(ctx, applyTimeout, changeSummary(change)), ActivityApplyRolloutChange, change).Get(ctx, &applied)
	r.committing = false
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
	r.state, r.progressed = t.Next, true
	r.state.Execution.Version = change.Seq
	r.state.Execution.Progress = applied.Progress
	switch now := clockTime(ctx); t.Event {
	case "", models.EventHeld:
	case models.EventStarted:
		// No device has the release yet, so there is nothing to observe.
		r.state.ObserveAt = now.Add(r.state.Remaining(now))
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

// settle handles an error that a retry cannot resolve. If the rollout was changed or ended in the store, the workflow
// adopts the row. If the rollout was deleted with its project, the workflow ends without an error.
func (r *rolloutRun) settle(ctx workflow.Context, err error) error {
	if isType(err, models.CodeNotFound) {
		r.gone()
		return nil
	}
	if !errors.Is(err, errMovedOn) && !isType(err, models.CodeInvalidTransition) {
		return err
	}
	var subject models.RolloutSubject
	loadErr := workflow.ExecuteActivity(untilDone(ctx, loadTimeout, "load the rollout"), ActivityLoadRollout, r.start).Get(ctx, &subject)
	switch {
	case isType(loadErr, models.CodeNotFound):
		r.gone()
		return nil
	case loadErr != nil:
		return loadErr
	case subject.Execution.Status.Open() && !r.mayTakeOver(subject.Execution, err):
		return temporal.NewNonRetryableApplicationError(
			"the row of the rollout does not follow the last change of this workflow", "fence", err)
	}
	before := r.state
	r.state, r.reverted = rollout.State{RolloutSubject: subject}, false
	if subject.Execution.Status.Open() {
		r.state.ObserveAt = clockTime(ctx)
	}
	return r.announceChange(ctx, before)
}

// mayTakeOver reports whether the workflow may adopt an open row. It may if the store wrote the row instead of the
// workflow, as an emergency stop does; such a row has no run ID. It also may if a late signal announces a row that the
// workflow has already adopted.
func (r *rolloutRun) mayTakeOver(row models.RolloutExecution, err error) bool {
	return row.RunID == "" || errors.Is(err, errMovedOn) && row.Version == r.state.Execution.Version
}

func (r *rolloutRun) gone() {
	r.state.Execution.Status = models.ExecutionCancelled
	r.state.Execution.Reason = "the rollout no longer exists"
}

func isType(err error, code models.ErrorCode) bool {
	var app *temporal.ApplicationError
	return errors.As(err, &app) && app.Type() == string(code)
}

// adopt updates the number of linked flags and the start of the counts. If the start has changed, it drops an observation
// under way.
func (r *rolloutRun) adopt(ctx workflow.Context, linkedFlags int, countsSince *time.Time) {
	next, recounted := r.state.Relinked(linkedFlags, countsSince)
	if recounted {
		r.dropObservation()
		next.ObserveAt = clockTime(ctx)
	}
	r.state = next
}
