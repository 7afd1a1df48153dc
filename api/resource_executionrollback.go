package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

var rollbackExecutionDoc = huma.Operation{
	OperationID: "rollbackRolloutExecution", Tags: []string{tagExecutions}, Summary: "Roll back a rollout",
	Description: "The scope says how much is reverted: one linked flag, the release, or every release of the channel's branch that is newer " +
		"than the last one for every device. The change is made in the database at once and needs no running worker. " +
		"Answers the rollout after the rollback.",
}

type rollbackExecutionBody struct {
	Scope  models.ExecutionRollbackScope `json:"scope" enum:"flag,release,channel" doc:"How much is reverted. With flag the rollout continues: its stage starts again and only later reports count."`
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
