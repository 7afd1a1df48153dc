package rollouts

import (
	"context"

	"github.com/waft-ota/waft/api/rest"
)

// getExecution returns a rollout with a link to its workflow.
func (h *Handlers) getExecution(ctx context.Context, in *rest.IDInput) (*rest.Output[RolloutExecution], error) {
	e, err := h.Executions.Execution(ctx, rest.ProjectOf(ctx), in.ID)
	record := ExecutionRecord(e)
	record.WorkflowURL = h.TemporalUI.Link(ctx, e.WorkflowID, e.RunID)
	return &rest.Output[RolloutExecution]{Body: record}, err
}
