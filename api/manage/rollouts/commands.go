package rollouts

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

func commandDoc(c models.RolloutCommand, summary, description string) huma.Operation {
	return huma.Operation{
		OperationID: string(c) + "RolloutExecution", Tags: []string{tagExecutions}, Summary: summary,
		Description: description + " Returns the rollout once the command has taken effect.",
	}
}

var (
	pauseExecutionDoc = commandDoc(models.CommandPause, "Pause a rollout",
		"The rollout percentage stays and the clock of the stage stops. Waft still checks the thresholds. Disabling a release "+
			"also pauses its rollout.")
	resumeExecutionDoc = commandDoc(models.CommandResume, "Resume a rollout",
		"The clock of the stage continues. A disabled release must be enabled first.")
	advanceExecutionDoc = commandDoc(models.CommandAdvance, "Advance a rollout",
		"Moves to the next stage immediately, even if the current stage is still waiting for something.")
	cancelExecutionDoc = commandDoc(models.CommandCancel, "Cancel a rollout",
		"Ends the rollout. Unless revert is false, the release is also reverted on the devices that have it.")
)

// CommandReason is the optional body of a command.
type CommandReason struct {
	Reason string `json:"reason,omitempty" maxLength:"1024" doc:"Reason, shown in the timeline and the audit log."`
}

// Resolve checks the rules that the schema cannot express, before the reason reaches the workflow.
func (r CommandReason) Resolve(huma.Context) []error {
	return rest.BodyErrors(models.CommandInput{Reason: r.Reason}.Validate())
}

func (CommandReason) Example() any { return CommandReason{Reason: "support is overloaded"} }

// pauseExecution pauses a rollout. Pausing never waits for approvals.
func (h *Handlers) pauseExecution(ctx context.Context, in *rest.IDBodyInput[*CommandReason]) (*rest.Output[RolloutExecution], error) {
	command := rolloutCommand(ctx, in.ID, commandInput(in.Body))
	return h.afterCommand(ctx, in.ID, models.CommandPause, h.Operations.Command(ctx, rest.AuthorOf(ctx), models.CommandPause, command))
}

// commandBy returns a handler that sends the command c to a rollout through the operation o.
func (h *Handlers) commandBy(
	c models.RolloutCommand, o operations.Operation[operations.RolloutCommand, operations.Nothing],
) rest.Handler[rest.IDBodyInput[*CommandReason], rest.Output[RolloutExecution]] {
	return func(ctx context.Context, in *rest.IDBodyInput[*CommandReason]) (*rest.Output[RolloutExecution], error) {
		_, err := operations.Do(ctx, h.Operations, o, rest.AuthorOf(ctx), rolloutCommand(ctx, in.ID, commandInput(in.Body)))
		return h.afterCommand(ctx, in.ID, c, err)
	}
}

// rolloutCommand returns the command of a request. The workflow applies each command ID once, so a request with an
// Idempotency-Key may be sent again.
func rolloutCommand(ctx context.Context, id int64, in models.CommandInput) operations.RolloutCommand {
	command := operations.RolloutCommand{ID: id, Reason: in.Reason, Revert: in.Revert}
	if key := rest.CallOf(ctx).IdempotencyKey; key != "" {
		command.RequestID = rest.ActorOf(ctx).ID + "/" + key
	}
	return command
}

func commandInput(body *CommandReason) (in models.CommandInput) {
	if body != nil {
		in.Reason = body.Reason
	}
	return in
}

type cancelBody struct {
	CommandReason
	Revert *bool `json:"revert,omitempty" doc:"Whether the release is reverted; true by default."`
}

func (cancelBody) Example() any {
	return cancelBody{CommandReason: CommandReason{Reason: "the feature is postponed"}, Revert: new(false)}
}

func (h *Handlers) cancelExecution(ctx context.Context, in *rest.IDBodyInput[*cancelBody]) (*rest.Output[RolloutExecution], error) {
	command := rolloutCommand(ctx, in.ID, cancelInput(in.Body))
	return h.afterCommand(ctx, in.ID, models.CommandCancel, h.Operations.Command(ctx, rest.AuthorOf(ctx), models.CommandCancel, command))
}

func cancelInput(body *cancelBody) models.CommandInput {
	in := models.CommandInput{Revert: true}
	if body != nil {
		in.Reason = body.Reason
		in.Revert = body.Revert == nil || *body.Revert
	}
	return in
}

// afterCommand returns the rollout once a command has taken effect, or the error of the command.
func (h *Handlers) afterCommand(
	ctx context.Context, id int64, c models.RolloutCommand, err error,
) (*rest.Output[RolloutExecution], error) {
	if err != nil {
		return nil, err
	}
	rest.CallOf(ctx).CarriedOut = c
	e, err := h.Executions.Execution(ctx, rest.ProjectOf(ctx), id)
	return &rest.Output[RolloutExecution]{Body: ExecutionRecord(e)}, rest.TookEffect(ctx, err)
}
