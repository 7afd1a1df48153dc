package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

var rollbackExecutionDoc = huma.Operation{
	OperationID: "rollbackRolloutExecution", Tags: []string{tagExecutions}, Summary: "Roll a rollout back by hand",
	Description: "As far as the scope says: one linked flag, the release, or every release of the channel's branch that is newer " +
		"than the last one for everybody. It is done in the database, at once, also while no worker runs. " +
		"Answers the rollout as it stands afterwards.",
}

type rollbackExecutionBody struct {
	Scope  models.ExecutionRollbackScope `json:"scope" enum:"flag,release,channel" doc:"How much is taken back. After flag the rollout goes on: its stage begins again, and only what devices report from then on counts."`
	FlagID *int64                        `json:"flagId,omitempty" minimum:"1" doc:"The linked flag, with the scope flag."`
	Reason string                        `json:"reason,omitempty" maxLength:"1024" doc:"Why, for the timeline and the audit log."`
}

func (b rollbackExecutionBody) Resolve(huma.Context) []error {
	return bodyErrors(models.ExecutionRollback(b).Validate())
}

func (rollbackExecutionBody) example() any {
	return rollbackExecutionBody{Scope: models.RollbackRelease, Reason: "checkout is broken"}
}

func (h executionHandlers) rollback(ctx context.Context, in *idBodyInput[rollbackExecutionBody]) (*output[RolloutExecution], error) {
	e, err := h.executions.RollBackExecution(ctx, projectOf(ctx), actorOf(ctx), in.ID, models.ExecutionRollback(in.Body))
	return &output[RolloutExecution]{executionRecord(e)}, err
}
