package workflows_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// forgetful is a Temporal client that loses the response to the first update, as happens when a worker ends.
type forgetful struct {
	client.Client
	ids []string
}

func (f *forgetful) UpdateWorkflow(_ context.Context, options client.UpdateWorkflowOptions) (client.WorkflowUpdateHandle, error) {
	f.ids = append(f.ids, options.UpdateID)
	return lost{isLost: len(f.ids) == 1}, nil
}

func (f *forgetful) DescribeWorkflowExecution(context.Context, string, string) (*workflowservice.DescribeWorkflowExecutionResponse, error) {
	return &workflowservice.DescribeWorkflowExecutionResponse{
		WorkflowExecutionInfo: &workflowpb.WorkflowExecutionInfo{Status: enumspb.WORKFLOW_EXECUTION_STATUS_RUNNING},
	}, nil
}

type lost struct {
	client.WorkflowUpdateHandle
	isLost bool
}

func (l lost) Get(context.Context, any) error {
	if l.isLost {
		return serviceerror.NewNotFound("update not found")
	}
	return nil
}

func TestACommandThatIsSentAgainIsTheSameUpdate(t *testing.T) {
	t.Parallel()
	temporal := &forgetful{}
	require.NoError(t, workflows.NewClient(temporal, "queue").Command(t.Context(), "rollout/1", models.CommandResume, models.CommandInput{}))
	require.Len(t, temporal.ids, 2)
	require.NotEmpty(t, temporal.ids[0])
	require.Equal(t, temporal.ids[0], temporal.ids[1])
}
