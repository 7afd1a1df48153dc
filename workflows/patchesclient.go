package workflows

import (
	"context"
	"errors"
	"fmt"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/models"
)

// BuildPatches starts the workflow that makes the patches to a release. Doing it
// again is harmless, also when the workflow has ended since.
func (c *Client) BuildPatches(ctx context.Context, b models.PatchBuild) error {
	_, err := c.temporal.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:                       b.WorkflowID,
		TaskQueue:                c.taskQueue,
		WorkflowIDConflictPolicy: enumspb.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		WorkflowIDReusePolicy:    enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
		StaticSummary:            b.Summary,
		StaticDetails:            "Makes the binary patches by which devices download a release. Until they are there, or without them, devices download the whole bundle.",
	}, WorkflowBuildPatches, b)
	var started *serviceerror.WorkflowExecutionAlreadyStarted
	if err != nil && !errors.As(err, &started) {
		return models.Unavailable("Temporal", fmt.Errorf("start workflow %s: %w", b.WorkflowID, err))
	}
	return nil
}
