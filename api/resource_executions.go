package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// Executions stores rollouts.
type Executions interface {
	StartRollout(
		ctx context.Context, projectID int64, actor models.Actor, policyID, updateID int64,
	) (models.RolloutExecution, error)
	ListExecutions(ctx context.Context, projectID int64, page models.Page) ([]models.RolloutExecution, error)
	// Execution fills Timeline.
	Execution(ctx context.Context, projectID, id int64) (models.RolloutExecution, error)
	// RollBackExecution rolls back an open rollout.
	RollBackExecution(
		ctx context.Context, projectID int64, actor models.Actor, id int64, r models.ExecutionRollback,
	) (models.RolloutExecution, error)
	// ExecutionID finds an execution by its workflow id.
	ExecutionID(ctx context.Context, projectID int64, workflowID string) (int64, error)
}

type executionHandlers struct {
	executions Executions
	commands   RolloutCommands
}

var listExecutionsDoc = huma.Operation{
	OperationID: "listRolloutExecutions", Tags: []string{tagExecutions}, Summary: "List rollouts",
	Description: "Running, paused and ended rollouts.",
}

var startExecutionDoc = huma.Operation{
	OperationID: "startRolloutExecution", Tags: []string{tagExecutions}, Summary: "Start a rollout",
	Description:   "Rolls a release out by a policy. A release has one rollout at a time (rollout_in_progress), and none while a newer one is for every device. Publishing with rolloutPolicyId does the same.",
	DefaultStatus: http.StatusCreated, Errors: []int{http.StatusNotFound},
}

type startExecutionBody struct {
	PolicyID int64 `json:"policyId" minimum:"1" doc:"The policy to roll out by."`
	UpdateID int64 `json:"updateId" minimum:"1" doc:"The release to roll out."`
}

func (startExecutionBody) example() any { return startExecutionBody{PolicyID: 8, UpdateID: 17} }

func (h executionHandlers) start(ctx context.Context, in *bodyInput[startExecutionBody]) (*output[RolloutExecution], error) {
	e, err := h.executions.StartRollout(ctx, projectOf(ctx), actorOf(ctx), in.Body.PolicyID, in.Body.UpdateID)
	return &output[RolloutExecution]{executionRecord(e)}, err
}

var getExecutionDoc = huma.Operation{
	OperationID: "getRolloutExecution", Tags: []string{tagExecutions}, Summary: "Get a rollout",
	Description: "The rollout and its timeline.",
}
