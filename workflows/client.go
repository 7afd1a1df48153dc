package workflows

import (
	"context"
	"errors"
	"fmt"
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/waft-ota/waft/models"
)

const (
	// commandTimeout is how long a command waits for the rollout to carry it out.
	commandTimeout = 5 * time.Second
	// commandLife is how old a command may be when it is written. It is less
	// than commandTimeout, so that no command takes effect after its sender was told
	// that it did not: the difference is room for the write, and for clocks that differ.
	commandLife = 4 * time.Second
	// A rollout that was just created may not have been started yet; a command waits
	// startTimeout for that, asking every startPoll.
	startTimeout = 2 * time.Second
	startPoll    = 100 * time.Millisecond
	// maxAttempts is how often a command under one request id may have lapsed before it
	// is given up.
	maxAttempts = 20
)

// Client starts rollouts and talks to them.
type Client struct {
	temporal  client.Client
	taskQueue string

	commandTimeout, commandLife, startTimeout time.Duration
	now                                       func() time.Time
}

// NewClient makes a client whose rollouts run on workers of taskQueue.
func NewClient(tc client.Client, taskQueue string) *Client {
	return &Client{
		temporal: tc, taskQueue: taskQueue,
		commandTimeout: commandTimeout, commandLife: commandLife, startTimeout: startTimeout,
		now: time.Now,
	}
}

// StartRollout starts the workflow of an execution. Doing it again is harmless, also
// when the workflow has ended since: the workflow's id follows from the execution.
func (c *Client) StartRollout(ctx context.Context, s models.RolloutStart) error {
	summary := s.Summary
	if summary == "" {
		summary = fmt.Sprintf("rollout execution %d", s.ExecutionID)
	}
	_, err := c.temporal.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:                       s.WorkflowID,
		TaskQueue:                c.taskQueue,
		WorkflowIDConflictPolicy: enumspb.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		WorkflowIDReusePolicy:    enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
		StaticSummary:            summary,
		StaticDetails: fmt.Sprintf("Rollout execution %d of Waft. Pause, resume, advance or cancel it through Waft's API. "+
			"Cancelling it here takes the release back as well; terminating it leaves the release as it is, watched by nobody.", s.ExecutionID),
	}, WorkflowRollout, RolloutInput{Start: s})
	var started *serviceerror.WorkflowExecutionAlreadyStarted
	switch {
	case err == nil, errors.As(err, &started):
		return nil
	default:
		return models.Unavailable("Temporal", fmt.Errorf("start workflow %s: %w", s.WorkflowID, err))
	}
}

// Command tells an open rollout to do something and returns once that has taken
// effect in the store. Errors:
//
//   - invalid_transition: the rollout's state does not take the command, or it has
//     ended. Nothing happened.
//   - not_found: Temporal does not know the rollout, which the outbox has not started
//     yet, or which ended long ago. Nothing happened.
//   - unavailable: no answer in time, because no worker runs, the store is away, or
//     Temporal is. A command that was not written by then is refused later
//     (RolloutCommandInput.ExpiresAt). Sending one again with the same RequestID
//     joins it if it was, and learns how it went.
func (c *Client) Command(ctx context.Context, workflowID string, command models.RolloutCommand, in models.CommandInput) error {
	ctx, cancel := context.WithTimeout(ctx, c.commandTimeout)
	defer cancel()
	expires := c.now().UTC().Add(c.commandLife)
	options := client.UpdateWorkflowOptions{
		WorkflowID:   workflowID,
		UpdateName:   string(command),
		WaitForStage: client.WorkflowUpdateStageCompleted,
		Args:         []any{RolloutCommandInput{Actor: in.Actor, Reason: in.Reason, Revert: &in.Revert, ExpiresAt: &expires}},
	}
	joined := false
	for attempt := 1; ; {
		options.UpdateID = updateID(command, in.RequestID, attempt)
		err := c.deliver(ctx, options)
		switch {
		case in.RequestID == "":
			return commandError(command, err)
		case isType(err, errorTypeLapsed) && attempt < maxAttempts:
			attempt++
		case isType(err, errorTypeExpired) && !joined:
			// It joined one of an earlier sender, which left no trace.
			joined = true
		default:
			return commandError(command, err)
		}
	}
}

// updateID names a command by its request id, so that one sent again is the same one;
// "" names it anew. A caller may use one request id for several commands; they stay
// several. An attempt that lapsed was not carried out, and Temporal answers for it so
// for ever: the next one has another name.
func updateID(command models.RolloutCommand, requestID string, attempt int) string {
	switch {
	case requestID == "":
		return ""
	case attempt == 1:
		return updatePrefix(command) + requestID
	default:
		return fmt.Sprintf("%s%s/%d", updatePrefix(command), requestID, attempt)
	}
}

// updatePrefix begins the name of every command that has a request id.
func updatePrefix(command models.RolloutCommand) string { return string(command) + "/" }

// errNotStarted says that Temporal does not know the workflow.
var errNotStarted = errors.New("there is no such workflow")

