package ownserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
)

// deleteWorkflows deletes the workflows of a task queue, and of task queues whose names begin with its name. Running
// workflows are terminated. No worker of these task queues may be running.
func deleteWorkflows(ctx context.Context, engines Engines, taskQueue string) error {
	c, err := client.DialContext(ctx, client.Options{
		HostPort: engines.TemporalAddress, Namespace: engines.namespace(), Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	if err != nil {
		return fmt.Errorf("delete workflows: %w", err)
	}
	defer c.Close()
	var all []*common.WorkflowExecution
	list := &workflowservice.ListWorkflowExecutionsRequest{
		Namespace: engines.namespace(), Query: fmt.Sprintf("TaskQueue STARTS_WITH '%s'", taskQueue),
	}
	for more := true; more; more = len(list.NextPageToken) > 0 {
		page, err := c.ListWorkflow(ctx, list)
		if err != nil {
			return fmt.Errorf("list workflows: %w", err)
		}
		for _, e := range page.Executions {
			all = append(all, e.Execution)
		}
		list.NextPageToken = page.NextPageToken
	}
	for _, e := range all {
		_, err := c.WorkflowService().DeleteWorkflowExecution(ctx, &workflowservice.DeleteWorkflowExecutionRequest{
			Namespace: engines.namespace(), WorkflowExecution: e,
		})
		if gone := (*serviceerror.NotFound)(nil); err != nil && !errors.As(err, &gone) {
			return fmt.Errorf("delete workflow %s: %w", e.WorkflowId, err)
		}
	}
	return nil
}
