package workflows

import (
	"errors"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// pendingCommand is an accepted command that waits to be carried out.
type pendingCommand struct {
	name  models.RolloutCommand
	input RolloutCommandInput
	done  bool
	err   error
}

// handleMessages registers the handlers of queries and commands.
func (r *rolloutRun) handleMessages(ctx workflow.Context) error {
	if err := workflow.SetQueryHandler(ctx, QueryState, func() (rollout.State, error) { return r.state, nil }); err != nil {
		return err
	}
	for _, name := range commands {
		handle := func(ctx workflow.Context, in RolloutCommandInput) (RolloutResult, error) {
			if a, found := r.again(ctx); found {
				return resultOf(r.state), a.outcome()
			}
			err := r.await(ctx, &pendingCommand{name: name, input: in})
			r.remember(ctx, name, err)
			return resultOf(r.state), err
		}
		validate := func(ctx workflow.Context, in RolloutCommandInput) error { return r.check(ctx, name, in) }
		options := workflow.UpdateHandlerOptions{Validator: validate, Description: descriptions[name]}
		if err := workflow.SetUpdateHandlerWithOptions(ctx, string(name), handle, options); err != nil {
			return err
		}
	}
	return nil
}

var descriptions = map[models.RolloutCommand]string{
	models.CommandPause:   "stop the stage's clock; thresholds still apply",
	models.CommandResume:  "continue a paused rollout",
	models.CommandCancel:  "end the rollout and, by default, revert the release",
	models.CommandAdvance: "begin the next stage now",
}

// check refuses a command that is not legal in the rollout's state, or that comes too late. Such
// a command is not in the history. Before the execution is loaded, and while a change is being
// written, executeNext checks the state instead: the sender may have seen that change in the store.
func (r *rolloutRun) check(ctx workflow.Context, name models.RolloutCommand, in RolloutCommandInput) error {
	if _, found := r.again(ctx); found {
		return nil // its result is known
	}
	if in.expired(ctx) {
		return temporal.NewApplicationError("the command came after its sender had stopped waiting", errorTypeExpired)
	}
	if r.committing {
		return nil
	}
	return r.checkState(name)
}

func (r *rolloutRun) checkState(name models.RolloutCommand) error {
	if r.state.Execution.Status == "" {
		return nil
	}
	if err := r.state.Execution.Status.CheckCommand(name); err != nil {
		return refusal(err)
	}
	return nil
}

func (in RolloutCommandInput) expired(ctx workflow.Context) bool {
	return in.ExpiresAt != nil && clockTime(ctx).After(*in.ExpiresAt)
}

// refusal converts a domain error for the sender of a command. It has no cause, so that the
// message stays as it is.
func refusal(err error) error {
	message := err.Error()
	var domain *models.Error
	if errors.As(err, &domain) {
		message = domain.Message
	}
	return temporal.NewApplicationError(message, string(models.CodeOf(err)))
}

// passedOn is the error of an activity for the sender of a command.
func passedOn(err error) error {
	var app *temporal.ApplicationError
	if errors.As(err, &app) {
		return temporal.NewApplicationError(app.Message(), app.Type())
	}
	return err
}

// await queues a command for the loop and returns when it has taken effect.
func (r *rolloutRun) await(ctx workflow.Context, c *pendingCommand) error {
	// A request to cancel the workflow must not end this wait.
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	r.pending = append(r.pending, c)
	if err := workflow.Await(ctx, func() bool { return c.done }); err != nil {
		return err
	}
	return c.err
}

// executeNext carries out the oldest command, unless it is no longer legal or its sender has
// stopped waiting.
func (r *rolloutRun) executeNext(ctx workflow.Context) error {
	c := r.pending[0]
	err := r.carryOut(ctx, c)
	if errors.Is(err, errRelinked) {
		return err // it stays in the queue
	}
	r.pending = r.pending[1:]
	c.done = true
	return err
}

// carryOut carries out a command, or sets its error. The error that it returns is the rollout's;
// after errRelinked the command is unchanged.
func (r *rolloutRun) carryOut(ctx workflow.Context, c *pendingCommand) error {
	t, known := r.transitionOf(ctx, c)
	switch refused := r.checkState(c.name); {
	case c.input.expired(ctx):
		c.err = lapsed()
	case refused != nil:
		c.err = refused
	case !known:
		c.err = refusal(models.Errorf(models.CodeInvalidTransition, "unknown command %q", c.name))
	default:
		return r.commitCommand(ctx, c, t)
	}
	return nil
}

func (r *rolloutRun) commitCommand(ctx workflow.Context, c *pendingCommand, t rollout.Transition) error {
	t.ExpiresAt = c.input.ExpiresAt
	err := r.commit(ctx, t)
	switch {
	case err == nil, errors.Is(err, errRelinked):
	case isType(err, models.CodeExpired):
		c.err = lapsed() // the store was away until now
		return nil
	case isType(err, models.CodeForbidden), isType(err, models.CodeApprovalPending):
		c.err = passedOn(err) // its channel was protected meanwhile
		return nil
	default:
		c.err = refusal(models.Errorf(models.CodeInvalidTransition, "cannot %s this rollout: it has ended or was removed meanwhile", c.name))
	}
	return err
}

// lapsed is the error of a command that was accepted and then waited too long.
func lapsed() error {
	return temporal.NewApplicationError("the command was next only after its sender had stopped waiting", errorTypeLapsed)
}

// transitionOf is the transition for a command; ok is false for an unknown one.
func (r *rolloutRun) transitionOf(ctx workflow.Context, c *pendingCommand) (t rollout.Transition, ok bool) {
	revert := c.input.Revert == nil || *c.input.Revert
	return r.state.OnCommand(c.name, clockTime(ctx), c.input.Actor, c.input.Reason, revert)
}

// dismissCommands refuses the queued commands of a rollout that has ended, and waits until every
// handler has returned: a sender gets no answer when the workflow ends before its handler.
func (r *rolloutRun) dismissCommands(ctx workflow.Context) error {
	for {
		for _, c := range r.pending {
			c.err = refusal(models.Errorf(models.CodeInvalidTransition, "cannot %s a rollout that is %s", c.name, r.state.Execution.Status))
			c.done = true
		}
		r.pending = nil
		if workflow.AllHandlersFinished(ctx) {
			return nil
		}
		if err := workflow.Await(ctx, func() bool { return len(r.pending) > 0 || workflow.AllHandlersFinished(ctx) }); err != nil {
			return err
		}
	}
}