// deliver sends a command, also to a rollout that is only about to be started. A
// Temporal that was killed may have lost a command that no worker had seen, and says
// that it is not found; it is sent again, too.
func (c *Client) deliver(ctx context.Context, options client.UpdateWorkflowOptions) error {
	for patience := c.now().Add(c.startTimeout); ; {
		err := c.update(ctx, options)
		var notFound *serviceerror.NotFound
		if !errors.As(err, &notFound) {
			return err
		}
		status, unknown := c.statusOf(ctx, options.WorkflowID)
		switch {
		case unknown != nil:
			return unknown
		case status != enumspb.WORKFLOW_EXECUTION_STATUS_UNSPECIFIED && status != enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING:
			return err
		case c.now().Before(patience):
		case status == enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING:
			return context.DeadlineExceeded
		default:
			return errNotStarted
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(startPoll):
		}
	}
}

// statusOf is the status of the workflow's last run, UNSPECIFIED when there is none.
func (c *Client) statusOf(ctx context.Context, workflowID string) (enumspb.WorkflowExecutionStatus, error) {
	described, err := c.temporal.DescribeWorkflowExecution(ctx, workflowID, "")
	var notFound *serviceerror.NotFound
	if errors.As(err, &notFound) {
		return enumspb.WORKFLOW_EXECUTION_STATUS_UNSPECIFIED, nil
	}
	return described.GetWorkflowExecutionInfo().GetStatus(), err
}

func (c *Client) update(ctx context.Context, options client.UpdateWorkflowOptions) error {
	handle, err := c.temporal.UpdateWorkflow(ctx, options)
	if err != nil {
		return err
	}
	return handle.Get(ctx, nil)
}

// Wake asks a rollout for an observation of its release. A rollout that has ended is not
// an error.
func (c *Client) Wake(ctx context.Context, workflowID string) error {
	return c.signal(ctx, workflowID, SignalWake, nil)
}

// Superseded tells a rollout that a newer release has reached everybody. A rollout
// that has ended is not an error.
func (c *Client) Superseded(ctx context.Context, s models.RolloutSuperseded) error {
	return c.signal(ctx, s.WorkflowID, SignalSuperseded, s)
}

// Reverted tells a rollout that its execution was ended in the store. A rollout
// that has ended, or was not started yet, is not an error: one that starts finds
// the execution ended.
func (c *Client) Reverted(ctx context.Context, r models.RolloutReverted) error {
	return c.signal(ctx, r.WorkflowID, SignalReverted, r)
}

// Relinked tells a rollout that people gave its release other linked flags. A rollout that
// has ended, or was not started yet, is not an error: one that starts finds it in the
// row.
func (c *Client) Relinked(ctx context.Context, r models.RolloutRelinked) error {
	return c.signal(ctx, r.WorkflowID, SignalRelinked, r)
}

// Disabled pauses the rollout of a release that somebody disabled. One that is paused
// or has ended is not an error; one that was not started yet is, with the code
// not_found.
func (c *Client) Disabled(ctx context.Context, d models.RolloutDisabled) error {
	err := c.Command(ctx, d.WorkflowID, models.CommandPause, models.CommandInput{
		Actor:  d.Actor,
		Reason: fmt.Sprintf("update %d was disabled; enable it, then resume", d.ReleaseID),
	})
	if models.CodeOf(err) == models.CodeInvalidTransition {
		return nil
	}
	return err
}

func (c *Client) signal(ctx context.Context, workflowID, name string, payload any) error {
	err := c.temporal.SignalWorkflow(ctx, workflowID, "", name, payload)
	var notFound *serviceerror.NotFound
	switch {
	case err == nil, errors.As(err, &notFound):
		return nil
	default:
		return models.Unavailable("Temporal", fmt.Errorf("signal %s to workflow %s: %w", name, workflowID, err))
	}
}

// sendAgain tells what a command without an answer comes to, see commandLife.
const sendAgain = "If it was not carried out by now it never will be: send it again, under the same Idempotency-Key if it had one"

// commandError says in the domain's words why a command failed.
func commandError(command models.RolloutCommand, err error) error {
	var (
		app      *temporal.ApplicationError
		notFound *serviceerror.NotFound
		timeout  *client.WorkflowUpdateServiceTimeoutOrCanceledError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &app) && app.Type() == string(models.CodeInvalidTransition):
		return &models.Error{Code: models.CodeInvalidTransition, Message: app.Message()}
	case isType(err, errorTypeExpired), isType(err, errorTypeLapsed):
		return models.Unavailable("the rollout worker", err)
	case errors.As(err, &notFound):
		return &models.Error{
			Code:    models.CodeInvalidTransition,
			Message: fmt.Sprintf("cannot %s this rollout: it has ended", command), Cause: err,
		}
	case errors.Is(err, errNotStarted):
		return &models.Error{Code: models.CodeNotFound, Message: "the rollout has not been started", Cause: err}
	case errors.As(err, &timeout), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		e := models.Unavailable("the rollout worker", err)
		e.Message = "the rollout did not answer in time. " + sendAgain
		return e
	default:
		e := models.Unavailable("Temporal", err)
		e.Message = "Temporal was lost before the rollout answered. " + sendAgain
		return e
	}
}
