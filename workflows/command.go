package workflows

import (
	"errors"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// pendingCommand is an accepted command that waits in the queue.
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
	models.CommandCancel:  "end the rollout and, by default, roll the release back",
	models.CommandAdvance: "begin the next stage now",
}

// check refuses a command that is not legal in the rollout's state, or that arrives too late. Such a command is not in the
// history. Before the rollout is loaded, and while a change is being written, executeNext checks the state instead,
// because the sender may already have seen that change in the store.
func (r *rolloutRun) check(ctx workflow.Context, name models.RolloutCommand, in RolloutCommandInput) error {
	if _, found := r.again(ctx); found {
		return nil // the handler returns its known result
	}
	if in.expired(ctx) {
		return temporal.NewApplicationError("the command arrived after its sender had stopped waiting", errorTypeExpired)
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

// refusal converts a domain error for the sender of a command. The result has no cause, so that Temporal does not change
// the message.
func refusal(err error) error {
	message := err.Error()
	var domain *models.Error
	if errors.As(err, &domain) {
		message = domain.Message
	}
	return temporal.NewApplicationError(message, string(models.CodeOf(err)))
}

// passedOn converts the error of an activity for the sender of a command.
func passedOn(err error) error {
	var app *temporal.ApplicationError
	if errors.As(err, &app) {
		return temporal.NewApplicationError(app.Message(), app.Type())
	}
	return err
}

// await queues a command and returns when it has taken effect.
func (r *rolloutRun) await(ctx workflow.Context, c *pendingCommand) error {
	// A request to cancel the workflow must not end this wait.
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	r.pending = append(r.pending, c)
	if err := workflow.Await(ctx, func() bool { return c.done }); err != nil {
		return err
	}
	return c.err
}

// executeNext executes the oldest command, unless it is no longer legal or its sender has stopped waiting.
func (r *rolloutRun) executeNext(ctx workflow.Context) error {
	c := r.pending[0]
	err := r.carryOut(ctx, c)
	if errors.Is(err, errRelinked) {
		return err // the command stays in the queue
	}
	r.pending = r.pending[1:]
	c.done = true
	return err
}

// carryOut executes a command, or sets the command's error. The error that it returns concerns the rollout. If that is
// errRelinked, the command is unchanged.
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
		c.err = lapsed() // the store was unavailable until now
		return nil
	case isType(err, models.CodeForbidden), isType(err, models.CodeApprovalPending):
		c.err = passedOn(err) // the channel is now protected
		return nil
	default:
		c.err = refusal(models.Errorf(models.CodeInvalidTransition, "cannot %s this rollout: it has ended or was deleted", c.name))
	}
	return err
}

// lapsed returns the error of a command that was accepted and then waited too long.
func lapsed() error {
	return temporal.NewApplicationError("the command waited in the queue until its sender had stopped waiting", errorTypeLapsed)
}

// transitionOf returns the transition for a command. ok is false if the command is unknown.
func (r *rolloutRun) transitionOf(ctx workflow.Context, c *pendingCommand) (t rollout.Transition, ok bool) {
	revert := c.input.Revert == nil || *c.input.Revert
	return r.state.OnCommand(c.name, clockTime(ctx), c.input.Actor, c.input.Reason, revert)
}

// dismissCommands refuses the queued commands of a rollout that has ended, and waits until every handler has returned.
// If the workflow ended before a handler, the sender would not get a response.
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
