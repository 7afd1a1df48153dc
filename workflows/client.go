package workflows

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/waft-ota/waft/models"
)

const (
	// commandTimeout is the maximum time that the sender of a command waits until it has taken effect.
	commandTimeout = 5 * time.Second
	// commandLife is the maximum age of a command when it is written. It is less than commandTimeout, so that a command
	// never takes effect after its sender got an error. The difference allows for the write and for clocks that differ.
	commandLife = 4 * time.Second
	// A command to a rollout that has not been started yet is retried every startPoll for up to startTimeout.
	startTimeout = 2 * time.Second
	startPoll    = 100 * time.Millisecond
	// maxAttempts is the maximum number of attempts of a command with one request ID.
	maxAttempts = 20
)

// Client starts workflows and sends them commands and signals.
type Client struct {
	temporal  client.Client
	taskQueue string
	// dashboard is the base URL of the dashboard, for links in the details of workflows, or "" for no links.
	dashboard string

	commandTimeout, commandLife, startTimeout time.Duration
	now                                       func() time.Time
}

// NewClient returns a client whose workflows run on workers of taskQueue.
func NewClient(tc client.Client, taskQueue string) *Client {
	return &Client{
		temporal: tc, taskQueue: taskQueue,
		commandTimeout: commandTimeout, commandLife: commandLife, startTimeout: startTimeout,
		now: time.Now,
	}
}

// LinkTo sets the base URL of the dashboard, to which the details of workflows link. It must be called before any workflow
// is started.
func (c *Client) LinkTo(base string) { c.dashboard = base }

// Command sends a command to an open rollout and returns when it has taken effect in the store.
// Errors:
//
//   - invalid_transition: the command is not legal in the rollout's state, or the rollout has ended.
//   - forbidden, approval_pending: the channel was protected in the meantime.
//   - not_found: Temporal does not have the rollout, because it was not started yet or ended long ago.
//   - unavailable: there was no response in time, because no worker runs, or the store or Temporal is unavailable.
//
// Only after unavailable can the command have taken effect. A command that was not written in time is refused later
// (RolloutCommandInput.ExpiresAt). The same command with the same RequestID returns the result of the first command.
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
			// This is the result of an earlier sender's command, which is not in the history.
			joined = true
		default:
			return commandError(command, err)
		}
	}
}

// updateID returns the update ID of a command. It contains the request ID, so that a repeated command is the same update,
// and the command's name, because several commands may have the same request ID. It is "" for a command without a request
// ID, which is always a new update. Temporal keeps the result of an attempt that lapsed, so each attempt has its own ID.
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

// updatePrefix returns the beginning of the update ID of a command with a request ID.
func updatePrefix(command models.RolloutCommand) string { return string(command) + "/" }

// errNotStarted means that Temporal does not have the workflow.
var errNotStarted = errors.New("the workflow does not exist")

// deliver sends a command, even to a rollout that is about to be started. After a crash, Temporal may return not_found for
// a command that no worker had received; deliver sends such a command again.
func (c *Client) deliver(ctx context.Context, options client.UpdateWorkflowOptions) error {
	if options.UpdateID == "" {
		options.UpdateID = uuid.NewString() // so that a command that is sent again is not executed twice
	}
	for patience := c.now().Add(c.startTimeout); ; {
		handle, err := c.temporal.UpdateWorkflow(ctx, options)
		if err == nil {
			err = handle.Get(ctx, nil)
		}
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

// statusOf returns the status of the workflow's last run, or UNSPECIFIED if there is no run.
func (c *Client) statusOf(ctx context.Context, workflowID string) (enumspb.WorkflowExecutionStatus, error) {
	described, err := c.temporal.DescribeWorkflowExecution(ctx, workflowID, "")
	var notFound *serviceerror.NotFound
	if errors.As(err, &notFound) {
		return enumspb.WORKFLOW_EXECUTION_STATUS_UNSPECIFIED, nil
	}
	return described.GetWorkflowExecutionInfo().GetStatus(), err
}

// Wake makes a rollout observe its release. Like all signals, it returns nil if the workflow has ended or was not started
// yet: a workflow reads its row when it starts.
func (c *Client) Wake(ctx context.Context, workflowID string) error {
	return c.signal(ctx, workflowID, SignalWake, nil)
}

// Superseded tells a rollout that every device gets a newer release.
func (c *Client) Superseded(ctx context.Context, s models.RolloutSuperseded) error {
	return c.signal(ctx, s.WorkflowID, SignalSuperseded, s)
}

// Reverted tells a rollout that it was ended, paused or resumed in the store.
func (c *Client) Reverted(ctx context.Context, r models.RolloutReverted) error {
	return c.signal(ctx, r.WorkflowID, SignalReverted, r)
}

// Relinked tells a rollout that the linked flags of its release were changed.
func (c *Client) Relinked(ctx context.Context, r models.RolloutRelinked) error {
	return c.signal(ctx, r.WorkflowID, SignalRelinked, r)
}

// DeliveryEnded ends the wait of a delivery that was cancelled in the store.
func (c *Client) DeliveryEnded(ctx context.Context, e models.WebhookEnded) error {
	return c.signal(ctx, e.WorkflowID, SignalDeliveryEnded, nil)
}

// Disabled pauses the rollout of a disabled release. It returns nil if the rollout is already paused or has ended, and
// not_found if it has not started.
func (c *Client) Disabled(ctx context.Context, d models.RolloutDisabled) error {
	err := c.Command(ctx, d.WorkflowID, models.CommandPause, d.Pause())
	if models.CodeOf(err) == models.CodeInvalidTransition {
		return nil
	}
	return err
}

func (c *Client) signal(ctx context.Context, workflowID, name string, payload any) error {
	err := c.temporal.SignalWorkflow(ctx, workflowID, "", name, payload)
	var notFound *serviceerror.NotFound
	if err != nil && !errors.As(err, &notFound) {
		return models.Unavailable("Temporal", fmt.Errorf("signal %s to workflow %s: %w", name, workflowID, err))
	}
	return nil
}

// sendAgain is the end of the message for a command without a response; see commandLife.
const sendAgain = "If the command has not taken effect by now, it never will. Retry it, with the same Idempotency-Key if you sent one"

// commandError converts the error of a command to a domain error.
func commandError(command models.RolloutCommand, err error) error {
	var (
		app      *temporal.ApplicationError
		notFound *serviceerror.NotFound
		timeout  *client.WorkflowUpdateServiceTimeoutOrCanceledError
	)
	switch {
	case err == nil:
		return nil
	case isType(err, models.CodeInvalidTransition), isType(err, models.CodeForbidden), isType(err, models.CodeApprovalPending):
		errors.As(err, &app)
		return &models.Error{Code: models.ErrorCode(app.Type()), Message: app.Message()}
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
		e.Message = "the rollout did not respond in time. " + sendAgain
		return e
	default:
		e := models.Unavailable("Temporal", err)
		e.Message = "the connection to Temporal was lost before the rollout responded. " + sendAgain
		return e
	}
}
