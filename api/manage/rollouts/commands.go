package rollouts

import (
	"cmp"
	"context"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// RolloutCommands sends commands to the workflows of rollouts.
type RolloutCommands interface {
	// Command returns once the command took effect. It returns invalid_transition when the
	// rollout's status does not permit it, not_found when Temporal does not have the workflow,
	// and unavailable when Temporal or the worker cannot be reached.
	Command(ctx context.Context, workflowID string, c models.RolloutCommand, in models.CommandInput) error
}

func commandDoc(c models.RolloutCommand, summary, description string) huma.Operation {
	return huma.Operation{
		OperationID: string(c) + "RolloutExecution", Tags: []string{tagExecutions}, Summary: summary,
		Description: description + " Answers the rollout after the command took effect.",
	}
}

var (
	pauseExecutionDoc = commandDoc(models.CommandPause, "Pause a rollout",
		"The share stays and the clock of the stage stops. Thresholds are still observed. "+
			"Disabling a release pauses its rollout, too.")
	resumeExecutionDoc = commandDoc(models.CommandResume, "Resume a rollout",
		"The clock of the stage continues. A disabled release must be enabled first.")
	advanceExecutionDoc = commandDoc(models.CommandAdvance, "Advance a rollout",
		"Moves to the next stage at once, also if the stage still waits for something.")
	cancelExecutionDoc = commandDoc(models.CommandCancel, "Cancel a rollout",
		"Ends the rollout. Unless revert is false, the release is reverted on the devices that have it.")
)

// CommandReason is the reason for a command.
type CommandReason struct {
	Reason string `json:"reason,omitempty" maxLength:"1024" doc:"Why, for the timeline and the audit log."`
}

// Resolve checks what the schema cannot, before the reason reaches the workflow.
func (r CommandReason) Resolve(huma.Context) []error {
	return rest.BodyErrors(models.CommandInput{Reason: r.Reason}.Validate())
}

func (CommandReason) Example() any { return CommandReason{Reason: "support is swamped"} }

// command serves pause, resume and advance.
func (h *Handlers) command(
	c models.RolloutCommand,
) func(context.Context, *rest.IDBodyInput[*CommandReason]) (*rest.Output[RolloutExecution], error) {
	return func(ctx context.Context, in *rest.IDBodyInput[*CommandReason]) (*rest.Output[RolloutExecution], error) {
		return h.sendCommand(ctx, in.ID, c, commandInput(in.Body))
	}
}

func commandInput(body *CommandReason) (in models.CommandInput) {
	if body != nil {
		in.Reason = body.Reason
	}
	return in
}

type cancelBody struct {
	CommandReason
	Revert *bool `json:"revert,omitempty" doc:"Whether the release is reverted; true when absent."`
}

func (cancelBody) Example() any {
	return cancelBody{CommandReason: CommandReason{Reason: "the feature is postponed"}, Revert: new(false)}
}

func (h *Handlers) cancelExecution(ctx context.Context, in *rest.IDBodyInput[*cancelBody]) (*rest.Output[RolloutExecution], error) {
	return h.sendCommand(ctx, in.ID, models.CommandCancel, cancelInput(in.Body))
}

func cancelInput(body *cancelBody) models.CommandInput {
	in := models.CommandInput{Revert: true}
	if body != nil {
		in.Reason = body.Reason
		in.Revert = body.Revert == nil || *body.Revert
	}
	return in
}

// sendCommand sends a command and answers the rollout after it took effect.
func (h *Handlers) sendCommand(
	ctx context.Context, id int64, c models.RolloutCommand, in models.CommandInput,
) (*rest.Output[RolloutExecution], error) {
	e, err := h.Executions.Execution(ctx, rest.ProjectOf(ctx), id)
	if err != nil {
		return nil, err
	}
	if err := e.CheckRelease(c); err != nil {
		return nil, err
	}
	in.Actor = rest.ActorOf(ctx)
	if in.Actor.ApprovalID == 0 {
		if err := h.Executions.AskCommand(ctx, rest.ProjectOf(ctx), in.Actor, id, c); err != nil {
			return nil, err
		}
	}
	if approval := in.Actor.ApprovalID; approval != 0 {
		in.RequestID = fmt.Sprintf("approval/%d", approval)
	} else if key := rest.CallOf(ctx).IdempotencyKey; key != "" {
		// The workflow carries out a command once for each id.
		in.RequestID = in.Actor.ID + "/" + key
	} else if err := e.Status.CheckCommand(c); err != nil {
		return nil, err
	}
	err = h.RolloutCommands.Command(ctx, e.WorkflowID, c, in)
	switch models.CodeOf(err) {
	case models.CodeNotFound:
		err = notStarted(e, c, err)
	case models.CodeApprovalPending: // the channel was protected since it was asked
		err = cmp.Or(h.Executions.AskCommand(ctx, rest.ProjectOf(ctx), in.Actor, id, c), err)
	default:
	}
	if err != nil {
		return nil, fmt.Errorf("%s of rollout %d: %w", c, id, err)
	}
	rest.CallOf(ctx).CarriedOut = c
	e, err = h.Executions.Execution(ctx, rest.ProjectOf(ctx), id)
	return &rest.Output[RolloutExecution]{Body: ExecutionRecord(e)}, rest.TookEffect(ctx, err)
}

// notStarted is the error for a rollout whose workflow Temporal does not have: it ended long
// ago, or the worker has not started it yet. The second is unavailable, because it must not
// be stored as the answer to an Idempotency-Key.
func notStarted(e models.RolloutExecution, c models.RolloutCommand, cause error) error {
	if err := e.Status.CheckCommand(c); err != nil {
		return err
	}
	unavailable := models.Unavailable("the rollout worker", cause)
	unavailable.Message = "the rollout has not been started yet; nothing was changed, try again"
	return unavailable
}
