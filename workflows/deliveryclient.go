package workflows

import (
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

// DeliverWebhook starts the workflow of a webhook delivery. Doing it again is harmless,
// also when the workflow has ended since.
func (c *Client) DeliverWebhook(ctx context.Context, s models.WebhookStart) error {
	_, err := c.temporal.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:                       s.WorkflowID,
		TaskQueue:                WebhooksQueue(c.taskQueue),
		WorkflowIDConflictPolicy: enumspb.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		WorkflowIDReusePolicy:    enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
		StaticSummary:            fmt.Sprintf("%s: %s to webhook %d", s.Project, s.Event, s.WebhookID),
		StaticDetails: fmt.Sprintf("Delivery %d of Waft, whose attempts are at /v1/ota/webhooks/%d/deliveries. Cancelling it here cancels the delivery.",
			s.DeliveryID, s.WebhookID),
		TypedSearchAttributes: temporal.NewSearchAttributes(
			attributeProject.ValueSet(s.Project), attributeWebhook.ValueSet(strconv.FormatInt(s.WebhookID, 10)),
			attributeEvent.ValueSet(s.Event), attributeStatus.ValueSet(string(models.DeliveryPending))),
	}, WorkflowDeliver, s)
	var started *serviceerror.WorkflowExecutionAlreadyStarted
	if err != nil && !errors.As(err, &started) {
		return models.Unavailable("Temporal", fmt.Errorf("start workflow %s: %w", s.WorkflowID, err))
	}
	return nil
}

// DeliveryEnded ends the wait of a delivery that was cancelled in the store. One that
// has ended, or was not started yet, is no error.
func (c *Client) DeliveryEnded(ctx context.Context, e models.WebhookEnded) error {
	return c.signal(ctx, e.WorkflowID, SignalDeliveryEnded, nil)
}
