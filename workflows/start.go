package workflows

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/waft-ota/waft/models"
)

// start starts a workflow, whose id identifies its work: starting it again does nothing, also
// after it has ended.
func (c *Client) start(ctx context.Context, o client.StartWorkflowOptions, workflow string, input any) error {
	o.WorkflowIDConflictPolicy = enumspb.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING
	o.WorkflowIDReusePolicy = enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE
	_, err := c.temporal.ExecuteWorkflow(ctx, o, workflow, input)
	var started *serviceerror.WorkflowExecutionAlreadyStarted
	if err != nil && !errors.As(err, &started) {
		return models.Unavailable("Temporal", fmt.Errorf("start workflow %s: %w", o.ID, err))
	}
	return nil
}

// StartRollout starts the workflow of an execution. It may be repeated.
func (c *Client) StartRollout(ctx context.Context, s models.RolloutStart) error {
	return c.start(ctx, client.StartWorkflowOptions{
		ID:            s.WorkflowID,
		TaskQueue:     c.taskQueue,
		StaticSummary: cmp.Or(s.Summary, fmt.Sprintf("rollout execution %d", s.ExecutionID)),
		StaticDetails: fmt.Sprintf("Rollout execution %d of Waft. Pause, resume, advance or cancel it through Waft's API. "+
			"Cancelling it here also reverts the release. Terminating it leaves the release as it is, without a rollout.", s.ExecutionID),
	}, WorkflowRollout, RolloutInput{Start: s})
}

// BuildPatches starts the workflow that makes the binary patches to a release. It may be repeated.
func (c *Client) BuildPatches(ctx context.Context, b models.PatchBuild) error {
	return c.start(ctx, client.StartWorkflowOptions{
		ID:            b.WorkflowID,
		TaskQueue:     c.taskQueue,
		StaticSummary: b.Summary,
		StaticDetails: "Makes the binary patches to a release. Without them devices download the whole bundle.",
	}, WorkflowBuildPatches, b)
}

// DeliverWebhook starts the workflow of a webhook delivery. It may be repeated.
func (c *Client) DeliverWebhook(ctx context.Context, s models.WebhookStart) error {
	return c.start(ctx, client.StartWorkflowOptions{
		ID:            s.WorkflowID,
		TaskQueue:     WebhooksQueue(c.taskQueue),
		StaticSummary: fmt.Sprintf("%s: %s to webhook %d", s.Project, s.Event, s.WebhookID),
		StaticDetails: fmt.Sprintf("Delivery %d of Waft, whose attempts are at /v1/ota/webhooks/%d/deliveries. "+
			"Cancelling it here cancels the delivery.", s.DeliveryID, s.WebhookID),
		TypedSearchAttributes: temporal.NewSearchAttributes(
			attributeProject.ValueSet(s.Project), attributeWebhook.ValueSet(strconv.FormatInt(s.WebhookID, 10)),
			attributeEvent.ValueSet(s.Event), attributeStatus.ValueSet(string(models.DeliveryPending))),
	}, WorkflowDeliver, s)
}
